"""Random play of the edition crypt: whatever players do, every value stays legal, no hook is defective, the record verifies."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.lords import PREFER
from support.randomly import RandomPlay

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.game import Game, found_game, new_id
from nomicgit.record.replay import Fault, verify
from nomicgit.record.settings import Settings

EDITION = "crypt"
START = clock.instant("2021-06-07T00:00:00Z")
PLAYERS = ["ana", "ben", "cy", "dee", "eli", "fox"]
UNDONE = ("name-traitor", "tell")
"""Actions that no game without sealed storage carries out."""
CALM = ("dov", "pass-mantle", "prune-favours", "ascend", "resign-admin")


def founded(folder: Path) -> Game:
    repository = Repository.init(str(folder))
    founding = Founding(START, PLAYERS, "ana", ["ben", "cy", "dee"], ["zed"])
    found_game(repository, editions.load(EDITION), Settings("Test", EDITION, time="given"), founding)
    return Game.open(str(folder))


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def played(folder: Path, seed: int, deeds: int, wanted: list[str], tries: int) -> RandomPlay:
    play = RandomPlay(founded(folder), seed, START, prefer=PREFER, calm=CALM)
    play.play(deeds, wanted, tries)
    return play


def faults(play: RandomPlay) -> list[Fault]:
    tip = play.game.repository.head()
    assert tip is not None
    return verify(play.game.repository, tip).faults


@pytest.mark.slow
def test_three_hundred_deeds_and_every_action(tmp_path: Path) -> None:
    game = founded(tmp_path / "listed")
    wanted = [name for name in game.world().law.declared.actions if name not in UNDONE]
    play = played(tmp_path / "game", 7, 300, wanted, 6000)
    assert {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]} == {}
    assert play.accepted.total() >= 300
    assert faults(play) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_a_shorter_game(tmp_path: Path, seed: int) -> None:
    play = played(tmp_path, seed, 60, [], 1500)
    assert play.accepted.total() >= 60
    assert faults(play) == []


def test_what_tells_nothing_secret_is_told_in_the_journal(tmp_path: Path) -> None:
    game, at = founded(tmp_path), START + 60
    given = {"provider": "dee", "benefit": "influence"}
    recorded = game.act(Deed(new_id(at), "cy", "offer-favour", given, at))
    assert recorded.outcome.notes == ["To dee: cy offers you a Favour for this: influence."]


def test_what_needs_sealed_storage_is_refused(tmp_path: Path) -> None:
    game, at = founded(tmp_path), START + 60
    change = {"status": {"the-traitor": "active"}}
    game.act(
        Deed(
            new_id(at), "cy", "cfj", {"title": "Suspicion", "tags": ["Special Case"], "changes": [change]}, at
        )
    )
    for voter in ("ben", "dee", "eli"):
        game.act(Deed(new_id(at), voter, "vote", {"matter": "1", "icon": "for"}, at))
    game.act(Deed(new_id(at), "ben", "resolve", {"matter": "1"}, at))
    with pytest.raises(Refused, match="sealed storage"):
        game.act(Deed(new_id(at), "ana", "name-traitor", {}, at))
    with pytest.raises(Refused, match="sealed storage"):
        game.act(Deed(new_id(at), "cy", "tell", {"to": "dee", "text": "Boo."}, at))
