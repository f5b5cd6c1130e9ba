"""Taking a deed back: its net effects, on the gamestate of now. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.gamestate import reading, writing
from nomicgit.gamestate.store import kind_of
from nomicgit.gamestate.world import World
from nomicgit.problems import Refused, printable
from nomicgit.variables import MISSING


def undo(world: World, deed: Any) -> str:
    """The change ``undo: DEED``: numbers by their difference, lists by what came and went, the rest where it stands."""
    name = str(deed).removeprefix("deeds/")
    effects = world.history.effects(name)
    if effects is None:
        raise Refused.of(f"there is no deed {printable(name, 60)} whose effects are known")
    left = []
    for effect in effects:
        if not _back(world, str(effect["ref"]), str(effect["field"]), effect["old"], effect["new"]):
            left.append(f"{effect['ref']} {effect['field']}")
    if left:
        world.notes.append("Not taken back, since it has changed meanwhile: " + ", ".join(left))
    return ""


def _back(world: World, ref: str, field: str, old: Any, new: Any) -> bool:
    if world.store.fields(ref) is None and ref not in ("game", "dynasty"):
        return False
    now = writing.stored(world, ref, field, None)
    if now is None:
        declared = world.law.variable(kind_of(ref), field)
        now = reading.start(world, ref, declared) if declared else None
    wanted = _merged(now, old, new)
    if wanted is MISSING:
        return False
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        declared = world.law.variable(kind_of(ref), field)
        least = declared.type.minimum if declared else None
        wanted = wanted if least is None else max(wanted, least)
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


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
