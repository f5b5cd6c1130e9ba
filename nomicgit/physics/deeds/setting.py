"""The change ``set``: values put at paths. Source: ``docs/changes.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicgit.ground.problems import Refused, printable
from nomicgit.law import paths
from nomicgit.physics.state import naming, reading, writing
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction


def set_values(world: Transaction, given: Mapping[str, object]) -> None:
    """The change ``set: {PATH: VALUE}``."""
    for path, value in given.items():
        set_path(world, paths.segments(str(path)), value)


def set_path(world: Transaction, parts: Sequence[str], value: object) -> None:
    """Put a value at a path; a missing entity of a collection is made. Nothing is filtered out of reach."""
    head, *rest = parts
    if head in ("game", "dynasty") and rest:
        ref, rest = head, list(rest)
    elif len(rest) >= 1:
        ref, rest = f"{head}/{entity(world, head, rest[0])}", list(rest[1:])
    else:
        raise Refused.of(f"{'.'.join(parts)}: that path names no value")
    if not rest:
        _set_whole(world, ref, value)
        return
    if not reading.exists(world, ref):
        _make(world, ref, {rest[0]: value} if len(rest) == 1 else {})
        if len(rest) == 1:
            return
    _set_field(world, ref, rest, value)


def entity(world: Transaction, kind: str, name: str) -> str:
    """The id of an entity that a path names; one of a collection may not be there yet."""
    if kind == "players":
        player = naming.player_id(world, name)
        if player is None:
            raise Refused.of(f"there is no player {printable(name, 60)}")
        return player
    if kind != "posts" and kind not in world.law.declared.collections:
        raise Refused.of(f"no rule in force declares {printable(kind, 60)}")
    if (cells := world.law.declared.cells(kind)) and name not in cells:
        raise Refused.of(f"there is no {printable(name, 60)} among the {kind}")
    return naming.entity_id(world, kind, name)


def _set_whole(world: Transaction, ref: str, value: object) -> None:
    if value is None:
        writing.destroy(world, ref)
    elif not isinstance(value, Mapping):
        raise Refused.of(f"{ref}: a map of fields is needed")
    elif not reading.exists(world, ref):
        _make(world, ref, value)
    else:
        for field, inner in value.items():
            _set_field(world, ref, [str(field)], inner)


def _make(world: Transaction, ref: str, fields: Mapping[str, object]) -> None:
    kind, _, name = ref.partition("/")
    collection = world.law.declared.collections.get(kind)
    key = collection.key if collection is not None else None
    parts, said = ((key,), [name]) if isinstance(key, str) else (naming.key_parts(key), name.split("-"))
    writing.create(world, kind, name, **{**dict(zip(parts, said, strict=False)), **fields})


def _set_field(world: Transaction, ref: str, parts: Sequence[str], value: object) -> None:
    field = parts[0].replace("-", "_") if world.law.variable(kind_of(ref), parts[0]) is None else parts[0]
    declared = world.law.variable(kind_of(ref), field)
    if declared is None and field not in reading.KEPT.get(kind_of(ref), {}):
        raise Refused.of(f"no rule in force declares {printable(field, 60)} of {ref}")
    if declared is not None and declared.derived:
        raise Refused.of(f"{field} is derived from other values and cannot be set")
    if len(parts) > 1:
        value = _inside(writing.stored(world, ref, field, {}), parts[1:], value, field)
    writing.write(world, ref, kind_of(ref), field, value)


def _inside(old: object, parts: Sequence[str], value: object, field: str) -> object:
    if not isinstance(old, Mapping):
        raise Refused.of(f"{field} is no map")
    key, rest = parts[0], parts[1:]
    new = dict(old)
    if rest:
        new[key] = _inside(old.get(key, {}), rest, value, field)
    elif value is None:
        new.pop(key, None)
    else:
        new[key] = value
    return new
