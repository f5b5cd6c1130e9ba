"""A branch whose rule the game has changed meanwhile: what both have done is told, and which of it stands in the end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.parlour import MOON, TEA, parlour

from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.branches.meanwhile import Brought, meanwhile

PATH = "2-dynastic/10-inn.md"
INN = """\
---
title: Inn
variables:
  beds:
    of: player
    type: integer
    default: 1
    max: 9
actions:
  sleep: {}
  wake: {}
---
The inn is open.
It stands at the river.
Whoever sleeps there pays.
Nobody snores.

```starlark
def do_sleep(actor):
    gain(actor, "beds", 1)


def do_wake(actor):
    spend(actor, "beds", 1)
```
"""
OLD, SHUT, LOUD = "The inn is open.", "The inn is shut.", "The inn is loud."
EDITS = {
    "one sentence": ((OLD, SHUT), (OLD, LOUD), (f"“{SHUT}” (game/ruleset/{PATH}:13)", f"“{LOUD}” (game/ruleset/{PATH}:13)")),
    "the same sentence in one way": ((OLD, SHUT), (OLD, SHUT), ()),
    "two sentences": ((OLD, SHUT), ("Nobody snores.", "All snore."), None),
    "a sentence taken out": ((OLD + "\n", ""), (OLD, LOUD), ("taken something out of the prose", f"“{LOUD}”")),
    "one value": (("default: 1", "default: 2"), ("default: 1", "default: 3"), ("“variables.beds.default: 2”", f"{PATH}:7)")),
    "two values": (("default: 1", "default: 2"), ("sleep: {}", "sleep: {idle: true}"), None),
    "one title": (("Inn", "Tavern"), ("Inn", "Hostel"), ("title: Tavern", "title: Hostel")),
    "one line of mechanics": (("gain(actor", "lose(actor"), ('"beds", 1)\n\n', '"beds", 2)\n\n'), ("lose(actor", f"{PATH}:20")),
    "two functions": (("gain(actor", "lose(actor"), ("spend(actor", "gain(actor"), None),
}  # fmt: skip


def of(text: str) -> Ruleset:
    return Ruleset.read({PATH: text, "2-dynastic/20-moon.md": "---\ntitle: Moon\n---\nIt shines.\n"})


@pytest.mark.parametrize("both", EDITS)
def test_where_a_branch_and_the_game_meet_git_finds_a_conflict_too(both: str, tmp_path: Path) -> None:
    mine, theirs, words = EDITS[both]
    texts = {"mine": INN.replace(*mine), "base": INN, "theirs": INN.replace(*theirs)}
    assert texts["mine"] != INN != texts["theirs"]
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    merged = subprocess.run(
        ["git", "merge-file", "-p", *texts], cwd=tmp_path, capture_output=True, check=False
    )
    clean = merged.stdout.decode()
    after = of(clean if merged.returncode == 0 else texts["theirs"])
    told = list(meanwhile(Brought(of(INN), of(texts["mine"])), of(texts["theirs"]), after))
    assert bool(merged.returncode) == any("the game since then" in line for line in told), told
    if words:
        assert all(part in told[0] for part in words), told
        assert "after it the game's stands" in told[0] or "taken something out" in told[0]
    elif words is None:
        assert "in other places than it does" in told[0]
        assert len(told) == 1
    else:
        assert told == []


def test_a_rule_that_one_side_has_repealed_is_told() -> None:
    without = Ruleset.read({"2-dynastic/20-moon.md": "---\ntitle: Moon\n---\nIt shines.\n"})
    [line] = meanwhile(Brought(of(INN), of(INN.replace(OLD, SHUT))), without, without)
    assert line == "the rule Inn, which this branch changes, has been repealed since it began"
    [line] = meanwhile(Brought(of(INN), without), of(INN.replace(OLD, LOUD)), without)
    assert line == (
        f"the rule Inn, which this branch repeals, has been changed since it began: “{LOUD}” (game/ruleset/{PATH}:13)"
    )


@pytest.mark.slow
def test_it_is_told_when_it_is_submitted_tried_looked_at_and_enacted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)
    game.branch("five", TEA, "default: 4", "default: 5")
    game.branch("five", MOON, "The moon shines.", "The moon is full.")
    game.branch("two", TEA, '"cups", 1', '"cups", 2')
    game.branch("six", TEA, "default: 4", "default: 6")
    game.propose("six")
    game.nomic("--as", "ana", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    met = (
        f"the rule Tea: the branch has “variables.cups.default: 5” ({TEA}:3), the game since then “variables.cups.default: 6” "
        f"({TEA}:3) where “variables.cups.default: 4” stood; after it the game's stands"
    )
    beside = f"the rule Tea has been changed since this branch began, in other places than it does: “variables.cups.default: 6” ({TEA}:3)"
    assert met in game.nomic("check", "five", code=1).out
    assert met in game.nomic("--as", "ana", "propose", "--branch", "five").out
    assert met in game.nomic("try", "2", code=1).out
    assert met in game.nomic("posts", "2").out
    assert game.nomic("posts", "2", "--json").json["foreseen"]["meanwhile"] == [met]
    assert game.propose("two")["foreseen"]["meanwhile"] == [beside]
    for number in ("2", "3"):
        game.nomic("--as", "ana", "vote", number, "for")
    assert met in game.nomic("--as", "ben", "resolve", "2").out
    assert game.nomic("--as", "ben", "resolve", "3", "--json").json["meanwhile"] == [beside]
    text = (game.folder / TEA).read_text("utf-8")
    assert "default: 6" in text
    assert '"cups", 2' in text
