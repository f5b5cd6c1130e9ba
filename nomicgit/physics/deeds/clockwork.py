"""What happens by the clock: every due event at its own time, in order. Source: Clock, in ``docs/mechanics.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.law.declarations import Recurring, Timed
from nomicgit.physics.deeds import units
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Exhausted, Transaction


class Due(NamedTuple):
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

    What falls due too often, or takes too long, rests for the deed; the next one goes on with it.
    """
    failures, course = [], _Course(Counter(), Counter(), Counter())
    while world.law.declared.schedule:
        due = min(_all_due(world, until), default=None)
        if due is None:
            break
        if too_much := course.too_much(world, due):
            world.resting |= {due.function}
            failures.append(f"{due.key} {too_much} and rests for this deed")
            continue
        why = _happen(world, due, course)
        if why:
            failures.append(f"{due.key} at {clock.text(due.at)} did not happen: {why}")
    return failures


class _Course(NamedTuple):
    """How often each event fell due at one instant, how often each function ran, and the fuel that it took."""

    times: Counter[tuple[str, int]]
    turns: Counter[str]
    fuel: Counter[str]

    def too_much(self, world: Transaction, due: Due) -> str:
        """Why an event that falls due now is to rest, or nothing.

        The fuel is told as evidence, since another program may count it in another way.
        """
        self.times[due.key, due.at] += 1
        self.turns[due.function] += 1
        turn, bounds = self.turns[due.function], world.physics.bounds
        if self.times[due.key, due.at] > bounds.at_once:
            return f"fell due more than {bounds.at_once} times at {clock.text(due.at)}"
        if turn > bounds.turns:
            return f"came round more than {bounds.turns:,} times by {clock.text(due.at)}"
        name, told = f"{due.key} {clock.text(due.due)} {turn}", world.context.claims
        spent = self.fuel[due.function] > bounds.spent if told is None else name in told.get("rested", ())
        if spent:
            world.claims.setdefault("rested", []).append(name)
        return f"took too long by {clock.text(due.at)}" if spent else ""


def _all_due(world: Transaction, until: int) -> Iterator[Due]:
    clocks = writing.stored(world, "open", "clocks", {})
    for rank, hook in enumerate(world.law.declared.schedule.values()):
        if hook.function in world.resting:
            continue
        match hook:
            case Recurring():
                last = clocks.get(hook.name)
                at = world.calendar.next_due(hook.every, clock.instant(last) if last else world.now)
                if at <= until:
                    yield Due(at, rank, 0, hook.name, hook.function, "", at)
            case Timed():
                yield from _of_entities(world, hook, rank, clocks, until)


def _of_entities(
    world: Transaction, hook: Timed, rank: int, clocks: dict[str, str], until: int
) -> Iterator[Due]:
    try:
        for place, (ref, at) in enumerate(units.timed(world, hook)):
            key, due = f"{hook.name} {ref}", reading.seconds(at)
            if due <= until and clocks.get(key) != clock.text(due):
                yield Due(max(due, world.now), rank, place, key, hook.function, ref, due)
    except NomicError as error:
        world.rest(hook.function, hook.name, error)


def _happen(world: Transaction, due: Due, course: _Course) -> str:
    world.now = world.cast_at = max(world.now, due.at)
    clocks = writing.stored(world, "open", "clocks", {})
    world.store.put("open", "clocks", dict(sorted({**clocks, due.key: clock.text(due.due)}.items())))
    before, world.parent_law = world.fuel, world.law
    world.refuel()
    full = world.fuel
    name = f"{due.key} {clock.text(due.due)}"
    try:
        if name in (world.context.claims or {}).get("exhausted", ()):
            raise Exhausted.of("its fuel was spent")
        if world.law.has(due.function):
            _happen_whole(world, due)
    except Refused as error:
        if isinstance(error, Exhausted):
            world.claims.setdefault("exhausted", []).append(name)
        return str(error.problems[0])
    except NomicError as error:
        world.resting |= {due.function}
        return str(error.problems[0])
    finally:
        course.fuel[due.function] += full - world.fuel
        world.fuel = before
    return ""


def _happen_whole(world: Transaction, due: Due) -> None:
    """Carry an event out, unless it leaves no way to change the law, or a secret where none can be kept."""
    law = world.ruleset
    with world.savepoint() as before:
        with units.unit(world, alone=True):
            world.call(due.function, *([due.ref] if due.ref else []))
        world.physics.leave(world, law, before)
