"""Who sits at which game, and what follows from it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomicgit.ground.problems import Refused

if TYPE_CHECKING:
    from nomicgit.record.game import Game

PLAYER = "nomicgit.player"  # who plays at this clone: a setting of its Git configuration


@dataclass(slots=True)
class Seat:
    """What somebody asked for: the folder of the game, who acts, when, whether only to try, and how to answer."""

    path: str = "."
    player: str | None = None
    at: str | None = None
    dry_run: bool = False
    as_json: bool = False

    def game(self) -> Game:
        """The game, as it stands at the head of its branch."""
        from nomicgit.record.game import Game  # here: faces know the seat too, and load no game

        return Game.open(self.path)

    def moment(self, game: Game) -> int:
        """The time of whatever is done or looked at now, in seconds."""
        return game.moment(int(time.time()), self.at)

    def actor(self, game: Game) -> str:
        """The id of who acts: as asked for, else as this clone says; Refused where nobody is named."""
        name = self.named(game)
        if name is None:
            raise Refused.of("who are you?", mend="say it once: nomicgit me NAME; or each time: --as NAME")
        return name

    def named(self, game: Game) -> str | None:
        """The id of who acts, None where nobody is named."""
        name = self.player or game.repository.config(PLAYER)
        return None if name is None else game.tree.spelled(name)
