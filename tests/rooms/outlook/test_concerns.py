"""What others have done that concerns a player is told by ``status`` and announced: to them alone, once, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heard import listening
from support.parlour import RULES, parlour

from nomicgit.cli.heralds import ADDRESSES
from nomicgit.outlook import concerns
from nomicgit.record.game import Game
from nomicgit.steward.answering import answer

MARKET = """\
---
title: Market
variables:
  bag: {of: player, type: map, default: {gold: 5}}
posts:
  story: {}
actions:
  rob: {with: {who: player}}
  story: {with: {title: text}}
  remark: {with: {post: post, text: {type: text, default: ""}, icon: {type: text, default: ""}}}
schedule:
  lapse: {every: day 12:00}
---
A player may rob another, tell a story, and say something of one.
A proposal that waits for noon fails.

```starlark
def do_rob(actor, who):
    transfer(who, actor, "bag.gold", 2)
    tell(who, "You have been robbed.", public=True)

def do_story(actor, title):
    say("story", title, "")

def do_remark(actor, post, text, icon):
    comment(post, text, icon=icon or None)

def schedule_lapse():
    for matter in find("posts", status="pending"):
        close(matter, "failed")
```
"""
ROBBED = "ben: rob: bag.gold: 5 → 3; to you: You have been robbed."
SAID = "cy: remark: on your post 1, Winter: It is long."


@pytest.mark.slow
def test_what_others_do_to_a_player_is_told_to_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-market.md": MARKET})
    began = game.git("rev-parse", "HEAD")
    game.nomic("me", "ana")
    assert "since" not in game.nomic("status").out
    with listening() as heard:
        monkeypatch.setenv(ADDRESSES, heard.web)
        game.nomic("announce")
        game.nomic("act", "story", "title=Winter")
        for who, *words in (
            ("ben", "rob", "who=ana"),
            ("ben", "brew"),
            ("ben", "rob", "who=cy"),
            ("cy", "remark", "post=1", "text=It is long."),
            ("cy", "remark", "post=1", "icon=for"),
        ):
            game.nomic("--as", who, "act", *words)
        said = game.nomic("status").out
        assert said.rstrip().endswith(f"since your last deed:\n   {ROBBED}\n   {SAID}")
        rows = game.nomic("status", "--json").json["concerns"]
        assert [(each["by"], each["action"], each["what"]) for each in rows] == [
            ("ben", "rob", ["bag.gold: 5 → 3", "to you: You have been robbed."]),
            ("cy", "remark", ["on your post 1, Winter: It is long."]),
        ]
        assert [game.git("show", "-s", "--format=%an", each["commit"]) for each in rows] == ["ben", "cy"]
        game.nomic("announce")
        game.nomic("announce")
        assert [each["message"].split("\n") for each in heard.hooks] == [
            [f"ana, {ROBBED}", f"ana, {SAID}"],
        ]

    # whoever has acted since knows it; who else looks is told of their own; nobody of all that
    game.nomic("act", "brew")
    assert game.nomic("status", "--json").json["concerns"] == []
    assert "ana: story" not in game.nomic("--as", "ben", "status").out
    assert game.nomic("--as", "cy", "status", "--json").json["concerns"] == []

    # a commit that the history has left stands for where they parted
    left = game.git("commit-tree", "-p", began, "-m", "left", f"{began}^{{tree}}")
    with (at_head := Game.open(game.folder)).repository:
        assert [each.by for each in concerns.since(at_head, left, "ana")] == ["ben", "cy"]


@pytest.mark.slow
def test_what_became_of_a_proposal_is_told_to_its_author_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-market.md": MARKET})
    game.nomic("me", "ana")
    with listening() as heard:
        monkeypatch.setenv(ADDRESSES, heard.web)
        game.nomic("announce")
        for title in ("Peace", "War"):
            game.nomic("propose", "--title", title)
        game.nomic("--as", "ben", "vote", "1", "for")
        assert game.nomic("status", "--json").json["concerns"] == []
        game.nomic("--as", "ben", "resolve", "1")
        enacted = "ben: resolve: your post 1, Peace, was enacted"
        assert f"since your last deed:\n   {enacted}\n" in game.nomic("status").out
        assert "your post" not in game.nomic("--as", "cy", "status").out
        assert "posts.2.status: pending → failed" in game.nomic("--at", "+1d", "--dry-run", "act", "brew").out
        game.nomic("--at", "+1d", "--as", "cy", "act", "brew")
        lapsed = "the clock: your post 2, War, has failed"
        said = game.nomic("status").out
        assert said.rstrip().endswith(f"since your last deed:\n   {enacted}\n   {lapsed}")
        rows = game.nomic("status", "--json").json["concerns"]
        assert [each["what"] for each in rows] == [
            ["your post 1, Peace, was enacted"],
            ["your post 2, War, has failed"],
        ]
        game.nomic("announce")
        assert [
            line for each in heard.hooks for line in each["message"].split("\n") if "1, Peace" in line
        ] == [
            "New: proposal 1, Peace by ana",
            "Enacted: proposal 1, Peace",
        ]


def test_a_mend_that_takes_a_broken_file_away_is_told_without_reading_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-market.md": MARKET})
    game.nomic("me", "ana")
    with listening() as heard:
        monkeypatch.setenv(ADDRESSES, heard.web)
        game.nomic("announce")
        good = game.git("rev-parse", "HEAD")
        file = game.folder / "game/state/players/ana.yml"
        file.write_text(file.read_text() * 2)
        game.git("commit", "-qam", "twice")
        game.nomic("--as", "ben", "mend", "--to", good)
        assert "since your last deed" not in game.nomic("status").out  # it is told above, to everybody
        game.nomic("announce")
        (told,) = (each["message"] for each in heard.hooks)
        assert told.startswith("ana, ben: physics/mend: The game is again as it was")


RIPE = """\
---
title: Seeds
variables:
  ripe: {of: player, type: datetime}
actions:
  plant: {}
schedule:
  ripening: {of: player, at: ripe}
---
What is planted is ripe in a day.

```starlark
def do_plant(actor):
    put(actor, ripe=later(now(), "1d"))

def schedule_ripening(player):
    put(player, ripe=None)
    refuse("it rains")
```
"""


@pytest.mark.slow
def test_what_the_clock_could_not_do_is_told_to_everybody_who_did_not_see_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-seeds.md": RIPE})
    game.nomic("--as", "ana", "act", "plant")
    said = game.nomic("--as", "ben", "--at", "2021-06-09T00:00:00Z", "act", "brew").out
    failed = "ripening players/ana at 2021-06-08T00:00:00Z did not happen: "
    [note] = [line for line in game.git("log", "-1", "--format=%b").splitlines() if line.startswith(failed)]
    assert note in said
    assert note == f"{failed}it rains (game/ruleset/2-dynastic/30-seeds.md:15:5)"
    for player, told in {"ana": True, "cy": True, "ben": False}.items():
        assert (f"the clock: {note}" in game.nomic("--as", player, "status").out) is told


BRITTLE = """\
---
title: Brittle
actions:
  drop: {}
guards:
  watch: {on: [drop]}
---
Somebody watches what is dropped.

```starlark
def do_drop(actor):
    pass

def guard_watch(actor, action, given):
    return 1 // 0
```
"""


@pytest.mark.slow
def test_what_breaks_at_several_deeds_alike_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-brittle.md": BRITTLE})
    for player in ("ana", "cy", "ana"):
        game.nomic("--as", player, "act", "drop")
    head, *told = game.nomic("--as", "ben", "status").out.partition("since your last deed:")[2].splitlines()
    assert (head, len(told)) == ("", 1)
    assert told[0].startswith("   ana: drop: guard_watch is defective and rests for this deed: ")
    assert told[0].endswith(" (and 2 times more since)")
    journal = game.git("log", "--format=%b").splitlines()
    assert sum("guard_watch is defective" in line for line in journal) == 3


PAYDAY = """\
---
title: Payday
variables:
  bag: {of: player, type: map, default: {gold: 5}}
collections:
  coins: {key: {prefix: c}, fields: {of: player}}
posts:
  story: {}
actions:
  rob: {with: {who: player}}
  story: {with: {title: text}}
schedule:
  payday: {every: day 12:00}
---
Every noon each player earns one of gold, and a player may rob another.

```starlark
def do_rob(actor, who):
    transfer(who, actor, "bag.gold", 2)
    tell(who, "You have been robbed.", public=True)

def do_story(actor, title):
    say("story", title, "")

def schedule_payday():
    create("coins", of="players/cy")
    for each in players():
        gain(each, "bag.gold", 1)
        tell(each, "You are paid.", public=True)
    for story in find("posts", kind="story"):
        comment(story, "It is noon.")
```
"""


@pytest.mark.slow
def test_what_the_clock_did_in_a_deed_is_told_as_the_clocks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-payday.md": PAYDAY})
    game.nomic("--as", "ana", "act", "story", "title=Winter")
    said = game.nomic("--at", "+1d", "--as", "ben", "act", "rob", "who=ana").out.splitlines()[1:]
    assert [line for line in said if "bag" in line] == [
        "  by the clock: players.ana.bag.gold: 5 → 6",
        "  by the clock: players.ben.bag.gold: 5 → 6",
        "  by the clock: players.cy.bag.gold: 5 → 6",
        "  players.ana.bag.gold: 6 → 4",
        "  players.ben.bag.gold: 6 → 8",
    ]
    assert "  by the clock: made: coins.c1 (of cy)" in said
    assert game.nomic("--as", "ana", "status").out.rstrip().endswith(
        "since your last deed:\n"
        "   the clock: on your post 1, Winter: It is noon.; bag.gold: 5 → 6; to you: You are paid.\n"
        "   ben: rob: bag.gold: 6 → 4; to you: You have been robbed."
    )  # fmt: skip
    [paid] = game.nomic("--as", "cy", "status", "--json").json["concerns"]
    assert (paid["by"], paid["commit"]) == ("the clock", game.git("rev-parse", "HEAD"))

    opened = Game.open(game.folder)
    with opened.repository:
        told = answer(opened.repository, opened.head.oid).splitlines()
    plain = [line.replace("\\", "") for line in told]
    assert '- by the clock: ana\'s bag is {"gold": 6} now (it was {"gold": 5})' in plain

    # a deed before which nothing fell due has nothing of the clock's, nor has one that takes back what the clock did
    later = game.nomic("--as", "ben", "act", "rob", "who=ana", "--json").json
    assert later["by_clock"] == []
    assert [each["new"] for each in later["effects"] if each["path"] == "players.ana.bag"] == [{"gold": 2}]
