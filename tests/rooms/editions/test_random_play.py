"""Random play of every edition: whatever players do, every value stays legal, no hook is defective, the record verifies.

What is special to an edition stands in ``support/editions``: who plays, what they do next, what must hold besides.
"""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from support.depth import DEEP as DEEPLY
from support.depth import is_deep, one_of
from support.editions import PRACTICES
from support.parlour import Parlour
from support.practice import (
    WHISPER,
    Practice,
    Practising,
    after_silence,
    faults,
    founded,
    gamestate,
    skipped,
)
from support.shown import objects, said, site, stored_secrets

from nomicgit import editions
from nomicgit.ground.problems import Refused
from nomicgit.outlook.checks import check_game
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import petitions
from nomicgit.physics.state import reading
from nomicgit.record.game import Game, new_id

DEEDS, DEEP, TRIES = 60, 300, 6000
EACH = 12  # deeds after which it is seen that all holds; in the deep profile each
EVERY = pytest.mark.parametrize("edition", editions.names())
SOME = pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(2, number)) for number, each in enumerate(editions.names())]
)
"""Of what plays long, or hangs little on the edition: every other one, in the deep profile all."""


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def real(folder: Path, edition: str) -> Game:
    """A real game of an edition that has just begun."""
    return founded(folder, edition, PRACTICES[edition].real)


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [pytest.param(each, marks=() if each == "assassin" else DEEPLY) for each in editions.names()],
)
def test_every_action_of_a_real_game_in_many_deeds(
    tmp_path: Path, edition: str, request: pytest.FixtureRequest
) -> None:
    """Of the other editions too in the deep profile; games with a key play all that each has, in every profile."""
    practice = PRACTICES[edition]
    deep = is_deep(request.config)
    play = Practising(practice, real(tmp_path, edition), 7, each=1 if deep else EACH)
    unkept = practice.unkept(play.game)
    wanted = [name for name in play.game.world().law.declared.actions if name not in unkept]
    play.prefer = {name: hint for name, hint in practice.prefer.items() if name not in unkept}
    play.everything(DEEP if deep else DEEDS, wanted, TRIES)
    assert [name for name in unkept if play.accepted[name]] == []
    assert skipped(play.game) == []
    assert faults(play.game) == []
    assert wrong(play.game) == []


def wrong(game: Game) -> list[str]:
    """What ``check`` says is wrong with a game, of whose rules it tries every action."""
    findings = check_game(game.repository, game.repository.head() or "").findings
    return [str(each.problem) for each in findings if each.level == "error"]


@pytest.mark.slow
@SOME
def test_a_month_of_silence_misses_nothing_of_the_clock(tmp_path: Path, edition: str) -> None:
    game = real(tmp_path / "prompt", edition)
    silence = PRACTICES[edition].silence(game)
    silent = Game.open(str(tmp_path / "prompt"))
    prompt, late = after_silence(
        game, tmp_path / "prompt", tmp_path / "late", sorted(silence.due), silence.end
    )
    silence.holds(silent, late)
    assert gamestate(late) == gamestate(prompt)
    assert skipped(late) == []
    assert faults(late) == faults(prompt) == []


# ---- what needs sealed storage


def refusal(game: Game, actor: str, name: str, given: dict[str, Any]) -> str:
    """With which words a game refuses a deed."""
    at = game.last() + 60
    with pytest.raises(Refused) as refused:
        game.act(Deed(new_id(at), actor, name, given, at))
    return str(refused.value)


@pytest.mark.slow
@SOME
def test_what_needs_sealed_storage_is_refused(tmp_path: Path, edition: str) -> None:
    play = Practising(PRACTICES[edition], real(tmp_path, edition), 1)
    for whisper in PRACTICES[edition].whispers:
        assert "this game has no keys" in refusal(play.game, *whisper), whisper
    for name, action in play.game.world().law.declared.actions.items():
        if action.private is True:
            why = refusal(play.game, "ana" if "emperor" in action.by else "cy", name, {})
            assert f"the private action {name}: this game has no keys" in why


@EVERY
def test_who_knows_of_secrets_whispers(tmp_path: Path, edition: str) -> None:
    """An edition without whispers has nothing to keep: no private action and no secret value."""
    law = real(tmp_path, edition).world().law
    private = [name for name, action in law.declared.actions.items() if action.private]
    secret = [v.name for variables in law.by_kind.values() for v in variables if v.tracked == "secret"]
    assert bool(private or secret) == bool(PRACTICES[edition].whispers)


@EVERY
def test_a_newcomer_joins_a_real_game_and_keeps_no_secret(tmp_path: Path, edition: str) -> None:
    game = real(tmp_path, edition)
    at = game.last() + 60
    joins(game, "newcomer", at)
    assert reading.exists(game.world(), "players/newcomer")
    assert stored_secrets(game) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(name, marks=() if name == "steam" else DEEPLY)
        for name, practice in PRACTICES.items()
        if practice.whispers
    ],
)
def test_nothing_secret_is_shown_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], edition: str
) -> None:
    practice, folder = PRACTICES[edition], tmp_path / "game"
    play = Practising(practice, real(folder, edition), 9)
    shown = []
    for whisper in practice.whispers:
        shown.append(refusal(play.game, *whisper))
        play.play(play.accepted.total() + 8, [], 100)
    shown += tried(Parlour(folder, capsys), practice)
    assert stored_secrets(play.game) == []
    recorded = objects(folder)
    shown += [recorded, *said(capsys, folder, practice.real.players)]
    shown += site(play.game, tmp_path / "site", play.at)
    assert [text for text in shown if WHISPER in text] == []
    private = [name for name, a in play.game.world().law.declared.actions.items() if a.always_private]
    assert "Nomic-Action: " in recorded
    assert [name for name in private if re.search(rf"Nomic-Action: {name}\b(?!-)", "\n".join(shown))] == []


def tried(game: Parlour, practice: Practice) -> list[str]:
    """What the command line says to whoever whispers, in earnest and to see what would happen."""
    seen = []
    for actor, name, given in practice.whispers:
        words = [f"{key}={value}" for key, value in given.items() if isinstance(value, str)]
        for options in ([], ["--dry-run"]) if len(words) == len(given) else ():
            answer = game.nomic("--as", actor, *options, "act", name, *words, code=1)
            seen += [answer.out, answer.err]
    return seen


def joins(game: Game, name: str, at: int) -> None:
    """Somebody asks to join, and the first who may answers."""
    game.act(Deed(new_id(at), name, "join", {}, at))
    [petition] = petitions.waiting(game.world())
    admin = next(petitions.answerers(game.world(), petition))
    game.act(Deed(new_id(at), admin, petition.answer, petition.given, at))


# ---- what one edition alone has


def test_what_tells_nothing_secret_is_told_in_the_journal(tmp_path: Path) -> None:
    game = real(tmp_path, "crypt")
    at, given = game.last() + 60, {"provider": "dee", "benefit": "influence"}
    recorded = game.act(Deed(new_id(at), "cy", "offer-favour", given, at))
    assert recorded.outcome.notes == ["To dee: cy offers you a Favour for this: influence."]


def test_a_newcomer_to_the_village_is_not_yet_determined(tmp_path: Path) -> None:
    game = real(tmp_path, "werewolf")
    at = game.last() + 60
    joins(game, "gus", at)
    assert reading.get(game.world(), "players/gus", "lycanthropy_determined") is False
