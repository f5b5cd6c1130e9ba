"""What each word of the language wants by position: how people call it, of what kind it is, and an example of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed
from nomicgit.law.definitions import DEEPER, Token
from nomicgit.outlook.checks.habits import SINGLE
from nomicgit.outlook.checks.handed import literal


class Wanted(NamedTuple):
    """What a word wants in a place: how people call it, of what kind it is, and an example."""

    noun: str
    kind: str
    example: str


REF, VARIABLE, NAME, NUMBER, SPAN, TIME, TEXT, LIST, ANY = (
    "a reference", "the name of a variable", "a name in quotes", "a number", "a span", "a time", "a text", "a list", "",
)  # fmt: skip
_REF = Wanted("the reference", REF, "actor")
_VARIABLE = Wanted("the variable", VARIABLE, '"coins"')
_AMOUNT = Wanted("the amount", NUMBER, "1")
_VALUE = Wanted("the value", ANY, "x")
_TEXT = Wanted("the text", TEXT, '"Text"')
_SPAN = Wanted("the span", SPAN, '"1d"')
_TIME = Wanted("the time", TIME, "now()")
_MATTER = Wanted("the matter", REF, "matter")
_LIST = Wanted("the list", LIST, "players()")
_SIDES = Wanted("the number of sides", NUMBER, "6")
_COLLECTION = Wanted("the collection", NAME, '"players"')
_LIMIT = Wanted("the limit", NAME, '"limit"')
_WHO = Wanted("who", ANY, "actor")
_ACTION = Wanted("the action", NAME, '"action"')
_PLAYER = Wanted("the player", REF, "actor")
_MORE = Wanted("whether more", ANY, "True")
_MOVED = (_REF, _VARIABLE, _AMOUNT)
_ROLLED = (Wanted("how many dice", NUMBER, "2"), _SIDES)
WANTED: Mapping[str, Sequence[Wanted]] = {
    "get": (_REF, _VARIABLE), "read": (_REF,), "exists": (_REF._replace(kind=ANY),), "find": (_COLLECTION,), "count": (_COLLECTION,),
    "id": (_REF,), "name": (_REF._replace(kind=ANY),), "catalogue": (Wanted("the catalogue", NAME, '"name"'),),
    "known": (Wanted("the name", NAME, '"name"'),), "term": (Wanted("the role", NAME, '"emperor"'),), "put": (_REF,), "gain": _MOVED,
    "spend": _MOVED, "lose": _MOVED,
    "transfer": (Wanted("who gives", REF, "giver"), Wanted("who takes", REF, "taker"), _VARIABLE, _AMOUNT),
    "add": (_REF, _VARIABLE, _VALUE), "remove": (_REF, _VARIABLE, _VALUE),
    "mark": (_REF, _VARIABLE, Wanted("the key", ANY, "key"), _VALUE), "create": (_COLLECTION, Wanted("the id", ANY, "None")),
    "destroy": (_REF,), "reset": (_REF, Wanted("which alone", NAME, '"illegal"')), "was": (_REF, _VARIABLE), "changed": (),
    "players": (), "everyone": (), "emperor": (), "admins": (), "is_player": (_PLAYER._replace(kind=ANY),),
    "is_idle": (_PLAYER._replace(kind=ANY),), "now": (), "cast_at": (), "elapsed": (_TIME, _SPAN, _MORE), "later": (_TIME, _SPAN),
    "span": (_TIME, _TIME._replace(noun="the second time", example="t")), "start_of": (Wanted("the unit", NAME, '"day"'), _TIME),
    "date": (_TIME,), "weekday": (_TIME,),
    "say": (Wanted("the kind of post", NAME, '"kind"'), Wanted("the title", TEXT, '"Title"'), _TEXT, Wanted("the author", ANY, "None")),
    "comment": (Wanted("the post", REF, "post"), _TEXT, Wanted("the icon", ANY, '"for"')),
    "comments": (Wanted("the post", REF, "post"), Wanted("how many", NUMBER, "9")), "entries": (_PLAYER, _SPAN),
    "mentions": (_TEXT, Wanted("the word", TEXT, '"word"')), "tell": (_PLAYER, _TEXT), "note": (_TEXT,), "ballots": (_MATTER,),
    "votes": (_MATTER,), "changes": (_MATTER,),
    "apply": (Wanted("the change", ANY, '{"repeal": "Title"}'), Wanted("what counts", LIST, "[]")),
    "close": (_MATTER, Wanted("how it ends", NAME, '"enacted"')), "roll": (_SIDES,), "dice": _ROLLED, "pick": (_LIST,),
    "shuffle": (_LIST,), "secretly_roll": (_SIDES,), "secretly_dice": _ROLLED, "secretly_pick": (_LIST,), "secretly_shuffle": (_LIST,),
    "require": (Wanted("the condition", ANY, "condition"), Wanted("the reason", TEXT, '"why not"')),
    "refuse": (Wanted("the reason", ANY, '"why not"'),), "do": (_ACTION, _WHO), "can": (_ACTION, _WHO), "use": (_LIMIT, _WHO),
    "may_use": (_LIMIT, _WHO), "used": (_LIMIT, _WHO), "emit": (Wanted("the event", NAME, '"event"'),), "settle": (), "deed": (),
    "asked": (Wanted("the parameter", NAME, '"name"'), _VALUE), "call": (Wanted("the function", NAME, '"name"'),),
    "perform": (Wanted("the mechanics", ANY, "code"),), "perform_as": (_PLAYER, Wanted("the mechanics", ANY, "code")),
    "reveal": (_REF, _VARIABLE), "divide": (Wanted("what is divided", NUMBER, "n"), Wanted("by what", NUMBER, "2")),
    "total": (Wanted("the list", LIST, "[1, 2]"),),
    "reaches": (Wanted("the part", NUMBER, "part"), Wanted("the whole", NUMBER, "whole"), Wanted("the share", TEXT, '"1/2"'), _MORE),
    "digest": (_TEXT,),
}  # fmt: skip
"""What each word wants by position, as people say it."""

A_MAP, NOTHING, TRUTH, FRACTION = "a map", "None", "True or False", "a fraction"
RESULTS: Mapping[str, str] = {
    **dict.fromkeys(("players", "everyone", "admins", "find", "dice", "secretly_dice", "shuffle", "entries", "changes", "votes"), LIST),
    **dict.fromkeys(("now", "cast_at", "later", "start_of"), TIME), **dict.fromkeys(("count", "roll", "span", "divide", "len"), NUMBER),
}  # fmt: skip
"""Of what kind is what some words give."""
_TAKEN: Mapping[str, Set[str]] = {
    REF: {TEXT, REF}, VARIABLE: {TEXT}, NAME: {TEXT}, NUMBER: {NUMBER, FRACTION}, SPAN: {TEXT}, TIME: {TEXT, TIME},
    TEXT: {TEXT, TIME, REF}, LIST: {LIST},
}  # fmt: skip
WHOLE = frozenset({"roll", "dice", "secretly_roll", "secretly_dice", "divide", "comments"})
"""Words whose numbers are whole ones."""
_DIGITS = re.compile(r"""(['"])-?\d+(?:\.\d+)?\1""")


def kind_of(part: Sequence[Token], actor: bool) -> str:
    """Of what kind something is that is handed over, where that shows; ``actor``: whoever acts is called so there."""
    kind, word, _ = part[0]
    if len(part) == 1 or (word == "-" and len(part) == 2 and part[1][0] == "NUMBER"):
        number = part[-1][1] if part[-1][0] == "NUMBER" else ""
        if number:
            return FRACTION if "." in number else NUMBER
        if kind == "STRING":
            return TEXT
        return {"None": NOTHING, "True": TRUTH, "False": TRUTH, "actor": REF if actor else ""}.get(word, "")
    if word in "[{" and _closes(part, 0):
        return LIST if word == "[" else A_MAP
    return RESULTS.get(word, "") if part[1][1] == "(" and _closes(part, 1) else ""


def _closes(part: Sequence[Token], opening: int) -> bool:
    """Whether the bracket that opens here closes at the very end."""
    depth = 0
    for n, (_, word, _) in enumerate(part[opening:], opening):
        depth += DEEPER.get(word, 0)
        if depth == 0:
            return n == len(part) - 1
    return False


def suits(part: Sequence[Token], wants: Wanted, word: str, *, actor: bool, spare: bool) -> bool:
    """Whether something may stand where a word wants this; ``spare``: nothing may stand there, too."""
    kind = kind_of(part, actor)
    if (
        not kind
        or not wants.kind
        or (kind == NOTHING and (spare or (wants.kind == TIME and word == "elapsed")))
    ):
        return True
    if wants.kind == TIME and kind == TEXT and (text := literal(part)):
        return _is_time(text)
    if wants.kind == NUMBER and kind == FRACTION:
        return word not in WHOLE
    return kind in _TAKEN[wants.kind]


def suits_well(part: Sequence[Token], wants: Wanted, word: str, *, actor: bool) -> bool:
    """Whether something is just what a word wants there: of texts, a reference where that is wanted, or what seems a span."""
    text = literal(part)
    if wants.kind == REF and text:
        return "/" in text or text in SINGLE
    if wants.kind == SPAN and text:
        return text.lstrip("-")[:1].isdigit() and not _is_time(text)
    if wants.kind in (VARIABLE, NAME) and text:
        return " " not in text and "/" not in text
    return suits(part, wants, word, actor=actor, spare=False)


def is_number_in_quotes(part: Sequence[Token]) -> bool:
    """Whether something is a text that says a number."""
    return len(part) == 1 and _DIGITS.fullmatch(part[0][1]) is not None


def _is_time(text: str) -> bool:
    try:
        clock.instant(text + "T00:00:00Z" if len(text) == 10 else text)
    except Malformed:
        return False
    return True
