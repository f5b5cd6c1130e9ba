"""Doubts: claims of recorded deeds, tried again where these are replayed, and what is said of those that are not confirmed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nomicgit.ground import deaths, watch, worker
from nomicgit.ground.problems import Exhausted, NomicError, printable
from nomicgit.physics.deeds import amending, claiming, pipeline, trial
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.state import transaction
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction

SHOWN = 5
ENDED = deaths.Died, deaths.Cut
"""What ends a claim that is tried again. Whatever it was, that work may have ended so where the deed was decided too."""
OTHERWISE = "it says why {} was not enacted, and here the reason is another"
DOUBTS = {
    Claim.DIED: "it says that the mechanics of {} end their process or spend their fuel, and here they do not; not made was",
    Claim.EXHAUSTED: "it says that the event {} spent its fuel, and here it needs less than half; put off was",
    Claim.RESTED: "it says that events took too long and rested from {} on, and here they take less than half; put off was",
    Claim.BRICKED: "it says that {} leaves no way to change the law, and here one is left; undone was",
}
"""What is said of a claim that is not confirmed; after it comes what it has spared, or cost."""


class Lent(NamedTuple):
    """What work is lent: seconds of the processor and of waiting, and bytes."""

    processor: int
    memory: int | None = None
    wall: float | None = None


def lent(which: Claim) -> Lent:
    """What the work is lent of which a claim is made, where a deed is decided."""
    if which == Claim.DIED:
        return Lent(2 * amending.ENOUGH, worker.MEMORY)
    if which == Claim.BRICKED:
        return Lent(trial.PROCESSOR, wall=trial.WALL)
    return Lent(int(transaction.SECONDS), watch.MEMORY)


def half(bound: int) -> int:
    """Half of a bound. What comes to that much here may have come to all of it where the deed was decided."""
    return max(1, bound // 2)


def doubt(world: Transaction, which: Claim, of: str, work: Callable[[], object], since: int) -> str:
    """What is said of a claim that the work of which it is made does not confirm: it ends in a worker, with half of the fuel and
    memory that it was lent, in less than a tenth of its time. "" where it does.
    """
    processor, memory, wall = lent(which)
    tried = _trial if which == Claim.BRICKED else _effort
    try:
        spared = worker.run(
            lambda: tried(world, work, since),
            processor=half(processor),
            memory=memory and half(memory),
            wall=wall,
        )
    except ENDED:
        spared = None
    if spared is None:
        return ""
    if isinstance(spared, str):
        return f"{OTHERWISE.format(printable(of, 100))}: {spared}"
    return f"{DOUBTS[which].format(printable(of, 100))}: {'; '.join(spared) or 'what cannot be told here'}"


def _trial(world: Transaction, differs: Callable[[], Any], since: int) -> list[str] | str | None:
    """What an enactment was not spared that was undone; why it was undone here, where that is another reason; None: for this one."""
    why: str | None = differs()
    return [*changed(world, since)] if why == "" else why


def _effort(world: Transaction, work: Callable[[], object], since: int) -> list[str] | None:
    """What work changes that has not taken much; None where it has."""
    began, world.fuel = time.process_time(), half(world.physics.bounds.fuel)
    try:
        work()
    except (Exhausted, NeedsKey):  # what hangs on secrets, only who has the key can doubt
        return None
    except NomicError as error:
        comes_to = [f"nothing: {error.problems[0]}"]
    else:
        comes_to = [*changed(world, since)]
    return comes_to if time.process_time() - began < claiming.TENTH * transaction.SECONDS else None


def changed(world: Transaction, since: int) -> Iterator[str]:
    """What everyone may know of the changes since the log was so long, a line each; of many some are shown."""
    public = [each for each in pipeline.effects(world, since=since) if each["public"]]
    for each in public[:SHOWN]:
        old, new = (printable(str(each[when]), 60) for when in ("old", "new"))
        yield f"{each['path']}: {old} → {new}"
    if len(public) > SHOWN:
        yield f"{len(public) - SHOWN} more"
