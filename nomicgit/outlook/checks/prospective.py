"""What would become of a pending matter, tried as if it were enacted now, in workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from nomicgit.ground import deaths, purse, watch, worker
from nomicgit.ground.problems import NomicError
from nomicgit.outlook.checks.collisions import NOTHING, carried, what_became
from nomicgit.outlook.checks.disclosing import run_by
from nomicgit.outlook.checks.very_deed import aside, enacted
from nomicgit.physics.deeds import trial, units
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction

UNDONE = "it would not be enacted"
SLOWLY = "on a machine as slow as this one is now it would not be enacted"
IDLE = "none of its changes would be made now"
KEEPERS = "it meets what is secret: only who keeps this game's key can enact it"
ANY_LAW = "whatever changes this game's rules meets what is secret: only who keeps its key can enact it"
"""The same where what it meets is met by the rules in force themselves, as soon as there is a new law: so it is of all matters."""


def open_to_all(world: Transaction) -> Transaction:
    """The game as changes are tried on it: where its key is not at hand as though nothing secret were written in it. So nothing
    secret shows through why one is not made, and that is told in full.
    """
    if not world.store.closed:
        return world
    position = trial.without_secrets(world)
    position.store.bare = True
    return Transaction(position, world.context, world.chance, now=world.now)


def for_the_keeper(world: Transaction, ref: str, lent: int = trial.PROCESSOR) -> str:
    """That only who keeps the game's key can enact a matter, KEEPERS or ANY_LAW; "" where it is not needed, or ``lent`` seconds of
    processor time do not tell. Tried in a worker.
    """
    if not world.store.closed:
        return ""

    def met(carry: Callable[[Transaction], object]) -> set[str]:
        scratch = world.under(trusted=True)
        scratch.store.needed = False
        scratch.store.met.clear()
        with suppress(NeedsKey):
            carry(scratch)
        return {*scratch.store.met} if scratch.store.needed else set()

    def why() -> str:
        by_matter = met(lambda scratch: carried(scratch, ref))
        return "" if not by_matter else ANY_LAW if by_matter <= met(units.run_all) else KEEPERS

    try:
        return worker.run(why, processor=lent, wall=trial.WALL)
    except deaths.Unlent:
        purse.left_out("whether it needs the game's key")
        return ""
    except NomicError:
        return ""  # that its changes cannot be tried is told with them


class Prospect(NamedTuple):
    """Why a pending matter would not be enacted, and which of its changes would not be made ("": it and they would); the
    rules after it, where it changes what they do; and that what its programs do may differ then.
    """

    undone: str
    unmade: str
    texts: Mapping[str, str] | None
    hanging: Sequence[str]


class _Made:
    """Looks on as the law makes the changes of a matter: what becomes of each, by its number, and on what its programs hang."""

    def __init__(self) -> None:
        self.whys: dict[int, str] = {}
        self.hanging: list[str] = []

    def __call__(self, world: Transaction, change: Mapping[str, Any], make: Callable[[], str]) -> str:
        """Look on as a change is made."""
        with aside(world):
            _, hanging = run_by(world, change)
        if hanging and hanging not in self.hanging:
            self.hanging.append(hanging)
        whys: list[str] = []

        def once() -> str:
            whys.append(make())
            return whys[-1]

        self.whys[int(str(change["number"]))] = what_became(world, once)
        return whys[-1]


def _unmade(whys: Sequence[str]) -> str:
    """Which of a matter's changes would not be made, and why; "" where all would."""
    not_made = [why.removeprefix(f"{NOTHING}: ") for why in whys if why]
    what = IDLE if all(whys) else f"{len(not_made)} of its {len(whys)} changes would not be made now"
    return f"{what}: {'; '.join(dict.fromkeys(not_made))}" if not_made else ""


def prospect(world: Transaction, ref: str, lent: int = trial.PROCESSOR, *, by: str | None = None) -> Prospect:
    """What would become of a pending matter, were it enacted now. Tried in workers.

    ``lent``: the seconds of processor time for the trial. Late where that is less than a trial is lent in the game, or
    where a purse has lent less, and was too little.
    """

    def carrying() -> tuple[Mapping[str, str] | None, str, list[str]] | None:
        scratch, saw = world.under(trusted=True), _Made()
        law, changes = scratch.ruleset, len(reading.get(scratch, ref, "changes"))
        done = enacted(scratch, ref, by, saw)
        if len(saw.whys) < changes:
            return None
        after = done.world.ruleset if done else law
        return None if after.acts_as(law) else dict(after.texts), _unmade([*saw.whys.values()]), saw.hanging

    def carrying_alone() -> tuple[Mapping[str, str] | None, str, list[str]]:
        scratch = world.under(trusted=True)
        law, whys = scratch.ruleset, carried(scratch, ref)
        return None if scratch.ruleset.acts_as(law) else dict(scratch.ruleset.texts), _unmade(whys), []

    def bricked() -> str:
        scratch = world.under(trusted=True)
        law, saw = scratch.ruleset, _Made()
        changes = len(reading.get(scratch, ref, "changes"))
        if (done := enacted(scratch, ref, by, saw)) and len(saw.whys) == changes:
            return trial.worse(done.world, law, done.before)
        return ""

    def bricked_alone() -> str:
        scratch = world.under(trusted=True)
        law, before = scratch.ruleset, scratch.mark()
        carried(scratch, ref)
        return trial.worse(scratch, law, before)

    try:
        least = min(lent, worker.PROCESSOR)
        seen = worker.run(carrying, processor=least)
        texts, unmade, asks = seen or worker.run(carrying_alone, processor=least)
    except NomicError as error:
        if isinstance(error, deaths.Late) and (lent < worker.PROCESSOR or isinstance(error, deaths.Unlent)):
            raise
        return Prospect(
            "", "", None, ()
        )  # its changes themselves end the worker: that they cannot be tried is told with them
    try:
        trying = bricked if seen else bricked_alone
        why = watch.traced(trying, processor=lent, wall=trial.WALL) if texts else ""
    except deaths.Died as died:
        if isinstance(died, deaths.Unlent):
            raise
        if isinstance(died, deaths.Late) and not isinstance(died, deaths.Stuck) and lent < trial.PROCESSOR:
            raise
        why = trial.ended(world, died)
    return Prospect(undone(why), unmade, texts, asks)


def undone(why: str) -> str:
    """That what the trial of a law has found keeps it from being enacted; "" where that is nothing. How fast the machine is on which
    it will be enacted nobody knows.
    """
    return why and f"{SLOWLY if why == trial.TOO_LONG else UNDONE}: {why}"
