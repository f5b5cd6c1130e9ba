"""What happens by the clock: every due event at its own time, in order. Source: Clock, in ``docs/mechanics.md``."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.problems import Exhausted, NomicError, Refused, Starved
from nomicgit.ground.reasons import cut
from nomicgit.law.hooks import Recurring, Timed
from nomicgit.physics.deed import NOT_HAPPENED, RESTS, Failure
from nomicgit.physics.deeds import claiming, units
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.state import reading, transaction, writing
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction

SPENT: Final = "it took more than it was lent; it comes due again with the first deed of a later day"
SLOW_TO_SAY: Final = "when it falls due takes more fuel, time or memory to say than is lent"
SHARE: Final = 2  # times the processor's time of a deed, for all events of one function in it
ALL: Final = 6  # times that, for all events of a deed


class Due(Struct, frozen=True, order=True):
    """An event of the clock: when, the place of its function in the ruleset, the place of its entity.

    The first of several is the least.
    """

    at: int
    rank: int
    place: int
    key: str
    function: str
    ref: str
    due: int


def catch_up(world: Transaction, until: int) -> list[str]:
    """Let everything happen that falls due up to and including an instant; returns a line for each that failed.

    What falls due too often, or takes too long, rests for the deed; the next one goes on with it. What spends its fuel is
    put off, and with it what falls due later under its name, until the first deed of a later day. Where somebody only looks,
    without the game's key, the clock halts at what needs that.
    """
    with by_the_clock(world):
        return _caught_up(world, until)


@contextmanager
def by_the_clock(world: Transaction) -> Iterator[None]:
    """What happens within happens by the clock: so it may look at nothing that is never opened."""
    before, world.timing = world.timing, True
    try:
        yield
    finally:
        world.timing = before


def _caught_up(world: Transaction, until: int) -> list[str]:
    failures: list[str] = []
    course = _Course(Counter(), Counter(), Counter(), defaultdict(float))
    while world.law.declared.schedule and world.halted is None:
        due = min(_all_due(world, until, course), default=None)
        if due is None:
            break
        if too_much := course.too_much(world, due):
            world.resting |= {due.function}
            failures.append(Failure(f"{due.key} {too_much}{RESTS}"))
            continue
        if why := _happened(world, due, course, until):
            failures.append(Failure(f"{due.key} at {clock.text(due.at)}{NOT_HAPPENED}{cut(why)}"))
            world.said += len(failures[-1])
    return failures


class _Course(Struct, frozen=True):
    """How often each event fell due at one instant, how often each function ran, the fuel and the seconds that it took."""

    times: Counter[tuple[str, int]]
    turns: Counter[str]
    fuel: Counter[str]
    seconds: defaultdict[str, float]

    @contextmanager
    def lent(self, world: Transaction, function: str) -> Iterator[None]:
        """Fuel and time of its own for what is done within: it takes none of the deed's."""
        fuel, until, began = world.fuel, world.until, time.process_time()
        world.refuel()
        full = world.fuel
        try:
            yield
        finally:
            took = time.process_time() - began
            self.fuel[function] += full - world.fuel
            self.seconds[function] += took
            world.fuel, world.until = fuel, None if until is None else until + took

    def too_much(self, world: Transaction, due: Due) -> str:
        """Why an event that falls due now is to rest, or nothing.

        That it took too long is a claim, since another program may count fuel, and another machine time, in another way.
        """
        self.times[due.key, due.at] += 1
        self.turns[due.function] += 1
        turn, bounds = self.turns[due.function], world.physics.bounds
        if self.times[due.key, due.at] > bounds.at_once:
            return f"fell due more than {bounds.at_once} times at {clock.text(due.at)}"
        if turn > bounds.turns:
            return f"came round more than {bounds.turns:,} times by {clock.text(due.at)}"
        if world.said > bounds.said:
            return f"came when there was more to say than one deed can, by {clock.text(due.at)}"
        name = f"{_name(due)} {turn}"
        claimed = claiming.recorded(world, Claim.RESTED, name)
        fuelled, timed = (
            self._spent(due.function, bounds.spent),
            self._slow(due.function, world.context.tried or 1),
        )
        world.late |= claimed is None and timed and not fuelled
        if not (fuelled or timed if claimed is None else claimed):
            return ""
        reached = self._spent(due.function, bounds.spent // 2) or self._slow(due.function, claiming.TENTH)
        if claimed and not reached:
            claiming.again(world, Claim.RESTED, _name(due), partial(_happen_or_end, world, due))
        claiming.claim(world, Claim.RESTED, name)
        return f"took too long by {clock.text(due.at)}"

    def _spent(self, function: str, fuel: int) -> bool:
        """Whether the events of a function have spent so much fuel."""
        return self.fuel[function] > fuel

    def _slow(self, function: str, share: float) -> bool:
        """Whether the events of a function have taken this share of the time that they are lent, or all events have."""
        seconds = share * transaction.SECONDS
        return self.seconds[function] > SHARE * seconds or sum(self.seconds.values()) > ALL * seconds


def _name(due: Due) -> str:
    """The name of an event in claims."""
    return f"{due.key} {clock.text(due.due)}"


def _all_due(world: Transaction, until: int, course: _Course) -> Iterator[Due]:
    clocks = writing.stored(world, "open", "clocks", {})
    put_off = _put_off(world, until)
    for rank, hook in enumerate(world.law.declared.schedule.values()):
        if hook.function in world.resting:
            continue
        match hook:
            case Recurring():
                last = clocks.get(hook.name)
                at = world.calendar.next_due(hook.every, clock.instant(last) if last else world.now)
                if at <= until and hook.name not in put_off:
                    yield Due(at, rank, 0, hook.name, hook.function, "", at)
            case Timed():
                before = world.store.looked, world.store.needed
                world.store.looked = False
                with course.lent(world, hook.function):
                    of_entities = list(_of_entities(world, hook, rank, clocks, until))
                if _waits(world):  # till somebody lets it happen who has the game's key
                    of_entities, world.waiting = [], True
                    world.store.looked, world.store.needed = before
                world.store.looked |= before[0]
                yield from (due for due in of_entities if due.key not in put_off)


def _waits(world: Transaction) -> bool:
    """Whether asking when something falls due has met a secret, in a deed that is not made to look at them."""
    return world.store.looked and not world.keeping


def _put_off(world: Transaction, until: int) -> dict[str, str]:
    """The events that have spent their fuel on the day of an instant, with that day."""
    kept = writing.stored(world, "open", "put_off", {})
    day = world.calendar.date(until) if kept else ""
    return {key: when for key, when in kept.items() if when == day}


def _put_it_off(world: Transaction, due: Due, until: int) -> None:
    """Let an event be as though it had not happened yet, until a later day."""
    kept = _put_off(world, until) | {due.key: world.calendar.date(until)}
    world.store.put("open", "put_off", dict(sorted(kept.items())))


def _of_entities(
    world: Transaction, hook: Timed, rank: int, clocks: dict[str, str], until: int
) -> Iterator[Due]:
    try:
        if claiming.recorded(world, Claim.RESTED, hook.name):
            claiming.again(world, Claim.RESTED, hook.name, lambda: list(units.timed(world, hook)))
            raise Exhausted.of(SPENT)
        for place, (ref, at) in enumerate(units.timed(world, hook)):
            key, due = f"{hook.name} {ref}", reading.seconds(at)
            if due <= until and clocks.get(key) != clock.text(due):
                yield Due(max(due, world.now), rank, place, key, hook.function, ref, due)
    except Exhausted:
        if not _waits(world):
            claiming.claim(world, Claim.RESTED, hook.name)
            world.rest(hook.function, hook.name, Exhausted.of(SLOW_TO_SAY))
    except NomicError as error:
        if not _waits(world):
            world.rest(hook.function, hook.name, error)


def _happened(world: Transaction, due: Due, course: _Course, until: int) -> str:
    """Let an event happen: nothing, or why it does not. Where the game's key is not at hand and it needs that, who acts is
    refused, and for who looks the clock halts before it.
    """
    before, why = world.mark(), ""
    try:
        why = _happen(world, due, course, until)
    except NeedsKey as error:
        if not world.context.looking:
            raise NeedsKey.of_event(due.key, clock.text(due.at)) from error
    if world.context.looking and world.store.needed:  # also where whatever met it has caught it
        world.back(before)
        world.store.needed, world.halted = False, (due.key, due.at)
        return ""
    return why


def _happen(world: Transaction, due: Due, course: _Course, until: int) -> str:
    world.now = world.cast_at = max(world.now, due.at)
    clocks = writing.stored(world, "open", "clocks", {})
    world.store.put("open", "clocks", dict(sorted({**clocks, due.key: clock.text(due.due)}.items())))
    world.parent_law, world.drawing = world.law, due.key
    try:
        if claiming.recorded(world, Claim.EXHAUSTED, _name(due)):
            claiming.again(world, Claim.EXHAUSTED, _name(due), partial(_happen_whole, world, due))
            course.fuel[due.function] += world.physics.bounds.fuel
            course.seconds[due.function] += transaction.SECONDS
            raise Exhausted.of(SPENT)
        if world.law.has(due.function):
            with course.lent(world, due.function), world.claimed():
                _happen_whole(world, due)
    except Exhausted as error:
        # who has ended the process, or would, has used all that it was lent
        if isinstance(error, Starved):
            course.seconds[due.function] += transaction.SECONDS
        claiming.claim(world, Claim.EXHAUSTED, _name(due))
        world.store.put("open", "clocks", clocks)
        _put_it_off(world, due, until)
        return SPENT
    except NeedsKey:
        raise
    except Refused as error:
        return error.problems[0].sentence
    except NomicError as error:
        world.resting |= {due.function}
        return error.problems[0].sentence
    return ""


def _happen_or_end(world: Transaction, due: Due) -> None:
    """Carry one of many events out, though it may end by itself what it takes no part in."""
    with suppress(Exhausted):
        _happen_whole(world, due)


def _happen_whole(world: Transaction, due: Due) -> None:
    """Carry an event out, unless it leaves no way to change the law, or a secret where none can be kept."""
    law = world.ruleset
    with world.savepoint() as before:
        with units.unit(world, alone=True):
            world.call(due.function, *([due.ref] if due.ref else []))
        world.physics.leave(world, law, before)
