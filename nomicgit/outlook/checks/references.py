"""Checks of how mechanics name an entity: what is ``players/ben`` to the law is never the name alone, and holds its kind already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nomicgit.law.definitions import DEEPER, Token, code
from nomicgit.law.hooks import Recurring
from nomicgit.law.law import Law
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import ENTITIES, Type, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning
from nomicgit.outlook.checks.habits import PARTS, REFERENCES, functions_of, opening_of
from nomicgit.outlook.checks.handed import literal

NAMING = 'write "players/ben" for the player ben, and actor == emperor() for who leads'
COMPARED = frozenset({"==", "!="})
NAMES_OF = frozenset({"id", "name"})
ASKING = frozenset({"get", "was"})  # words that give the value of a variable


def compared(law: Law) -> Iterator[Finding]:
    """Comparisons of what somebody or something is, ``players/ben``, with what it is called: they are never true."""
    for placed, function, known, _, where, _ in _read(law):
        for n in where:
            sides, at = {*_sides(law, function, n, known)}, function[n][2]
            if "name" in sides and (kind := next(iter(sides - {"name", ""}), "")):
                text = next(
                    (each[1][1:-1] for each in (function[n - 1], function[n + 1]) if each[0] == "STRING"),
                    "ID",
                )
                whose, mend = ("a player is players/NAME", NAMING) if kind == "players" else (
                    f"one of the {kind} is {kind}/ID", f'write "{kind}/{text}" for one of them')  # fmt: skip
                what = f"{whose} here, never the name alone: these are never the same"
                plain = _without_id(placed.mechanics, function, n)
                yield error(in_rule(law, placed.slug, what, plain or mend, _line(placed, at)))


def built(law: Law) -> Iterator[Finding]:
    """References that are put together of a kind and a name: of what is one already, or of what people write."""
    kinds = {*ENTITIES.values(), *law.declared.collections}
    for placed, function, known, asked, _, where in _read(law):
        texts = {name for name, kind in asked.items() if kind.kind == "text"}
        for n in where:
            (_, word, at), _, (_, name, _) = function[n : n + 3]
            kind = word[1:-2]
            if kind not in kinds:
                continue
            singular = next((one for one, all_ in ENTITIES.items() if all_ == kind), kind)
            if known.get(name):
                what = (
                    f"{name} names one of the {known[name]} already: {word} before it makes it name nothing"
                )
                yield error(in_rule(law, placed.slug, what, f"write {name}", _line(placed, at)))
            elif kind in ENTITIES.values() and name in texts:
                what = f"{name} is a text, and whoever writes another name than that of one of the {kind} is refused late"
                mend = f"declare {name}: {singular} under with, and write {name}"
                yield warning(in_rule(law, placed.slug, what, mend, _line(placed, at)))


def _without_id(text: str, plain: Sequence[Token], n: int) -> str:
    """What to write where ``id(…)`` or ``name(…)`` of one thing is compared with another: the thing itself."""
    before = opening_of(plain, n - 1) if plain[n - 1][1] == ")" else 0
    if plain[n + 1][1] in NAMES_OF and n + 2 < len(plain) and plain[n + 2][1] == "(":
        opening = n + 2
    elif before > 1 and plain[before - 1][1] in NAMES_OF:
        opening = before
    else:
        return ""
    closing = next((m for m in range(opening + 1, len(plain)) if opening_of(plain, m) == opening), opening)
    inside = text[plain[opening][2] + 1 : plain[closing][2]]
    return f"write {inside} in place of {plain[opening - 1][1]}({inside})"


def _line(placed: Placed, at: int) -> int:
    return placed.line + 1 + placed.mechanics.count("\n", 0, at)


class _Function(NamedTuple):
    """A function that compares something, or puts something behind what ends with a slash: the kinds of what its names hold, as
    far as they hold entities, what its action asks for, and the places of both.
    """

    placed: Placed
    tokens: Sequence[Token]
    known: Mapping[str, str]
    asked: Mapping[str, Type]
    compares: Sequence[int]
    builds: Sequence[int]


@lru_cache(maxsize=1024)
def _places(text: str) -> tuple[tuple[Sequence[Token], Sequence[int], Sequence[int]], ...]:
    """Those functions of some mechanics, each with its places: looked for once."""
    there = []
    for function in functions_of(code(text)):
        compares = [n for n, (_, sign, _) in enumerate(function) if sign in COMPARED]
        signs = list(pairwise(function))[:-1]
        builds = [
            n for n, ((_, word, _), (_, sign, _)) in enumerate(signs) if sign == "+" and word[-2:-1] == "/"
        ]
        there += [(function, compares, builds)] if compares or builds else []
    return tuple(there)


def _read(law: Law) -> Iterator[_Function]:
    for placed in law.active:
        for function, compares, builds in _places(placed.mechanics):
            asked = asked_of(law, function[1][1] if len(function) > 1 else "")
            known = {"actor": "players"} | _handed(law, function) | held(law, function, asked)
            yield _Function(placed, function, known, asked, compares, builds)


def _handed(law: Law, function: Sequence[Token]) -> dict[str, str]:
    """What the first parameter of a function holds that declarations name: one of which it is asked, or a value to be judged."""
    name, first = (function[1][1], function[3][1]) if len(function) > 3 else ("", "")
    declared, kinds = law.declared, set[str]()
    for each in (*declared.settles.values(), *declared.views.values(), *declared.schedule.values()):
        if written(each.function) == name and not isinstance(each, Recurring):
            kinds.add(kind_of_all(each.whose))
    types = [kind for action in declared.actions.values() for kind in action.parameters.values()]
    for variable in declared.variables.values():
        types.append(variable.type)
        if name in map(written, filter(None, (variable.derived, variable.legal, variable.invalid))):
            kinds.add(kind_of_all(variable.of))
    kinds.update(_kind(law, kind) for kind in types if kind.which and written(kind.which) == name)
    given = {word for (_, word, _), (_, sign, _) in pairwise(function[4:]) if sign == "="}
    one = kinds.pop() if len(kinds) == 1 else ""
    return {first: one} if one in _kinds(law) and first not in given else {}


def asked_of(law: Law, function: str) -> Mapping[str, Type]:
    """What the parameters of a function hold that is an action's."""
    action = next((each for each in law.declared.actions.values() if each.function == function), None)
    asked = action.parameters.items() if action else ()
    return {name: kind for own, kind in asked for name in (own, f"{own}_")}


def held(law: Law, function: Sequence[Token], asked: Mapping[str, Type]) -> dict[str, str]:
    """The names of a function that always hold one of a kind: by what its action is asked for, and by what is given to them."""
    held = {name: kind for name, of in asked.items() if (kind := _kind(law, of))}
    given: dict[str, Set[str]] = {}
    header = next((n for n, (_, word, _) in enumerate(function) if word == ":"), 0)
    depth = 0
    for n, (_, name, _) in enumerate(function[:-3]):
        (_, sign, _), (_, word, _), (_, after, _) = function[n + 1 : n + 4]
        depth += DEEPER.get(name, 0)
        if n < header:
            continue  # its parameters, which are given a value by whoever calls it
        if sign == "in" and word in REFERENCES and after == "(" and function[n - 1][1] == "for":
            kind = "players" if word == "players" else literal(function[n + 4 : n + 5] or function[n : n + 1])
            given[name] = given.get(name, set()) | {kind if kind in _kinds(law) else ""}
        elif sign == "=" and function[n - 1][1] not in ("(", ","):
            end = next((m for m in range(n + 3, len(function)) if opening_of(function, m) == n + 3), 0)
            given[name] = given.get(name, set()) | {_side(law, function, end, n + 2, {}) if end else ""}
        elif (sign == "in" and function[n - 1][1] in (",", "for")) or (
            sign == "," and (not depth or function[n - 1][1] == "for")
        ):
            given[name] = {""}
        elif sign == "=" and not depth:
            given[name] = {""}  # the last of several
    return {name: kind for name, kind in held.items() if name not in given} | {
        name: next(iter(kinds)) for name, kinds in given.items() if len(kinds) == 1 and kinds != {""}
    }


def _kinds(law: Law) -> Set[str]:
    return {*ENTITIES.values(), *law.declared.collections}


def _kind(law: Law, of: Type) -> str:
    """The kind of which a value of a type names one; nothing for another type."""
    kind = ENTITIES.get(of.kind, of.kind)
    return kind if kind in _kinds(law) else ""


def _sides(law: Law, plain: Sequence[Token], n: int, known: Mapping[str, str]) -> Iterator[str]:
    """What stands on each side of a comparison, as far as it can be seen: ``name``, or the kind of an entity."""
    before = n - 1
    yield _side(
        law, plain, before, opening_of(plain, before) - 1 if plain[before][1] == ")" else before, known
    )
    called = [word for _, word, _ in plain[n + 2 : n + 3]] == ["("]
    end = (
        next((m for m in range(n + 2, len(plain)) if opening_of(plain, m) == n + 2), n + 1)
        if called
        else n + 1
    )
    of_a_part = any(word in PARTS for _, word, _ in plain[end + 1 : end + 2])
    yield "" if of_a_part or end >= len(plain) else _side(law, plain, end, n + 1, known)


def _side(law: Law, plain: Sequence[Token], end: int, start: int, known: Mapping[str, str]) -> str:
    kind, word, _ = plain[start]
    if kind == "STRING":
        return "name" if word[1:-1] and "/" not in word else ""
    if plain[start - 1][1] == ".":
        return ""
    if plain[end][1] != ")":
        return known.get(word, "")
    if word in ASKING and len(arguments := _split(plain[start + 2 : end])) == 2:
        name = literal(arguments[1])
        kinds = {_kind(law, each.type) for each in law.declared.variables.values() if each.name == name}
        return kinds.pop() if len(kinds) == 1 else ""
    return {"emperor": "players", "name": "name", "id": "name"}.get(word, "")


def _split(inside: Sequence[Token]) -> list[Sequence[Token]]:
    """The arguments of a call that stand between its brackets."""
    depth, parts = 0, [list[Token]()]
    for token in inside:
        depth += DEEPER.get(token[1], 0)
        if token[1] == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return list(parts)
