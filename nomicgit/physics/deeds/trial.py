"""A law must leave a way to change it: tried in a worker, in scratch games that nobody sees.

After a deed that changed the law somebody must still be able to take that back, or else to repeal another rule and to
add one; and no way to change the law may be broken. So with ten fresh players and with those of now, soon and in some
weeks, as far as it was so before. Source: A law that bricks itself, in ``docs/architecture.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from nomicgit.ground import deaths, watch, worker
from nomicgit.ground.files import Value
from nomicgit.ground.problems import NomicError, Problem, printable
from nomicgit.law.law import NOTHING_SECRET
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import NOT_ENACTED
from nomicgit.physics.deeds import acting, claiming, units, ways, wishes
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.deeds.ways import Played
from nomicgit.physics.deeds.wishes import Wishes
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Source, Store
from nomicgit.physics.state.transaction import SECONDS, Closing, Savepoint, Transaction

_Making = Callable[[Transaction], Transaction]

DAY = 24 * ways.HOUR
SPANS = tuple(tuple(day * DAY for day in days) for days in ((0, 4, 8, 15), (45, 49, 53, 60)))
"""Soon, and later: when somebody begins to change the law, in seconds from now."""

PROCESSOR, WALL = 40, 300.0
"""Seconds: a sound law of a large game on a slow machine must not look like a broken one."""
LONGEST = 300  # characters of why
FRESH = tuple(f"p{n}" for n in range(10))
ON_TRIAL = Context(secrets=True, trusted=True)
BRICKED = "after it the law could not be changed any more: it could not be taken back, and no rule be repealed and another added"
TOO_LONG = (
    f"whether the law could be changed after it cannot be found out in {PROCESSOR} seconds of the processor's time, "
    f"{SECONDS:.0f} of them for each act and each event of the clock, and in the memory that a game lends: "
    "too much happens by it"
)
STUCK = (
    "whether the law could be changed after it cannot be found out: that ends its process, or takes longer in one operation than a "
    "game lends it, in "
)
"""These two hang on the machine; whatever else a trial finds hangs on fuel alone."""
FAILED = "So it has failed, and no other matter waits for it."
BROKEN = "after it this way to change the law would be broken"


def bricks(world: Transaction, law: Ruleset, before: Savepoint) -> str:
    """Nothing, or why what has happened since the deed had come so far, under a ruleset, leaves no way to change the law.

    Runs in a worker; its death is a brick, and told as what it is where only the time was too short.
    """
    try:
        return str(watch.traced(lambda: worse(world, law, before), processor=PROCESSOR, wall=WALL))
    except deaths.Died as died:
        return ended(world, died)


def ended(world: Transaction, died: deaths.Died) -> str:
    """What the end of a trial's worker says of the law, which is that of now."""
    if died.function and (isinstance(died, deaths.Stuck) or not isinstance(died, deaths.Late)):
        return stuck(world, died.function)
    return TOO_LONG if isinstance(died, deaths.Late) else BRICKED


def stuck(world: Transaction, function: str) -> str:
    """That a trial ends in a function of the law."""
    rule = world.law.place(Problem(""), function).where.rule
    return STUCK + written(function) + (f" of {printable(rule, LONGEST)}" if rule else "")


def differs(world: Transaction, law: Ruleset, before: Savepoint, claimed: str) -> str | None:
    """What the same trial finds here, where a recorded deed claims something else of it; None where it may be so.

    A claim of time or memory is held to a tenth of that and a half of this, any other to what fuel alone decides.
    """
    timed = claimed == TOO_LONG or (claimed.startswith(STUCK) and _names_a_function(world, claimed))
    trial = _Trial(claiming.TENTH if timed else 1)

    def tried() -> tuple[str, bool]:
        return trial.finds(world, law, before), trial.late

    processor, memory = max(1, round(trial.share * PROCESSOR)), worker.MEMORY // 2 if timed else None
    try:
        why, late = watch.traced(tried, processor=processor, wall=WALL, memory=memory)
    except deaths.Late:
        return None
    except deaths.Died as died:
        why, late = ended(world, died), False
    return None if late or why == claimed or (why and timed) else why


def _names_a_function(world: Transaction, claimed: str) -> bool:
    linked = world.law.linked
    return any(
        claimed == stuck(world, name) for name in (*linked.names, *(each.path for each in linked.sources))
    )


def worse(world: Transaction, law: Ruleset, before: Savepoint) -> str:
    """Nothing, or why the law cannot be changed now where it could be before, played in the process that asks."""
    trial = _Trial()
    why = trial.finds(world, law, before)
    return TOO_LONG if why and trial.late else why


class _Trial(Struct):
    """A trial in which each act has a share of its time. ``late``: whether time or memory has ended anything that was played, so that
    a faster machine, or a slower one, may find something else.
    """

    share: float = 1
    late: bool = False

    def finds(self, world: Transaction, law: Ruleset, before: Savepoint) -> str:
        """Nothing, or why the law cannot be changed now where it could be before."""
        after, since = wishes.between(law, world.ruleset), wishes.between(law, law)
        doubt = self._doubt(made(fresh, world), after)
        if doubt and (why := _lost(self._played(made(_fresh_under(law), world), doubt.starts, since), doubt)):
            return why  # whatever those of now can still do
        doubt = self._doubt(made(present, world), after)
        world.back(before)
        return _lost(self._played(made(present, world), doubt.starts, since), doubt) if doubt else ""

    def _doubt(self, game: Transaction | None, wanted: Wishes) -> _Doubt | None:
        """The first doubt whether a law can be changed; None where it can."""
        for starts in SPANS:
            now = self._played(game, starts, wanted)
            shut = not wanted.granted(now.all_came())
            if shut or now.broken():
                return _Doubt(starts, now, shut)
        return None

    def _played(self, game: Transaction | None, starts: Sequence[int], wanted: Wishes) -> Played:
        shows = played(game, starts, wanted, self.share)
        self.late |= shows.late
        return shows


class _Doubt(NamedTuple):
    """When it seems that the law cannot be changed, what playing has shown of that, and whether it is ``shut``."""

    starts: Sequence[int]
    now: Played
    shut: bool


def _lost(was: Played, doubt: _Doubt) -> str:
    """What of the ways of before is lost."""
    now = doubt.now
    if doubt.shut and was.kinds() - now.kinds():
        return BRICKED
    broken = (f"{BROKEN}, {way}: {why}" for way, why in now.broken().items() if was.came.get(way))
    return printable(next(broken, ""), LONGEST)


def made(making: _Making, world: Transaction) -> Transaction | None:
    """Such a game, where there can be one. What is played in it is taken back."""
    try:
        return making(world)
    except NomicError:
        return None


def played(game: Transaction | None, starts: Sequence[int], wanted: Wishes, share: float = 1) -> Played:
    """What playing in a game shows; nothing where there is none."""
    try:
        return ways.play(game, starts, wanted, share) if game is not None else Played()
    except NomicError:
        return Played()


def fresh(world: Transaction) -> Transaction:
    return _fresh_under(world.ruleset)(world)


def _fresh_under(ruleset: Ruleset) -> _Making:
    return lambda world: _fresh(world, ruleset)


def _fresh(world: Transaction, ruleset: Ruleset) -> Transaction:
    start = Founding(world.now, FRESH, FRESH[0], FRESH[1:3])
    return found(ruleset, start, Seeded(b"trial", "trial"), ON_TRIAL, world.physics)


class Blind(Source):
    """What everybody may see of a store, as the source of another."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def entity(self, ref: str) -> dict[str, Value] | None:
        """The fields of an entity that are not secret."""
        return self.store.public(ref)

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of a kind; none where that is secret."""
        return () if kind in self.store.secrecy.kinds else self.store.ids(kind)

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """The comments of a post, oldest first."""
        return self.store.comments(ref)


def without_secrets(world: Transaction) -> Position:
    """The game as it is, as though nothing secret had ever been written."""
    if world.store.secrecy is NOTHING_SECRET:
        return world.position
    return Position(Store(Blind(world.store)), world.ruleset, world.physics, now=world.now)


def present(world: Transaction) -> Transaction:
    """The game as it is, outside an interregnum where anybody can end it."""
    position = without_secrets(world)  # whether a law can be changed hangs on no secret, nor tells of one
    world = Transaction(position, ON_TRIAL, world.chance, now=world.now)
    if reading.get(world, "dynasty", "interregnum"):
        _end_interregnum(world)
    return world


def _end_interregnum(world: Transaction) -> None:
    """Let somebody do what ends it, if anything does."""
    world.parent_law = world.law
    for action in world.law.declared.actions.values():
        given = ways.least(action)
        for actor in reading.roster(world):
            before = world.mark()
            world.refuel()
            try:
                acting.perform(world, action.name, actor, given)
            except NomicError:
                continue
            if not reading.get(world, "dynasty", "interregnum"):
                return
            world.back(before)


def undo_enactment(world: Transaction, closing: Closing, why: str) -> None:
    """Take a matter's enactment back to before it was closed, and mark it illegal where the law has that; else it fails, for no
    other matter is to wait for what is never enacted.
    """
    world.back(closing.before)
    world.steps = []
    world.notes.append(f"{NOT_ENACTED}: {why}.")
    if world.law.variable("posts", "illegal") is not None:
        writing.write(world, closing.matter, "posts", "illegal", True)
    else:
        writing.close(world, closing.matter, "failed")
        world.notes.append(FAILED)
    units.settle(world)
