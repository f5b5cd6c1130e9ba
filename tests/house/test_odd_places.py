"""Odd places: wherever a game lies and whatever the machine is set to, it is played, or refused with the command that mends it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hostile.small import Small, git_in

from nomicgit.clones.by_hand import edited
from nomicgit.git import Repository

PLAY = """\
from nomicgit.cli import main
for command in ("--as ben --at +1h act earn n=1", "verify", "status"):
    try:
        main(command.split())
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""A deed, then everything replayed."""

Lay = Callable[[Path, Path], Path]
"""Makes of a game, in a folder, the one to play in."""


def cloned(*options: str, name: str = "clone", play_in: str = ".") -> Lay:
    """A clone of some kind; it is played in one of its folders."""

    def lay(game: Path, folder: Path) -> Path:
        git_in(folder, "clone", "-q", *options, f"file://{game}", name)
        return folder / name / play_in

    return lay


def then(lay: Lay, *commands: str) -> Lay:
    """A game in which somebody has typed something since."""

    def done(game: Path, folder: Path) -> Path:
        where = lay(game, folder)
        for command in commands:
            git_in(where, *command.split())
        return where

    return done


def in_another(game: Path, folder: Path) -> Path:
    git_in(folder, "init", "-q", "outer")
    return cloned(name="outer/inner")(game, folder)


def linked(branch: str, other: str) -> Lay:
    """A second work tree of the game, of one branch, while the first is on another."""

    def lay(game: Path, folder: Path) -> Path:
        git_in(game, "switch", "-q", "-c", "other")
        git_in(game, "switch", "-q", other)
        git_in(game, "worktree", "add", "-q", str(folder / "linked"), branch)
        return folder / "linked"

    return lay


def of_long_names(_: Path, folder: Path) -> Path:
    git_in(folder, "init", "-q", "--object-format=sha256", "long")
    return folder / "long"


@dataclass(frozen=True)
class Place:
    """Where a game is played, and what is set there; ``mend`` is typed where that is refused ("": it is not)."""

    lay: Lay = field(default_factory=cloned)
    environment: Mapping[str, str | None] = field(default_factory=dict)
    umask: int = -1
    mend: str = ""


UNSET = "git config --unset-all remote.origin."
WHOLE = f"git fetch --refetch --no-filter && {UNSET}promisor && {UNSET}partialclonefilter"
EMPTY = " && git reset --hard"
NOWHERE = dict.fromkeys(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX"), "/nowhere"
)  # fmt: skip
SIGNING = ("commit.gpgsign=true", "gpg.program=/bin/false", "user.signingkey=nobody")
PLACES = {
    "in a folder of another repository": Place(in_another),
    "in a folder of the game": Place(cloned(play_in="game/ruleset")),
    "in a linked work tree": Place(linked("main", "other")),
    "in a linked work tree of another branch": Place(linked("other", "main"), mend="cd GAME"),
    "bare": Place(cloned("--bare")),
    "of long object names": Place(of_long_names, mend="git init"),
    "partial": Place(cloned("--filter=blob:none"), mend=WHOLE),
    "partial and empty": Place(cloned("--filter=tree:0", "--no-checkout"), mend=WHOLE + EMPTY),
    "sparse": Place(cloned("--sparse"), mend="git sparse-checkout disable"),
    "sparse, but for the game": Place(then(cloned("--sparse"), "sparse-checkout set --sparse-index game")),
    "where lines end otherwise": Place(cloned("-c", "core.eol=crlf", "-c", "core.safecrlf=true")),
    "where commits are signed by a program that fails": Place(cloned(*(word for each in SIGNING for word in ("-c", each)))),
    "in a hook of another repository": Place(environment=NOWHERE),
    "where settings stand in the environment": Place(
        environment={"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "true"}
    ),
    "detached": Place(then(cloned(), "checkout -q --detach"), mend="git switch main"),
    "bare and detached": Place(
        then(cloned("--bare"), "update-ref --no-deref HEAD HEAD"), mend="git symbolic-ref HEAD refs/heads/main"
    ),
    "on a branch of another name": Place(then(cloned(), "branch -m spiel/été")),
    "in a folder of blanks and other scripts": Place(cloned(name="my game ünï 雪")),
    "without a home": Place(environment=dict.fromkeys(("HOME", "XDG_STATE_HOME", "GIT_CONFIG_GLOBAL", "USER", "LOGNAME"))),
    "with a home that cannot be written": Place(environment={"HOME": "/proc/1", "XDG_STATE_HOME": None, "GIT_CONFIG_GLOBAL": None}),
    "in the plainest locale": Place(environment={"LC_ALL": "C"}),
    "in Turkish": Place(environment={"LC_ALL": "tr_TR.UTF-8"}),
    "on the other side of the world": Place(environment={"TZ": "Pacific/Kiritimati"}),
    "in a zone that is none": Place(environment={"TZ": ":/nowhere"}),
    "where others may read nothing": Place(umask=0o077),
    "on a narrow terminal that can nothing": Place(environment={"TERM": "dumb", "COLUMNS": "1"}),
}  # fmt: skip


def played(folder: Path, place: Place) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **place.environment}
    given = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=folder,
        env=given,
        umask=place.umask,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def heads(folder: Path) -> str:
    """All that points at commits; nothing in a repository that has none."""
    return git_in(folder, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")


@pytest.mark.slow
@pytest.mark.parametrize("name", PLACES)
def test_a_game_is_played_or_refused_with_what_mends_it(tmp_path: Path, name: str) -> None:
    place, small = PLACES[name], Small.found(tmp_path / "game")
    small.do("ana", "earn", n=1)
    small.git("config", "uploadpack.allowFilter", "true")
    (tmp_path / "there").mkdir()
    folder = place.lay(small.folder, tmp_path / "there")
    before, said = heads(folder), played(folder, place)
    if place.mend:
        mend = place.mend.replace("GAME", str(small.folder))
        assert (said.returncode, heads(folder)) == (1, before), said
        assert [each for each in mend.removesuffix(EMPTY).split(" && ") if each not in said.stderr] == []
        if name == "of long object names":
            return
        subprocess.run(["bash", "-ec", mend], cwd=folder, check=True, capture_output=True)
        folder = small.folder if "GAME" in place.mend else folder
        said = played(folder, place)
    assert (said.returncode, said.stderr) == (0, ""), said
    assert "verified: 3 deeds" in said.stdout
    assert heads(folder) != before
    if not name.startswith("bare"):
        assert git_in(folder, "status", "--porcelain") == ""


@pytest.mark.slow
def test_what_a_sparse_work_tree_leaves_out_nobody_has_edited(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    folder = cloned("--sparse")(small.folder, tmp_path)
    git_in(folder, "sparse-checkout", "set", "game/ruleset")
    rule = next((folder / "game" / "ruleset").rglob("*.md"))
    assert not (folder / "game" / "state").exists()
    tree = git_in(folder, "rev-parse", "HEAD^{tree}").strip()
    with Repository.open(folder) as repository:
        assert edited(repository, tree) is None
        rule.write_text("It is written by hand.\n", encoding="utf-8")
        by_hand = edited(repository, tree)
    assert by_hand is not None
    assert by_hand.paths == (rule.relative_to(folder).as_posix(),)
    assert git_in(folder, "status", "--porcelain").split() == ["M", *by_hand.paths]
