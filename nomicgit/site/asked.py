"""Asking the law for the site: each question within limits, in a worker that may end over it and then begins anew without it.

Everything that players' mechanics compute for a page is a question. The worker notes the one at which it is where its
parent sees it, and an alarm ends a worker that stays at one for too long.
"""

from __future__ import annotations

import mmap
import signal
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec import Struct

from nomicgit.ground import worker
from nomicgit.ground.problems import Exhausted, NomicError

SECONDS: Final = 10.0  # of processor time for one question
LONG: Final = 60.0  # for one that stands for many
TRIES: Final = 3  # fuel that is spent so often on one question is spent on it no more
DEATHS: Final = 8  # workers that end, before the law is asked nothing at all
ALL: Final = 3600  # seconds for a whole site
_SLATE: Final = 512
T = TypeVar("T")


class Untold(Struct, frozen=True):
    """What the law does not tell, and why."""

    why: str


class Asking:
    """The questions of one worker. Without a worker (``slate`` None) there is no limit but the law's fuel."""

    def __init__(self, slate: mmap.mmap | None = None, deadly: frozenset[bytes] = frozenset()) -> None:
        self._slate, self._deadly = slate, deadly
        self._within = slate is None
        self._exhausted: Counter[bytes] = Counter()

    def deadly(self) -> list[str]:
        """The questions over which workers ended."""
        return sorted(name.decode("utf-8", "replace") or "anything" for name in self._deadly)

    def ask(self, question: str, answer: Callable[[], T], seconds: float | None = None) -> T | Untold:
        """The answer to a question, or Untold. A question within another is a part of it."""
        name = question.encode("utf-8", "replace")[: _SLATE - 2]
        if self._deadly and (name in self._deadly or b"" in self._deadly):
            return Untold(worker.HURT)
        if self._exhausted[name] >= TRIES:
            return Untold("it takes more fuel than the law is lent for a question")
        if self._within:
            return self._answered(name, answer)
        assert self._slate is not None
        self._slate[: len(name) + 1] = name + b"\0"
        self._within = True
        signal.setitimer(signal.ITIMER_PROF, seconds or SECONDS)
        try:
            return self._answered(name, answer)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._within = False
            self._slate[0] = 0

    def _answered(self, name: bytes, answer: Callable[[], T]) -> T | Untold:
        try:
            return answer()
        except NomicError as error:
            self._exhausted[name] += isinstance(error, Exhausted)
            return Untold(str(error.problems[0]))
        except MemoryError:
            return Untold(worker.HURT)


def bounded(work: Callable[[Asking], T]) -> T:
    """What ``work`` gives (plain JSON), done in a worker; anew without the question over which one ends.

    Refused where a worker ends over no question.
    """
    deadly: frozenset[bytes] = frozenset()
    for _ in range(DEATHS):
        slate = mmap.mmap(-1, _SLATE)
        try:
            return _done(work, Asking(slate, deadly))
        except worker.Died:
            if not slate[0]:
                raise
            deadly |= {slate[:].partition(b"\0")[0]}
    return _done(work, Asking(None, frozenset({b""})))


def _done(work: Callable[[Asking], T], asking: Asking) -> T:
    return worker.run(lambda: work(asking), processor=ALL, wall=ALL, memory=worker.MORE_MEMORY)
