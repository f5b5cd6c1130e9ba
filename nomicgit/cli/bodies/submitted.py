"""What is said of a deed that submits changes, or edits them: what would become of these."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgit.cli.terminal import TRYING, waited
from nomicgit.outlook import foreseen
from nomicgit.outlook.foreseen import Foreseen
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game


def foreseen_of(game: Game, world: Transaction, ref: str, *, submits: bool) -> Foreseen | None:
    """What would become of a pending matter's changes. None where it has none, and its deed was not there to bring any."""
    if world.store.value(ref, "changes"):
        with waited(TRYING):
            return foreseen.foreseen(game, world, ref, beside=True)
    return foreseen.of_none(ref) if submits else None


def lines(ahead: Foreseen) -> Iterable[str]:
    """What people are told of it."""
    return foreseen.lines(ahead)
