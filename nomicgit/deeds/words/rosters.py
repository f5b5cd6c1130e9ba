"""Words for the roster and its roles, as the file that uses them counts players."""

from __future__ import annotations

from typing import Any

from nomicgit.deeds import acting
from nomicgit.gamestate import reading
from nomicgit.gamestate.world import World


def players(world: World, view: str = "") -> list[str]:
    """The active players, as the rule counts them, in order of joining."""
    return reading.roster(world, _view(world, view))


def everyone(world: World, view: str = "") -> list[str]:
    """Idle players too."""
    return reading.roster(world, _view(world, view), idle=True)


def is_player(world: World, ref: Any, view: str = "") -> bool:
    """Whether a ref counts as a player in the rule."""
    return reading.is_player(world, ref, _view(world, view))


def _view(world: World, view: str) -> str:
    return world.law.run_view if view == "run" else view


def term(world: World, role: str) -> str:
    """A role's name now."""
    return acting.term(world, role)
