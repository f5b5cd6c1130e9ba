"""Checks of what the rules declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from nomicgit.ground.problems import Problem, Refused, quoted
from nomicgit.law import paths
from nomicgit.law.declaring import KEPT, underscored
from nomicgit.law.hooks import Timed
from nomicgit.law.law import Law
from nomicgit.law.rules import front_lines
from nomicgit.law.ruleset import Placed
from nomicgit.law.terms import BASE
from nomicgit.law.variables import KINDS, MISSING, Type, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_front, in_rule, misspelt, warning
from nomicgit.outlook.checks.handed import names_under
from nomicgit.outlook.checks.named import near

QUOTE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
ONE_BRACE = re.compile(r"(?<!\{)\{\s*([\w.-]+)\s*\}(?!\})")
ARTICLE = re.compile(r"\b(an?)\s+\{\{\s*terms\.", re.IGNORECASE)
_COINS = re.compile(r"\bcoins\b")
DECLARE_COINS = "declare coins: {of: player, type: integer} under variables"
OWN_EVENTS = frozenset({"begins"})
FOREIGN_TYPES = {
    "int": "integer", "str": "text", "string": "text", "bool": "boolean", "float": "number", "double": "number", "dict": "map",
    "object": "record", "array": "list", "enum": "choice", "timestamp": "datetime", "time": "datetime", "players": "player",
}  # fmt: skip
TIMES = frozenset({"datetime", "date", "any"})
"""The types of what may be a time."""
KEPT_TIMES = frozenset("created destroyed at began".split())
"""What the program keeps of entities that is a time."""
COMES_AND_GOES = frozenset({"created", "destroyed"})
WATCHED = {"players": COMES_AND_GOES | {"emperor"}, "posts": COMES_AND_GOES | {"comments"}}
"""What settles watch beside what is kept of entities, by their kind; of another kind that they come and go."""


def declarations(law: Law) -> Iterator[Finding]:
    """Forms of declarations, and names declared twice."""
    for problem in law.declared.problems:
        yield error(of_this_law(law, problem))


def of_this_law(law: Law, problem: Problem) -> Problem:
    """A problem that says what to write, with a number of players that the law has where none declares that of which it speaks."""
    if not _COINS.search(problem.mend) or law.variable("players", "coins") is not None:
        return problem
    numbers = [
        each for each in law.by_kind.get("players", ()) if each.type.kind == "integer" and not each.derived
    ]
    own = sorted(numbers, key=lambda each: law.ruleset.by_slug[each.rule].file != problem.where.file)
    mend = _COINS.sub(own[0].name, problem.mend) if own else f"{problem.mend}, and {DECLARE_COINS}"
    return replace(problem, mend=mend)


def types(law: Law) -> Iterator[Finding]:
    """Types that are neither the language's own, nor a collection or catalogue in force: they read as any."""
    for variable in law.declared.variables.values():
        of_collection = variable.of in law.declared.collections
        path = ("collections", variable.of, "fields") if of_collection else ("variables",)
        yield from _types(law, variable.rule, (*path, variable.name), variable.type)
    for action in law.declared.actions.values():
        for name, kind in action.parameters.items():
            yield from _types(law, action.rule, ("actions", action.name, "with", name), kind)


def collections(law: Law) -> Iterator[Finding]:
    """Collections that some rule adds fields to, and that no rule in force declares."""
    for placed in law.active:
        named = placed.front.get("collections")
        for name, given in named.items() if isinstance(named, Mapping) else ():
            if str(name) not in law.declared.collections and not (
                isinstance(given, Mapping) and ("key" in given or "from" in given)
            ):
                what = f"collections.{name}: it has no key, and no rule in force declares a collection {name}"
                meant = near(str(name), law.declared.collections)
                mend = meant or "write under it: key: {prefix: b}, for ids b1, b2 and so on"
                yield misspelt(in_front(law, placed.slug, ("collections", str(name)), what, mend), meant)


def keyed(law: Law) -> Iterator[Finding]:
    """Collections whose key is a field that they do not have."""
    for each in law.declared.collections.values():
        fields = {each.key} if isinstance(each.key, str) else set()
        if isinstance(each.key, Mapping):
            fields |= {*each.key.get("of", ()), *filter(None, [each.key.get("slug")])}
        own = [variable.name for variable in law.by_kind.get(each.name, ())]
        for name in sorted(fields):
            if underscored(name) not in own:
                what = f"collections.{each.name}.key: the collection has no field {name}"
                meant = near(name, own)
                mend = meant or f"declare {name} under fields, or write key: {{prefix: {name}}}"
                yield misspelt(in_front(law, each.rule, ("collections", each.name, "key"), what, mend), meant)


def _types(law: Law, rule: str, path: tuple[str, ...], kind: Type) -> Iterator[Finding]:
    for unknown in _unknown(law, kind):
        what = f"{'.'.join(path)}: no type, collection or catalogue is called {unknown}: anything will do"
        known = (*KINDS, *law.declared.collections, *law.declared.catalogues)
        also = FOREIGN_TYPES.get(unknown) or _in_braces(unknown)
        mend = f"write {also}" if also else near(unknown, known)
        level = error if mend else warning  # what is like none may have been a collection that is gone
        yield level(
            in_front(law, rule, (*path, "type"), what, mend or f"write one of {', '.join(sorted(KINDS))}")
        )


def _in_braces(words: str) -> str:
    """A type with its options, that is written as one text: ``integer min 1``; "" for anything else."""
    kind, *options = words.replace(",", " ").replace(":", " ").split()
    if kind not in KINDS or not options or len(options) % 2:
        return ""
    pairs = (f"{name}: {value}" for name, value in zip(options[::2], options[1::2], strict=True))
    return f"{{type: {kind}, {', '.join(pairs)}}}"


def _unknown(law: Law, kind: Type) -> Iterator[str]:
    if (
        kind.kind not in KINDS
        and kind.kind not in law.declared.collections
        and kind.kind not in law.declared.catalogues
    ):
        yield kind.kind
    for part in (kind.items, kind.keys, kind.values, *kind.fields.values()):
        if part is not None:
            yield from _unknown(law, part)


def hooks(law: Law) -> Iterator[Finding]:
    """What settles watch, filters filter and schedules wait for: it must be there, and some of it costs."""
    for settle in law.declared.settles.values():
        path = ("settles", settle.name, "watches")
        for name in settle.watches:
            variable, where = law.variable(settle.kind, name), f"settles.{settle.name} watches {name},"
            if variable is None and name not in _watched(settle.kind) and _there(law, settle.kind):
                yield _unwatched(
                    law, settle.rule, path, f"{where} which no rule in force declares", name, settle.kind
                )
            elif variable is not None and variable.derived and settle.kind == "players":
                what = f"{where} derived for each player: every deed looks at all of them"
                yield warning(in_front(law, settle.rule, path, what, "watch what it is derived from"))
        if not settle.watches:
            what = f"settles.{settle.name} watches nothing: no deed is ever followed by it"
            mend = "write watches: and a list of variables, or created, destroyed, active"
            yield warning(in_front(law, settle.rule, ("settles", settle.name), what, mend))
        there = law.variable(settle.kind, settle.where) or settle.where in KEPT.get(settle.kind, ())
        if settle.where and not there and _there(law, settle.kind):
            what = f"settles.{settle.name}.where: no rule in force declares {settle.where} of {settle.whose}"
            yield _unwatched(
                law, settle.rule, ("settles", settle.name, "where"), what, settle.where, settle.kind
            )
    for each in law.declared.filters.values():
        kind, path = kind_of_all(each.whose), ("filters", each.name, "variable")
        if law.variable(kind, each.variable) is None and _there(law, kind):
            what = f"filters.{each.name}: no rule in force declares {each.variable}"
            yield _unwatched(law, each.rule, path, what, each.variable, kind)
    for timed in law.declared.schedule.values():
        if not isinstance(timed, Timed) or not _there(law, timed.kind):
            continue
        for key, name in (("at", timed.at), ("where", timed.where)):
            variable = law.variable(timed.kind, name)
            if key == "at" and variable is not None and _timeless(law, variable.type):
                what = f"schedule.{timed.name}.at: {name} is of type {variable.type.kind}, which is no time"
                other = _time_of(law, timed.kind)
                mend = f"declare {name} with type: datetime" if " " in other else f"write {other}"
                yield error(in_front(law, timed.rule, ("schedule", timed.name, key), what, mend))
            elif key == "at" and variable is None and name in KEPT.get(timed.kind, frozenset()) - KEPT_TIMES:
                what = f"schedule.{timed.name}.at: {name} is what the program keeps of each {timed.whose}, and no time"
                mend = f"write {_time_of(law, timed.kind)}"
                yield error(in_front(law, timed.rule, ("schedule", timed.name, key), what, mend))
            elif name and variable is None and name not in KEPT.get(timed.kind, ()):
                what = f"schedule.{timed.name}.{key}: no rule in force declares {name} of {timed.whose}"
                yield _unwatched(law, timed.rule, ("schedule", timed.name, key), what, name, timed.kind)


def _timeless(law: Law, kind: Type) -> bool:
    """Whether values of a type are no times: of a type that nobody declares, they may be."""
    known = (
        kind.kind in KINDS or kind.kind in law.declared.collections or kind.kind in law.declared.catalogues
    )
    return known and kind.kind not in TIMES


def _time_of(law: Law, kind: str) -> str:
    """A variable of a kind that holds a time."""
    times = (each.name for each in law.by_kind.get(kind, ()) if each.type.kind == "datetime")
    return next(times, "a variable of type: datetime")


def _watched(kind: str) -> frozenset[str]:
    """What a settle may watch of entities of a kind that no law declares."""
    return KEPT.get(kind, frozenset()) | WATCHED.get(kind, COMES_AND_GOES)


def _there(law: Law, kind: str) -> bool:
    """Whether there is such a kind of entity: where there is none, that is told."""
    return kind in KEPT or kind in law.declared.collections


def _unwatched(law: Law, rule: str, path: tuple[str, ...], what: str, name: str, kind: str) -> Finding:
    known = [each.name for each in law.by_kind.get(kind, ())]
    known += sorted({"watches": _watched(kind), "variable": ()}.get(path[-1], KEPT.get(kind, ())))
    meant = near(name, known)
    of = law.declared.collections.get(kind)
    table = "variables" if of is None else f"collections.{kind}.fields"
    problem = in_front(law, rule, path, what, meant or f"declare {name} under {table}")
    own = of is not None and of.rule == rule and path[-1] == "at"  # that nobody else is to declare
    return error(problem) if own else misspelt(problem, meant)


def quotes(law: Law) -> Iterator[Finding]:
    """Quotes in prose that quote nothing, and articles before a quoted term."""
    for placed in law.active:
        for match in QUOTE.finditer(placed.prose):
            head, _, rest = match[1].partition(".")
            if head == "terms":
                there = rest in _roles(law)
            elif head == "game" and law.variable("game", rest) is not None:
                there = True
            else:
                there = _declared_there(placed, match[1])
            if not there:
                none = (
                    "no rule declares such a thing" if head == "terms" else "the rule declares no such thing"
                )
                what = f"the prose quotes {match[0]}, and {none}"
                line = _line_of(law, placed, match[0])
                yield warning(in_rule(law, placed.slug, what, _quotable(law, placed, head, rest), line))
        for match in ONE_BRACE.finditer(placed.prose):
            if quote := _in_one_brace(law, placed, match[1]):
                what = f"the prose holds {match[0]}, which quotes nothing: a brace is missing"
                line = _line_of(law, placed, match[0])
                yield warning(in_rule(law, placed.slug, what, f"write {{{{{quote}}}}}", line))
        for match in ARTICLE.finditer(placed.prose):
            yield warning(
                in_rule(
                    law,
                    placed.slug,
                    f"an article stands before a quoted term: {match[0]}…",
                    "write any, each, no, or the plural",
                    _line_of(law, placed, match[0]),
                )
            )


def terms(law: Law) -> Iterator[Finding]:
    """Words of roles that are no texts, and would be read as though they were."""
    for placed in law.active:
        words = placed.front.get("terms")
        for role, word in words.items() if isinstance(words, Mapping) else ():
            if not isinstance(word, str):
                path = ("terms", str(role))
                yield error(
                    in_front(law, placed.slug, path, f"terms.{role}: must be a text", f"write {role}: Miller")
                )


def replaced(law: Law) -> Iterator[Finding]:
    """What one rule says of the whole game, and one that stands later says otherwise: a role's word, the zone, the week, numbers."""
    said: dict[tuple[str, ...], tuple[str, object]] = {}
    for placed in law.active:
        for key in ("terms", "clock", "numbers"):
            given = placed.front.get(key)
            parts = (
                {(key, str(k)): v for k, v in given.items()}
                if isinstance(given, Mapping)
                else {(key,): given}
            )
            for path, value in parts.items():
                if value is None:
                    continue
                by, was = said.get(path, (placed.title, value))
                if was != value:
                    what = f"{'.'.join(path)}: {quoted(str(value), 60)} replaces {quoted(str(was), 60)}, which the rule {by} says"
                    yield warning(
                        in_front(law, placed.slug, path, what, "leave one of them out, if that is not meant")
                    )
                said[path] = placed.title, value


def _roles(law: Law) -> set[str]:
    """What is known of roles and other things that terms name, those of inactive rules among them."""
    return {*BASE, *law.declared.terms, *names_under(law, "terms")}


def _declared_there(placed: Placed, path: str) -> bool:
    """Whether a rule's own front matter has something at a path."""
    try:
        return paths.at(dict(placed.front), paths.segments(path)) is not MISSING
    except Refused:
        return False


def _in_one_brace(law: Law, placed: Placed, name: str) -> str:
    """What is meant to be quoted by a name in one pair of braces; "" where nothing is declared that is called so."""
    head, _, rest = name.partition(".")
    if (head == "terms" and rest in _roles(law)) or (
        head == "game" and law.variable("game", rest) is not None
    ):
        return name
    if law.variable("game", name) is not None:
        return f"game.{name}"
    front = [".".join(map(str, path)) for path in front_lines(law.ruleset.texts[placed.path])]
    return next(
        (path for path in (name, f"variables.{name}.default", f"variables.{name}") if path in front), ""
    )


def _line_of(law: Law, placed: Placed, words: str) -> int:
    """The line of a rule's file on which some words of its prose stand; 0 where they go over lines."""
    lines = law.ruleset.texts[placed.path].split("\n")
    return next((n for n, line in enumerate(lines, 1) if words in line), 0)


def _quotable(law: Law, placed: Placed, head: str, rest: str) -> str:
    """What to quote instead."""
    if head == "game":
        known = [each.name for each in law.by_kind.get("game", ())]
        return near(rest, known) or f"declare {rest} under variables"
    terms = [f"terms.{role}" for role in sorted(_roles(law))]
    known = [".".join(map(str, path)) for path in front_lines(law.ruleset.texts[placed.path])]
    above, _, last = f"{head}.{rest}".rpartition(".")
    if above in known:
        beside = [each.rpartition(".")[2] for each in known if each.rpartition(".")[0] == above]
        return near(last, beside).replace("write ", f"write {above}.") or f"declare {last} under {above}"
    if (
        other := near(above, [each for each in known if each.count(".") == above.count(".")])
    ) and head != "terms":
        right = other.removeprefix("write ").partition(",")[0]
        there = "" if f"{right}.{last}" in known else f", and declare {last} there"
        return f"write {right}.{last}, if that is meant{there}"
    meant = near(f"{head}.{rest}", terms if head == "terms" else [*known, *terms])
    if head == "terms":
        return meant or f"quote one of {', '.join(terms)}"
    return meant or "quote what the front matter of this rule declares"


def orphans(law: Law) -> Iterator[Finding]:
    """Dynastic variables that are tracked nowhere and cannot be told from others."""
    for variable in law.declared.variables.values():
        placed = law.ruleset.by_slug.get(variable.rule)
        if (
            variable.tracked == "nowhere"
            and not variable.derived
            and placed is not None
            and placed.section == "dynastic"
        ):
            what = f"{variable.name} is an orphan variable: tracked nowhere, and derived from nothing"
            of_collection = variable.of in law.declared.collections
            path = ("collections", variable.of, "fields") if of_collection else ("variables",)
            mend = "take tracked: nowhere out, or the variable"
            yield warning(in_front(law, variable.rule, (*path, variable.name, "tracked"), what, mend))
