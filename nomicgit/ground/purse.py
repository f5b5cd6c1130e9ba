"""A purse of processor time for all workers that one answer needs: whoever waits for it waits so long, and what was cut short is named.

Each worker is lent what is left, but not more than it would have alone, and a second at least: so what is quick is told
whatever comes before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ANSWER: Final = 15  # seconds of processor time for all that one answer tells of a matter
LEAST: Final = 1


class Purse:
    """What is left of some seconds, and what was not tried for want of them."""

    def __init__(self, seconds: float) -> None:
        self.left, self.paid = seconds, 0.0
        self.untried: list[str] = []

    def pay(self, seconds: float) -> None:
        """So much has been used up."""
        self.left, self.paid = self.left - seconds, self.paid + seconds


_open: Purse | None = None


@contextmanager
def shared() -> Iterator[Purse]:
    """All workers within share what one ANSWER may take; within another purse they share that one's."""
    global _open
    if _open is not None:
        yield _open
        return
    _open = Purse(ANSWER)
    try:
        yield _open
    finally:
        _open = None


def close() -> None:
    """Nothing is shared in this process any more."""
    global _open
    _open = None


@contextmanager
def apart() -> Iterator[None]:
    """Workers within have what they would have alone, and nobody pays for them."""
    global _open
    before, _open = _open, None
    try:
        yield
    finally:
        _open = before


def spoilt() -> bool:
    """Whether something was not tried already, for want of what is shared."""
    return _open is not None and bool(_open.untried)


def lent(own: int) -> int:
    """The seconds that a worker is lent which would have its ``own`` alone."""
    return own if _open is None else min(own, max(LEAST, int(_open.left)))


def pay(seconds: float) -> None:
    """A worker has used so much."""
    if _open is not None:
        _open.pay(seconds)


def left_out(what: str) -> bool:
    """Note that something is not tried, since that takes too long; whether there is a purse that it is noted in."""
    if _open is not None:
        _open.untried.append(what)
    return _open is not None
