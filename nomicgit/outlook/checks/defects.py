"""Checks of a game as it stands: whether its law breaks when it is asked, or when somebody would change it."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.ground import clock, worker
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.outlook import overview
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.physics.deeds import trial
from nomicgit.record.game import Game


def broken(game: Game, at: int | None) -> Iterator[Finding]:
    """What ``status`` calls broken, and the ways to change the law that break or are seen to end; all in a worker."""
    try:
        world = game.looked_at(game.last() if at is None else at)
        broken_here = worker.run(lambda: [each.as_json() for each in overview.defects(world)])
        yield from (error(Problem.of_json(each)) for each in broken_here)
        yield from map(error, trial.broken(world))
        shut = trial.shut_from(world)
    except NomicError as wrong:
        yield from map(error, wrong.problems)
        return
    if shut is not None:
        yield warning(Problem(f"no way to change the law is seen from {clock.text(shut)} on"))
