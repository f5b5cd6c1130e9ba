"""A player takes another name: their file, every value that names them, and the keys made of their name.

Posts and comments keep the name under which they were made; it is read as the new one from now on.
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused, printable
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.state import naming, writing
from nomicgit.physics.state.transaction import Transaction


def rename_player(world: Transaction, given: Mapping[str, object]) -> str:
    """The change ``rename-player: {from, to}``."""
    old, new = naming.player_id(world, str(given.get("from"))), str(given.get("to"))
    if old is None:
        raise Refused.of(f"there is no player {printable(str(given.get('from')), 60)}")
    names = writing.stored(world, "open", "names", {})
    taken = naming.player_id(world, new)
    if naming.PLAYER_NAME.fullmatch(new) is None or (taken is not None and taken != old) or new in names:
        raise Refused.of(
            f"{printable(new, 60)} cannot be a name: it is taken, or not of letters, digits and hyphens"
        )
    _move(world, "players", old, new, {"name": new})
    world.store.put(
        "open",
        "names",
        dict(sorted({**{o: new if n == old else n for o, n in names.items()}, old: new}.items())),
    )
    if world.store.value("dynasty", "emperor") == old:
        world.store.put("dynasty", "emperor", new)
    for kind in world.law.by_kind:
        for ref in (
            [kind] if kind in ("game", "dynasty") else [f"{kind}/{i}" for i in list(world.store.ids(kind))]
        ):
            _replace(world, kind, ref, old, new)
    for name, collection in world.law.declared.collections.items():
        key = collection.key
        if isinstance(key, Mapping) and "of" in key:
            _rekey(world, name, key["of"])
    return ""


def _move(world: Transaction, kind: str, old: str, new: str, more: Mapping[str, Value]) -> None:
    fields = {**(world.store.fields(f"{kind}/{old}") or {}), **more}
    place = world.store.ids(kind).index(old)
    world.store.destroy(f"{kind}/{old}")
    world.store.create(f"{kind}/{new}", fields, place=place)


def _replace(world: Transaction, kind: str, ref: str, old: str, new: str) -> None:
    for variable in world.law.by_kind[kind]:
        value = world.store.value(ref, variable.name)
        if value is not MISSING and not variable.derived:
            world.store.put(ref, variable.name, _renamed(variable.type, value, old, new))


def _renamed(kind: Type, value: Value, old: str, new: str) -> Value:
    if kind.kind == "player":
        return new if value == old else value
    if isinstance(value, list) and kind.items is not None:
        return [_renamed(kind.items, v, old, new) for v in value]
    if isinstance(value, dict) and kind.kind == "map":
        keys, values = kind.keys or Type("any"), kind.values or Type("any")
        return {str(_renamed(keys, k, old, new)): _renamed(values, v, old, new) for k, v in value.items()}
    if isinstance(value, dict) and kind.kind == "record":
        return {k: _renamed(kind.fields[k], v, old, new) if k in kind.fields else v for k, v in value.items()}
    return value


def _rekey(world: Transaction, kind: str, parts: list[str]) -> None:
    for name in list(world.store.ids(kind)):
        fields = world.store.fields(f"{kind}/{name}") or {}
        wanted = "-".join(str(fields.get(part)) for part in parts)
        if wanted != name:
            _move(world, kind, name, wanted, {})
