"""Taking a deed back: its net effects, on the game of now. Source: ``docs/changes.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.variables import MISSING
from nomicgit.physics.deeds import units
from nomicgit.physics.deeds.ruling_back import rules_back
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.store import SINGLE, WHOLE, filed, kind_of, unsaid
from nomicgit.physics.state.transaction import Transaction


def undo(world: Transaction, deed: object) -> None:
    """The change ``undo: DEED``: what it made goes and what it took away comes back where nobody has touched that
    since; numbers by their difference, lists by what came and went, the rest where it still stands so.

    Rules come first, for they declare what the rest may be. What happened by the clock in the deed, what was told in
    private, dice and mailboxes stay: one that somebody said was not theirs would come back without waiting.

    Refused where it was taken back already, unless that was taken back: numbers would go down twice.
    """
    name = str(deed).removeprefix("deeds/")
    history, undone = world.context.history, writing.stored(world, "used", "undone", {})
    if name in undone:
        raise Refused.of(f"the deed {printable(name, 60)} was taken back already{_by(undone[name])}")
    if history.sealed(name):
        world.store.look("what that deed has done")
        world.store.bare = False  # that is no more than its key lets be known
    effects = history.effects(name)
    if effects is None:
        raise Refused.of(f"there is no deed {printable(name, 60)} whose effects are known")
    before = len(world.store.log)
    of_rules = [dict(each) for each in effects if str(each["ref"]).startswith("rules/")]
    others = [each for each in effects if each not in of_rules and each["field"] != "mailbox"]
    left = _rules_back(world, of_rules) if of_rules else []
    left += _entities_back(world, others)
    if left:
        what = ", ".join(dict.fromkeys(left))
        world.notes.append(f"Not taken back, since it has changed meanwhile: {what}")
    if len(world.store.log) > before:
        kept = {other: by for other, by in undone.items() if by != name}
        world.store.put("used", "undone", dict(sorted({**kept, name: world.deed}.items())))


def _by(deed: str) -> str:
    return f", by the deed {deed}" if deed else ""


def _rules_back(world: Transaction, effects: Sequence[dict[str, object]]) -> list[str]:
    """Take back what was done to rules; what comes into force with them is there before values come back."""
    ruleset, left = rules_back(world.ruleset, effects)
    if ruleset == world.ruleset:
        return left
    units.amend_law(world, ruleset)
    units.settle(world)
    return left


def _entities_back(world: Transaction, effects: Sequence[Mapping[str, object]]) -> list[str]:
    """Take back what was done to entities: whole ones first, then fields and comments. Returns what is left."""
    left, whole = [], set[str]()
    for effect in effects:
        ref, field = str(effect["ref"]), str(effect["field"])
        if field not in WHOLE or (field == "created" and world.law.declared.cells(kind_of(ref))):
            continue
        whole.add(ref)
        said = [each["new"] for each in effects if (each["ref"], each["field"]) == (ref, "comments")]
        made = field == "created"
        back = _gone(world, ref, effect["new"], said) if made else _come(world, ref, effect["old"])
        left += [] if back else [ref]
    for effect in effects:
        ref, field, old, new = str(effect["ref"]), str(effect["field"]), effect["old"], effect["new"]
        if field == "comments":
            left += _comments_back(world, ref, _entries(old), () if ref in whole else _entries(new))
        elif field == "created" and ref not in whole:
            fields = new.items() if isinstance(new, Mapping) else ()
            left += [f"{ref} {name}" for name, value in fields if not _back(world, ref, name, None, value)]
        elif field not in WHOLE and not _back(world, ref, field, old, new):
            left.append(f"{ref} {field}")
    return left


def _entries(said: object) -> Sequence[Mapping[str, Any]]:
    return [each for each in said if isinstance(each, Mapping)] if isinstance(said, list) else []


def _gone(world: Transaction, ref: str, made: object, said: Sequence[object]) -> bool:
    """Take away what a deed made, if it still is as it was made; a post also if nobody has said anything since."""
    world.store.look_at_all(ref)
    fields = world.store.fields(ref)
    if fields is None or filed(fields) != made:
        return fields is None
    own = [each for some in said for each in _entries(some)]
    if kind_of(ref) == "posts" and world.store.comments(ref) != own:
        return False
    if kind_of(ref) == "scenarios":
        world.store.destroy(ref)
    else:
        writing.destroy(world, ref)
    return True


def _come(world: Transaction, ref: str, old: Any) -> bool:
    """Bring back what a deed took away, in its old place, if no other has its name and its kind is still there."""
    kind = kind_of(ref)
    known = kind == "scenarios" or world.law.declared.knows(kind)
    if world.store.fields(ref) is not None or not known:
        return False
    empty: dict[str, Any] = {"tags": [], "changes": []} if kind == "posts" else {}
    world.store.create(ref, empty | old)
    if kind == "posts":
        writing.write_post(world, ref, "status", old.get("status"))
    return True


def _comments_back(
    world: Transaction, ref: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Take comments that came out of a post, and put those back that went."""
    if world.store.fields(ref) is None:
        return []
    left = [f"{ref} comments" for each in new if not world.store.uncomment(ref, each)]
    for each in old:
        world.store.comment(ref, each)
    return left


def _back(world: Transaction, ref: str, field: str, old: object, new: object) -> bool:
    if world.store.fields(ref) is None and ref not in SINGLE:
        return False
    declared = world.law.variable(kind_of(ref), field)
    if declared is None and field != "uses":
        return _as_it_was(world, ref, field, old, new)
    start = reading.start(world, ref, declared) if declared and not declared.type.nullable else None
    old, new = (start if value is None else value for value in (old, new))
    wanted = _merged(writing.stored(world, ref, field, start), old, new)
    if wanted is MISSING:
        return False
    if declared is not None and _number(wanted) and declared.type.minimum is not None:
        wanted = max(wanted, declared.type.minimum)
    world.store.put(ref, field, MISSING if wanted is None and field == "uses" else wanted)
    return True


def _as_it_was(world: Transaction, ref: str, field: str, old: object, new: object) -> bool:
    """Take back what the program keeps of an entity, where it still stands as the deed left it."""
    now = writing.stored(world, ref, field, None)
    if (None if unsaid(field, now) else now) != new:
        return bool(now == old)
    kept = reading.KEPT.get(kind_of(ref), {}).get(field)
    value: Any = (MISSING if kept is None else kept.empty()) if old is None else old
    if ref.startswith("posts/"):
        writing.write_post(world, ref, field, value)
    else:
        world.store.put(ref, field, value)
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
