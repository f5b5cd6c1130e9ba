"""With which pending matters one collides, found out in workers: one of the others that takes too long keeps nobody from the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from nomicgit.ground import deaths, purse, worker
from nomicgit.outlook.checks.collisions import beside, collisions, untold
from nomicgit.outlook.checks.recalled import Recalled
from nomicgit.physics.state.transaction import Transaction

AT_ONCE: Final = 3  # seconds of processor time for all of them
ONE: Final = 2  # for one of them, where all at once take longer
ALL: Final = 6  # for all of these
T = TypeVar("T")
Ask = Callable[[Callable[[Transaction, str], Any]], Any]
"""Asks something of a scratch game and the matter in it; called in a worker."""


def colliding(ask: Ask, recalled: Recalled | None = None) -> list[dict[str, Any]]:
    """The pending matters that collide with one, as ``collisions`` has them, and those with which it could not be tried.

    ``recalled``: what the clone remembers, so that what took too long is not tried again while the game stands as it does.
    """
    try:
        return _colliding(ask, recalled)
    except deaths.Unlent:
        purse.left_out("with which pending matters it collides")
        return []


def _colliding(ask: Ask, recalled: Recalled | None) -> list[dict[str, Any]]:
    others: list[str] = worker.run(lambda: ask(beside))
    slow = [each for each in others if recalled is not None and _name(each) in recalled]
    rest = [each for each in others if each not in slow]
    rows: list[dict[str, Any]]
    try:
        rows = worker.run(lambda: ask(partial(collisions, others=rest)), processor=AT_ONCE)
    except deaths.Unlent:
        raise
    except deaths.Died:
        rows, more = _one_by_one(ask, rest)
        slow += more
        if recalled is not None:
            for each in more:
                recalled.put(_name(each), 1)
    rows += worker.run(lambda: ask(partial(untold, others=slow))) if slow else []
    return sorted(rows, key=lambda row: int(row["post"]))


def _one_by_one(ask: Ask, others: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """What of these collides, and those that take too long."""
    rows: list[dict[str, Any]] = []
    slow: list[str] = []
    began = worker.spent()
    for number, other in enumerate(others):
        if worker.spent() - began > ALL:
            left = partial(untold, others=others[number:], behind=True)
            rows += worker.run(partial(ask, left))
            break
        try:
            rows += worker.run(partial(ask, partial(collisions, others=[other])), processor=ONE)
        except deaths.Unlent:
            raise
        except deaths.Died:
            slow.append(other)
    return rows, slow


def _name(ref: str) -> str:
    return f"beside {ref}"
