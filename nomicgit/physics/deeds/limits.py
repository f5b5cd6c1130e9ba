"""How often something may be done: uses are counted by key, for a player or for all together."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.ground import clock
from nomicgit.ground.problems import Defect, Malformed, Problem, Refused
from nomicgit.law.declarations import Limit
from nomicgit.law.linking import written
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Transaction

PERIODS = ("day", "week", "month")
"""Those of which one follows the other."""
KEPT_FOR = 31 * 86_400  # seconds; a month is longer by an hour where the clocks go back in it
SPAN = '"10h", or return "" where nothing must lie between'
"""What the function of a gap may answer."""
WORDS = {
    "day": "today",
    "week": "this week",
    "month": "this month",
    "dynasty": "in this dynasty",
    "game": "in this game",
}


def why_not(world: Transaction, name: str, who: str | None, *key: object) -> str:
    """Nothing, or why a limit does not allow one more use now (with the time from which it does)."""
    limit = world.law.declared.limits.get(name)
    if limit is None:
        return ""
    uses = _uses(world, limit, who, key)
    times = _times(world, limit, who)
    since = _period(world, limit)
    within = [at for at in uses if at >= since]
    if len(within) >= times:
        lasting = limit.per not in PERIODS
        later = None if lasting else world.calendar.next_start(limit.per, world.now)
        world.waits(later if later is not None else world.now)
        often = "once" if times == 1 else f"{times} times"
        again = f"; again from {clock.text(later)}" if later is not None else ""
        return f"the limit {name} allows it {often}, and that was used {WORDS[limit.per]}{again}"
    gap = _gap(world, limit, who)
    if gap and uses:
        free = clock.shift(uses[-1], clock.span(gap))
        if free > world.now:
            world.waits(free)
            return f"the limit {name} wants {clock.in_words(gap)} between; again from {clock.text(free)}"
    return ""


def _times(world: Transaction, limit: Limit, who: str | None) -> int:
    """How often a limit allows it: as it is declared, or as its function answers for somebody."""
    times = world.ask(limit.times_by, who) or 0 if limit.times_by else limit.times
    if isinstance(times, bool) or not isinstance(times, int):
        raise _answers(world, limit.times_by, "no whole number", "3")
    return times


def _gap(world: Transaction, limit: Limit, who: str | None) -> str:
    """The span that must lie between two uses, in the same way; "" where none must."""
    gap = world.ask(limit.gap_by, who) or "" if limit.gap_by else limit.gap
    try:
        if not isinstance(gap, str) or (gap and clock.span(gap) is None):
            raise _answers(world, limit.gap_by, "no text", SPAN)
    except Malformed as error:
        raise _answers(world, limit.gap_by, "no span such as 10h", SPAN) from error
    return gap


def _answers(world: Transaction, function: str, what: str, right: str) -> Defect:
    problem = Problem(f"{written(function)} answers {what}", mend=f"write, for example: return {right}")
    return Defect(world.law.place(problem, function))


def use(world: Transaction, name: str, who: str | None, *key: object) -> None:
    """Use a limit once more, or refuse."""
    world.must_write()
    limit = world.law.declared.limits.get(name)
    if limit is None:
        return
    why = why_not(world, name, who, *key)
    if why:
        raise Refused.of(why)
    ref, field = _place(world, limit, who, key)
    _look(world, field)
    uses = writing.stored(world, ref, "uses", {})
    kept = uses.get(field, [])
    if limit.per in PERIODS:
        since = clock.text(min(_period(world, limit), world.now - KEPT_FOR))
        kept = [at for at in kept if at >= since]
    world.store.put(ref, "uses", dict(sorted({**uses, field: [*kept, world.time()]}.items())))


def used(world: Transaction, name: str, who: str | None, *key: object) -> int:
    """How often a limit was used in its period."""
    limit = world.law.declared.limits.get(name)
    if limit is None:
        return 0
    since = _period(world, limit)
    return len([at for at in _uses(world, limit, who, key) if at >= since])


def _place(world: Transaction, limit: Limit, who: str | None, keys: Sequence[object]) -> tuple[str, str]:
    """Of whom, and under which key, uses are counted: the action's name, or the limit's where all that name it share it."""
    action, *more = map(str, keys)
    key = " ".join([action, *(each.rpartition("/")[2] for each in more)])
    if limit.shared and not more:
        key = limit.name
    if limit.communal:
        return "game", key
    if not isinstance(who, str):
        raise Defect.of("a limit is used by somebody")
    if world.store.fields(who) is not None:
        return who, key
    return "game", f"{who.rpartition('/')[2]}: {key}"


def _uses(world: Transaction, limit: Limit, who: str | None, key: Sequence[object]) -> list[int]:
    ref, field = _place(world, limit, who, key)
    world.note_read(ref, "uses")
    _look(world, field)
    return [clock.instant(at) for at in writing.stored(world, ref, "uses", {}).get(field, [])]


def _look(world: Transaction, key: str) -> None:
    """How often what is private was done is secret."""
    if world.store.secrecy.hides_key("uses", key):
        world.store.look("how often that was done")


def _period(world: Transaction, limit: Limit) -> int:
    match limit.per:
        case "dynasty":
            return reading.seconds(reading.get(world, "dynasty", "began"))
        case "game":
            return -(10**12)
        case unit:
            return world.calendar.start_of(unit, world.now)
