"""Recorded games verify for ever: what physics 1 does with a deed never changes. What must change is physics 2.

Should one of these tests fail before the first release, and the change be meant: ``python tests/corpus/record.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import git_in
from msgspec.structs import replace
from support.places import TESTS

from nomicgit.git import Commit, Repository
from nomicgit.law.outside import Outside
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.outside import entitled
from nomicgit.record.tree import GameTree
from nomicgit.replay.verifying import verify

CORPUS = TESTS / "corpus"
TIPS = dict(line.split(" ") for line in (CORPUS / "tips.txt").read_text("ascii").splitlines())


@pytest.fixture(params=sorted(TIPS))
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A recorded game, unpacked, and its tip."""
    bundle = CORPUS / f"{request.param}.bundle"
    git_in(tmp_path, "clone", "-q", "--bare", "--branch", "main", str(bundle), "game.git")
    return tmp_path / "game.git", TIPS[request.param]


def test_every_record_has_a_tip() -> None:
    assert sorted(path.stem for path in CORPUS.glob("*.bundle")) == sorted(TIPS)


@pytest.mark.slow
def test_a_recorded_game_verifies(recorded: tuple[Path, str]) -> None:
    folder, tip = recorded
    with Repository.open(folder) as repository:
        assert repository.head() == tip
        found = verify(repository, tip)
    assert (found.faults, found.doubts) == ([], [])
    assert found.deeds > 60


@pytest.mark.slow
def test_the_same_deeds_make_the_same_commits(
    recorded: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way forward: each deed is done again on the founding, and every byte of every commit is the same."""
    folder, tip = recorded
    with Repository.open(folder) as repository:
        history = list(repository.log(tip))[::-1]
    git_in(folder, "update-ref", "refs/heads/main", history[0].oid)
    game = Game.open(folder)
    for commit in history[1:]:
        assert again(game, commit, monkeypatch) == commit.oid, commit.message


def again(game: Game, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> str:
    """Do a recorded deed once more; gives its commit."""
    entry = journal.parse(commit.message)
    deed = entry.deed
    if deed.action == Outside.RESTORE:
        monkeypatch.setattr(entitled, "new_id", lambda _: deed.id)
        return entitled.restore(game, deed.given["by"], deed.given["to"], deed.at).commit
    given = journal.lengthened(deed.given, Store(GameTree(game.repository, commit.tree)))
    seed = (entry.seeds or [bytes(32)])[0]
    return game.act(replace(deed, given=given), lambda: seed).commit
