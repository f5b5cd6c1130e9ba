"""What a real game always refuses, since it keeps no secrets, is nowhere listed as open, in any edition."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.depth import one_of
from support.practice import SIX, founded
from support.randomly import WORDS as TEXTS
from support.randomly import RandomPlay
from support.secrets_of import listed_of
from support.sites import seen_pages

from nomicgit import editions
from nomicgit.cli import main
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state.context import Seeded
from nomicgit.record.game import Game

START = clock.instant("2021-06-07T00:00:00Z")
FOUNDING = Founding(START, SIX, "ana", ["ben"])
TRIES = 8
EDITIONS = editions.names()
SOME = [pytest.param(each, marks=one_of(2, number)) for number, each in enumerate(EDITIONS)]


def listed(folder: Path, capsys: pytest.CaptureFixture[str], who: str, at: str) -> list[dict[str, Any]]:
    """What ``nomicgit actions`` says."""
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["-C", str(folder), "--at", at, "actions", "--player", who, "--json"])
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["actions"]
    return rows


def refusals(game: Game, play: RandomPlay, who: str, name: str, at: int) -> list[str]:
    """How an action ends, with parameters made after its declaration: "" where it is done."""
    found = []
    for turn in range(TRIES):
        world = game.world()
        kinds = game.looked_at(at).law.declared.actions[name].parameters
        given = {
            n: play.value(world, kind, n)
            for n, kind in kinds.items()
            if kind.required or play.random.random() < 0.4
        }
        try:
            world.position.decide(world.context, Deed("x", who, name, given, at), Seeded(b"%d" % turn, "x"))
            found.append("")
        except Refused as error:
            found.append(str(error))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("edition", SOME)
def test_nothing_is_listed_as_open_that_secrets_always_bar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    monkeypatch.setattr("support.randomly.WORDS", [*TEXTS, *SIX, "emperor"])
    game = founded(tmp_path, edition, FOUNDING)
    ends: defaultdict[str, list[str]] = defaultdict(list)
    for hours in (1, 62):
        at = START + hours * 3600
        play = RandomPlay(game, 5, at)
        for who in ("ana", "cy"):
            for row in listed(tmp_path, capsys, who, f"+{hours}h"):
                if row["open"]:
                    ends[row["name"]] += refusals(game, play, who, row["name"], at)
    barred = [
        name
        for name, told in ends.items()
        if any("this game has no keys" in why for why in told) and "" not in told
    ]
    assert barred == []
    assert sum("" in told for told in ends.values()) >= 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_keeps_secret_what_its_list_says(edition: str) -> None:
    """No scenario shows it, for whoever rehearses sees all; the list is by the sheets, and not by the rules."""
    said = yaml.safe_load((Path(__file__).parent / "secrets.yml").read_text(encoding="utf-8"))
    assert listed_of(edition) == said[edition]


def private_actions(folder: Path) -> set[str]:
    """The actions that the rules' own files declare private, read line by line."""
    found = set()
    for file in folder.rglob("*.md"):
        front = [*file.read_text("utf-8").split("---\n"), ""][1]
        within = re.search(r"^actions:\n((?: .*\n)+)", front, re.MULTILINE)
        for block in re.findall(r"^  [a-z-]+:.*\n(?:   .*\n)*", within[1] if within else "", re.MULTILINE):
            if "status: inactive" not in front and re.search(r"\bprivate: (true|\[)", block):
                found.add(block.strip().partition(":")[0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("edition", SOME)
def test_private_actions_are_listed_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], edition: str
) -> None:
    founded(tmp_path, edition, FOUNDING)
    private = private_actions(tmp_path / "game" / "ruleset")
    rows = listed(tmp_path, capsys, "ana", "+1h")
    assert {row["name"] for row in rows if row["unkept"]} == private
    assert not any(row["open"] for row in rows if row["unkept"])
    page = seen_pages(tmp_path)["actions.md"]
    sections = {section.id: str(section.body) for section in page.sections}
    apart = set(re.findall(r"<code>([a-z-]+)</code>", sections.pop("sealed", "")))
    assert apart == private
    assert not any(f"<code>{name}</code>" in text for text in sections.values() for name in private)


def test_founding_says_what_cannot_be_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = """\
---
title: Whispers
variables: {word: {of: player, type: text, tracked: secret}, mood: {of: player, type: text, tracked: secret, transient: true}}
actions: {whisper: {private: true, with: {text: text}}, shout: {}}
---
Who whispers is not heard.

```starlark
def do_whisper(actor, text):
    put(actor, word=text)

def do_shout(actor):
    pass
```
"""
    (tmp_path / "own" / "1-core").mkdir(parents=True)
    (tmp_path / "own" / "1-core" / "10-whispers.md").write_text(rule, "utf-8")
    words = [
        "new",
        str(tmp_path / "game"),
        "--edition",
        str(tmp_path / "own"),
        "--player",
        "ana",
        "--no-keys",
    ]
    with pytest.raises(SystemExit):
        main(words)
    said = "own: 1 private action and 1 secret value need secrets: whisper; this game has no keys, and refuses them\n"
    assert said in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["editions", "--json"])
    found = {each["name"]: each["secrets"] for each in json.loads(capsys.readouterr().out)}
    assert found["dungeon"] == {"actions": [], "variables": []}
    assert "note" in found["assassin"]["actions"]
