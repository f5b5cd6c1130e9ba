"""What dice decide is told as no bar: neither by what is open, nor of an action that is new, nor of the time from which one may be done."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import Small, small_law

from nomicgit.cli.bodies.example import example, lines
from nomicgit.outlook import allowed
from nomicgit.outlook.checks.opens_for import differences, in_words, open_to
from nomicgit.outlook.openings import openings
from nomicgit.record.game import Game

LUCK = """\
---
title: Luck
actions:
  dare: {}
  wager: {with: {colour: [red, black]}}
  sulk: {}
---
Whoever plays may dare.

```starlark
def do_dare(actor):
    require(roll(1000000) > 999999, "unlucky")

def do_wager(actor, colour):
    require(roll(1000000) > 999999, "unlucky")

def do_sulk(actor):
    require(get("game", "quorum") > 100, "no quorum")
```
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("luck") / "game"
    Small.found(folder, small_law({"2-dynastic/70-luck.md": LUCK}))
    return Game.open(folder)


def test_what_dice_refuse_is_open(game: Game) -> None:
    world = game.looked_at(game.last() + 60)
    answers = openings(world, "ana")
    assert {name: answers[name].why_not for name in ("dare", "wager", "sulk")} == {
        "dare": "",
        "wager": "",
        "sulk": "no quorum",
    }


def test_a_new_action_that_dice_refuse_opens_for_everybody(game: Game) -> None:
    world = game.looked_at(game.last() + 60)
    world.look()
    told = {
        each["action"]: in_words(each, reasons=True)
        for each in differences(world, {}, open_to(world, ["players/ana"]))
    }
    assert told["dare"] == told["wager"] == "new; opens for ana"
    assert told["sulk"] == "new; opens for nobody now (no quorum)"


def test_an_example_that_dice_refuse_is_one_to_copy(game: Game) -> None:
    world = game.looked_at(game.last() + 60)
    for name, command in {"dare": "nomicgit act dare", "wager": "nomicgit act wager colour=red"}.items():
        shown = example(game, world, world.law.declared.actions[name], "ana")
        said = list(lines(shown))
        assert said[0] == f"for example: {command}"
        assert said[1].startswith("it would be refused now (for example, by dice")
        assert not shown.done
    assert not example(game, world, world.law.declared.actions["sulk"], "ana").chance


@pytest.mark.parametrize(
    ("condition", "barred"),
    [
        ("roll(6) == 4", False),
        ("roll(20) > 19", False),
        ("roll(3) + roll(3) < 3", False),
        ("dice(2, 6)[0] > 99", True),
        ("roll(6) == 4 and False", True),
    ],
)
def test_what_no_dice_let_pass_is_a_bar(tmp_path: Path, condition: str, barred: bool) -> None:
    text = LUCK.replace("roll(1000000) > 999999", condition)
    Small.found(tmp_path / "game", small_law({"2-dynastic/70-luck.md": text}))
    luck = Game.open(tmp_path / "game")
    answers = openings(luck.looked_at(luck.last() + 60), "ana")
    assert (answers["dare"].why_not, bool(answers["wager"].why_not)) == ("unlucky" if barred else "", barred)


def test_dice_that_are_taken_back_are_known_to_have_fallen(game: Game) -> None:
    world = game.looked_at(game.last() + 60)
    assert allowed.barred(world, "dare", "players/ana", {}) == ""
    assert world.draws == []
    assert allowed.barred(world, "sulk", "players/ana", {}) == "no quorum"
