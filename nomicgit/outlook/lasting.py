"""How long the law can still be changed: what of that breaks, and from when on no way is seen any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from nomicgit.ground import deaths, watch, worker
from nomicgit.ground.problems import Problem, Refused, foreseeing
from nomicgit.physics.deeds import trial, ways, wishes
from nomicgit.physics.state import transaction
from nomicgit.physics.state.transaction import Transaction

T = TypeVar("T")
LENT: Final[Mapping[str, int]] = MappingProxyType({
    "questions": worker.PROCESSOR, "ways": trial.PROCESSOR, "last day": round(transaction.LOOK)
})  # fmt: skip
"""Seconds of the processor's time for what is asked of the law in a worker: as mechanics that are to be enacted have, as a
trial has, and as a look has.
"""


def broken(world: Transaction) -> list[Problem]:
    """What of the law breaks when it is to be changed within the next weeks, asked in a worker."""

    def asked() -> list[dict[str, object]]:
        played = trial.played(
            trial.made(trial.present, world), trial.SPANS[0], wishes.between(world.ruleset, world.ruleset)
        )
        return [problem.of_part(way).as_json() for way, problem in played.broken().items()]

    return [Problem.of_json(each) for each in traced(world, asked, "ways")]


def shut_from(world: Transaction) -> int | None:
    """From when on, to the day, no way to change the law is seen any more; None where one is seen to the end.

    Asked in a worker, which has as long as a look. Refused where nobody can tell, since the law uses up all that it is lent or ends
    its process whenever it is to be changed. Seconds, UTC.
    """
    return traced(world, lambda: _shut_from(world), "last day")


def traced(
    world: Transaction,
    work: Callable[[], T],
    what: str = "questions",
    each: float | None = None,
    within: int | None = None,
) -> T:
    """What is found out in a worker by somebody who looks, within what is ``LENT`` for it.

    ``within``: so many seconds are lent for it and no more. A function of the law has ``each`` seconds of the processor's time
    (None: as a deed has); where one ends the worker, its rule is named.
    """
    each = transaction.SECONDS + watch.GRACE if each is None else each
    try:
        with foreseeing("find this out"):
            return watch.traced(
                work, each, processor=LENT[what] if within is None else within, wall=trial.WALL
            )
    except deaths.Died as died:
        raise type(died)(world.law.place(died.problems[0], died.function)) from None


def _shut_from(world: Transaction) -> int | None:
    wanted = wishes.between(world.ruleset, world.ruleset)

    def opens(*starts: int) -> bool:
        game = trial.made(trial.present, world)
        if game is None:
            return False
        for start in starts:
            played = ways.glimpse(game, start, wanted)
            if played.all_came():
                return True
            if played.spent:
                raise Refused(next(iter(played.spent.values())))
        return False

    if opens(*trial.SPANS[1]):
        return None
    last, shut = -1, trial.SPANS[1][0] // trial.DAY
    while shut - last > 1:
        day = (last + shut) // 2
        last, shut = (day, shut) if opens(day * trial.DAY) else (last, day)
    return world.now + shut * trial.DAY
