"""Words for the roster and its roles, as the file that uses them counts players."""

from __future__ import annotations

from nomicgit.physics.deeds import acting
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction


def players(world: Transaction, view: str = "") -> list[str]:
    """The active players, as the rule counts them, in order of joining."""
    return reading.roster(world, _view(world, view))


def everyone(world: Transaction, view: str = "") -> list[str]:
    """Idle players too."""
    return reading.roster(world, _view(world, view), idle=True)


def is_player(world: Transaction, ref: object, view: str = "") -> bool:
    """Whether a ref counts as a player in the rule."""
    return reading.is_player(world, ref, _view(world, view))


def _view(world: Transaction, view: str) -> str:
    return world.law.run_view if view == "run" else view


def term(world: Transaction, role: str) -> str:
    """A role's name now."""
    return acting.term(world, role)
