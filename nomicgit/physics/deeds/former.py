"""Former defaults: a default that is amended changes nothing that exists. Source: ``docs/changes.md``.

Most entities keep all their values. A cell of a grid for which nothing was written takes its former value down when its
start is amended. Posts, and what is secret, go on without: a former default is
kept with the number of the last entity for which it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.law.law import Law
from nomicgit.law.values import keep
from nomicgit.law.variables import MISSING, Variable
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Transaction


def keep_defaults(world: Transaction, before: Law) -> None:
    """Keep what stands nowhere as it was under an earlier law; nothing of what this law declares no more."""
    kept: dict[str, dict[str, Any]] = {}
    for kind, variables in world.law.by_kind.items():
        for variable in variables:
            old = before.variable(kind, variable.name)
            if old is None or old.derived or variable.derived or variable.transient:
                continue
            if before.declared.cells(kind):
                _keep_cells(world, before, kind, old)
            elif kind == "posts" or old.tracked == "secret":
                entries = _entries(world, kind, old, variable)
                kept |= {kind: {**kept.get(kind, {}), variable.name: entries}} if entries else {}
    world.store.put("open", "defaults", kept or MISSING)


def _keep_cells(world: Transaction, before: Law, kind: str, old: Variable) -> None:
    new = world.law.variable(kind, old.name)
    assert new is not None
    was, now = (law.declared.collections.get(kind) for law in (before, world.law))
    alike = was and now and was.founding == now.founding and old.type.empty() == new.type.empty()
    if new.tracked == "secret" or alike:
        return
    cells = set(world.law.declared.cells(kind))
    for ref in (f"{kind}/{cell}" for cell in before.declared.cells(kind) if cell in cells):
        value = reading.default(before, ref, old)
        if world.store.value(ref, old.name) is MISSING and value != reading.default(world.law, ref, new):
            if world.store.fields(ref) is None:
                world.store.create(ref, {})
            world.store.put(ref, old.name, value)


def _entries(world: Transaction, kind: str, old: Variable, new: Variable) -> list[Mapping[str, Value]]:
    """The former defaults of a variable that are still legal, each with the last for which it holds."""
    entries = list(reading.former_defaults(world, kind, new.name))
    last = _last(world, kind)
    held = entries[-1]["last"] if entries else -1
    if old.type.empty() != new.type.empty() and last > held:
        entries.append({"last": last, "value": old.type.empty()})
    return [entry for entry in entries if _legal(world, new, entry["value"])]


def _last(world: Transaction, kind: str) -> int:
    """The highest number of a kind's entities; what there is but one of has none, which counts as 0."""
    if kind == "posts":
        return int(writing.stored(world, "open", "next", 1)) - 1
    return int(writing.stored(world, "open", "made", {}).get(kind, 0))


def _legal(world: Transaction, variable: Variable, value: Value) -> bool:
    if value is None:
        return variable.type.nullable
    try:
        return keep(world, variable.type, value) == value
    except Refused:
        return False
