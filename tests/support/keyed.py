"""A real game that keeps secrets by a key, looked at by who has it: what random play needs of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, Recorded, found_game
from nomicgit.record.keeping import Keeper
from nomicgit.record.settings import Settings
from nomicgit.sealing.keys import Key

KEY = Key.made(bytes(range(64)))


class KeyedGame:
    """A real game, acted in and looked at with its key."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def founded(
        cls, folder: Path, edition: str, start: Founding, restore: dict[str, Any] | None = None
    ) -> KeyedGame:
        with Repository.init(str(folder)) as repository:
            ruleset = editions.load(edition).canonical()
            found_game(
                repository,
                ruleset,
                Settings(edition, edition, dice="keeper", restore=restore),
                start,
                keeper=Keeper(start.emperor, None, KEY),
            )
        game = Game.open(str(folder))
        game.key = KEY
        return cls(game)

    def world(self) -> Transaction:
        keeping = self.game.keeping()
        assert keeping is not None
        tree = keeping.tree(self.game.repository, self.game.head.tree)
        position = Position(Store(tree), self.game.ruleset, self.game.physics, now=self.game.last())
        return Transaction(
            position, Context(self.game._history(), secrets=True, keys=True), Seeded(b"", "looking")
        )

    def looked_at(self, at: int) -> Transaction:
        world = self.world()
        pipeline.come(world, Deed("looking", None, Outside.CLOCK, at=max(at, self.game.last())))
        return world

    def act(self, deed: Deed) -> Recorded:
        return self.game.act(deed)
