"""Checks of the names that mechanics hand to words: what nobody declares is dead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from nomicgit.ground.clock import short_span, span
from nomicgit.ground.problems import Malformed
from nomicgit.law.declaring import FIELD, KEPT, underscored
from nomicgit.law.definitions import DEEPER, Token, code
from nomicgit.law.law import Law
from nomicgit.law.merging import OF_ACTION, OF_COLLECTION, OF_POSTS, WHAT_IT_IS
from nomicgit.law.variables import kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning
from nomicgit.outlook.checks.named import near
from nomicgit.physics.state.reading import DECLARED_KINDS

NAMED: Mapping[str, tuple[int, str]] = {
    "get": (1, "variable"), "gain": (1, "variable"), "spend": (1, "variable"), "lose": (1, "variable"), "add": (1, "variable"),
    "remove": (1, "variable"), "mark": (1, "variable"), "was": (1, "variable"), "reveal": (1, "variable"), "transfer": (2, "variable"),
    "find": (0, "collection"), "count": (0, "collection"), "create": (0, "collection"), "catalogue": (0, "catalogue"),
    "do": (0, "action"), "can": (0, "action"), "use": (0, "limit"), "may_use": (0, "limit"), "used": (0, "limit"),
    "later": (1, "span"), "elapsed": (1, "span"), "say": (0, "kind of post"), "call": (0, "function"),
}  # fmt: skip
"""Which argument of a word, from 0 on, is a name of what."""
VARIABLE_OF = "variable of "
FIELDS = frozenset({"put", "create", "find", "count"})
ASKING = "known"
"""The word that tells whether something of a name is declared."""
_TEXT = re.compile(r"""(['"])([^\\'"{}]+)\1""")
_OPTIONS = FIELD.keys | OF_ACTION.keys | OF_COLLECTION.keys | OF_POSTS.keys | WHAT_IT_IS
_RULES = frozenset("title slug section number parent status default_status text mechanics".split())
_DEEDS = frozenset("actor action with at name rule summary by".split())


class Call(NamedTuple):
    """A call of a word: its offset, its arguments by position and by name, each as its tokens, and whether it is closed."""

    word: str
    at: int
    given: Sequence[Sequence[Token]]
    named: Mapping[str, Sequence[Token]]
    closed: bool


def handed(law: Law) -> Iterator[Finding]:
    """Variables, collections, catalogues, actions, limits and functions that words are asked for, and nobody declares."""
    known = known_names(law)
    for placed in law.active:
        for call in calls(placed.mechanics, FIELDS.union(NAMED)):
            for what, name, among in _unknown(known, call):
                line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
                said, mend = lacking(law, call, name, what, among)
                declared = {name for _, name in law.declared.variables} if "variable" in what else among
                surely = what == "span" or bool(near(name, declared))
                waits = any(
                    calls(placed.mechanics, frozenset({ASKING}))
                )  # for what may come, as a rule does that asks first
                level = error if surely and not waits else warning
                yield level(in_rule(law, placed.slug, said, mend, line))


def lacking(law: Law, call: Call, name: str, what: str, among: Set[str]) -> tuple[str, str]:
    """What is said of a name that a call asks for and nobody declares, and what to write: ``what`` it is a name of."""
    if what == "span":
        return f"{name} is no span", _span_of(name)
    kind, _, of = what.partition(VARIABLE_OF)
    said = f"no rule in force declares the {kind or 'variable'} {name}{of and f' of {of}'}, for which {call.word} asks"
    return said, _of_fields(law, call, name) or _mend(law, what, name, among)


def _span_of(text: str) -> str:
    """What to write in place of what is no span, in the author's own number where it shows."""
    meant = short_span(text)
    return f'write "{meant}"' if meant else 'write it as "12h", of mo w d h m s'


def swapped(law: Law) -> Iterator[Finding]:
    """What a word is handed in another's place, and takes without a word: it asks nothing, and gives nothing."""
    for placed in law.active:
        for call in calls(placed.mechanics, frozenset({"require", "create", "destroy"})):
            first = literal(call.given[0]) if call.given else ""
            rest = call.given[1:]
            said = ("", "")
            if call.word == "require" and first:
                said = (
                    "require asks the text that stands first, which is always so",
                    'write the condition first: require(people > 1, "too few")',
                )
            elif call.word == "create" and rest and rest[0][0][1] == "{":
                said = (
                    "create takes fields by their names, and no map",
                    f'write create("{first}", name=value)',
                )
            elif call.word == "destroy" and first in law.declared.collections:
                said = (
                    f"destroy takes one of the {first}, and not all",
                    f'write for each in find("{first}"): destroy(each)',
                )
            if said[0]:
                line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
                yield error(in_rule(law, placed.slug, *said, line))


def _of_fields(law: Law, call: Call, name: str) -> str:
    """What to write in place of a field that no rule declares of the collection which is named in full; else nothing."""
    kind = literal(call.given[0]) if call.given and call.word in FIELDS and name in call.named else ""
    if kind not in law.declared.collections:
        return ""
    fields = [each.name for each in law.by_kind.get(kind, ())]
    declare = f"declare {name} under collections.{kind}.fields"
    return near(name, fields) or declare + (
        f", or write one of its fields: {', '.join(fields)}" if fields else ""
    )


def _mend(law: Law, what: str, name: str, among: Set[str]) -> str:
    """What to write in place of a name that nobody declares."""
    if what == "function":
        return near(name, among) or f"write def {name}(…)"
    kinds = [of for of, variable in law.declared.variables if variable == name]
    if what.startswith("variable") and kinds:
        return f"it is declared of {' and of '.join(dict.fromkeys(kinds))}"
    table = "posts" if what == "kind of post" else f"{what.partition(' ')[0]}s"
    otherwise = ", or read it with get(ref, var, otherwise)" if what.startswith("variable") else ""
    return near(name, among) or f"declare {name} under {table}{otherwise}"


def known_names(law: Law) -> dict[str, Set[str]]:
    """All names by what they are of, those of inactive rules among them: they may come back."""
    tables = law.declared
    variables = {name for _, name in tables.variables} | names_under(law, "variables") | besides(law)
    for table in (placed.front.get("collections") for placed in law.ruleset.rules):
        for options in table.values() if isinstance(table, Mapping) else ():
            variables |= _fields(options, "collections")
    resting = names_under(law, "variables", in_force=False)
    own = {
        VARIABLE_OF + of: KEPT.get(kind_of_all(of), frozenset({"id"}))
        | resting
        | {name for whose, name in tables.variables if whose == of}
        for of in ("game", "dynasty", "player", *tables.collections)
    }
    return own | {
        "variable": variables, "catalogue": {*tables.catalogues, *names_under(law, "catalogues")},
        "collection": {*tables.collections, *names_under(law, "collections"), *DECLARED_KINDS, "players", "posts"},
        "action": {*tables.actions, *names_under(law, "actions")}, "limit": {*tables.limits, *names_under(law, "limits")},
        "kind of post": {*tables.posts, *names_under(law, "posts"), "none"},
        "function": {*law.linked.functions, *(name for each in law.ruleset.rules for name in law.scanned(each).functions)},
    }  # fmt: skip


def besides(law: Law) -> set[str]:
    """The names of what get tells that is no variable: what the program keeps, and what rules say of themselves and of what they
    declare."""
    tables, fronts = law.declared, [placed.front for placed in law.ruleset.rules]
    names = {underscored(str(key)) for front in fronts for key in front}
    holders = (tables.actions, tables.variables, tables.posts, tables.collections)
    attributes = [each.attributes for table in holders for each in table.values()]
    names |= {underscored(str(key)) for each in attributes for key in each}
    for table in (front.get("catalogues") for front in fronts):
        for options in table.values() if isinstance(table, Mapping) else ():
            names |= _fields(options, "catalogues")
    return names | _RULES | _DEEDS | _OPTIONS | {name for _, name in tables.views}.union(*KEPT.values())


def names_under(law: Law, key: str, *, in_force: bool = True) -> set[str]:
    """The names under a key of the front matter of all rules, in force or not, or of those alone that are not."""
    rules = (placed for placed in law.ruleset.rules if in_force or placed.status != "active")
    tables = (placed.front.get(key) for placed in rules)
    names = {str(name) for table in tables if isinstance(table, Mapping) for name in table}
    return names | {underscored(name) for name in names}


def _fields(options: object, of: str) -> set[str]:
    """The fields that a collection declares, or the rows of a catalogue have."""
    if not isinstance(options, Mapping):
        return set()
    rows = options.values() if of == "catalogues" else (options.get("fields"), *_founding(options))
    return {underscored(str(key)) for row in rows if isinstance(row, Mapping) for key in row}


def _founding(options: Mapping[str, object]) -> list[object]:
    founding = options.get("founding")
    return list(founding.values()) if isinstance(founding, Mapping) else []


def _unknown(known: Mapping[str, Set[str]], call: Call) -> Iterator[tuple[str, str, Set[str]]]:
    """What a call names that nobody declares: of what kind, its name, and the names that there are."""
    place, what = NAMED.get(call.word, (len(call.given), ""))
    text = literal(call.given[place]) if place < len(call.given) else ""
    of = VARIABLE_OF + (_of(call.given[0]) if call.given else "")
    of = of if of in known else "variable"
    if what == "span":
        if text and _no_span(text):
            yield what, text, set()
    elif what == "variable":
        name = underscored(text.partition(".")[0])
        if text and name not in known[of] and not (call.word == "get" and len(call.given) > 2):
            yield of, name, known[of]
    elif text and not _is_known(known[what], text):
        yield what, text, known[what]
    open_to_all = bool(call.given) and literal(call.given[0]) in DECLARED_KINDS  # they may hold anything
    whose = VARIABLE_OF + literal(call.given[0]) if call.given and call.word != "put" else of
    whose = whose if whose in known else of
    for name in call.named if call.word in FIELDS and not open_to_all else ():
        if not {name, name.rstrip("_")} & known[whose] and (call.word, name) != ("create", "id"):
            yield whose, name, known[whose]


def _is_known(names: Set[str], text: str) -> bool:
    return text in names or underscored(text) in names


def _no_span(text: str) -> bool:
    try:
        span(text.removeprefix("-"))
    except Malformed:
        return True
    return False


def _of(reference: Sequence[Token]) -> str:
    """Of what a reference is, as far as it shows: the game, the dynasty, or whoever acts."""
    return "player" if [word for _, word, _ in reference] == ["actor"] else literal(reference)


def kind_named(reference: Sequence[Token]) -> str:
    """Of which kind a reference is, as far as it shows; "" where nobody knows."""
    of = _of(reference).partition("/")[0]
    return kind_of_all(of) if of else ""


def literal(argument: Sequence[Token]) -> str:
    """The text that an argument is, if it is nothing but a plain text."""
    match = _TEXT.fullmatch(argument[0][1]) if len(argument) == 1 else None
    return match[2] if match else ""


@lru_cache(maxsize=4096)
def calls(text: str, words: frozenset[str]) -> tuple[Call, ...]:
    """The calls of some words, looked for once."""
    return tuple(_calls(code(text), words))


def _calls(plain: Sequence[Token], words: Set[str]) -> Iterator[Call]:
    for n, (_, word, at) in enumerate(plain[:-1]):
        if word in words and plain[n + 1][1] == "(" and (n == 0 or plain[n - 1][1] not in (".", "def")):
            given: list[Sequence[Token]] = []
            keyed: dict[str, Sequence[Token]] = {}
            parts, closed = _arguments(plain, n + 1)
            for part in parts:
                if len(part) > 1 and part[1][1] == "=":
                    keyed[part[0][1]] = part[2:]
                else:
                    given.append(part)
            yield Call(word, at, given, keyed, closed)


def _arguments(plain: Sequence[Token], opening: int) -> tuple[list[Sequence[Token]], bool]:
    """The arguments of a call whose bracket opens here, and whether it is closed."""
    depth, part, parts = 0, list[Token](), list[Sequence[Token]]()
    for token in map(plain.__getitem__, range(opening, len(plain))):  # to the end of the call, and no further
        depth += DEEPER.get(token[1], 0)
        if depth == 0 or (depth == 1 and token[1] == ","):
            parts += [part] if part else []
            part = []
            if depth == 0:
                return parts, True
        elif not (depth == 1 and token[1] == "("):
            part.append(token)
    return parts, False
