"""Checks of a game as it stands: whether its law breaks when it is asked, or when somebody would change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.outlook import lasting, overview
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.outlook.checks.prospective import open_to_all
from nomicgit.outlook.checks.shut import shut, told
from nomicgit.outlook.checks.trying import in_force
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game


def broken(game: Game, at: int | None) -> Iterator[Finding]:
    """What ``status`` calls broken, what breaks when every rule is tried, actions that open for nobody, and the ways to change
    the law that break or are seen to end; all in workers."""
    try:
        world = game.looked_at(game.last() if at is None else at)
        ways = lasting.broken(world)
        plain = lasting.traced(world, lambda: [each.as_json() for each in _defects(world, ways)], "ways")
        for each in plain:
            level = warning if each.pop("level") == "warning" else error
            yield level(Problem.of_json(each))
        closed = lasting.traced(world, lambda: [each.as_json() for each in _shut(world)])
        yield from (warning(Problem.of_json(each)) for each in closed)
        yield from map(error, ways)
        shut = lasting.shut_from(world)
    except NomicError as wrong:
        yield from map(error, wrong.problems)
        return
    if shut is not None:
        yield warning(Problem(f"no way to change the law is seen from {clock.text(shut)} on"))


def _defects(world: Transaction, ways: Sequence[Problem]) -> Iterator[Finding]:
    """What shows in how things stand, and what breaks when it is tried, or never happens; of one place once, and so of ``ways``,
    told already.
    """
    shown = overview.defects(world)
    places = {(each.where.file, each.where.line) for each in (*shown, *ways) if each.where.line}
    yield from map(error, shown)
    for each in in_force(open_to_all(world)):
        where = each.problem.where
        if (where.file, where.line) not in places:
            yield each


def _shut(world: Transaction) -> list[Problem]:
    law = world.law
    reasons = shut(open_to_all(world), law.declared.actions.values())
    return told(law, {name: why for name, why in reasons.items() if why})
