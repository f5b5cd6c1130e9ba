"""Checks of what mechanics spell out in full and that can never be right: references, values, forms of change, ends of a matter."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from nomicgit.ground.problems import Refused, printable
from nomicgit.law import foreign
from nomicgit.law.declaring import CLOSED, KEPT, asks_nothing, why_no_id
from nomicgit.law.definitions import DEEPER, Token, tokens
from nomicgit.law.law import Law
from nomicgit.law.shapes import FORMS
from nomicgit.law.values import NO_WORLD, keep
from nomicgit.law.variables import Type, Variable, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning
from nomicgit.outlook.checks.handed import Call, calls, kind_named, literal, names_under
from nomicgit.outlook.checks.named import near

REFERENCES: Mapping[str, int] = {
    "get": 1, "put": 1, "gain": 1, "spend": 1, "lose": 1, "add": 1, "remove": 1, "mark": 1, "destroy": 1, "reset": 1, "was": 1,
    "transfer": 2, "comment": 1, "comments": 1, "ballots": 1, "votes": 1, "changes": 1, "close": 1, "reveal": 1,
    "tell": 1, "entries": 1, "read": 1, "exists": 1, "is_player": 1, "is_idle": 1, "perform_as": 1,
}  # fmt: skip
"""How many references each word takes, before all else."""
ENDS = ("enacted", "failed")
SIGNS = {"+": "adds", "-": "takes away"}
Said = tuple[str, str]  # what is wrong, what to write


def spelled(law: Law) -> Iterator[Finding]:
    """References to what there can never be, changes of no form, and matters that are closed without an end."""
    kinds = {*KEPT, *CLOSED, *law.declared.collections, *names_under(law, "collections")}
    for placed in law.active:
        for call in calls(placed.mechanics, frozenset({*REFERENCES, "apply"})):
            line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
            for what, mend in _wrong(law, kinds, call):
                yield error(in_rule(law, placed.slug, what, mend, line))


def _wrong(law: Law, kinds: set[str], call: Call) -> Iterator[Said]:
    if call.word == "apply":
        yield from _change(call.given[0] if call.given else ())
        return
    if call.word == "get" and len(call.given) == 1 and not call.named:
        return  # that it is handed no reference is told
    for argument in call.given[: REFERENCES[call.word]]:
        ref = literal(argument)
        if ref and not (
            call.word == "destroy" and ref in law.declared.collections
        ):  # told as what is swapped
            yield from _reference(law, kinds, ref)
    if call.word == "close":
        status = literal(call.given[1]) if len(call.given) > 1 else ""
        if status and status not in ENDS:
            yield (
                f"a matter is enacted or failed, not {printable(status, 60)}",
                'write "enacted", or "failed"',
            )


def _reference(law: Law, kinds: set[str], ref: str) -> Iterator[Said]:
    """Why a text that is written out names nothing that can ever be there."""
    kind, slash, name = ref.partition("/")
    shown = printable(ref, 60)
    if kind not in kinds:
        what = f"{shown} names nothing: there is no collection {printable(kind, 60)}"
        row = next(
            (
                f'write catalogue("{of}")["{ref}"]'
                for of, rows in law.declared.catalogues.items()
                if ref in rows
            ),
            "",
        )
        yield what, row or near(kind, kinds) or 'write a reference, such as actor, "game" or "players/NAME"'
        return
    collection = law.declared.collections.get(kind)
    if not slash and (kind in ("players", "posts") or collection is not None):
        yield f"{shown} names all of them, and not one", f'write "{kind}/ID", or a reference such as actor'
    elif kind == "posts" and slash and not (name.isdecimal() and not name.startswith("0")):
        yield f"{shown} can never be there: a post is named by its number", 'write "posts/12"'
    elif slash and (kind == "players" or collection is not None) and (why := why_no_id(kind, name)):
        yield (
            f"{shown} can never be there: {why}",
            "write the id of one that there is, or a reference such as actor",
        )
    elif collection is not None and collection.grid and name not in collection.grid:
        first, last = collection.grid[0], collection.grid[-1]
        yield f"{shown} can never be there: {kind} are {first} to {last}", f'write "{kind}/{first}"'


def _change(argument: Sequence[Token]) -> Iterator[Said]:
    """What is wrong with a change whose map is written out: the form that is its only key."""
    if not argument or argument[0][1] != "{":
        return
    keys, depth = list[str](), 0
    for n, token in enumerate(argument):
        depth += DEEPER.get(token[1], 0)
        if depth == 1 and token[1] in ("{", ",") and n + 1 < len(argument) and argument[n + 1][1] != "}":
            keys.append(literal(argument[n + 1 : n + 2]))
    if len(keys) > 1 and all(keys):
        yield (
            "a change has one key, its form",
            f"write one change for each: apply({{{keys[0]!r}: …}})".replace("'", '"'),
        )
    for form in keys if len(keys) == 1 else ():
        if form and form not in FORMS:
            meant = near(form, FORMS) or f"write one of {', '.join(FORMS)}"
            yield f"{printable(form, 60)} is no form of change", meant


def valued(law: Law) -> Iterator[Finding]:
    """Values that are written out, and that what is so called may never have: whoever writes them is refused."""
    for placed in law.active:
        for call in calls(placed.mechanics, frozenset({"put", "create"})):
            of = kind_named(call.given[0]) if call.given else ""
            for name, argument in call.named.items():
                declared = [each for each in _called(law, name) if of in ("", kind_of_all(each.of))]
                why = [_unfit(law, each.type, argument) for each in declared]
                if why and all(why):
                    what, mend = next(filter(None, why))
                    line = placed.line + 1 + placed.mechanics.count("\n", 0, argument[0][2])
                    what = f"{name}: {what}, and {call.word} always refuses it"
                    yield error(in_rule(law, placed.slug, what, mend, line))


def _called(law: Law, name: str) -> Iterator[Variable]:
    return (each for each in law.declared.variables.values() if each.name in (name, name.removesuffix("_")))


def _unfit(law: Law, kind: Type, argument: Sequence[Token]) -> Said | None:
    """Why a number, a text or a truth that is written out is no value of a type, and what to write; None where it may be one."""
    try:
        value = (
            literal_eval("".join(word for _, word, _ in argument))
            if len(argument) < 3 or argument[0][1] == "["
            else None
        )
    except (ValueError, SyntaxError):
        return None  # a name
    if value is None or not asks_nothing(kind):
        return None
    clamp = kind.below_zero == "clamp" or (not kind.below_zero and law.declared.numbers == "clamp")
    try:
        keep(NO_WORLD, kind, value, clamp=clamp)
    except Refused as refused:
        what = refused.problems[0].what
        choices = f"write one of {', '.join(map(str, kind.choices))}" if kind.choices else ""
        return what, refused.problems[0].mend or choices or foreign.remedy(what) or _within(kind)
    return None


def _within(kind: Type) -> str:
    """What to write in place of a number that is out of its range."""
    least, most = kind.minimum, kind.maximum
    bounds = [f"from {least}" * (least is not None), f"up to {most}" * (most is not None)]
    return f"write a number {' '.join(filter(None, bounds))}, or declare another min or max"


def turned(law: Law) -> Iterator[Finding]:
    """Signs that are turned round: ``x =+ 1`` gives x the value 1, and adds nothing."""
    for placed in law.active:
        for name, sign, after, at in _turned(placed.mechanics):
            line = placed.line + 1 + placed.mechanics.count("\n", 0, at)
            what = f"{name} ={sign} {after} gives {name} the value {sign}{after}, and {SIGNS[sign]} nothing"
            yield warning(in_rule(law, placed.slug, what, f"write {name} {sign}= {after}", line))


@lru_cache(maxsize=1024)
def _turned(text: str) -> tuple[tuple[str, str, str, int], ...]:
    """Where some mechanics turn a sign: the name before it, the sign, what stands behind it, and its offset."""
    depth = 0
    signs: list[tuple[str, str, str, int]] = []
    plain = list(tokens(text))
    for (kind, name, _), (_, given, at), (_, sign, behind), (_, after, then) in zip(
        plain, plain[1:], plain[2:], plain[3:], strict=False
    ):
        depth += DEEPER.get(name, 0)
        close_by = behind == at + 1 and then > behind + 1
        if depth == 0 and kind == "NAME" and given == "=" and sign in SIGNS and close_by:
            signs.append((name, sign, after, at))
    return tuple(signs)
