"""Whether a vote that somebody has cast already counts."""

from __future__ import annotations

from nomicgit.cli.seat import Seat
from nomicgit.outlook import voters
from nomicgit.record.game import Game


def counts(seat: Seat, game: Game, matter: str) -> bool:
    """Whether what somebody has voted on a matter counts, as the game stands."""
    return voters.counts(game.looked_at(game.last()), str(seat.named(game)), matter)
