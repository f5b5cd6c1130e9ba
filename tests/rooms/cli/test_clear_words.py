"""What a command says is of what was asked: names that are near, hints where they belong, branches that are pending already."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.parlour import MOON, RULES, Parlour, parlour

HOST = """\
---
title: Host
actions:
  greet: {by: admin, with: {player: player}}
  throw: {with: {sides: {type: integer, min: 0}}}
  invite: {with: {monster: {type: text, default: null}, player: {type: player, default: null}, late: {type: boolean, default: false}}}
---
An admin may greet somebody.

```starlark
def do_greet(actor, player):
    note("Hello.")

def do_throw(actor, sides):
    return roll(sides)

def do_invite(actor, monster, player, late):
    note("Come.")
```
"""


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys, {**RULES, "2-dynastic/40-host.md": HOST})


def test_a_name_that_is_near_a_players_is_answered_with_that_one(game: Parlour) -> None:
    assert "did you mean ana?" in game.nomic("me", "ann", code=1).err
    assert "nobody in particular plays here" in game.nomic("me", code=1).out, "a slip is not kept"
    assert "did you mean" not in game.nomic("me", "zorro").out
    assert "did you mean" not in game.nomic("me", "ana").out


def test_a_blank_name_is_not_taken_for_none(game: Parlour) -> None:
    game.nomic("me", "ana")
    before = game.git("rev-parse", "HEAD")
    for words in (("--as", "", "act", "throw", "sides=6"), ("act", "--as", " ", "throw", "sides=6")):
        assert "a blank name is nobody's" in game.nomic(*words, code=2).err
    assert "a blank name is nobody's" in game.nomic("actions", "--player", "", code=2).err
    assert game.git("rev-parse", "HEAD") == before


def test_a_hint_stands_only_under_the_refusal_of_what_it_is_about(game: Parlour) -> None:
    barred = game.nomic("--as", "cy", "act", "greet", "player=bem", code=1).err
    assert "that is for an admin" in barred
    assert "  an admin: ben\n" in barred
    assert "did you mean" not in barred
    assert "did you mean ben?" in game.nomic("--as", "ben", "act", "greet", "player=bem", code=1).err
    stranger = game.nomic("--as", "ann", "act", "greet", "player=bem", code=1).err
    assert "did you mean ana?" in stranger
    asked = game.nomic("--as", "ann", "act", "throw", "sides=many", code=1).err
    assert "did you mean" not in asked.partition("sides:")[2]


def test_what_a_deed_gave_that_did_nothing_else_is_told(game: Parlour) -> None:
    assert "  it gave 0\n" in game.nomic("--as", "cy", "act", "throw", "sides=0").out
    thrown = game.nomic("--as", "cy", "act", "throw", "sides=6").out
    assert "dice: d6 " in thrown
    assert "it gave" not in thrown


def test_a_parameters_name_without_a_value_gets_its_own(game: Parlour) -> None:
    said = game.nomic("--as", "cy", "act", "invite", "player", "late=yes", code=2).err
    assert "nomicgit act invite player=PLAYER late=yes" in said


def test_what_a_parameter_is_where_it_is_not_given_is_told_in_words(game: Parlour) -> None:
    said = game.nomic("--as", "cy", "actions", "invite").out
    for line in (
        "monster: text, else nothing",
        "player: player (ana, ben, cy), else nobody",
        "late: true or false, else false",
    ):
        assert f"    {line}\n" in said


def test_a_rule_needs_a_title_and_one_of_which_a_file_can_be_named(game: Parlour) -> None:
    game.git("switch", "-q", "-c", "mine")
    assert "TITLE is what the rule is called" in game.nomic("new-rule", " ", code=2).err
    nameless = game.nomic("new-rule", "…", code=1).err
    assert "has no letter from a to z" in nameless
    assert "slug:" not in nameless


def test_what_is_no_commit_is_none_that_anybody_knows(game: Parlour) -> None:
    assert "'zzz' names no commit" in game.nomic("verify", "--known", "zzz", code=2).err
    assert "this clone has no such commit" in game.nomic("verify", "--known", "abcd1234", code=1).out


# ---- a proposal's branch


@pytest.mark.slow
def test_the_check_of_a_branch_that_is_pending_says_which_post_it_is(game: Parlour) -> None:
    game.branch("night", MOON, "The moon shines.", "The moon shines by night.")
    game.propose("night")
    pending = game.nomic("--as", "ana", "check", "night")
    assert "warning" not in pending.out
    assert pending.out.endswith("\nit is post 1, which is pending\n")
    told = game.nomic("check", "night", "--json").json
    assert (told["is_post"], told["submittable"], told["pending"]) == ({"post": 1, "same": True}, False, [])
    game.branch("night", MOON, "by night", "by day")
    moved = game.nomic("check", "night").out
    assert "post 1, which is pending, has an earlier state of it: nomicgit propose --update 1" in moved
    game.branch("dawn", MOON, "The moon shines.", "The moon shines at dawn.", onto="main")
    assert "the pending post 1" in game.nomic("check", "dawn").out


@pytest.mark.slow
def test_what_is_not_committed_yet_was_not_looked_at_and_that_is_no_sound_check(game: Parlour) -> None:
    game.git("switch", "-q", "-c", "night")
    (game.folder / MOON).write_text("---\ntitle: Moon\n---\nThe moon shines by night.\n", "utf-8")
    said = game.nomic("check", code=1).err
    assert f"not looked at, since it is not committed: {MOON}" in said
    assert "git commit" in said
    assert "branch of its own" not in said
    game.git("commit", "-qam", "Night")
    assert game.nomic("check").out.endswith("it can be proposed\n")
    (game.folder / MOON).write_text("---\ntitle: Moon\n---\nThe moon shines by day.\n", "utf-8")
    assert f"not looked at, since it is not committed: {MOON}" in game.nomic("check").out


@pytest.mark.slow
def test_on_ones_own_proposals_branch_nothing_is_blamed_and_nothing_is_forgotten(game: Parlour) -> None:
    game.nomic("verify")
    game.branch("night", MOON, "The moon shines.", "The moon shines by night.")
    game.nomic("--as", "ben", "propose", "--title", "Tea", "--change", "{repeal: Tea}")
    game.git("switch", "-q", "night")
    said = game.nomic("status", code=1).out
    assert said.startswith("not the game's branch: ")
    assert "no deed" not in said
    assert "1  Tea" in said  # which came meanwhile
    game.nomic("verify", code=1)
    game.git("switch", "-q", "main")
    assert "not verified" not in game.nomic("status").out


@pytest.mark.slow
def test_a_clone_that_never_looked_is_told_so(
    game: Parlour, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game.git("clone", "-q", ".", str(tmp_path / "other"))
    other = Parlour(tmp_path / "other", capsys)
    assert "this clone has not verified this game yet, nor its law" in other.nomic("status").out
    other.nomic("verify")
    assert "not verified" not in other.nomic("status").out


def test_a_choice_that_lacks_is_told_with_what_may_be_chosen(game: Parlour) -> None:
    lacking = game.nomic("--as", "ana", "act", "vote", code=1).err
    assert "matter, icon: a value is needed" in lacking
    assert "icon is one of for, against\n" in lacking
    assert "one of" not in game.nomic("--as", "ben", "act", "greet", code=1).err


WARM = """\
---
title: Warm
variables:
  warmth: {of: player, type: integer}
settles:
  warming: {of: player, watches: [cups]}
---
Tea warms.

```starlark
def settle_warming(player):
    put(player, warmth=20 // (5 - get(player, "cups")))
```
"""


@pytest.mark.slow
def test_a_settle_that_breaks_as_things_stand_is_told_in_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/40-warm.md": WARM})
    assert "broken law" not in game.nomic("status").out
    game.nomic("--as", "ana", "act", "brew")  # her fifth cup
    told = [line for line in game.nomic("status").out.splitlines() if line.startswith("broken law: ")]
    assert len(told) == 1
    assert "40-warm.md:10" in told[0]
    assert "the settle warming" in told[0]


@pytest.mark.slow
def test_a_mend_that_is_done_is_not_done_again(game: Parlour) -> None:
    earlier = game.git("rev-parse", "HEAD")
    game.nomic("--as", "ana", "act", "brew")
    lawful = game.git("rev-parse", "HEAD")
    (game.folder / MOON).write_text("---\ntitle: Moon\n---\nThe moon is gone.\n", "utf-8")
    game.git("commit", "-qam", "Gone")
    game.nomic("--as", "ben", "mend", "--to", lawful)
    done = game.git("rev-parse", "HEAD")
    again = game.nomic("--as", "ben", "mend", "--to", lawful, code=1).err
    assert f"already, by the mend {done[:12]}" in again
    further = ("mend", "--to", earlier, "--by", "ben")
    asked = game.nomic(*further, code=1).err
    assert f"ben: physics/mend ({done[:12]})" in asked
    assert f"    nomicgit {' '.join(further)} --yes\n" in asked
    game.nomic(*further, "--dry-run", code=1)
    game.nomic(*further, "--dry-run", "--yes")
    assert game.git("rev-parse", "HEAD") == done
    game.nomic("--as", "ana", "act", "brew")
    asked = game.nomic("--as", "ben", "mend", "--to", lawful, code=1).err
    assert "nothing is wrong since the commit" in asked  # and her cup would go
    assert "brew" in asked
    game.nomic("--as", "ben", "mend", "--to", lawful, "--yes")
    game.nomic("verify")
