"""What lies between deeds: the gamestate, the ruleset in force, the time, and what was worked out from them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.store import Store


class Position:
    """A game between two deeds. Deeds move it on; whoever only looks leaves it as it is.

    ``now`` (seconds, UTC) is the time of the last deed, and of what fell due by then.
    """

    def __init__(self, store: Store, ruleset: Ruleset, physics: Physics, *, now: int) -> None:
        self.store, self.physics, self.now = store, physics, now
        self.memories = Memories()
        self.ruleset = ruleset

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset in force."""
        return self._ruleset

    @ruleset.setter
    def ruleset(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        vars(self).pop("law", None)

    @cached_property
    def law(self) -> Law:
        """The ruleset as law, under the game's physics; until there is another one."""
        return self.physics.law(self._ruleset)

    def decide(self, context: Context, deed: Deed, chance: Chance) -> Outcome:
        """Carry a deed out, or raise Refused and stay as it was; in the order that the physics has."""
        return self.physics.decide(self, context, deed, chance)


class Memories:
    """What reading functions answered, rosters and searches, each with the version of the store that it holds for."""

    __slots__ = ("answers", "rosters", "searches")

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], tuple[int, Any, Frame]] = {}
        self.rosters: tuple[int, dict[str, list[str]]] = (-1, {})
        self.searches: tuple[tuple[int, Law | None], dict[tuple[str, str], list[str]]] = ((-1, None), {})


class Frame(Struct):
    """What a computation looked at: fields (by entity and by kind) and instants at which an answer changes.

    ``within`` are computations on which it hangs; ``passing``: it hangs on the step under way too, and is not kept;
    ``secret``: it looked at what is secret, at what is ``met``; ``never``: and at what is never opened. ``clocked``: it asked
    for the time, which may be compared with any of the ``times`` to come that it met.
    """

    reads: set[tuple[str, str]] = field(default_factory=set)
    instants: list[int] = field(default_factory=list)
    within: list[Frame] = field(default_factory=list)
    passing: bool = False
    secret: bool = False
    met: Set[str] = frozenset()
    never: bool = False
    clocked: bool = False
    times: list[int] = field(default_factory=list)

    def whole(self) -> Frame:
        """The same with all that the computations within looked at."""
        gathered, waiting, seen = Frame(passing=self.passing), [self], {id(self)}
        while waiting:
            frame = waiting.pop()
            gathered.reads |= frame.reads
            gathered.instants += frame.instants
            gathered.times += frame.times
            gathered.clocked |= frame.clocked
            fresh = [each for each in frame.within if id(each) not in seen]
            seen |= set(map(id, fresh))
            waiting += fresh
        if gathered.clocked:
            gathered.instants += [at + late for at in gathered.times for late in (0, 1)]  # reached, and past
        return gathered


class Recorder:
    """The frames of the computations under way, the innermost last."""

    __slots__ = ("frames",)

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    @contextmanager
    def recording(self) -> Iterator[Frame]:
        """Record what is looked at meanwhile; whoever records outside sees it too."""
        frame = Frame()
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            self.note_frame(frame)

    def note_frame(self, frame: Frame) -> None:
        """Let whoever is recording see what a computation looked at."""
        if self.frames:
            self.frames[-1].within.append(frame)
            self.frames[-1].passing |= frame.passing

    def note_read(self, place: str, field: str) -> None:
        """A field of an entity (or of all of a kind, ``kind/*``) was looked at."""
        if self.frames:
            self.frames[-1].reads.add((place, field))

    def note_step(self) -> None:
        """The step or unit under way was looked at: what hangs on it holds no longer than that."""
        if self.frames:
            self.frames[-1].passing = True

    def note_clock(self) -> None:
        """The time was asked for."""
        if self.frames:
            self.frames[-1].clocked = True

    def note_time(self, instant: int) -> None:
        """A time that is yet to come was looked at."""
        if self.frames:
            self.frames[-1].times.append(instant)

    def note_instant(self, instant: int) -> None:
        """An answer changes at this instant, which is yet to come."""
        if self.frames:
            self.frames[-1].instants.append(instant)
