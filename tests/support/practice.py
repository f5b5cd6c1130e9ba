"""Practice games of the editions, for random play: founded, verified, and played on after a long silence."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.game import Game, found_game, new_id
from nomicgit.record.replay import Fault, verify
from nomicgit.record.settings import Settings

PLAYERS = ["ana", "ben", "cy", "dee", "eli", "fox"]


def founding(start: int) -> Founding:
    return Founding(start, PLAYERS, "ana", ["ben", "cy", "dee"], ["zed"])


def founded(folder: Path, edition: str, start: int) -> Game:
    repository = Repository.init(str(folder))
    found_game(repository, editions.load(edition), Settings("Test", edition, time="given"), founding(start))
    return Game.open(str(folder))


def faults(game: Game) -> list[Fault]:
    tip = game.repository.head()
    assert tip is not None
    return verify(game.repository, tip).faults


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
