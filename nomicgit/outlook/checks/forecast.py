"""What would become of all pending matters: each tried as if it were enacted now, all of them within some seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nomicgit.ground import deaths, worker
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.checks.arising import found_and_tried
from nomicgit.outlook.checks.prospective import for_the_keeper, open_to_all, prospect
from nomicgit.outlook.checks.recalled import Recalled
from nomicgit.outlook.doomed import can_only_fail
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

MOST = 8  # matters that are tried for a whole game
TOGETHER = 5  # seconds of processor time for all of these, the quick ones first
HOUR = 3600
LATE = "late"
ENOUGH = 3  # seconds; what takes longer is not tried again while it is remembered
_KEYS = ("undone", "unmade", "unsound", "keepers", "hanging")


class Prospects(NamedTuple):
    """That pending matters would not be enacted, that not all of their changes would be made, that what they change would not
    work, that only who keeps the game's key can enact them, and why, by their numbers; those untried; of which what a program
    does may differ then; and those of which it takes too long to tell.
    """

    undone: Mapping[int, str]
    unmade: Mapping[int, str]
    unsound: Mapping[int, str]
    keepers: Mapping[int, str]
    untried: Sequence[int]
    hanging: Mapping[int, Sequence[str]]
    slow: Sequence[int] = ()


def prospects(
    world: Transaction,
    *,
    by: str | None = None,
    keyless: bool = False,
    endless: bool = False,
    recalled: Recalled | None = None,
) -> Prospects:
    """What would become of pending matters that bring changes, as far as it can be told within some seconds for all.

    The oldest are tried, each for a second, and those for which that is too little with what is left then. ``by``: the id of who asks.
    ``keyless``: the game has a key that is not at
    hand. ``endless``: the law in force is known to use up all that it is lent where it is to be changed, so that none is tried.
    ``recalled``: what the clone remembers of trials: what is known of a matter, or took too long, is not tried again within the hour
    while the game stands as it does.
    """
    pending = reading.find(world, "posts", status="pending")
    some = [ref for ref in pending if reading.get(world, ref, "changes") and not can_only_fail(world, ref)]
    tried: dict[int, Mapping[str, Any]] = {}
    slow, late, began = list[int](), list[str](), worker.spent()

    def left() -> float:
        return TOGETHER - (worker.spent() - began)

    def names(ref: str) -> list[str]:
        return [f"{ref} {by} {when}" for when in (f"at {world.now}", f"within {world.now // HOUR}")]

    def remember(ref: str, known: Mapping[str, Any]) -> None:
        if recalled is not None:
            recalled.put(names(ref)[not known.get("hanging")], known)

    def recall(ref: str) -> Mapping[str, Any]:
        there = (each for each in names(ref) if recalled is not None and each in recalled)
        return recalled.get(next(there, "")) or {} if recalled is not None else {}

    for ref in () if endless else some[:MOST]:
        known = recall(ref)
        if not known and left() > 0:
            known = _known(world, ref, by, 1, keyless=keyless)
            remember(ref, known)
        if known.get(LATE, 0) >= ENOUGH:
            slow.append(_number(ref))
        elif not known or LATE in known:
            late.append(ref)
        else:
            tried[_number(ref)] = known
    for ref in late:
        if (lent := int(left())) > 1:
            known = _known(world, ref, by, lent, keyless=keyless)
            remember(ref, known)
            if LATE not in known:
                tried[_number(ref)] = known
            elif lent >= ENOUGH:
                slow.append(_number(ref))
    seen = {key: {number: each[key] for number, each in tried.items() if each[key]} for key in _KEYS}
    return Prospects(
        **seen, untried=[n for n in map(_number, some) if n not in tried and n not in slow], slow=slow
    )


def _known(world: Transaction, ref: str, by: str | None, lent: int, *, keyless: bool) -> Mapping[str, Any]:
    """What is told of one matter; where ``lent`` seconds of processor time for each trial are too few, these under LATE alone."""
    closed, world = world, open_to_all(world)
    try:
        seen = prospect(world, ref, lent, by=by)
        why = for_the_keeper(closed, ref, lent) if keyless else ""
        works = seen.texts is None or bool(seen.undone)
        unsound = "" if works else _unsound(world, seen.texts or {}, lent)
    except deaths.Late:
        return {LATE: lent}
    return {
        "undone": seen.undone, "unmade": seen.unmade, "unsound": unsound, "keepers": why, "hanging": list(seen.hanging),
    }  # fmt: skip


def _unsound(world: Transaction, texts: Mapping[str, str], lent: int) -> str:
    """What ``check`` would find to be wrong with the rules after a matter: the first error, and how many more."""
    findings = found_and_tried(world, Ruleset.read(texts, old=world.ruleset), within=lent)
    errors = list(dict.fromkeys(each.problem.what for each in findings if each.level == "error"))
    more = len(errors) - 1
    behind = f", and {more} more {'errors' if more > 1 else 'error'}" if more > 0 else ""
    return f"check would find an error in it: {errors[0]}{behind}" if errors else ""


def _number(ref: str) -> int:
    return int(ref.partition("/")[2])
