"""The very deed that enacts a pending matter: carried out on a scratch copy as it would be recorded, so that nothing in it can tell.

Whoever would resolve the matter does it now, as the only thing that they ask for; what fell due by the clock happens before, in
the same deed. Where it cannot be enacted yet, all vote for it first, each by a deed of their own, and it is tried again later.
All of this runs in a worker, which is thrown away with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from nomicgit.ground.problems import NomicError
from nomicgit.physics.deed import Deed, Draw, Outcome
from nomicgit.physics.deeds import acting, pipeline
from nomicgit.physics.physics import Word
from nomicgit.physics.state import deriving, reading, writing
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.transaction import Savepoint, Step, Transaction

HOUR: Final = 3600
WAITS: Final = tuple(hours * HOUR for hours in (0, 1, 6, 12, 13, 24, 25, 36, 48, 49, 72, 96, 120, 144, 168))
HANDS: Final = 3  # players who are let try to resolve it
ID: Final = "tried"

Watch = Callable[[Transaction, Mapping[str, Any], Callable[[], str]], str]
"""What looks on as the law makes a change: the deed, the change as the law has it, and what makes it. It gives what that gives."""


class Enacted(NamedTuple):
    """A matter that was enacted: the game after that, and how far it had come before; what the deed itself said and threw; whether
    it was done as things stand, with nothing added.
    """

    world: Transaction
    before: Savepoint
    notes: Sequence[str]
    draws: Sequence[Draw]
    now: bool


def enacted(
    world: Transaction, matter: str, by: str | None = None, watch: Watch | None = None
) -> Enacted | None:
    """Enact a pending matter at a world's time; None where it is not enacted though all vote for it, within a week.

    ``by``: the id of who asks, and does it if they may; else somebody who may. The world is used up: what it did by the clock is done
    again in the deed.
    """
    trial = _Trial(world, matter, by, watch)
    return trial.resolved(world.now, now=True) or trial.with_votes()


class _Trial:
    """A scratch game in which a matter is to be enacted."""

    def __init__(self, world: Transaction, matter: str, by: str | None, watch: Watch | None) -> None:
        self.matter, self.by, self.at = matter, by, world.now
        world.store.rollback(0)
        self.context: Context = replace(world.context, trusted=True, looking=False)
        physics = replace(world.physics, words=_watched(world, matter, watch)) if watch else world.physics
        self.position = Position(world.store, world.position.ruleset, physics, now=world.position.now)

    def resolved(self, at: int, *, now: bool = False) -> Enacted | None:
        """What it comes to when it is resolved at a time; None, and all as it was, where it is not enacted."""
        position, given = self.position, {"matter": self.matter.partition("/")[2]}
        since, stood = len(position.store.log), position.now
        by_clock, why_not = self._clock(at)
        for who in self._hands() if now or not why_not else ():
            try:
                outcome = self._done(Deed(ID, who, "resolve", given, at))
            except NomicError:
                continue
            world = self._world()
            if reading.get(world, self.matter, "status") == "enacted":
                before = replace(world.mark(), log=by_clock.log)
                return Enacted(
                    world, before, outcome.notes[by_clock.notes :], outcome.draws[by_clock.draws :], now
                )
            position.store.rollback(since)
            position.now = stood
        return None

    def with_votes(self) -> Enacted | None:
        """The same where all vote for it; with nothing else pending only where it is not enacted beside that."""
        for voter in reading.roster(self._world()):
            cast = [
                each["icon"] for each in reading.comments(self._world(), self.matter) if each["by"] == voter
            ]
            if next(filter(None, reversed(cast)), None) != "for":
                given = {"matter": self.matter.partition("/")[2], "icon": "for"}
                with suppress(NomicError):
                    self._done(Deed(ID, voter.partition("/")[2], "vote", given, self.at))
                self.position.store.forget()
        began = max(self.at, self.position.now)
        for wait in WAITS:
            if done := self.resolved(began + wait):
                return done
        return (
            next((done for wait in WAITS if (done := self.resolved(began + wait))), None)
            if self._alone()
            else None
        )

    def _alone(self) -> bool:
        """Let all else that is pending rest; whether there was any."""
        world = self._world()
        others = [ref for ref in reading.find(world, "posts", status="pending") if ref != self.matter]
        for ref in others:
            writing.write(world, ref, "posts", "status", "failed")
        world.store.forget()
        return bool(others)

    def _hands(self) -> list[str]:
        """The ids of those who may resolve matters: who asks first, then admins, then whoever plays."""
        world = self._world()
        action = world.law.declared.actions.get("resolve")
        if action is None:
            return []
        asks = [f"players/{self.by}"] if self.by else []
        some = dict.fromkeys([*asks, *reading.admins(world), *reading.roster(world)])
        may = []
        for each in some:
            with suppress(NomicError):
                if acting.who_bars(world, action, each) == "":
                    may.append(each.partition("/")[2])
            if len(may) == HANDS:
                break
        return may

    def _clock(self, at: int) -> tuple[Savepoint, object]:
        """How far a deed comes by the clock alone, before it is its own; and what the law says then against enacting the matter."""
        world = pipeline.begun(self.position, self.context, self._chance())
        before = world.mark()
        failed = pipeline.come(world, Deed(ID, None, "look", {}, at))
        came = world.mark()
        why_not: object = ""
        with suppress(NomicError):
            why_not = deriving.view(world, "enactable", self.matter)
        world.back(before)
        return replace(came, notes=came.notes + len(failed)), why_not

    def _done(self, deed: Deed) -> Outcome:
        return self.position.decide(self.context, deed, self._chance())

    def _world(self) -> Transaction:
        return Transaction(self.position, self.context, self._chance(), now=self.position.now)

    @staticmethod
    def _chance() -> Seeded:
        return Seeded(b"looking", ID)


def _watched(world: Transaction, matter: str, watch: Watch) -> Mapping[str, Word]:
    """The words, where somebody looks on as the law makes the changes of a matter."""
    words = world.physics.words
    own = words["apply"]

    def apply(world: Transaction, change: Any, counting: Sequence[str] = ()) -> str:
        def make() -> str:
            return str(own.call(world, change, counting))

        whole = isinstance(change, Mapping) and change.get("matter") == matter and "number" in change
        return watch(world, change, make) if whole else make()

    return {**words, "apply": replace(own, call=apply)}


def resolving(world: Transaction, matter: str) -> Step:
    """The step in which a matter is resolved as mostly it is: by the first who may, with nothing else said."""
    action, typed = world.law.declared.actions.get("resolve"), {}
    if action is not None:
        with suppress(NomicError):
            typed = acting.parameters(world, action, {"matter": matter.partition("/")[2]})
    return Step(next(iter([*reading.admins(world), *reading.roster(world)]), None), "resolve", typed)


@contextmanager
def aside(world: Transaction) -> Iterator[None]:
    """Look on from a deed that is under way, and leave no trace in it: neither fuel nor what it has looked at."""
    store = world.store
    looked, never, needed, met = store.looked, store.never, store.needed, store.met
    with world.fuelled():
        try:
            yield
        finally:
            store.looked, store.never, store.needed, store.met = looked, never, needed, met


@contextmanager
def between_deeds(world: Transaction) -> Iterator[None]:
    """The same, as though no deed were under way; whatever is done within is taken back."""
    steps, running = world.steps, (world.running, world.calling)
    with aside(world), world.asking():
        world.steps = []
        try:
            yield
        finally:
            world.steps, (world.running, world.calling) = steps, running
