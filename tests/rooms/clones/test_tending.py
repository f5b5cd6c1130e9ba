"""A game without secrets is kept by a timer: what may be resolved is, the clock runs, and all of it is pushed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.signing import faults, git_says, keys_beside, with_keys_beside

from nomicgit.cli.bodies import kept_round
from nomicgit.cli.seat import Seat
from nomicgit.record.game import Game

RULE = {
    "title": "Bell",
    "text": "The bell is heard each morning.",
    "declares": {"variables": {"heard": {"type": "integer"}}, "schedule": {"bell": {"every": "day 06:00"}}},
    "mechanics": 'def schedule_bell():\n    gain("game", "heard", 1)',
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A clone of the game's host, who has keys beside it, and a bare repository to which all push."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--admin", "ben", "--restore", "ana", rules=None)
    keys_beside(tmp_path, "clock", "steward")
    Clone(tmp_path).git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    clone = Clone(tmp_path / "game")
    clone.git("remote", "add", "origin", "../bare.git")
    clone.git("push", "--quiet", "--set-upstream", "origin", "main")
    return clone


def said(game: Clone, *words: str, code: int = 0) -> dict[str, object]:
    plain: dict[str, object] = json.loads(game.play("keep", "--json", *words, code=code))
    return plain


def proposed(game: Clone) -> None:
    game.play("propose", "--title", "Bell", "--change", json.dumps({"add-rule": RULE}), "--as", "cy")
    for name in ("ana", "ben", "cy"):
        game.play("vote", "1", "for", "--as", name)


@pytest.mark.slow
def test_a_round_resolves_what_may_be_and_lets_the_clock_run(game: Clone) -> None:
    assert game.play("keep", "--resolve", "ben") == "nothing was to be done\n"
    proposed(game)
    game.play("keep", "--resolve", "ben")
    assert "status: pending" in game.git("show", "origin/main:" + post_file(game))
    other = said(game, "--resolve", "cy", "--at", "+13h", code=1)["resolved"]
    assert isinstance(other, list)
    assert (other[0]["matter"], other[0]["commit"], "admin" in other[0]["why_not"]) == (1, None, True), other
    assert "post 1 is enacted" in game.play("keep", "--resolve", "ben", "--at", "+13h")
    assert "status: enacted" in game.git("show", "origin/main:" + post_file(game))
    assert game.git("log", "-1", "--format=%an", "origin/main") == "ben"
    assert said(game, "--at", "+1h")["clock"] is None
    ran = said(game, "--at", "+1d")
    assert ran["clock"] == game.head == game.git("rev-parse", "origin/main")
    assert "heard: 1" in game.git("show", "HEAD:game/state/game.yml")
    assert faults(game) == []
    assert "is no player" in game.play("keep", "--resolve", "zed", code=1)
    assert "takes no orders" in game.play("keep", "--confirm", "cy=age1x", code=1)


@pytest.mark.slow
def test_a_round_that_a_commit_which_is_no_deed_stops_tells_what_it_has_laid_anew_before(
    game: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposed(game)
    game.play("sync")
    game.git("clone", "--quiet", "../bare.git", "../other")
    other, moment = Clone(game.folder.parent / "other"), kept_round.moment
    other.play("vote", "1", "against", "--as", "ben")
    other.play("sync")
    game.play("vote", "1", "for", "--as", "cy")

    def meanwhile(seat: Seat) -> Callable[[Game], int]:
        def at(played: Game) -> int:
            other.play("sync")
            (other.folder / "game" / "state" / "game.yml").write_text("round: 9\n", "utf-8")
            other.git("commit", "--quiet", "--all", "--message", "Mine")
            other.git("push", "--quiet")
            return moment(seat)(played)

        return at

    monkeypatch.setattr(kept_round, "moment", meanwhile)
    told = game.play("keep", "--resolve", "ben", "--at", "+13h", code=1)
    assert "2 new commits from the others" in told
    assert "again: cy: vote" in told
    assert "no deed" in told


@pytest.mark.slow
def test_where_deeds_are_signed_a_round_signs_with_keys_of_its_own(game: Clone) -> None:
    game.play("me", "ana", "--key", "../ana")
    game.play("signers", "--add", "../ana")
    for name in ("ben", "cy", "steward", "clock"):
        game.play("signers", "--of", name, "--add", f"../{name}", "--by", "ana")
    proposed(game)
    game.play("signers", "--deeds", "required", "--by", "ana")
    refused = said(game, "--resolve", "ben", "--at", "+13h", code=1)["resolved"]
    assert isinstance(refused, list)
    assert "must sign this" in refused[0]["why_not"]
    assert "nomicgit me steward --key FILE" in refused[0]["why_not"]
    assert "nomicgit me ben" not in refused[0]["why_not"], "nobody's own key belongs on a host"
    for hand in ("steward", "clock"):
        game.play("me", hand, "--key", f"../{hand}")
    assert "post 1 is enacted" in game.play("keep", "--resolve", "ben", "--at", "+13h")
    assert git_says(game, "HEAD")
    assert "what waited for the clock has happened" in game.play("keep", "--at", "+1d")
    assert git_says(game, "HEAD")
    assert faults(game) == []


def test_a_round_tells_what_became_of_the_deeds_of_its_own_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    for clone, title in ((ben, "Bees"), (ana, "Ants")):
        clone.play("propose", "--at", "+1h", "--title", title, "--change", json.dumps({"add-rule": RULE}))
    ana.play("act", "roll", "dice=DICE6")
    ben.play("sync")
    asked = json.loads(ana.play("sync", "--dry-run", "--json"))
    told = json.loads(ana.play("keep", "--json"))
    assert [each["now"] for each in told["laid"]] == [{"posts/1": "posts/2"}, {}]
    assert [[each[key] for key in ("id", "was", "now", "why_not")] for each in told["laid"]] == [
        [each[key] for key in ("id", "was", "now", "why_not")] for each in asked["laid"]
    ]
    assert (told["came"], told["pushed"], told["unsent"]) == (1, 2, 0)
    ben.play("sync")
    ben.play("vote", "2", "for")
    ben.play("sync")
    ana.play("act", "edit-post", "post=2", "changes=[]")
    said = ana.play("keep", code=1)
    assert "not done again: ana: edit-post" in said, said
    assert "nomicgit sync --again tries it once more" in said


def test_a_round_says_in_whose_name_nothing_can_be_resolved(game: Clone) -> None:
    assert said(game, "--resolve", "ben")["barred"] is None
    assert "in the name of cy nothing is resolved: " in game.play("keep", "--resolve", "cy", code=1)


def post_file(game: Clone) -> str:
    there = game.git("ls-tree", "-r", "--name-only", "HEAD", "game/posts").split()
    [path] = [path for path in there if path.endswith(".md")]
    return path
