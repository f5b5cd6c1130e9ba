"""What an action takes is told whole: the fields of a record too; and all that is missing, at once."""

from __future__ import annotations

import json

import pytest
from support.clones import Clone


@pytest.fixture(scope="module")
def dungeon(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Clone(tmp_path_factory.mktemp("dungeon"))
    clone.play("new", ".", "--edition", "dungeon", "--practice", "--start", "2021-06-07T00:00:00Z",
               *"--player ana --player ben --emperor ana --admin ben".split())  # fmt: skip
    return clone


NAME = "create-encounter"
"""An action that takes a list of records."""


def test_the_fields_of_a_record_are_told(dungeon: Clone) -> None:
    said = dungeon.play("--as", "ana", "actions", NAME)
    for line in ("  name: text\n", "  hp: integer, at least 0\n", "drop-rate: integer, at least 0, at most 100, else 0\n",
                 "inflicts: one of Stunned, Confusion, Hallucination, Blind, Slime, else null\n"):  # fmt: skip
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
    assert "title, floor, monsters: a value is needed" in dungeon.play("--as", "ana", "act", NAME, code=1)
