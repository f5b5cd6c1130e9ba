"""The stage of a scenario: the values that are laid over a freshly founded game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.values import keep
from nomicgit.law.variables import MISSING
from nomicgit.physics.deeds import units
from nomicgit.physics.state import naming, reading, writing
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import among


def function_defaults(world: Transaction) -> dict[tuple[str, str], object]:
    """The values that functions gave as defaults, by entity and variable."""
    defaults = {}
    for kind, variables in world.law.by_kind.items():
        for variable in variables:
            if variable.type.default_by and not variable.derived:
                for ref in units.entities(world, kind):
                    if world.store.value(ref, variable.name) is not MISSING:
                        defaults[ref, variable.name] = world.store.value(ref, variable.name)
    return defaults


def lay(world: Transaction, state: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Lay values over a founded game as they stand; no rule reacts. Returns what was laid. Refused where unknown."""
    laid: set[tuple[str, str]] = set()
    fields_of: list[
        tuple[str, str, Mapping[str, object]]
    ] = []  # once all are there, for they may name one another
    for kind, entities in state.items():
        if kind in ("game", "dynasty"):
            fields_of.append((kind, kind, entities))
            continue
        if kind != "players" and kind not in world.law.declared.collections:
            near = among(kind, ["players", "game", "dynasty", *world.law.declared.collections])
            raise Refused.of(f"state: no rule in force declares {printable(kind, 60)}{near}")
        for name, fields in (entities or {}).items():
            ref = f"{kind}/{naming.entity_id(world, kind, str(name))}"
            if not reading.exists(world, ref):
                _lay_entity(world, kind, str(name), fields or {})
            fields_of.append((ref, kind, fields or {}))
    for ref, kind, fields in fields_of:
        _lay_fields(world, ref, kind, fields, laid)
    return laid


def _lay_entity(world: Transaction, kind: str, name: str, fields: Mapping[str, object]) -> None:
    collection = world.law.declared.collections.get(kind)
    if collection is None or collection.grid:
        near = among(name, collection.grid if collection else map(str, world.store.ids(kind)))
        raise Refused.of(f"state: there is no {printable(name, 60)} among the {kind}{near}")
    made: dict[str, Any] = {}
    if isinstance(collection.key, Mapping) and "of" in collection.key:
        made = dict(zip(collection.key["of"], name.split("-"), strict=False))
    elif isinstance(collection.key, str):
        made = {collection.key: name}
    known = {k: v for k, v in fields.items() if k in made}
    writing.create(world, kind, name, **(made | known))


def _lay_fields(
    world: Transaction, ref: str, kind: str, fields: Mapping[str, object], laid: set[tuple[str, str]]
) -> None:
    for name, value in (fields or {}).items():
        plain = name.replace("-", "_")
        declared = world.law.variable(kind, plain)
        kept = declared.type if declared else reading.KEPT.get(kind, {}).get(plain)
        if kept is None or (declared is not None and declared.derived):
            known = [each.name for each in world.law.by_kind.get(kind, ()) if not each.derived]
            near = among(plain, [*known, *reading.KEPT.get(kind, {})]) if declared is None else ""
            raise Refused.of(f"state: {printable(name, 60)} of {ref} is not declared, or is derived{near}")
        try:
            kept_value = keep(world, kept, value)
        except Refused as error:
            raise Refused.of(f"state: {ref} {name}: {error.problems[0].what}") from error
        if world.store.fields(ref) is None and "/" in ref:
            world.store.create(ref, {})
        world.store.put(ref, plain, kept_value)
        laid.add((ref, plain))
