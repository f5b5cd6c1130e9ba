"""A real game that keeps secrets by a key, looked at by who has it: what random play needs of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from nomicgit import editions
from nomicgit.clones.secret import surmise
from nomicgit.git import Repository
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import ordering
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.secret.unlocked import OpenTree
from nomicgit.record.settings import Settings
from nomicgit.sealing.keys import Key, Part

KEY = Key.made(bytes(range(64)))


class KeyedGame:
    """A real game, acted in and looked at with its key."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def founded(
        cls,
        folder: Path,
        edition: str,
        start: Founding,
        restore: dict[str, Any] | None = None,
        ruleset: Ruleset | None = None,
    ) -> Self:
        with Repository.init(str(folder)) as repository:
            found_game(
                repository,
                ruleset or editions.load(edition).canonical(),
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


class OrderedGame(KeyedGame):
    """One in which what is private is handed in as an order, each text in it marked; it notes what was said in secret."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.orders, self.said, self.done = 0, set[str](), set[str]()

    def act(self, deed: Deed) -> Recorded:
        action = self.game.law.declared.action(deed.action)
        if action is None or not action.hidden(deed.given):
            return self._done(deed)
        self.orders += 1
        mark = f"zq{self.orders:05}qz"
        given = dict(deed.given)
        names = {"emperor", *self.game.tree.ids("players")}
        hidden, marked = action.hidden(deed.given), False
        for name, kind in action.parameters.items():
            unseen = hidden is True or (hidden is not False and name in hidden)
            if (
                unseen
                and kind.kind == "text"
                and isinstance(given.get(name), str)
                and given[name] not in names
            ):
                given[name] += f" {mark}"
                marked = True
        whose_alone = isinstance(
            action.private, str
        )  # what nobody in particular raises, all may read once it is done
        if marked and not whose_alone:
            self.said.add(mark)
        nonce = f"{mark}nonce{deed.actor}"
        self.said.add(nonce)
        recorded = self._done(replace(deed, given=given, nonce=nonce if hidden is True else None))
        if marked and recorded.outcome.refusal:
            self.said.add(mark)
        return recorded

    def _done(self, deed: Deed) -> Recorded:
        recorded = self.game.act(deed, decide=Position.decide if deed.nonce is None else ordering.decided)
        self.done |= {deed.action} if not recorded.outcome.refusal else set()
        self.said |= {text for _, text in recorded.outcome.messages if len(text) > 12}
        if recorded.outcome.refusal and not self._is_plain(deed):
            self.said.add(recorded.outcome.refusal)
        return recorded

    def _is_plain(self, deed: Deed) -> bool:
        """Whether everybody can say without the key that it is refused: then the reason is no secret."""
        return bool(surmise.refusal(self.game, deed.action, str(deed.actor), deed.given, deed.at))


def vault(game: Game) -> dict[str, dict[str, Any]]:
    """All that a game keeps secret now: fields by ref, opened with the key."""
    keeping = game.keeping()
    assert keeping is not None
    tree = keeping.tree(game.repository, game.head.tree)
    assert isinstance(tree, OpenTree)
    fields: dict[str, dict[str, Any]] = {}
    for part in Part:
        for ref, secret in tree.vault.hidden[part].items():
            fields.setdefault(ref, {}).update(secret)
    return fields
