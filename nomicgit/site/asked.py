"""Asking the law for the site: each question within limits, in a worker that may end over it and then begins anew without it.

Everything that players' mechanics compute for a page is a question. The worker notes the one at which it is where its
parent sees it, and an alarm ends a worker that stays at one for too long. All questions of a site together have so much of
the processor's time, in all workers: a site is made, whatever the law does, and says what it cannot tell.
"""

from __future__ import annotations

import mmap
import signal
import struct
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec import Struct

from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Exhausted, NomicError

SECONDS: Final = 10.0  # of processor time for one question
LONG: Final = 60.0  # for one that stands for many
LENT: Final = 120.0  # for all that the law is asked for a site
SHARE: Final = 60.0  # of these for one question, of however many it is asked
TRIES: Final = 3  # fuel that is spent so often on one question is spent on it no more
DEATHS: Final = 8  # workers that end, before the law is asked nothing at all
ALL: Final = 3600  # seconds for a whole site
_SLATE: Final = 512  # bytes for the question; behind them stands what was left of the time when it was asked, and when that was
_ASKED: Final = struct.Struct("dd")
_LONG: Final = "all questions like it take longer than the law is lent for them"
_WHOLE: Final = "the law has taken all of the time that it is lent for a site"
T = TypeVar("T")


class Untold(Struct, frozen=True):
    """What the law does not tell, and why."""

    why: str


class Asking:
    """The questions of one worker, which have so many seconds left. Without a worker (``slate`` None) the law has fuel alone."""

    def __init__(
        self, slate: mmap.mmap | None = None, deadly: frozenset[bytes] = frozenset(), left: float = LENT
    ) -> None:
        self._slate, self._deadly, self._left = slate, deadly, left
        self._within = slate is None
        self._exhausted: Counter[bytes] = Counter()
        self._took: dict[str, float] = {}

    def deadly(self) -> list[str]:
        """The questions over which workers ended."""
        return sorted(name.decode("utf-8", "replace") or "anything" for name in self._deadly)

    def ask(
        self, question: str, answer: Callable[[], T], seconds: float | None = None, about: str = ""
    ) -> T | Untold:
        """The answer to a question about something, or Untold. A question within another is a part of it."""
        name = (question + about).encode("utf-8", "replace")[: _SLATE - 2]
        if self._deadly and (name in self._deadly or b"" in self._deadly):
            return Untold(deaths.HURT)
        if self._exhausted[name] >= TRIES:
            return Untold("it takes more fuel than the law is lent for a question")
        if self._within:
            return self._answered(name, answer)
        if self._left <= 0 or self._took.get(question, 0.0) > SHARE:
            return Untold(_WHOLE if self._left <= 0 else _LONG)
        assert self._slate is not None
        began = time.process_time() + worker.spent()
        _ASKED.pack_into(self._slate, _SLATE, self._left, began)
        self._slate[: len(name) + 1] = name + b"\0"
        self._within = True
        signal.setitimer(signal.ITIMER_PROF, seconds or SECONDS)
        try:
            return self._answered(name, answer)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._within = False
            self._slate[0] = 0
            took = time.process_time() + worker.spent() - began
            self._left -= took
            self._took[question] = self._took.get(question, 0.0) + took

    def _answered(self, name: bytes, answer: Callable[[], T]) -> T | Untold:
        try:
            return answer()
        except NomicError as error:
            self._exhausted[name] += isinstance(error, Exhausted)
            return Untold(str(error.problems[0]))
        except MemoryError:
            return Untold(deaths.HURT)


def bounded(work: Callable[[Asking], T]) -> T:
    """What ``work`` gives (plain JSON), done in a worker; anew without the question over which one ends.

    Refused where a worker ends over no question.
    """
    deadly: frozenset[bytes] = frozenset()
    left = LENT
    for _ in range(DEATHS):
        slate, before = mmap.mmap(-1, _SLATE + _ASKED.size), worker.spent()
        try:
            return _done(work, Asking(slate, deadly, left))
        except deaths.Died:
            if not slate[0]:
                raise
            deadly |= {slate[:].partition(b"\0")[0]}
            left, began = _ASKED.unpack_from(slate, _SLATE)
            left -= worker.spent() - before - began
    return _done(work, Asking(None, frozenset({b""})))


def _done(work: Callable[[Asking], T], asking: Asking) -> T:
    return worker.run(lambda: work(asking), processor=ALL, wall=ALL, memory=worker.MORE_MEMORY)
