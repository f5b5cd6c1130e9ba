"""What an action takes is told whole: the fields of a record too; and all that is missing, at once."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from support.clones import Clone
from support.parlour import RULES, parlour


@pytest.fixture(scope="module")
def dungeon(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Clone(tmp_path_factory.mktemp("dungeon"))
    clone.play("new", ".", "--edition", "dungeon", "--practice", "--start", "2021-06-07T00:00:00Z",
               *"--player ana --player ben --emperor ana --admin ben".split())  # fmt: skip
    return clone


NAME = "create-monsters"
"""An action that takes a list of records."""


def test_the_fields_of_a_record_are_told(dungeon: Clone) -> None:
    said = dungeon.play("--as", "ana", "actions", NAME)
    for line in ("  name: text\n", "  hp: integer, at least 0\n", "drop-rate: integer, at least 0, at most 100, else 0\n",
                 "inflicts: one of Stunned, Confusion, Hallucination, Blind, Slime, else nothing\n"):  # fmt: skip
        assert line in said
    [row] = json.loads(dungeon.play("--as", "ana", "actions", NAME, "--json"))["actions"]
    fields = {each["name"]: each for each in row["with"][-1]["fields"]}
    assert (fields["hp"]["type"], fields["hp"]["required"]) == ("integer", True)
    assert fields["drop-rate"]["default"] == 0
    assert not fields["inflicts"]["required"]
    assert fields["inflicts"]["choices"] == ["Stunned", "Confusion", "Hallucination", "Blind", "Slime"]


@pytest.mark.slow
def test_all_that_is_missing_is_told_at_once(dungeon: Clone) -> None:
    said = dungeon.play("--as", "ana", "act", NAME, "title=Cave", "floor=1", "monsters=[{name: Bat}]", code=1)
    assert "hp, dice, sides: a value is needed" in said
    assert "monsters: a value is needed" in dungeon.play("--as", "ana", "act", NAME, code=1)


@pytest.mark.slow
def test_all_that_is_wrong_is_told_at_once(dungeon: Clone) -> None:
    given = ("title=Cave", "floor=deep", "monsters=none", "unseen=perhaps")
    said = dungeon.play("--as", "ana", "act", NAME, *given, code=1)
    assert [line.split(":")[1].strip() for line in said.splitlines() if line.startswith("refused: ")] == [
        "create-monsters has no parameter unseen (it has encounter, title, body, floor, monsters)",
        "floor",
        "monsters",
    ], said


STREET = """\
---
title: Street
catalogues:
  steps:
    hum: {with: {tune: any}}
    draw: {with: {plan: any}}
    sing: {with: {song: any}}
    walk: {with: {beside: player, how: {type: any, default: null}}}
    wait: {}
actions:
  send:
    with:
      first: {type: entry, catalogue: steps, default: null}
      second: {type: entry, catalogue: steps, default: null}
      third: {type: entry, catalogue: steps, default: null}
  step: {with: {name: steps, pace: {type: choice, choices: [Slow, Fast], default: Slow}}}
---
A player may send somebody into the street.

```starlark
def do_send(actor, first, second, third):
    require(second and not first and not third, "only a second one will do")
    require(second["action"] == "wait", "nobody walks today")

def do_step(actor, name, pace):
    note(name)
```
"""


def test_an_example_is_tried_with_one_parameter_after_the_other_and_an_entry_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-street.md": STREET})
    page = game.nomic("--as", "ana", "actions", "send").out
    assert page.startswith("open to ana\n  send ")
    assert game.nomic("--as", "ana", "actions", "send", "--json").json["actions"][0]["open"]
    assert "second: {action: ACTION}, and in the same braces what that takes, else nothing\n" in page
    assert (
        "action: one of hum (with tune), draw (with plan), sing (with song), walk (with beside and how), wait\n"
        in page
    )
    [command] = [line.partition("for example: ")[2] for line in page.splitlines() if "for example: " in line]
    assert command == "nomicgit act send second='{action: wait}'"
    game.nomic("--as", "ana", *shlex.split(command)[1:])
    for given, meant in {
        ("send", "second={action: Wait}"): "wait",
        ("send", "first={action: walq}"): "walk",
        ("step", "name=Hum"): "hum",
        ("step", "name=hum", "pace=fast"): "Fast",
    }.items():
        assert f"did you mean {meant}?" in game.nomic("--as", "ana", "act", *given, code=1).err
