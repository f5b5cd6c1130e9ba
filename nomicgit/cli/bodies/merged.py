"""What is said of branches at their enactment: how they meet what the game has changed since they began."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.branches.meanwhile import brought_by, meanwhile
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game


def beside(game: Game, newest: str, before: Ruleset, after: Transaction, enacted: Sequence[str]) -> list[str]:
    """The same of all that a deed enacted; ``newest`` was the game's newest commit before it, ``before`` its rules."""
    brought = (brought_by(game.repository, after, ref, newest) for ref in enacted)
    return [line for each in brought if each for line in meanwhile(each, before, after.ruleset)]
