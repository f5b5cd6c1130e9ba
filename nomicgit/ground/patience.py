"""Patience: what is done for somebody who waits comes to an end, whatever it meets."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from nomicgit.ground.problems import Refused


@contextmanager
def within(seconds: float, mend: str) -> Iterator[None]:
    """Refuse what takes longer than so many seconds. One at a time, and in the first thread of a process."""

    def lose(_: int, __: FrameType | None) -> None:
        raise Refused.of(f"this takes longer than {seconds:g} seconds", mend=mend)

    before = signal.signal(signal.SIGALRM, lose)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
