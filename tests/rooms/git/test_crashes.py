"""Sudden death and full disks: after any of them there is the old state or the new, and the next deed goes through."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile.keeper import Kept
from hostile.processes import CRASHED, crash_at, exit_code, forked, full_at
from hostile.small import FSCK, START, Small
from support.depth import is_deep
from support.ids import named
from support.keyed import KEY

from nomicgit.cli import main
from nomicgit.clones.others.vetting import refuse_unsound
from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game
from nomicgit.record.secret import turning
from nomicgit.record.secret.keyring import keep_key

pytestmark = pytest.mark.slow

SEED = bytes(32)
STRIDE = 51
"""Every how manieth point of a founding is tried."""
OF_A_DEED = 3
"""Every how manieth of a deed, each kind from another one on; with ``--hypothesis-profile=deep`` all."""
LARGEST = "a change of the law"
"""The kind of deed that comes to the most points: of them half as many are tried."""

Act = Callable[[Path], None]


def act(actor: str, action: str, **given: Any) -> Act:
    """A deed that makes the same commit whenever it is done."""

    def done(folder: Path) -> None:
        game = Game.open(folder)
        game.act(Deed(named("the-deed"), actor, action, given, START + 3600), lambda: SEED)

    return done


NEW_RULE = {"add-rule": {"title": "News", "text": "Words.", "mechanics": "X = 1"}}
KINDS: dict[str, Act] = {
    "one value": act("cy", "earn", n=1),
    "something made, and a die": act("cy", "dig", name="Nave"),
    "something gone": act("cy", "raze", room="r1"),
    "a post": act("cy", "story", title="Night", body="It was dark.\n" * 100),
    LARGEST: act("ben", "resolve", matter="posts/1"),
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small = Small.found(tmp_path_factory.mktemp("original") / "game")
    small.do("cy", "dig", name="Hall")
    small.do("cy", "propose", title="News", changes=[NEW_RULE])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="1", icon="for")
    return small.folder


def copies(original: Path, folder: Path) -> Iterator[Small]:
    """Copies of a game, each taken away when the next one comes."""
    number = 0
    while True:
        number += 1
        copy = folder / f"game{number}"
        shutil.copytree(original, copy)
        yield Small(copy, START + 3600)
        shutil.rmtree(copy)


def ended(small: Small, heads: set[str], *, thorough: bool) -> None:
    """The head must be one of these, whole; and the next deed must go through without help."""
    assert small.head() in heads
    gold = small.value("players/eli gold")
    small.do("eli", "earn", n=1)
    assert small.value("players/eli gold") == gold + 1
    assert small.git("status", "--porcelain") == ""
    assert [path.name for path in (small.folder / ".git").rglob("*.lock")] == ["nomicgit.lock"]
    if thorough:
        assert small.verified().faults == []
        assert small.git(*FSCK) == ""


def crashed_everywhere(
    original: Path, folder: Path, done: Act, hurt: Callable[[int], None], points: range
) -> int:
    """Do a deed in a process that is hurt at one point, for each of these; gives the one that it did not come to."""
    games = copies(original, folder)
    whole = next(games)
    old = whole.head()
    done(whole.folder)
    heads = {old, whole.head()}
    seen = set()
    for number, turn in enumerate(points):
        small = next(games)

        def child(turn: int = turn, small: Small = small) -> None:
            hurt(turn)
            done(small.folder)

        code = exit_code(forked(child))
        seen.add(small.head())
        ended(small, heads, thorough=number % 8 == 0)
        if code == 0:
            assert seen == heads
            return turn
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("kind", KINDS)
def test_a_crash_at_any_call_leaves_the_old_state_or_the_new(
    original: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    deep = is_deep(request.config)
    step = 1 if deep else OF_A_DEED * (4 if kind == LARGEST else 2)
    points = range(1 + 3 * [*KINDS].index(kind) % step, 2000, step)
    assert crashed_everywhere(original, tmp_path, KINDS[kind], crash_at, points) > 30


def hides(folder: Path, name: str = "the-deed") -> None:
    """A sealed deed, which makes the same commit whenever it is done."""
    game = Game.open(folder)
    game.vet = refuse_unsound
    game.act(Deed(named(name), "cy", "hide", {"n": 1}, START + 3600))


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """A game in the clone of its keeper."""
    kept = Kept.begun(tmp_path / "kept")
    with Repository.open(kept.folder) as repository:
        keep_key(repository, KEY)
    return kept


def test_a_crash_in_a_sealed_deed_leaves_the_old_state_or_the_new(
    kept: Kept, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kept.kept("cy", "earn", n=1)
    points = range(2, 2000, 1 if is_deep(request.config) else 3 * OF_A_DEED)
    assert crashed_everywhere(kept.folder, tmp_path, hides, crash_at, points) > 30


def test_a_crash_while_a_term_begins_loses_no_key(kept: Kept, request: pytest.FixtureRequest) -> None:
    """Of the former term or of the new one, whichever there is, made by chance: nobody else has it."""
    terms, step = set(), 1 if is_deep(request.config) else 4
    for turn in range(1, 2000, step):
        copy = kept.folder.parent / f"copy{turn}"
        shutil.copytree(kept.folder, copy)

        def child(turn: int = turn, copy: Path = copy) -> None:
            crash_at(turn)
            turning.begin_term(Game.open(copy), "cy", START + 3600)

        code = exit_code(forked(child))
        game = Game.open(copy)
        keeping = game.keeping()
        assert keeping is not None
        assert keeping.sealer is not None, turn
        terms.add((len(game.terms), code))
        shutil.rmtree(copy)
        if code == 0:
            break
    assert {(1, CRASHED), (2, CRASHED), (2, 0)} <= terms


def test_sealed_deeds_that_are_done_at_once_all_stand(kept: Kept) -> None:
    before = int(kept.git("rev-list", "--count", "HEAD"))
    hurried = [forked(lambda name=name: hides(kept.folder, name)) for name in ("a", "b", "c")]  # type: ignore[misc]
    assert [exit_code(each) for each in hurried] == [0, 0, 0]
    assert int(kept.git("rev-list", "--count", "HEAD")) == before + 3
    assert kept.found_wrong() == kept.found_wrong(KEY) == []


@pytest.mark.parametrize("kind", ["one value", LARGEST])
def test_a_full_disk_leaves_the_old_state_or_the_new(
    original: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    step = 6 if kind == LARGEST and not is_deep(request.config) else 3
    assert crashed_everywhere(original, tmp_path, KINDS[kind], full_at, range(1, 2000, step)) > 8


def test_a_full_disk_is_told_as_such(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = next(copies(original, tmp_path))
    earn = ["-C", str(small.folder), "--as", "cy", "act", "earn", "n=1"]
    with pytest.raises(SystemExit, match="0"):
        main(
            earn
        )  # replays the game, whose clone has been moved: that takes a process which tells what it found

    def full(*_: Any) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(SystemExit) as exited:
        main(earn)
    monkeypatch.undo()
    assert exited.value.code == 4
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "please report" not in said


def test_a_founding_that_was_cut_short_can_be_done_again(tmp_path: Path) -> None:
    seen = set()
    for turn in (*range(1, 2000, STRIDE),):
        folder = tmp_path / f"game{turn}"

        def child(turn: int = turn, folder: Path = folder) -> None:
            crash_at(turn)
            Small.found(folder)

        code = exit_code(forked(child))
        assert code in (0, CRASHED)
        try:
            Small.found(folder)
            seen.add("again")
        except NomicError as error:
            assert "there is a game here already" in str(error)  # noqa: PT017 - either may come
            seen.add("there")
        ended(Small(folder, START), {Small(folder).head()}, thorough=True)
        if code == 0:
            break
    assert seen == {"again", "there"}
