"""Git's index after a deed: it says of every file what Git itself would say, and needs no refresh by `git status`."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from nomicgit.git import Repository

NOON = 1_800_000_000


def git(home: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=home, env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"}, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip


def deed(repo: Repository, changes: dict[str, bytes | None]) -> None:
    """A commit with these changes on top of the branch, brought along into the work tree."""
    with repo.locked():
        head = repo.head()
        old = repo.commit(head).tree if head else None
        new = repo.tree_with(old, changes)
        repo.append(
            tree=new, parents=[head] if head else [], message="a deed", author="cy", email="cy@example.org",
            at=NOON, expect=head,
        )  # fmt: skip
        assert repo.bring_along(old, new, changes) == []


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A game's folder with files of a dozen names, a program and a link among them, all committed."""
    home = tmp_path / "game"
    with Repository.init(home) as repo:
        deed(repo, {f"game/{n % 3}/{n}.yml": b"n: 0\n" for n in range(12)})
    (home / "tool").write_text("#!/bin/sh\n", encoding="utf-8")
    (home / "tool").chmod(0o755)
    (home / "link").symlink_to("tool")
    git(home, "add", "tool", "link")
    git(home, "-c", "user.name=cy", "-c", "user.email=cy@example.org", "commit", "--quiet", "-m", "tools")
    return home


def files(home: Path) -> list[str]:
    return git(home, "ls-files", "game").split()


def held_to_git(home: Path) -> str:
    """What the index says is changed, which must be what Git finds that looks at every file anew."""
    said = git(home, "diff-files", "--name-only")
    index = (home / ".git" / "index").read_bytes()
    subprocess.run(["git", "update-index", "-q", "--really-refresh"], cwd=home, check=False)
    assert said == git(home, "diff-files", "--name-only")
    (home / ".git" / "index").write_bytes(
        index
    )  # as our own writer has left it, for the deed that comes next
    return said


@pytest.mark.parametrize("seed", range(3))
def test_after_any_deed_the_index_needs_no_refresh(home: Path, seed: int) -> None:
    dice = random.Random(seed)
    with Repository.open(home) as repo:
        for turn in range(12):
            there = files(home)
            changes: dict[str, bytes | None] = {
                dice.choice(there): f"n: {dice.randint(0, 9)}\nturn: {turn}\n".encode()
            }
            if dice.random() < 0.5:
                changes[f"game/{dice.randint(0, 3)}/new-{turn}.yml"] = b"n: 1\n"
            if dice.random() < 0.3:
                changes[dice.choice(there)] = None
            deed(repo, changes)
            assert held_to_git(home) == ""


@pytest.mark.slow
def test_what_somebody_edits_shows_at_once_and_after_every_deed(home: Path) -> None:
    with Repository.open(home) as repo:
        deed(repo, {"game/0/0.yml": b"n: 1\n"})
        (home / "game/0/0.yml").write_bytes(b"n: 2\n")  # of the same size, in the same second
        for turn in range(3):
            deed(repo, {"game/1/1.yml": f"n: {turn + 1}\n".encode()})
            assert held_to_git(home) == "game/0/0.yml\n"


def test_an_index_of_another_form_needs_no_refresh_either_and_no_filter_runs(home: Path) -> None:
    ran = home.parent / "ran"
    git(home, "update-index", "--index-version=4")
    git(home, "config", "filter.evil.clean", f"touch {ran}; cat")
    git(home, "config", "filter.evil.required", "true")
    (home / ".git" / "info").mkdir(exist_ok=True)
    (home / ".git" / "info" / "attributes").write_text("*.md filter=evil\n", encoding="utf-8")
    with Repository.open(home) as repo:
        for turn in range(3):
            deed(repo, {"game/1/1.yml": f"n: {turn + 1}\n".encode(), "game/1/x.md": b"%d" % turn})
            assert git(home, "diff-files", "--name-only", "*.yml") == ""
    assert not ran.exists()
