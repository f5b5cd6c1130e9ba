"""The scenarios that a game keeps, rehearsed on the rules as a change leaves them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal import rehearsal

LONG = 15.0
"""Seconds of the processor's time for all scenarios, where many matters are told of: those that remain are left out."""

TOO_SLOW = 0.8 * worker.PROCESSOR


def kept(world: Transaction) -> dict[str, Any]:
    """The scenarios that a game keeps, each with its text."""
    return {name: world.store.value(f"scenarios/{name}", "text") for name in world.store.ids("scenarios")}


def failing(
    scenarios: Mapping[str, str],
    old: Mapping[str, str],
    before: Ruleset,
    after: Ruleset,
    physics: Physics,
    *,
    whole: bool,
    within: float | None = None,
) -> tuple[list[dict[str, Any]], int]:
    """The scenarios that fail after a change of the rules, and whether they would fail without it; and how many are not
    rehearsed, where all must end ``within`` some seconds; once one takes all that it is lent, within LONG.

    ``old`` are those that the game keeps already: of these the ones that fail as it is were broken by something else,
    and were told of then. Where not the ``whole`` of a matter is made, a new one that fails as it is may want what is not
    made, and that is told: it is left out.
    """
    rows: list[dict[str, Any]] = []
    begun = worker.spent()
    for place, (name, text) in enumerate(sorted(scenarios.items())):
        if within is not None and worker.spent() - begun >= within:
            return rows, len(scenarios) - place
        one = worker.spent()
        if failures := _failures(name, text, after, physics):
            already = bool(_failures(name, text, before, physics))
            brought = old.get(name) != text
            if not already or (whole and brought):
                row = {"name": name, "failures": failures, "failed_before": already, "brought": brought}
                rows.append(row)
        if within is None and worker.spent() - one > TOO_SLOW:
            within = LONG
    return rows, 0


def _failures(name: str, text: str, ruleset: Ruleset, physics: Physics) -> list[str]:
    try:
        failures: Iterable[str] = worker.run(
            lambda: list(
                rehearsal.rehearse(
                    text, f"game/scenarios/{name}.yml", at_hand=lambda _: (ruleset, physics)
                ).explained
            )
        )
    except NomicError as wrong:
        failures = [str(problem) for problem in wrong.problems]
    return list(failures)
