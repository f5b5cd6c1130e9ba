"""Random play of the edition werewolf: with secrets, and in a real game, which has no place for them yet."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from support.hints_core import CALM
from support.hints_werewolf import PREFER
from support.practice import after_silence, gamestate
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

EDITION = "werewolf"
START = clock.instant("2008-11-20T00:00:00Z")
DAY = 86400
VILLAGE = [*FIRST, "ivy", "jan", "kay", "leo"]
FOUNDING = Founding(START, VILLAGE, "ana", ["ben", "cy", "dee"], ["zed"])
HAMLET = Founding(START, FIRST[:6], "ana", ["ben", "cy", "dee"], ["zed"])
"""Fewer voters, so that a real game goes faster."""
UNDONE = (
    "tell",
    "announce-foiled-attack",
    "resolve-shot",
    "announce-howls",
    "alls-well",
    "announce-hairy-back",
)
"""Public actions that come up only where something secret is kept."""
MOVING = ("give-item", "steal", "execute-will")


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def items(world: Transaction) -> Counter[str]:
    """How many there are of each item, with whomever."""
    found: Counter[str] = Counter()
    for player in reading.roster(world, idle=True):
        found.update(reading.get(world, player, "inventory"))
    return found


class VillagePlay(Staying):
    """After each deed the village is sound; what is moved is neither made nor lost."""

    voting = False

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        before, self.voting = items(self.game.world()) if name in MOVING else None, name == "vote"
        super().attempt(actor, name, given)
        if before is not None:
            assert items(self.game.world()) == before, f"{name} {given}"

    def legal(self) -> None:
        if self.voting:  # what a vote leaves behind is seen after the next deed: looking at all takes long
            return
        super().legal()
        world = self.game.world()
        everyone = reading.roster(world)
        assert items(world)["gaol-keys"] <= 2
        assert len([p for p in everyone if reading.get(world, p, "occupation_in_effect") == "Prisoner"]) <= 1
        mayors = [p for p in everyone if reading.get(world, p, "occupation") == "Mayor"]
        assert mayors == [p for p in everyone if p == reading.emperor(world)]


def sealed() -> Game:
    game = SealedGame(EDITION, FOUNDING)
    lay(game.kept, {"players": {"cy": {"werewolf": True}, "dee": {"werewolf": True, "target": "eli"}}})
    game.kept.store.forget()
    return cast("Game", game)


def missing(play: Staying, wanted: list[str]) -> dict[str, str]:
    return {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]}


@pytest.mark.slow
def test_three_hundred_deeds_with_secrets_and_every_action() -> None:
    play = VillagePlay(sealed(), 5, START, prefer=PREFER, calm=CALM)
    wanted = list(play.game.world().law.declared.actions)
    play.play(300, wanted, 3000)
    assert missing(play, wanted) == {}
    assert play.accepted.total() >= 300


@pytest.mark.slow
def test_three_hundred_deeds_of_a_real_game(tmp_path: Path) -> None:
    game = founded(tmp_path, EDITION, HAMLET)
    actions = game.world().law.declared.actions
    wanted = [name for name, action in actions.items() if not action.private and name not in UNDONE]
    prefer = {name: hint for name, hint in PREFER.items() if name in wanted}
    play = VillagePlay(game, 6, START, prefer=prefer, calm=CALM)
    play.play(300, wanted, 250)
    assert missing(play, wanted) == {}
    assert play.accepted.total() >= 300
    assert [
        name for name, a in actions.items() if (a.private or name in UNDONE) and play.accepted[name]
    ] == []
    assert skipped(play.game) == []
    assert faults(play.game) == []


@pytest.mark.parametrize("name", ["haunt", "target", "brew-elixir", "write-will", "appoint-watchman"])
def test_a_private_action_waits_for_sealed_storage(tmp_path: Path, name: str) -> None:
    game, at = founded(tmp_path, EDITION, FOUNDING), START + 60
    actor = "ana" if name == "appoint-watchman" else "cy"
    with pytest.raises(Refused, match=f"the private action {name}: this game has no sealed storage"):
        game.act(Deed(new_id(at), actor, name, {}, at))


def test_a_newcomer_joins_a_real_game_and_keeps_no_secret(tmp_path: Path) -> None:
    game, at = founded(tmp_path, EDITION, HAMLET), START + 60
    game.act(Deed(new_id(at), "gus", "join", {}, at))
    assert reading.get(game.world(), "players/gus", "lycanthropy_determined") is False
    assert stored_secrets(game) == []


def test_a_message_waits_for_sealed_storage(tmp_path: Path) -> None:
    game, at = founded(tmp_path, EDITION, FOUNDING), START + 60
    with pytest.raises(Refused, match="the private action tell: this game has no sealed storage"):
        game.act(Deed(new_id(at), "cy", "tell", {"to": "dee", "text": "Boo."}, at))


def test_a_month_of_silence_misses_no_night(tmp_path: Path) -> None:
    game = founded(tmp_path / "prompt", EDITION, FOUNDING)
    days = [START + DAY * n for n in range(1, 44)]
    prompt, late = after_silence(game, tmp_path / "prompt", tmp_path / "late", days, days[-1])
    nights = [bare.removeprefix("nights/") for bare in reading.find(late.world(), "nights")]
    dates = [clock.text(day)[:10] for day in days]
    odd = [date for date in dates if int(date[8:]) % 2 == 1]
    assert nights == ["2008-11-19", *odd[:-1]]
    assert odd[-2:] == ["2008-12-31", "2009-01-01"], "which are one night"
    assert gamestate(late) == gamestate(prompt)
    assert skipped(late) == []
    assert faults(late) == faults(prompt) == []


def test_in_a_month_of_silence_each_turn_comes_once_and_in_order() -> None:
    game = cast("SealedGame", sealed())
    lay(game.kept, {"players": {"eli": {"investigating": "cy"}}, "game": {"night_watchman": "fay"}})
    game.kept.store.forget()
    told = game.act(Deed("roll", "ben", "roll", {"dice": "DICE6"}, START + 30 * DAY)).outcome.messages
    assert [text for who, text in told if who == "eli"] == ["cy was not out in the night."]
    assert [text for who, text in told if who == "fay"] == [
        "Out at Night were: eli, fay.",
        *["Out at Night were: fay."] * 14,
    ]


WHISPERS: list[tuple[str, str, dict[str, Any]]] = [
    ("cy", "tell", {"to": "dee", "text": "whisper-4711"}),
    ("cy", "tell", {"to": "emperor", "text": "whisper-4711"}),
    ("dee", "write-will", {"text": "whisper-4711"}),
    ("eli", "brew-elixir", {"elixir": "whisper-4711", "kind": "poison", "strength": "weak", "susceptible": "everybody"}),
    ("fay", "target", {"villager": "gus", "method": "murder"}),
    ("ana", "appoint-watchman", {}),
]  # fmt: skip


@pytest.mark.slow
def test_nothing_secret_is_shown_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = VillagePlay(founded(tmp_path / "game", EDITION, HAMLET), 9, START, prefer=PREFER, calm=CALM)
    private = [n for n, action in play.game.world().law.declared.actions.items() if action.private]
    for actor, name, given in WHISPERS:
        play.attempt(actor, name, given)
        play.play(play.accepted.total() + 8, [], 100)
    assert stored_secrets(play.game) == []
    recorded = objects(tmp_path / "game")
    assert "Nomic-Action: " in recorded
    assert [name for name in private if f"Nomic-Action: {name}\n" in recorded] == []
    shown = [recorded, *said(capsys, tmp_path / "game"), *site(play.game, tmp_path / "site", play.at)]
    assert [text for text in shown if "whisper-4711" in text] == []
