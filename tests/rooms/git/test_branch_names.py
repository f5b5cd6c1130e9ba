"""Names of branches that a clone takes for something else: what Git itself makes of them in one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgit.git.names import unlike_others

Git = Callable[..., str]
BRANCH = "refs/heads/main"
ROOT = (
    "HEAD",
    "FETCH_HEAD",
    "ORIG_HEAD",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "BISECT_HEAD",
)
"""Where Git keeps a commit beside all branches."""


def why_not(name: str, *others: str) -> str:
    """Why a branch is not called so beside others; nothing where it may be."""
    return unlike_others(f"refs/heads/{name}", BRANCH, {f"refs/heads/{other}" for other in others})


@pytest.mark.parametrize(
    "name",
    [
        *ROOT,
        "@",
        "AUTO_MERGE",
        "BISECT_EXPECTED_REV",
        "stash",
        "heads/idea",
        "tags/v1",
        "remotes/idea",
        "refs/heads/idea",
    ],
)
def test_a_name_by_which_a_clone_finds_something_else_is_none(git: Git, tmp_path: Path, name: str) -> None:
    git("init", "-q", "-b", "main", ".")
    git("commit", "-q", "--allow-empty", "-m", "there")
    there = git("rev-parse", "HEAD").strip()
    git("commit", "-q", "--allow-empty", "-m", "its own")
    its_own = git("rev-parse", "HEAD").strip()
    git("update-ref", "--no-deref", BRANCH, there)
    for place in ("refs/heads/idea", "refs/tags/v1", "refs/remotes/idea", "refs/stash"):
        git("update-ref", place, there)
    for file in (*ROOT, "AUTO_MERGE", "BISECT_EXPECTED_REV"):
        if file != "HEAD":
            (tmp_path / ".git" / file).write_text(f"{there}\n", encoding="ascii")
    git("update-ref", f"refs/heads/{name}", its_own)
    assert git("rev-parse", name).strip() == there, "Git finds something else"
    assert why_not(name) != ""
    assert why_not(name.lower()) != "", "there are clones in which capitals do not count"


@pytest.mark.parametrize(
    "name",
    ["CON", "con.txt", "idea/aux", "nul/idea", "COM1", "lpt9.x.y", 'an"idea', "a<b", "a>b", "a|b", "idea./x"],
)
def test_a_name_that_is_no_file_on_windows_is_none(git: Git, name: str) -> None:
    git("check-ref-format", f"refs/heads/{name}")  # Git lets a branch be called so
    assert "Windows" in why_not(name)


@pytest.mark.parametrize(
    "name",
    [
        "idea",
        "ana/idea",
        "conduct",
        "my-head",
        "console.txt",
        "x@y",
        "stashed",
        "headless",
        "orders/1",
        "com10",
        "con-game",
    ],
)
def test_any_other_name_is_one(git: Git, name: str) -> None:
    git("check-ref-format", "--branch", name)
    assert why_not(name, "other") == ""


def test_names_that_differ_in_capitals_alone_or_lie_in_each_others_way_are_not_both() -> None:
    assert "capitals do not count" in why_not("Idea", "idea")
    assert "reads like the game's branch" in why_not("Main/x")
    assert "reads like an option" in why_not("-x")


@pytest.mark.parametrize(
    "name",
    ["origin/main", "origin/HEAD", "a/b/main", "maіn", "ｍain", "MA1N", "ma\u0301in", "rnain", "x/НЕАD"],
)
def test_a_name_that_reads_like_the_games_branch_in_some_clone_is_none(git: Git, name: str) -> None:
    git("check-ref-format", f"refs/tags/{name}")
    for space in ("refs/heads/", "refs/tags/"):
        assert "reads like the game's branch" in unlike_others(f"{space}{name}", BRANCH, ())
