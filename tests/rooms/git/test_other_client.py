"""What our own writer of Git leaves is what another client of Git reads, and what that one clones and packs we read."""

from __future__ import annotations

from pathlib import Path

import git
import pytest
from hostile.small import START, Small

from nomicgit.git import Repository
from nomicgit.replay.verifying import verify


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """A game with a few deeds, one of them an enactment."""
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=3)
    small.enact({"set": {"players.dee.gold": 50}})
    return small


def test_another_client_finds_a_clean_work_tree_and_the_deeds_in_order(small: Small) -> None:
    with git.Repo(small.folder) as repo:
        assert not repo.is_dirty(untracked_files=True)
        assert repo.index.unmerged_blobs() == {}
        commits = list(repo.iter_commits("main", reverse=True))
        actors = [str(commit.author.name) for commit in commits]
        assert actors == ["founder", "cy", "cy", "cy", "dee", "ben"]
        assert [len(commit.parents) for commit in commits] == [0, 1, 1, 1, 1, 1]
        times = [commit.authored_date for commit in commits]
        assert times == sorted(times)
        assert times[0] == START
        gold = repo.head.commit.tree / "game/state/players/dee.yml"
        assert b"\ngold: 50\n" in gold.data_stream.read()


def test_every_commit_and_tree_reads_the_same(small: Small) -> None:
    with git.Repo(small.folder) as repo, Repository.open(small.folder) as ours:
        for commit in repo.iter_commits("main"):
            mine = ours.commit(commit.hexsha)
            assert (mine.message, mine.tree, list(mine.parents)) == (
                commit.message, commit.tree.hexsha, [parent.hexsha for parent in commit.parents],
            )  # fmt: skip
            files = {
                str(each.path): each.hexsha for each in commit.tree.traverse() if isinstance(each, git.Blob)
            }
            assert dict(ours.walk(mine.tree, "")) == files


def test_what_another_client_clones_and_packs_verifies_and_is_played_on(small: Small, tmp_path: Path) -> None:
    with git.Repo.clone_from(str(small.folder), tmp_path / "clone") as clone:
        clone.git.gc("--quiet")
        assert clone.git.count_objects().startswith("0 objects")
    theirs = Small(tmp_path / "clone", small.at)
    theirs.do("dee", "earn", n=1)
    with Repository.open(theirs.folder) as repository:
        found = verify(repository, theirs.head())
    assert (found.faults, found.deeds) == ([], 7)
