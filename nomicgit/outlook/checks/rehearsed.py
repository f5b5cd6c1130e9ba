"""The scenarios that a game keeps, rehearsed on the rules as a change leaves them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.physics import Physics
from nomicgit.rehearsal import rehearsal

LONG = 15.0
"""Seconds of the processor's time for all scenarios, where many matters are told of: those that remain are left out."""


def failing(
    scenarios: Mapping[str, str],
    before: Ruleset,
    after: Ruleset,
    physics: Physics,
    within: float | None = None,
) -> tuple[list[dict[str, Any]], int]:
    """The scenarios that fail after a change of the rules, and whether they fail already; and how many are not rehearsed,
    where all must end ``within`` some seconds."""
    rows: list[dict[str, Any]] = []
    begun = worker.spent()
    for place, (name, text) in enumerate(sorted(scenarios.items())):
        if within is not None and worker.spent() - begun > within:
            return rows, len(scenarios) - place
        if failures := _failures(name, text, after, physics):
            already = bool(_failures(name, text, before, physics))
            rows.append({"name": name, "failures": failures, "failed_before": already})
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
