"""What would fill pages is told in a line with its count: an event that never happens, a value that goes on and on."""

from __future__ import annotations

import json

import pytest
from support.clones import FEW, Clone, laid

from nomicgit.physics.deed import folded

HOURS = """\
---
title: Hours
variables:
  words: {of: game, type: text, default: ""}
  counts: {of: game, type: map, keys: text, values: integer}
  host: {of: game, type: player, default: null}
schedule:
  tick: {every: hour 00}
actions:
  say-much: {with: {words: text}}
  count: {}
---
Hours pass.

```starlark
def schedule_tick():
    refuse("Not now:\\nlost: origin/main has been rewritten")

def do_say_much(actor, words):
    put("game", words=words, host=actor)

def do_count(actor):
    put("game", counts={"n%d" % n: n for n in range(200)})
```
"""


@pytest.fixture(scope="module")
def hours(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    folder = tmp_path_factory.mktemp("hours")
    edition = laid({**FEW, "2-dynastic/10-hours.md": HOURS}, folder / "edition")
    names = ("--player", "ana", "--player", "ben", "--admin", "ben")
    start = ("--practice", "--start", "2021-06-07T00:00:00Z")
    Clone(folder).play("new", "game", "--edition", edition, "--no-keys", *start, *names)
    Clone(folder / "game").play("me", "ana")
    return Clone(folder / "game")


@pytest.mark.slow
def test_an_event_that_fails_each_hour_is_one_line_with_its_count(hours: Clone) -> None:
    what = "tick did not happen 30 times, from 2021-06-07T01:00:00Z to 2021-06-08T06:00:00Z: Not now:"
    said = hours.play("--at", "+30h", "roll", "DICE6")
    assert said.count("did not happen") == 1
    assert what in said
    told = hours.play("log", "--limit", "1")
    assert told.count("did not happen") == 1
    assert what in told
    for text in (said, told):
        assert "\\u000a" not in text
        [line] = [line for line in text.splitlines() if "lost: origin" in line]
        assert line.endswith(
            f"{what} lost: origin/main has been rewritten (game/ruleset/2-dynastic/10-hours.md:14:5)"
        )
    [row] = json.loads(hours.play("log", "--limit", "1", "--json"))
    assert len([note for note in row["notes"] if "did not happen" in note]) == 30  # the journal has each


def test_lines_of_other_reasons_and_events_stay_apart() -> None:
    notes = [
        "a at 1Z did not happen: x",
        "Said.",
        "a at 2Z did not happen: y",
        "b at 3Z did not happen: x",
        "a at 4Z did not happen: x",
    ]
    assert folded(notes) == [
        "a did not happen 2 times, from 1Z to 4Z: x", "Said.", "a at 2Z did not happen: y", "b at 3Z did not happen: x"
    ]  # fmt: skip


@pytest.mark.slow
def test_a_long_value_is_told_shortened_with_what_tells_all_of_it(hours: Clone) -> None:
    assert "game.host: nothing → ana" in hours.play("act", "say-much", f"words={'word ' * 200}")
    hours.play("act", "count")
    for command in (("state",), ("state", "game")):
        said = hours.play(*command)
        assert max(map(len, said.splitlines())) < 600
        assert "(1,000 letters; all of it: nomicgit state game.words)" in said
        assert "more (all of it: nomicgit state game.counts)" in said
    assert hours.play("state", "game.words").strip() == ("word " * 200).strip()
    assert "n199" in hours.play("state", "game.counts")
    many = hours.play("act", "say-much", "words=" + "\n".join("abcdefghi")) and hours.play("state")
    assert "i" not in [line.strip(" |") for line in many.splitlines()]
    assert "nomicgit state game.words" in many
