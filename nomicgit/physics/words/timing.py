"""Words for time."""

from __future__ import annotations

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.physics.words.looking import span_of


def now(world: Transaction) -> str:
    """The time of the deed, or of the event under way."""
    world.note_clock()
    return world.time()


def cast_at(world: Transaction) -> str:
    """A late event's own time."""
    world.note_step()
    world.note_clock()
    return clock.text(world.cast_at)


def elapsed(world: Transaction, at: object, span: str, more: bool = False) -> bool:
    """Whether at least (with ``more``, more than) a span has passed since a time; true for None."""
    if at is None:
        return True
    due = clock.shift(reading.seconds(at), span_of(span)) + bool(more)
    world.waits(due)
    return world.now >= due


def later(world: Transaction, at: object, span: str) -> str:
    """The instant a span after a time."""
    instant = clock.text(clock.shift(reading.seconds(at), span_of(span)))
    world.meets(instant)
    return instant


def span_between(world: Transaction, a: object, b: object) -> int:
    """Seconds from a to b."""
    return reading.seconds(b) - reading.seconds(a)


def start_of(world: Transaction, unit: str, at: object = None) -> str:
    """When the day, week, month or year of a time began, in the game's zone."""
    if at is None:
        world.waits(world.calendar.next_start(unit, world.now))
    return clock.text(world.calendar.start_of(unit, world.now if at is None else reading.seconds(at)))


def date(world: Transaction, at: object) -> str:
    """The date of a time in the game's zone."""
    return world.calendar.date(_within_day(world, at))


def weekday(world: Transaction, at: object) -> str:
    """The day of the week of a time in the game's zone."""
    return world.calendar.weekday(_within_day(world, at))


def _within_day(world: Transaction, at: object) -> int:
    """The instant of a time whose day is asked for: where it is now, the answer lasts until the next day begins."""
    when = reading.seconds(at)
    if when == world.now:
        world.waits(world.calendar.next_start("day", when))
    return when
