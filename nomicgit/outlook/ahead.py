"""When an answer of the law changes: looking ahead by probing. Nothing is recorded.

While the law judges, every word that looks at the time notes the instant at which its answer changes; nothing
can change before the first of these, so that is the next probe. What falls due by the clock in between happens,
and where it writes what was looked at, that is a probe too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from typing import TypeVar

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, foreseeing
from nomicgit.law.hooks import Recurring, Timed
from nomicgit.physics.deeds import clockwork, units
from nomicgit.physics.state import reading
from nomicgit.physics.state.position import Frame
from nomicgit.physics.state.store import Change, NeedsKey, Sealed, kind_of
from nomicgit.physics.state.transaction import Transaction

PROBES = 24  # of one question
HORIZON = 60 * clock.DAY
CLOCKS = 200  # instants of the clock that one look ahead plays
K = TypeVar("K", bound=Hashable)
Question = Callable[[Transaction], str]
"""What is asked of the law: nothing, or why not."""


class Answer(Struct, frozen=True):
    """Whether something can be done: nothing stands against it now, or why not, and from when on it can be.

    ``earliest`` None: never within the horizon, if nobody does anything; or, with ``known_until``, not until then, be it that
    chance decides from then on. Of what hangs on a secret ``why_not`` is Sealed, and nobody knows more without the game's key.
    """

    why_not: str
    earliest: int | None = None
    known_until: int | None = None

    @property
    def now(self) -> bool:
        """Whether it can be done now."""
        return not self.why_not

    @property
    def sealed(self) -> bool:
        """Whether only who has the game's key can say if it can be done."""
        return isinstance(self.why_not, Sealed)

    def as_json(self) -> dict[str, object]:
        """Plain data; times as texts."""
        return {
            "now": self.now,
            "sealed": self.sealed,
            "why_not": self.why_not,
            "earliest": as_text(self.earliest),
            "known_until": as_text(self.known_until),
        }


class _Open(Struct):
    """A question whose answer is not yet yes."""

    why_not: str
    frame: Frame
    probes: int = 1

    def after(self, now: int) -> int | None:
        """The next instant at which the answer may change by time alone."""
        return min((i for i in self.frame.instants if i > now), default=None)

    def concerned(self, now: int, moved: Set[tuple[str, str]]) -> bool:
        """Whether the answer may be another now than when it was last given."""
        return any(i == now for i in self.frame.instants) or not moved.isdisjoint(self.frame.reads)


def look_ahead(
    world: Transaction, questions: Mapping[K, Question], either: Callable[[K], Hashable] | None = None
) -> dict[K, Answer]:
    """Ask questions now, and those not answered yes again whenever time alone may change that.

    The world goes through time with it. Of questions for which ``either`` gives the same, one yes is enough: the
    clock is not played on for the others alone, where time has nothing to say any more.
    """
    answers: dict[K, Answer] = {}
    waiting: dict[K, _Open] = {}
    end = world.now + HORIZON
    for key, question in questions.items():
        why, frame = _recorded(world, question)
        if isinstance(why, Sealed):
            answers[key] = Answer(why)
        elif why:
            waiting[key] = _Open(why, frame)
        else:
            answers[key] = Answer("", world.now)
    reasons = {key: each.why_not for key, each in waiting.items()}
    _drop(world, waiting, answers, reasons, either)
    drawn = world.chance.drawn
    for moved in _instants(world, waiting, end):
        drawn, before = world.chance.drawn, drawn
        for key, each in list(waiting.items()):
            if not each.concerned(world.now, moved):
                continue
            if drawn != before and not moved.isdisjoint(each.frame.reads):  # other dice may fall then
                answers[key] = Answer(reasons[key], None, world.now)
                del waiting[key]
                continue
            each.why_not, each.frame = _recorded(world, questions[key])
            each.probes += 1
            if not each.why_not:
                answers[key] = Answer(reasons[key], world.now)
            elif each.probes >= PROBES or isinstance(each.why_not, Sealed):
                answers[key] = Answer(reasons[key], None, world.now)
            if key in answers:
                del waiting[key]
        _drop(world, waiting, answers, reasons, either)
    short = world.halted is not None or any(due <= end for due in _due(world))  # more fell due than is played
    for key in waiting:
        answers[key] = Answer(reasons[key], None, world.now if short else None)
    return {key: answers[key] for key in questions}


def from_when(world: Transaction, question: Question) -> tuple[int | None, bool]:
    """When by time alone a question is answered yes that is answered no now; None where time is not what it lacks.

    And whether it is yes then: else what it hangs on then is secret.
    """
    why, frame = _recorded(world, question)
    if not why or isinstance(why, Sealed) or not any(instant > world.now for instant in frame.instants):
        return None, False
    answer = look_ahead(world, {"": question})[""]
    if answer.earliest is None and isinstance(asked(world, question), Sealed):
        return world.now, False
    return answer.earliest, True


def _drop(
    world: Transaction,
    waiting: dict[K, _Open],
    answers: dict[K, Answer],
    reasons: Mapping[K, str],
    either: Callable[[K], Hashable] | None,
) -> None:
    """Ask no longer what stands beside a question that was answered yes, unless time alone may change it still."""
    if either is None:
        return
    yes = {either(key) for key, answer in answers.items() if answer.earliest is not None}
    for key in [k for k, each in waiting.items() if either(k) in yes and each.after(world.now) is None]:
        answers[key] = Answer(reasons[key], None, world.now)
        del waiting[key]


def _instants(world: Transaction, waiting: Mapping[K, _Open], end: int) -> Iterator[set[tuple[str, str]]]:
    """Move the world from instant to instant; gives what the clock has written at each."""
    clocks = 0
    while waiting and world.halted is None:
        due = min(_due(world), default=None) if clocks < CLOCKS else None
        by_time = (each.after(world.now) for each in waiting.values())
        following = min((i for i in (due, *by_time) if i is not None), default=None)
        if following is None or following > end:
            return
        clocks += following == due
        mark = len(world.store.log)
        clockwork.catch_up(world, following)
        if world.halted is not None:
            return
        world.now = world.cast_at = following
        yield _marks(world.store.since(mark))


def _due(world: Transaction) -> Iterator[int]:
    """The instants after now at which something falls due by the clock, the next of each."""
    for hook in world.law.declared.schedule.values():
        if hook.function in world.resting:
            continue
        match hook:
            case Recurring():
                yield world.calendar.next_due(hook.every, world.now)
            case Timed():
                yield from (at for at in _times(world, hook) if at > world.now)


def _times(world: Transaction, hook: Timed) -> list[int]:
    """When events of the clock fall due, as far as that hangs on no secret."""
    world.store.needed = False
    try:
        times = [reading.seconds(at) for _, at in units.timed(world, hook)]
    except NeedsKey:
        times = []
    needed, world.store.needed = world.store.needed, False
    return [] if needed else times


def _marks(changes: Iterable[Change]) -> set[tuple[str, str]]:
    """What was written, as readers note what they read."""
    marks = set()
    for change in changes:
        kind = f"{kind_of(change.ref)}/*"
        marks |= {(change.ref, change.field), (kind, change.field)}
        if change.field == "destroyed":
            marks.add((kind, "created"))
        if kind == "players/*" and change.field in ("created", "destroyed", "idle", "admin"):
            marks.add((kind, "roster"))
    return marks


def _recorded(world: Transaction, question: Question) -> tuple[str, Frame]:
    with world.recording() as frame:
        why = asked(world, question)
    return why, frame.whole()


def asked(world: Transaction, question: Question) -> str:
    """The answer; what is broken is a reason against, too. Of what hangs on a secret it is Sealed."""
    world.question()
    world.store.needed = False
    why, sealed = "", NeedsKey.of_what("something on which this hangs")
    try:
        with foreseeing("answer this here"):
            why = question(world)
    except NeedsKey as error:
        sealed = error
    except NomicError as error:
        why = str(error.problems[0])
    needed, world.store.needed = world.store.needed, False  # whoever met it may have caught it
    return Sealed(sealed.problems[0].what) if needed else why


def as_text(at: int | None) -> str | None:
    """The text of an instant, where there is one."""
    return None if at is None else clock.text(at)
