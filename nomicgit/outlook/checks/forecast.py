"""What would become of all pending matters: each tried as if it were enacted now, all of them within some seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nomicgit.ground import deaths, worker
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.checks.arising import found_and_tried
from nomicgit.outlook.checks.prospective import Prospect, for_the_keeper, open_to_all, prospect
from nomicgit.outlook.doomed import can_only_fail
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

MOST = 8  # matters that are tried for a whole game
TOGETHER = 12  # seconds of processor time for all of these together


class Prospects(NamedTuple):
    """That pending matters would not be enacted, that not all of their changes would be made, that what they change would not
    work, that only who keeps the game's key can enact them, and why, by their numbers; and those untried.
    """

    undone: Mapping[int, str]
    unmade: Mapping[int, str]
    unsound: Mapping[int, str]
    keepers: Mapping[int, str]
    untried: Sequence[int]


def prospects(world: Transaction, *, keyless: bool = False, endless: bool = False) -> Prospects:
    """What would become of pending matters that bring changes, as far as it can be told within some seconds for all.

    The oldest are tried; each is lent its share of what those before it have left. ``keyless``: the game has a
    key that is not at hand. ``endless``: the law in force is known to use up all that it is lent where it is to be changed, so
    that none is tried.
    """
    closed, world = world, open_to_all(world)
    pending = reading.find(world, "posts", status="pending")
    some = [ref for ref in pending if reading.get(world, ref, "changes") and not can_only_fail(world, ref)]
    tried: dict[int, tuple[Prospect, str]] = {}
    keepers: dict[int, str] = {}
    left, began = float(TOGETHER), worker.spent()
    for place, ref in enumerate(() if endless else some[:MOST]):
        share = left / (min(len(some), MOST) - place)
        try:
            seen = prospect(world, ref, max(1, int(share)))
        except deaths.Late:
            continue
        finally:
            left = TOGETHER - (worker.spent() - began)
        if keyless and left >= 1 and (why := for_the_keeper(closed, ref, int(left))):
            keepers[_number(ref)] = why
            left = TOGETHER - (worker.spent() - began)
        works = seen.texts is None or seen.undone or left <= 0
        tried[_number(ref)] = seen, "" if works else _unsound(world, seen.texts or {})
        left = TOGETHER - (worker.spent() - began)
    return Prospects(
        {number: seen.undone for number, (seen, _) in tried.items() if seen.undone},
        {number: seen.unmade for number, (seen, _) in tried.items() if seen.unmade},
        {number: unsound for number, (_, unsound) in tried.items() if unsound},
        keepers,
        [n for n in map(_number, some) if n not in tried],
    )


def _unsound(world: Transaction, texts: Mapping[str, str]) -> str:
    """What ``check`` would find to be wrong with the rules after a matter: the first error, and how many more."""
    findings = found_and_tried(world, Ruleset.read(texts, old=world.ruleset))
    errors = list(dict.fromkeys(each.problem.what for each in findings if each.level == "error"))
    more = len(errors) - 1
    behind = f", and {more} more {'errors' if more > 1 else 'error'}" if more > 0 else ""
    return f"check would find an error in it: {errors[0]}{behind}" if errors else ""


def _number(ref: str) -> int:
    return int(ref.partition("/")[2])
