"""Taking a deed back: its net effects, on the gamestate of now. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.variables import MISSING
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.store import WHOLE, kind_of
from nomicgit.physics.state.transaction import Transaction


def undo(world: Transaction, deed: object) -> str:
    """The change ``undo: DEED``: what it made goes and what it took away comes back where nobody has touched that
    since; numbers by their difference, lists by what came and went, the rest where it still stands so.
    """
    name = str(deed).removeprefix("deeds/")
    effects = world.context.history.effects(name)
    if effects is None:
        raise Refused.of(f"there is no deed {printable(name, 60)} whose effects are known")
    left: dict[str, None] = {}
    whole = set()
    for effect in effects:
        ref, field = str(effect["ref"]), str(effect["field"])
        if field not in WHOLE or (field == "created" and _of_grid(world, ref)):
            continue
        whole.add(ref)
        if not (_gone(world, ref, effect["new"]) if field == "created" else _come(world, ref, effect["old"])):
            left[ref] = None
    for effect in effects:
        ref, field = str(effect["ref"]), str(effect["field"])
        if (
            ref not in whole
            and field not in WHOLE
            and not _back(world, ref, field, effect["old"], effect["new"])
        ):
            left[f"{ref} {field}"] = None
    if left:
        world.notes.append("Not taken back, since it has changed meanwhile: " + ", ".join(left))
    return ""


def _of_grid(world: Transaction, ref: str) -> bool:
    """Whether an entity is a cell of a grid, which comes into being when something is first written to it."""
    collection = world.law.declared.collections.get(kind_of(ref))
    return collection is not None and bool(collection.grid)


def _gone(world: Transaction, ref: str, made: object) -> bool:
    """Take away what a deed made, if it still is as it was made."""
    if world.store.fields(ref) != made:
        return False
    writing.destroy(world, ref)
    return True


def _come(world: Transaction, ref: str, old: Any) -> bool:
    """Bring back what a deed took away, in its old place, if no other has its name and its kind is still there."""
    kind = kind_of(ref)
    if world.store.fields(ref) is not None or (
        kind != "players" and kind not in world.law.declared.collections
    ):
        return False
    earlier = [
        name for name in world.store.ids(kind) if _made(world.store.fields(f"{kind}/{name}")) < _made(old)
    ]
    world.store.create(ref, old, len(earlier))
    return True


def _made(fields: Mapping[str, Any] | None) -> int:
    """The number under which an entity came into being among its kind."""
    return int((fields or {}).get("made", 0))


def _back(world: Transaction, ref: str, field: str, old: object, new: object) -> bool:
    if world.store.fields(ref) is None and ref not in ("game", "dynasty"):
        return False
    declared = world.law.variable(kind_of(ref), field)
    start = reading.start(world, ref, declared) if declared and not declared.type.nullable else None
    old, new = (start if value is None else value for value in (old, new))
    wanted = _merged(writing.stored(world, ref, field, start), old, new)
    if wanted is MISSING:
        return False
    if declared is not None and _number(wanted) and declared.type.minimum is not None:
        wanted = max(wanted, declared.type.minimum)
    world.store.put(ref, field, MISSING if wanted is None and field == "uses" else wanted)
    return True


def _merged(now: Any, old: Any, new: Any) -> Any:
    """What a value would be without what changed ``old`` to ``new``; MISSING where that cannot be told."""
    if _number(old) and _number(new) and _number(now):
        return now - (new - old)
    if isinstance(new, list) and isinstance(now, list) and isinstance(old, list | None):
        kept = list(now)
        for item in new:
            if item not in (old or []) and item in kept:
                kept.remove(item)
        return kept + [item for item in old or [] if item not in new and item not in kept]
    if isinstance(new, Mapping) and isinstance(now, Mapping) and isinstance(old, Mapping | None):
        left = dict(now)
        for key in {*new, *(old or {})}:
            before, after = (old or {}).get(key), new.get(key)
            if before == after:
                continue
            merged = _merged(now.get(key), before, after)
            if merged is MISSING:
                return MISSING
            left[key] = merged
            if merged in (None, []):
                del left[key]
        return left
    return old if now == new else MISSING


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
