"""What ``actions`` says can be done can be done, and what it says cannot is refused whatever is handed in: in all editions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.depth import DEEP
from support.parlour import Parlour
from support.played import Played

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import allowed
from nomicgit.outlook.commanded import OWN
from nomicgit.outlook.openings import spoken_of
from nomicgit.physics.deeds.founding import Founding

WHO = ("ben", "ana")
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
NOTHING = ("nothing that it takes is allowed now", "no matter is pending", "there is no post yet")


SLOW = [
    pytest.param(each, marks=[pytest.mark.slow, *([] if each == "werewolf" else [DEEP])])
    for each in ("assassin", "crypt", "steam", "werewolf")
]


@pytest.fixture(params=["dungeon", *SLOW])
def game(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    begun = Parlour(tmp_path / "game", capsys)
    everybody = [word for name in PLAYERS for word in ("--player", name)]
    began = ["--practice", "--start", "2021-06-07T00:00:00Z", "--emperor", "ana", "--admin", "ben"]
    begun.folder.mkdir()
    begun.nomic("new", "--edition", request.param, "--name", "Game", *everybody, *began)
    return begun


def test_the_editions_are_all_looked_at() -> None:
    assert set(editions.names()) == {"crypt", "dungeon", "assassin", "steam", "werewolf"}


def rows(game: Parlour, who: str) -> list[Mapping[str, Any]]:
    every: list[Mapping[str, Any]] = game.nomic("--as", who, "actions", "--json").json["actions"]
    return every


def handed_in(parameters: list[Mapping[str, Any]]) -> Iterator[list[str]]:
    """Each player, each choice and the first post, for every parameter that must be given."""
    for n in range(len(PLAYERS)):
        values = {"player": PLAYERS[n], "post": "1", "matter": "1", "choice": "", "boolean": "yes"}
        yield [
            f"{each['name']}={each['choices'][n % len(each['choices'])] if each['choices'] else values.get(each['type'], 'x')}"
            for each in parameters
            if each["required"]
        ]


def test_an_example_is_a_command_that_is_taken_and_what_is_not_open_is_refused(game: Parlour) -> None:
    copied, refused = 0, 0
    for who in WHO:
        for row in rows(game, who):
            name = row["name"]
            [told] = game.nomic("--as", who, "actions", name, "--json").json["actions"]
            program, *words = shlex.split(told["example"])
            does = "order" if row["private"] else name if name in OWN else "act"
            if words[0] == "order" != does:  # before all, but only by the key
                assert "key" in game.nomic("--as", who, "act", *words[1:], "--dry-run", code=1).err
                does = "order"
            assert (program, words[0]) == ("nomicgit", does)
            if told["done"] and does != "order":
                assert row["open"], name
                game.nomic("--as", who, *words, "--dry-run")
                copied += 1
            elif not told["done"]:
                assert set(told["put_in"]) <= {word.partition("=")[2] or word for word in words}
                assert "a word" not in told["example"]
            if row["why_not"].startswith(NOTHING):
                for given in handed_in(row["with"]):
                    game.nomic("--as", who, "act", name, *given, "--dry-run", code=1)
                refused += 1
    assert copied >= 5
    assert refused >= 5
    shown = game.nomic("--as", "ben", "actions", "set").out
    assert "write: nomicgit set PATH VALUE  (put in PATH: text, VALUE: any)" in shown
    assert "for example" not in shown


@pytest.mark.slow
def test_once_a_matter_is_pending_it_can_be_voted_on(game: Parlour) -> None:
    before = {row["name"]: row for row in rows(game, "ben")}
    assert (before["vote"]["open"], before["vote"]["why_not"]) == (False, "no matter is pending")
    assert (before["unidle"]["open"], before["comment"]["open"]) == (False, False)
    game.nomic("--as", "cy", "propose", "--title", "Haste")
    after = {row["name"]: row for row in rows(game, "ben")}
    assert after["vote"]["open"]
    assert after["comment"]["open"]
    example = game.nomic("--as", "ben", "actions", "vote", "--json").json["actions"][0]["example"]
    game.nomic("--as", "ben", *shlex.split(example)[1:])
    assert game.nomic("posts", "1", "--json").json["tally"]["for"] >= 1


@pytest.mark.slow
def test_a_post_that_nobody_may_edit_any_more_is_edited_by_nobody(game: Parlour) -> None:
    def edit(who: str) -> Mapping[str, Any]:
        return next(row for row in rows(game, who) if row["name"] == "edit-post")

    game.nomic("--as", "cy", "propose", "--title", "Haste")
    untold = any(
        each["name"] == "anonymous" for each in edit("ben")["with"]
    )  # who raised a call unnamed is a secret
    assert (edit("ben")["open"], edit("cy")["open"]) == (untold, True)
    assert untold or edit("ben")["why_not"].startswith(NOTHING)
    game.nomic("--as", "ben", "act", "edit-post", "post=1", "title=Speed", "--dry-run", code=1)
    game.nomic("--as", "cy", "act", "edit-post", "post=1", "title=Speed", "--dry-run")


@pytest.mark.slow
def test_only_who_wrote_a_post_is_told_that_they_may_change_its_kind(game: Parlour) -> None:
    def told(who: str) -> Mapping[str, Any]:
        return next(row for row in rows(game, who) if row["name"] == "recategorise-post")

    game.nomic("--as", "cy", "post", "A word")
    assert (told("dee")["open"], told("cy")["open"]) == (False, True)
    assert told("dee")["why_not"].startswith(NOTHING)
    game.nomic("--as", "dee", "act", "recategorise-post", "post=1", "kind=story", "--dry-run", code=1)
    game.nomic("--as", "cy", "propose", "--title", "Haste")
    game.nomic("--as", "cy", "act", "remove-post", "post=1")
    game.nomic("--as", "dee", "act", "comment", "post=2", "text=Hm", "--at", "+1d")
    assert told("cy")["open"] is False, "what is official, a day old and commented on stays of its kind"
    assert told("cy")["why_not"].startswith(NOTHING)
    for kind in ("none", "story", "proposal"):
        game.nomic("--as", "cy", "act", "recategorise-post", "post=2", f"kind={kind}", "--dry-run", code=1)


def test_what_one_may_be_done_with_is_found_behind_many_that_it_may_not() -> None:
    law = Ruleset.read({"1-core/10-notes.md": """---
title: Notes
posts: {note: {official: false}}
actions:
  write: {with: {title: text}}
  sort: {with: {post: {type: post, which: _own}, under: text}}
  burn: {with: {post: post}}
---
One writes, sorts and burns one's own.

```starlark
def _own(post):
    return "" if get(post, "author") == deed()["actor"] else "it is somebody else's"

def do_write(actor, title):
    say("note", title, "", author=actor)

def do_sort(actor, post, under):
    put(post, title=under)

def do_burn(actor, post):
    refuse(_own(post))
    destroy(post)
```
"""})  # fmt: skip
    game = Played.found(law, Founding(0, ["ana", "ben", "cy"], "ana", ["ana"], [], "Night", 1))
    for who in (*["ana"] * 81, "ben", *["ana"] * 3):
        game.act(1, who, "write", title="A word")
    declared = game.look().law.declared.actions

    def why(who: str, name: str) -> str:
        return allowed.why_none(game.look(), declared[name], f"players/{who}")

    assert why("ben", "sort") == why("ben", "burn") == ""
    assert why("cy", "sort") == "nothing that it takes is allowed now, such as post 85: it is somebody else's"
    assert why("cy", "burn") == "", "of so many not all are tried by doing it"


@pytest.mark.parametrize(
    ("to_you", "of_them"),
    [
        ("you own no Part", "they own no Part"),
        ("that is not permitted to you here", "that is not permitted to them here"),
        ("nobody lets you vote", "nobody lets them vote"),
        (
            "your guard bars you; name another than yourself",
            "their guard bars them; name another than themselves",
        ),
        ("a door shuts you in, for you have no key", "a door shuts them in, for they have no key"),
    ],
)
def test_what_is_said_to_somebody_is_said_of_them(to_you: str, of_them: str) -> None:
    assert spoken_of(to_you) == of_them
