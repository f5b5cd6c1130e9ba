"""What would become of pending matters: each tried as if it were enacted now, in workers, all of them within some seconds."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.outlook.checks.collisions import NOTHING, carried
from nomicgit.physics.deeds import trial
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

MOST = 8  # matters that are tried for a whole game
TOGETHER = 12  # seconds of processor time for all of these together
UNDONE = "it would not be enacted"
IDLE = "it would change nothing now"


def open_to_all(world: Transaction) -> Transaction:
    """The game as changes are tried on it: where its key is not at hand as though nothing secret were written in it."""
    if not world.store.closed:
        return world
    return Transaction(trial.without_secrets(world), world.context, world.chance, now=world.now)


class Prospects(NamedTuple):
    """That pending matters would not be enacted, or that not all of their changes would be made, and why, by their numbers; and
    those untried.
    """

    undone: Mapping[int, str]
    unmade: Mapping[int, str]
    untried: Sequence[int]


def undone(world: Transaction, ref: str, lent: int = trial.PROCESSOR) -> tuple[str, str]:
    """Why a pending matter would not be enacted, and which of its changes would not be made; "" where it and they would. Tried in
    workers.

    ``lent``: the seconds of processor time for the trial. Late where that is less than a trial is lent in the game, and
    was too little.
    """

    def carrying() -> tuple[bool, str]:
        scratch = world.under(trusted=True)
        law, whys = scratch.ruleset, carried(scratch, ref)
        not_made = [why.removeprefix(f"{NOTHING}: ") for why in whys if why]
        what = IDLE if all(whys) else f"{len(not_made)} of its {len(whys)} changes would not be made now"
        unmade = f"{what}: {'; '.join(dict.fromkeys(not_made))}" if not_made else ""
        return not scratch.ruleset.acts_as(law), unmade

    def enacted() -> str:
        scratch = world.under(trusted=True)
        law, before = scratch.ruleset, scratch.mark()
        carried(scratch, ref)
        return trial.worse(scratch, law, before)

    try:
        changes_law, unmade = worker.run(carrying)
    except NomicError:
        return "", ""  # its changes themselves end the worker: that they cannot be tried is told with them
    try:
        why = worker.run(enacted, processor=lent, wall=trial.WALL) if changes_law else ""
    except worker.Died as died:
        if isinstance(died, worker.Late) and lent < trial.PROCESSOR:
            raise
        why = trial.BRICKED
    return f"{UNDONE}: {why}" if why else "", unmade


def prospects(world: Transaction) -> Prospects:
    """What would become of pending matters that bring changes, as far as it can be told within some seconds for all.

    The oldest are tried; each is lent its share of what those before it have left.
    """
    world = open_to_all(world)
    pending = reading.find(world, "posts", status="pending")
    some = [ref for ref in pending if reading.get(world, ref, "changes")]
    tried_out: dict[int, tuple[str, str]] = {}
    left, began = float(TOGETHER), worker.spent()
    for place, ref in enumerate(some[:MOST]):
        share = left / (min(len(some), MOST) - place)
        with contextlib.suppress(worker.Late):
            tried_out[_number(ref)] = undone(world, ref, max(1, int(share)))
        left = TOGETHER - (worker.spent() - began)
    whys, unmade = ({number: each[n] for number, each in tried_out.items() if each[n]} for n in (0, 1))
    return Prospects(whys, unmade, [n for n in map(_number, some) if n not in tried_out])


def _number(ref: str) -> int:
    return int(ref.partition("/")[2])
