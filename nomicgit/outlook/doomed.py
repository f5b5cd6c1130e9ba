"""The marks by which a law says of a pending matter that it can only fail."""

from __future__ import annotations

from typing import Final

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

MARKS: Final = ("illegal", "vetoed", "self_killed")


def can_only_fail(world: Transaction, matter: str) -> bool:
    """Whether a matter bears one of these marks: no vote is wanted on it, and nothing comes after its enactment."""
    declared = (each for each in MARKS if world.law.variable("posts", each))
    return any(reading.get(world, matter, each, False) is True for each in declared)
