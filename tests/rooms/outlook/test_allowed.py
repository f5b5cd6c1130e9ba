"""What ``actions`` says can be done can be done, and what it says cannot is refused whatever is handed in: in all editions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.depth import DEEP
from support.parlour import Parlour

from nomicgit import editions
from nomicgit.outlook.commanded import OWN

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
