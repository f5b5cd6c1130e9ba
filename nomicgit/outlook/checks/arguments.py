"""Arguments made from declarations: what an action may be asked for with, so that it can be tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.ground import clock
from nomicgit.law.declarations import Action
from nomicgit.law.variables import Type
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

MOST = 3  # values of one parameter, and ways to ask for one action
DAY = 24 * 3600
ENTITIES = {"player": "players", "post": "posts", "matter": "posts", "rule": "rules"}


def ways(world: Transaction, action: Action, actor: str) -> Iterator[dict[str, Any]]:
    """Ways to ask for an action as it is declared; none where the game has nothing that would do for a parameter."""
    values = {name: some(world, kind, actor) for name, kind in action.parameters.items()}
    needed = [name for name, kind in action.parameters.items() if kind.required]
    if any(not values[name] for name in needed):
        return
    yield {name: values[name][0] for name in needed}
    for n in range(MOST) if values else ():
        yield {name: each[n % len(each)] for name, each in values.items() if each}


def each_alone(world: Transaction, action: Action, actor: str) -> Iterator[dict[str, Any]]:
    """Ways to ask for an action with one of the parameters that may be left out, and then with all but one of them."""
    values = {name: some(world, kind, actor) for name, kind in action.parameters.items()}
    needed = {name: values[name] for name, kind in action.parameters.items() if kind.required}
    if not all(needed.values()):
        return
    spare = [name for name in values if name not in needed and values[name]]
    asked = {name: each[0] for name, each in values.items() if each}
    for name in spare:
        yield from ({**{n: each[0] for n, each in needed.items()}, name: value} for value in values[name])
    for name in spare if len(spare) > 2 else ():  # of two, each is left out above
        yield {n: value for n, value in asked.items() if n != name}


def some(world: Transaction, kind: Type, actor: str) -> list[Any]:
    """A few values that a type takes, as people hand them in; none for what may be anything."""
    if kind.choices:
        return list(kind.choices[:MOST])
    match kind.kind:
        case "integer" | "number":
            return _numbers(kind)
        case "text":
            return ["a word"]
        case "boolean":
            return [True, False]
        case "datetime":
            return [clock.text(world.now + DAY), clock.text(world.now - DAY)]
        case "date":
            return [clock.text(world.now)[:10]]
        case "list" | "set" | "map" | "record" | "entry":
            return _contained(world, kind, actor)
        case "any" | "mechanics" | "deed":
            return []
        case _:
            return _named(world, kind, actor)


def _numbers(kind: Type) -> list[Any]:
    low = kind.minimum if kind.minimum is not None else 0
    step = kind.step or 1
    tried = [max(low, step), low, max(low, step) + step]
    return list(dict.fromkeys(n for n in tried if kind.maximum is None or n <= kind.maximum)) or [low]


def _contained(world: Transaction, kind: Type, actor: str) -> list[Any]:
    """Lists, sets, maps, records and entries of what their parts take."""

    def of(part: Type | None) -> Sequence[Any]:
        return some(world, part, actor) if part is not None else []

    if kind.kind in ("list", "set"):
        least = max(1, int(kind.minimum or 0))
        each = list(of(kind.items))
        several = (
            [each[:2]] if least < 2 <= len(each) else []
        )  # two of them that differ, where one will not do
        return [(each * least)[:least], *several] if each else [] if kind.minimum else [[]]
    if kind.kind == "map":
        return [
            {str(key): value} for key, value in zip(of(kind.keys) or ["a"], of(kind.values), strict=False)
        ] or [{}]
    if kind.kind == "record":
        return _row({}, {name: of(part) for name, part in kind.fields.items()})
    rows = world.law.declared.catalogues.get(kind.catalogue, {})
    made: list[Any] = []
    for name, row in rows.items():
        details = world.parameters(row, kind.rule) if isinstance(row, Mapping) else {}
        parts = {detail: of(part) for detail, part in details.items()}
        spare = {detail for detail, part in details.items() if not (parts[detail] or part.required)}
        made += _row({"action": name}, {detail: parts[detail] for detail in parts if detail not in spare})
    return made[:MOST]


def _row(start: Mapping[str, Any], parts: Mapping[str, Sequence[Any]]) -> list[Any]:
    """One map with something for each part; none where a part takes nothing that the game has."""
    return [{**start, **{name: each[0] for name, each in parts.items()}}] if all(parts.values()) else []


def _named(world: Transaction, kind: Type, actor: str) -> list[Any]:
    """Entities, or keys of a catalogue."""
    if kind.kind in world.law.declared.catalogues:
        return list(world.law.declared.catalogues[kind.kind])[:MOST]
    if kind.kind == "player":
        everyone = [each for each in reading.roster(world, idle=not kind.active) if each != actor]
        idle = [each for each in everyone if reading.is_idle(world, each)]
        others = [*(each for each in everyone if each not in idle)][: MOST - 1 - bool(idle)]
        return [bare(world, each) for each in [*others, *idle[:1], actor]]
    if kind.kind == "matter":
        return [bare(world, each) for each in reading.find(world, "posts", status="pending")[-MOST:]]
    if kind.kind in ENTITIES or kind.kind in world.law.declared.collections:
        try:
            refs = reading.find(world, ENTITIES.get(kind.kind, kind.kind))
        except NeedsKey:  # a secret collection: nobody can list it
            return []
        return [bare(world, each) for each in refs[:MOST]]
    return []
