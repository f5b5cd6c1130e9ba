"""What works in a rule: all of it but prose and title."""

from __future__ import annotations

from nomicgit.law.ruleset import Placed, Ruleset


def acts(placed: Placed) -> bool:
    """Whether a rule is more than prose."""
    return bool(placed.mechanics or placed.rule.front)


def law_of(placed: Placed) -> tuple[object, ...]:
    """What a rule is, beside its prose and title."""
    return placed.slug, placed.section, placed.parent, placed.status, placed.rule.front, placed.mechanics


def changed(before: Ruleset, after: Ruleset) -> bool:
    """Whether more than prose and titles differ."""
    if before is after:
        return False
    return [law_of(p) for p in before.rules if acts(p)] != [law_of(p) for p in after.rules if acts(p)]
