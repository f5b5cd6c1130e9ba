"""Random play of the edition dungeon: every value stays legal, no item comes from nowhere, the record verifies."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.hints_core import CALM, decree
from support.hints_dungeon import PREFER, opening
from support.practice import act, after_silence, faults, founded, founding, gamestate
from support.randomly import RandomPlay
from support.sealed import SealedGame

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game

START = clock.instant("2010-03-01T08:00:00Z")
DAY = 86400
AMULET = "Amulet of Yendor"
FREE = frozenset("fight quaff escape choose-role resolve leave janitor undo".split())
"""Actions that may use up or bring any number of items."""
COUNTS = {
    "trade-for-item": {-3, -1}, "trade-for-treasure": {-1}, "eat": {-1}, "use-camera": {-1}, "find-stairs": {0, 1, 2}, "loot-room": {0, 1},
}  # fmt: skip
"""By how many each other action changes the number of items; by none where it does not stand here.

An Amulet that is gone besides was its holder's who died.
"""
RETURNING = ("unidle", "resolve", "undo", "pass-mantle")
"""By these, somebody comes back with an Amulet who was idle or the emperor while another took it."""


def items(world: Transaction) -> int:
    """How many items there are, held or lying about."""
    inventories = [reading.get(world, p, "inventory") for p in reading.roster(world, idle=True)]
    lying = [reading.get(world, place, "items") for place in reading.find(world, "loot")]
    return sum(sum(inventory.values()) for inventory in inventories) + sum(len(heap) for heap in lying)


def amulets(world: Transaction, holders: Sequence[str]) -> int:
    """How many Amulets these hold."""
    return sum(reading.get(world, p, "inventory").get(AMULET, 0) for p in holders)


def dwellers(world: Transaction) -> list[str]:
    """Those whose Amulet nobody else can take: the active players but the emperor."""
    return [p for p in reading.roster(world) if p != reading.emperor(world)]


class DungeonPlay(RandomPlay):
    """Random play in which items come from somewhere and go somewhere."""

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        world, done = self.game.world(), self.accepted[name]
        before, there = items(world), amulets(world, reading.roster(world, idle=True))
        held = amulets(world, dwellers(world))
        super().attempt(actor, name, given)
        world = self.game.world()
        after, gone = items(world), max(0, there - amulets(world, reading.roster(world, idle=True)))
        expected = {0} if self.accepted[name] == done else COUNTS.get(name, {0})
        come = {after - before, after - before + gone}
        assert come & expected or name in FREE, f"{name} {given}: {before} became {after}"
        assert amulets(world, dwellers(world)) <= max(1, held) or name in RETURNING


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def played(game: Any, seed: int, deeds: int, tries: int) -> DungeonPlay:
    play = DungeonPlay(game, seed, START, prefer=PREFER, calm=CALM)
    opening(play)
    wanted = list(game.world().law.declared.actions)
    play.play(deeds, wanted, tries)
    assert {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]} == {}
    assert play.accepted.total() >= deeds
    return play


@pytest.mark.slow
def test_three_hundred_deeds_and_every_action(tmp_path: Path) -> None:
    game = founded(tmp_path, "dungeon", START)
    played(game, 7, 300, 1500)
    assert faults(game) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_every_action_in_memory(seed: int) -> None:
    played(SealedGame("dungeon", founding(START)), seed, 300, 1500)


def test_a_month_of_silence_misses_nothing_of_the_clock(tmp_path: Path) -> None:
    """An encounter closes in, statuses wear off and slime kills, each at its own time."""
    game = founded(tmp_path / "prompt", "dungeon", START)
    play = DungeonPlay(game, 1, START)
    afflicted = {"ben": ["Conf"], "cy": ["Stun"], "dee": ["Slime"], "eli": ["Conf", "Slime"]}
    decree(
        play,
        game.world(),
        {"set": {f"players.{name}.status": statuses for name, statuses in afflicted.items()}},
    )
    act(
        game,
        "ana",
        "create-encounter",
        {"title": "[Encounter] Newts", "floor": 1, "monsters": [NEWT]},
        START + 60,
    )
    silent, world = Game.open(str(tmp_path / "prompt")), game.world()
    worn = {
        n: clock.instant(reading.get(world, f"players/{n}", "wears_off_at")) for n in ("ben", "cy", "eli")
    }
    times = [*worn.values(), START + 60 + DAY, START + 3 * DAY]
    prompt, late = after_silence(
        game, tmp_path / "prompt", tmp_path / "late", sorted(times), START + 30 * DAY
    )
    assert not [at for name, at in worn.items() if not _wears_off(silent, name, at)]
    assert _mode(silent, START + 59 + DAY) == "ranged"
    assert _mode(silent, START + 60 + DAY) == "melee"
    assert _deaths(silent, START + 3 * DAY - 1) == {"dee": 1, "eli": 1}
    assert _deaths(silent, START + 3 * DAY) == _deaths(late, late.last()) == {"dee": 2, "eli": 2}
    assert gamestate(late) == gamestate(prompt)
    assert faults(late) == faults(prompt) == []


NEWT = {"name": "newt", "hp": 9, "dice": 1, "sides": 1}


def _wears_off(game: Game, name: str, at: int) -> bool:
    """Whether a status that passes is there just before a time, and not any more then."""
    lines = [reading.get(game.looked_at(t), f"players/{name}", "status") for t in (at - 1, at)]
    return [bool({"Conf", "Stun"} & set(line)) for line in lines] == [True, False]


def _mode(game: Game, at: int) -> str:
    return str(reading.get(game.looked_at(at), "encounters/e1", "mode"))


def _deaths(game: Game, at: int) -> dict[str, int]:
    return {name: reading.get(game.looked_at(at), f"players/{name}", "deaths") for name in ("dee", "eli")}
