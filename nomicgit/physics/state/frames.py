"""What a computation looked at, so that its answer is kept as long as it holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Frame:
    """What a computation looked at: fields (by entity and by kind) and instants at which an answer changes.

    ``within`` are computations on which it hangs; ``passing``: it hangs on the step under way too, and is not kept.
    """

    reads: set[tuple[str, str]] = field(default_factory=set)
    instants: list[int] = field(default_factory=list)
    within: list[Frame] = field(default_factory=list)
    passing: bool = False

    def whole(self) -> Frame:
        """The same with all that the computations within looked at."""
        gathered, waiting, seen = Frame(passing=self.passing), [self], {id(self)}
        while waiting:
            frame = waiting.pop()
            gathered.reads |= frame.reads
            gathered.instants += frame.instants
            fresh = [each for each in frame.within if id(each) not in seen]
            seen |= set(map(id, fresh))
            waiting += fresh
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

    def note_instant(self, instant: int) -> None:
        """An answer changes at this instant, which is yet to come."""
        if self.frames:
            self.frames[-1].instants.append(instant)
