"""How an edition is practised at random, with what must hold of it; and its real games: founded, verified, played after a silence."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import Fault, verify
from support.hints_core import CALM, DAY, Hint, decree
from support.keyed import KeyedGame
from support.randomly import RandomPlay

SIX = ("ana", "ben", "cy", "dee", "eli", "fox")
EIGHT = (*SIX[:5], "fay", "gus", "hal")
WHISPER = "whisper-4711"
"""What is told in secret; nothing else ever says such a word."""

Said = tuple[str, str, dict[str, Any]]
"""A deed to come: who does it, what, and with which parameters."""
Around = Callable[[RandomPlay, str, Mapping[str, Any]], AbstractContextManager[None]]
"""What must hold of a deed: it is entered before the deed is tried, and left after it."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A month in which nobody acts: when something falls due, and what holds of it."""

    due: Sequence[int]
    end: int
    holds: Callable[[Game, Game], None]
    """Holds the game that is silent, looked at whenever one likes, and the one after its late next deed."""


def never_due(game: Game) -> Silence:
    """Nothing falls due by the clock: after a month there is what was there before, and no post."""
    end, before = game.last() + 31 * DAY, gamestate(game)

    def holds(silent: Game, late: Game) -> None:
        assert late.world().law.declared.schedule == {}
        assert gamestate(late) == before
        assert reading.find(late.world(), "posts") == []

    return Silence([], end, holds)


def _nothing(play: RandomPlay) -> None:
    """A game that needs no opening."""


@dataclass(frozen=True, slots=True)
class Practice:
    """How an edition is practised: by whom, what they do next, what needs secrets, and what must always hold."""

    edition: str
    sealed: Founding
    """Who founds a game with a key, where secrets are kept."""
    real: Founding
    """Who founds a game without."""
    prefer: Mapping[str, Hint]
    silence: Callable[[Game], Silence]
    """How a real game that has just begun falls silent."""
    seeds: Sequence[int]
    """The random games that are played where secrets are kept; but for the first by `make guards` alone."""
    calm: Sequence[str] = CALM
    opening: Callable[[RandomPlay], None] = _nothing
    secret: Mapping[str, Any] = field(default_factory=dict)
    """What is set by decree in a game where secrets are kept, by path."""
    undone: Collection[str] = ()
    """Public actions that come up only where something secret is kept."""
    whispers: Sequence[Said] = ()
    """Deeds that bring about something secret, which a game without a key has no place for."""
    around: Sequence[Around] = ()
    sound: Sequence[Callable[[Transaction], None]] = ()
    """What must hold of the game after each deed."""
    steady: bool = False
    """Whether the founders stay, and ben an admin, so that the game goes on."""
    unwatched: Collection[str] = ()
    """Actions after which nothing is looked at until the next deed, for looking takes long."""

    def stays(self, actor: str, name: str) -> bool:
        """Whether this is a deed by which the game would lose whom it needs."""
        founder = name == "leave" and actor in self.sealed.players
        return self.steady and (founder or (name, actor) == ("resign-admin", "ben"))

    def unkept(self, game: Game) -> list[str]:
        """The actions that a game without a key never carries out."""
        actions = game.world().law.declared.actions
        return [name for name, action in actions.items() if action.always_private or name in self.undone]


class Practising(RandomPlay):
    """Random play of an edition, in which everything holds that must hold of it, as is seen after each so many deeds."""

    def __init__(self, practice: Practice, game: Game, seed: int, *, each: int = 1) -> None:
        super().__init__(game, seed, practice.sealed.at, prefer=practice.prefer, calm=practice.calm)
        self.practice, self.doing, self.each = practice, "", each
        practice.opening(self)
        if practice.secret and self.game.world().context.secrets:
            decree(self, self.game.world(), {"set": practice.secret})

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        if self.practice.stays(actor, name):
            return
        self.doing = name
        with ExitStack() as held:
            for around in self.practice.around:
                held.enter_context(around(self, name, given))
            super().attempt(actor, name, given)

    def legal(self) -> None:
        if self.doing in self.practice.unwatched or self.accepted.total() % self.each:
            return
        super().legal()
        world = self.game.world()
        for sound in self.practice.sound:
            sound(world)

    def everything(self, deeds: int, wanted: Sequence[str], tries: int) -> None:
        """Play so many deeds, every wanted action among them."""
        self.play(deeds, wanted, tries)
        self.doing, self.each = "", 1
        self.legal()
        assert {name: self.reasons.get(name, "") for name in wanted if not self.accepted[name]} == {}
        assert self.accepted.total() >= deeds


def founding(start: int, players: Sequence[str] = SIX) -> Founding:
    return Founding(start, players, "ana", ["ben", "cy", "dee"], ["zed"])


def founded(folder: Path, edition: str, start: Founding) -> Game:
    repository, settings = Repository.init(str(folder)), Settings("Test", edition, time="given")
    found_game(repository, editions.load(edition), settings, start)
    return Game.open(str(folder))


def kept(practice: Practice, folder: Path) -> Game:
    """A real game with a key, where secrets are kept; looked at with it."""
    return cast("Game", KeyedGame.founded(folder, practice.edition, practice.sealed))


def faults(game: Game) -> list[Fault]:
    tip = game.repository.head()
    assert tip is not None
    return list(verify(game.repository, tip).faults)


def skipped(game: Game) -> list[str]:
    """What fell due by the clock and did not happen, as the journal has it."""
    tip = game.repository.head()
    assert tip is not None
    lines = [line for commit in game.repository.log(tip) for line in commit.message.splitlines()]
    return [line for line in lines if " did not happen: " in line]


def act(game: Game, actor: str, action: str, given: Mapping[str, Any], at: int) -> None:
    game.act(Deed(new_id(at), actor, action, given, at))


def gamestate(game: Game) -> Mapping[str, bytes]:
    """The files of the gamestate at the head."""
    tree = game.repository.commit(game.head.oid).tree
    return {path: game.repository.blob(oid) for path, oid in game.repository.walk(tree, "game/state")}


def after_silence(game: Game, here: Path, folder: Path, due: Sequence[int], end: int) -> tuple[Game, Game]:
    """The game with a deed that changes nothing at each due time and at the end, and with the last one only."""
    shutil.copytree(here, folder)
    late = Game.open(str(folder))
    for at in [*due, end]:
        act(game, "ben", "roll", {"dice": "DICE6"}, at)
    act(late, "ben", "roll", {"dice": "DICE6"}, end)
    return game, late
