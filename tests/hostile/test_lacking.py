"""A clone that lacks a part of its history, or is told to show another: it says what it lacks, and accuses nobody of it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.depth import DEEP, one_of

from nomicgit.ground.remedies import STEP

LOOKS: tuple[tuple[str, ...], ...] = (("status",), ("check",), ("verify",), ("sync", "--dry-run"))
OUTAGE = 4


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of four deeds in a bare repository, and Ana's and Ben's clones of it, which have looked at it."""
    folder = tmp_path_factory.mktemp("founded")
    ana, ben = game_in_clones(folder, ("ana", "ben"), "--restore", "ana", rules=FEW)
    for title in ("One", "Two", "Three"):
        ana.play("post", title)
    ana.play("sync")
    ben.play("sync")
    ben.play("status")
    return folder


@pytest.fixture
def ben(founded: Path, tmp_path: Path) -> Clone:
    """Ben's clone, beside Ana's."""
    shutil.copytree(founded, tmp_path / "game")
    for name in ("ana", "ben"):
        Clone(tmp_path / "game" / name).git("remote", "set-url", "origin", f"{tmp_path}/game/bare.git")
    return Clone(tmp_path / "game" / "ben")


def shallow(ben: Clone, depth: int) -> Clone:
    """A shallow clone of the same game, at which ben plays too."""
    address = f"file://{ben.folder.parent}/bare.git"
    Clone(ben.folder.parent).git("clone", "--quiet", "--depth", str(depth), address, "shallow")
    clone = Clone(ben.folder.parent / "shallow")
    clone.play("me", "ben")
    return clone


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=DEEP)])
def test_a_shallow_clone_says_so_and_accuses_nobody_before_and_after_the_rest_is_here(
    ben: Clone, depth: int
) -> None:
    clone = shallow(ben, depth)
    cut = clone.git("rev-list", "--max-parents=0", "HEAD")
    for words in LOOKS[:2]:
        assert "this clone is shallow" in clone.play(*words)
    assert f"fault  {cut[:12]}: the clone is shallow" in clone.play("verify", code=1)
    assert "this clone is shallow" in clone.play("status")
    assert "mend" not in clone.play("status")
    clone.git("fetch", "--quiet", "--unshallow")
    for words in LOOKS:
        said = clone.play(*words)
        assert "shallow" not in said
        assert "mend" not in said
    assert "verified: 4 deeds" in clone.play("verify")


@pytest.mark.slow
def test_a_whole_clone_into_which_a_shallow_history_is_fetched_calls_nothing_rewritten(ben: Clone) -> None:
    ana = Clone(ben.folder.parent / "ana")
    for title in ("Four", "Five"):
        ana.play("post", title)
    ana.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    bare = f"file://{ben.folder.parent}/bare.git"
    ben.git("fetch", "--quiet", "--depth", "1", bare, "+refs/heads/main:refs/remotes/origin/main")
    ben.git("reset", "--quiet", "--hard", "refs/remotes/origin/main")
    for words in LOOKS[:3]:
        assert "rewritten" not in ben.tried(*words)[1]
    ben.git("fetch", "--quiet", "--unshallow", bare)
    assert "verified: 6 deeds" in ben.play("verify")
    assert "rewritten" not in ben.play("status")


@pytest.mark.slow
def test_what_is_rewritten_while_a_clone_is_shallow_is_named_once_it_is_whole(ben: Clone) -> None:
    ana, bare = Clone(ben.folder.parent / "ana"), f"file://{ben.folder.parent}/bare.git"
    gone = ana.head
    ana.git("reset", "--quiet", "--hard", "HEAD~1")
    ana.play("post", "Another")
    ana.git("push", "--quiet", "--force", "origin", "HEAD:refs/heads/main")
    ben.git("fetch", "--quiet", "--depth", "1", bare, "+refs/heads/main:refs/remotes/origin/main")
    ben.git("reset", "--quiet", "--hard", "refs/remotes/origin/main")
    assert "rewritten" not in ben.tried("status")[1]
    ben.git("fetch", "--quiet", "--unshallow", bare)
    said = ben.play("status", code=1)
    assert "has been rewritten" in said
    assert gone[:12] in said


def emptied(clone: Clone, what: str) -> Path:
    """An object is left empty, as by a power failure under a Git that does not wait for the disk."""
    oid = clone.git("rev-parse", what)
    packs = clone.folder / ".git/objects/pack"
    for pack in list(packs.glob("*.pack")):
        moved = shutil.move(pack, clone.folder.parent / pack.name)
        for each in packs.iterdir():
            each.unlink()
        with open(moved, "rb") as given:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=clone.folder, stdin=given, check=True)
    file = clone.folder / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(b"")
    return file


def thrown_away(clone: Clone, what: str) -> None:
    """An object is no more."""
    emptied(clone, what).unlink()


DAMAGE: dict[str, tuple[Callable[[Clone, str], object], str]] = {
    "a file of the game that is empty": (emptied, "HEAD:game/game.yml"),
    "a file of the game that is gone": (thrown_away, "HEAD:game/game.yml"),
    "a folder of the game that is empty": (emptied, "HEAD:game/state"),
    "the tree of the newest deed that is gone": (thrown_away, "HEAD^{tree}"),
    "a folder of an earlier deed that is empty": (emptied, "HEAD~1:game/posts"),
    "a folder of an earlier deed that is gone": (thrown_away, "HEAD~1:game/posts"),
}


def obeyed(clone: Clone, said: str) -> None:
    """What is told is done, word for word, up to where it says what to do should that not help."""
    told = said.partition("where that does not help")[0].split("\n")
    commands = [line.strip() for line in told if line.startswith(STEP * 2)]
    assert commands
    for command in commands:
        words = shlex.split(command)
        assert words[0] in ("git", "rm")
        if words[0] == "git":
            clone.git(*words[1:])
        else:
            Path(words[-1]).unlink()


@pytest.mark.slow
@pytest.mark.parametrize("damage", [pytest.param(each, marks=one_of(2, n)) for n, each in enumerate(DAMAGE)])
def test_a_damaged_clone_accuses_nobody_and_is_whole_after_what_it_tells(ben: Clone, damage: str) -> None:
    how, what = DAMAGE[damage]
    how(ben, what)
    for words in (*LOOKS, ("post", "Upon it")):
        code, said = ben.tried(*words)
        assert code in (0, OUTAGE), f"{words}: {said}"
        for accusing in (
            "fault  ",
            "in the name of",
            "nomicgit mend",
            "git push",
            "no deed:",
            "is defective",
        ):
            assert accusing not in said, f"{words}: {said}"
    said = ben.play("verify", code=OUTAGE)
    assert "no deed is at fault" in said
    obeyed(ben, said)
    assert "verified: " in ben.play("verify")
    ben.play("status")


@pytest.mark.slow
def test_a_clone_that_borrows_from_a_folder_that_is_gone_names_that(ben: Clone) -> None:
    here = Clone(ben.folder.parent)
    here.git("clone", "--quiet", "--shared", "bare.git", "lent")
    clone = Clone(here.folder / "lent")
    assert "verified: 4 deeds" in clone.play("verify")
    (here.folder / "bare.git").rename(here.folder / "away.git")
    for words in LOOKS[:3]:
        code, said = clone.tried(*words)
        assert code
        assert f"borrows objects from {here.folder}/bare.git/objects, which is not there" in said
    (here.folder / "away.git").rename(here.folder / "bare.git")
    assert "verified: 4 deeds" in clone.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["objects/info/commit-graph", pytest.param("objects/pack/multi-pack-index", marks=DEEP)]
)
def test_what_stands_beside_the_objects_and_is_damaged_changes_nothing(ben: Clone, file: str) -> None:
    ana = Clone(ben.folder.parent / "ana")
    before = {words: ben.tried(*words)[0] for words in LOOKS}
    ben.git("repack", "-adq")
    ben.git("commit-graph", "write", "--reachable")
    ben.git("multi-pack-index", "write")
    path = ben.folder / ".git" / file
    data = bytearray(path.read_bytes())
    for at in range(100, len(data), 7):
        data[at] ^= 0x55
    path.chmod(0o644)
    path.write_bytes(data)
    assert {words: ben.tried(*words)[0] for words in LOOKS} == before
    ana.play("post", "Four")
    ana.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    assert "1 new commit from origin/main" in ben.play("sync")
    assert "verified: 5 deeds" in ben.play("verify")
