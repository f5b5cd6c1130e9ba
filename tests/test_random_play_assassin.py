"""Random play of the edition assassin: with secrets, and in a real game, which has no place for them yet."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, cast

import pytest
from support.hints_assassin import PREFER, town
from support.hints_core import CALM
from support.sealed import SealedGame
from support.shown import FIRST, Staying, faults, founded, objects, said, site, skipped, stored_secrets

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id
from nomicgit.rehearsal.rehearsal import lay

EDITION = "assassin"
START = clock.instant("2010-01-04T00:00:00Z")
FOUNDING = Founding(START, FIRST, "ana", ["ben", "cy", "dee"], ["zed"])
UNDONE = ("note", "tell", "assign-target", "toll-the-bell")
"""Actions that no game without sealed storage carries out."""


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


class TownPlay(Staying):
    """After each deed the Town is sound."""

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        before = self.accepted["toll-the-bell"]
        super().attempt(actor, name, given)
        if self.accepted["toll-the-bell"] > before:
            self.tolled(self.game.world())

    def legal(self) -> None:
        super().legal()
        world = self.game.world()
        if (
            "position" not in world.law.declared.collections
            and "locations" not in world.law.declared.collections
        ):
            return
        ruins = reading.find(world, "locations", exploded=True)
        assert [place for place in ruins if reading.get(world, place, "building")] == []
        there = [reading.get(world, player, "position", None) for player in reading.roster(world)]
        assert [place for place in there if place in ruins] == []

    def tolled(self, world: Transaction) -> None:
        """What holds after a Toll: no Notes, everybody somewhere, and the map as they are."""
        assert reading.find(world, "notes") == []
        lead = reading.emperor(world)
        players = [player for player in reading.roster(world) if player != lead]
        places = {reading.get(world, player, "position") for player in players}
        assert None not in places
        assert set(reading.find(world, "locations", occupied=True)) == places


def scratch() -> Game:
    game = SealedGame(EDITION, FOUNDING)
    lay(game.kept, town())
    game.kept.store.forget()
    return cast("Game", game)


def missing(play: Staying, wanted: list[str]) -> dict[str, str]:
    return {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]}


@pytest.mark.slow
def test_three_hundred_deeds_with_secrets_and_every_action() -> None:
    play = TownPlay(scratch(), 5, START, prefer=PREFER, calm=CALM)
    wanted = list(play.game.world().law.declared.actions)
    play.play(300, wanted, 4000)
    assert missing(play, wanted) == {}
    assert play.accepted.total() >= 300


@pytest.mark.slow
def test_every_order_of_a_note_is_given_and_carried_out() -> None:
    play = TownPlay(scratch(), 5, START, prefer=PREFER)
    tables = play.game.world().law.declared.catalogues
    given: set[str] = set()
    for _ in range(40):
        for _ in FIRST:
            orders = PREFER["note"](play, play.game.world(), "") or {}
            sent, sender = play.accepted["note"], orders.pop("actor")
            play.attempt(sender, "note", orders)
            given |= {order["action"] for order in orders.values() if play.accepted["note"] > sent}
        play.at += 2 * 86400
        play.attempt("ana", "toll-the-bell", {})
    assert play.accepted["toll-the-bell"] == 40
    assert given == {*tables["street_actions"], *tables["urchin_actions"]}
    assert reading.find(play.game.world(), "locations", exploded=True) != []


@pytest.mark.slow
def test_three_hundred_deeds_of_a_real_game(tmp_path: Path) -> None:
    play = TownPlay(founded(tmp_path, EDITION, FOUNDING), 6, START, prefer=PREFER, calm=CALM)
    wanted = [name for name in play.game.world().law.declared.actions if name not in UNDONE]
    play.play(300, wanted, 3000)
    assert missing(play, wanted) == {}
    assert play.accepted.total() >= 300
    assert [name for name in UNDONE if play.accepted[name]] == []
    assert skipped(play.game) == []
    assert faults(play.game) == []


@pytest.mark.parametrize(
    ("actor", "name", "given"),
    [
        ("cy", "note", {"urchin": {"action": "report"}}),
        ("cy", "tell", {"to": "dee", "text": "Boo."}),
        ("ana", "toll-the-bell", {}),
    ],
)
def test_what_needs_sealed_storage_is_refused(
    tmp_path: Path, actor: str, name: str, given: dict[str, Any]
) -> None:
    game, at = founded(tmp_path, EDITION, FOUNDING), START + 60
    with pytest.raises(Refused, match="sealed storage"):
        game.act(Deed(new_id(at), actor, name, given, at))


def test_nothing_is_due_by_the_clock_in_a_month_of_silence(tmp_path: Path) -> None:
    game, at = founded(tmp_path, EDITION, FOUNDING), START + 31 * 86400
    assert game.world().law.declared.schedule == {}
    game.act(Deed(new_id(at), "cy", "post", {"title": "Here I am"}, at))
    assert reading.find(game.world(), "posts") == ["posts/1"]
    assert faults(game) == []


WHISPERS: list[tuple[str, str, dict[str, Any]]] = [
    ("cy", "tell", {"to": "dee", "text": "whisper-4711"}),
    ("cy", "tell", {"to": "emperor", "text": "whisper-4711"}),
    ("dee", "note", {"street": {"action": "arrive-in-town", "location": "H7"}}),
    ("eli", "note", {"urchin": {"action": "reject-contract", "assassin": "gus"}}),
]


@pytest.mark.slow
def test_nothing_secret_is_shown_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = TownPlay(founded(tmp_path / "game", EDITION, FOUNDING), 9, START, prefer=PREFER)
    for actor, name, given in WHISPERS:
        play.attempt(actor, name, given)
        play.play(play.accepted.total() + 8, [], 300)
    assert stored_secrets(play.game) == []
    shown = [objects(tmp_path / "game"), *said(capsys, tmp_path / "game")]
    shown += site(play.game, tmp_path / "site", play.at)
    assert [text for text in shown if "whisper-4711" in text or "Nomic-Action: note" in text] == []
    assert "Nomic-Action: " in shown[0]
