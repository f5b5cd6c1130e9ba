"""A scenario that an enactment breaks is told with it, where its author wrote what breaks it, and not with what comes later."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.parlour import BREWED, CORE, MOON, TEA, parlour

FAILS = "the scenario tea fails after it: "
OWN = """\
---
title: Tea
actions:
    brew: {}
variables:
    cups: {of: player, type: integer, max: 9, default: 4}
views: {most: {}}
---

A player may brew tea. It is drunk hot. It is drunk soon.



```starlark

def most():
    return max([get(player, "cups") for player in players()])

def do_brew(actor):
    gain(actor, "cups", [1][1])  #!
```
"""
BROKEN = """\
# It is brewed elsewhere.

def do_brew(actor):
    gain(actor, "cups", [1][1])
"""
CUPS = {"cups": {"of": "player", "type": "integer", "max": 9, "default": 4}}
ELSEWHERE = {
    "title": "Strong", "text": "Tea is strong. It is drunk hot.", "mechanics": BROKEN,
    "declares": {"actions": {"brew": {}}, "variables": CUPS},
}  # fmt: skip
STRONG = {"together": [{"repeal": "Tea"}, {"add-rule": ELSEWHERE}]}


@pytest.mark.slow
def test_a_broken_scenario_is_told_at_the_enactment_that_breaks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)

    def proposed(title: str, change: object) -> str:
        given = ("--title", title, "--change", json.dumps(change))
        return game.nomic("--as", "ana", "propose", *given).out

    def resolved(number: int, *more: str) -> str:
        game.nomic("--as", "ben", "vote", str(number), "for")
        return game.nomic(*more, "--as", "ben", "resolve", str(number)).out

    proposed("Scenario", {"scenario": {"name": "tea", "text": BREWED}})
    assert FAILS not in resolved(1)

    line = next(n for n, each in enumerate(OWN.split("\n"), 1) if each.endswith("#!"))
    game.branch("brew", TEA, (game.folder / TEA).read_text("utf-8"), OWN)
    of_branch = game.nomic("--as", "ana", "propose", "--branch", "brew").out
    for said in (of_branch, game.nomic("try", "2", code=0).out, game.nomic("check", "brew", code=1).all):
        told = next(each for each in said.splitlines() if FAILS in each)
        assert f"{TEA}:{line}" in told, told
        assert re.search(r"game/scenarios/tea\.yml:[1-9]\d*: ", told), told
        assert "step 1: " in told
    of_change = proposed("Strong", STRONG)
    told = next(each for each in of_change.splitlines() if FAILS in each)
    assert ", line 4 of its mechanics" in told, told
    assert of_change.count(", line 4 of its mechanics") == 2, of_change  # and what check would find

    assert FAILS in resolved(2, "--dry-run")
    assert FAILS in game.nomic("--as", "ben", "resolve", "2").out
    assert game.nomic("posts", "3", "--json").json["foreseen"]["scenarios"] == []
    assert FAILS not in proposed("Sun", {"add-rule": {"title": "Sun", "text": "It shines."}})
    game.branch("pale", MOON, "shines", "is pale")
    assert FAILS not in game.nomic("check", "pale").out
    other = {"scenario": {"name": "hot", "text": BREWED.replace("Tea is", "Hot tea is")}}
    assert "the scenario hot, which it brings, fails: " in proposed("Hot", other)
    assert "the scenario hot, which it brings, fails: " in resolved(5)


@pytest.mark.slow
def test_no_scenario_is_told_beside_an_enactment_that_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)

    def proposed(*changes: object) -> str:
        given = [word for change in changes for word in ("--change", json.dumps(change))]
        said = game.nomic("--as", "ana", "propose", "--title", "Sun", *given)
        return said.all + game.nomic("posts", said.out.partition(", post ")[2].split()[0]).all

    fails = {"scenario": {"name": "tea", "text": BREWED.replace("cups: 5", "cups: 6")}}
    skipped = proposed({"repeal": "Nothing"}, fails)
    assert "change 1 would be skipped" in skipped
    assert "the scenario tea" not in skipped
    bricked = proposed({"repeal": "Proposals"}, fails)
    assert "it would not be enacted" in bricked
    assert "the scenario tea" not in bricked
    assert "the scenario tea, which it brings, fails: " in proposed(fails)
    game.git("switch", "-qc", "none")
    (game.folder / "game/scenarios").mkdir(exist_ok=True)
    (game.folder / "game/scenarios/tea.yml").write_text(fails["scenario"]["text"], "utf-8")
    game.git("rm", "-q", CORE)
    game.git("add", "-A")
    game.git("commit", "-qm", "None")
    game.git("switch", "-q", "main")
    of_branch = game.nomic("check", "none", code=1).all
    assert "it would not be enacted" in of_branch
    assert "the scenario tea" not in of_branch
