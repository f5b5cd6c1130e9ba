"""Own commits that are more than the other side takes: which they are, and how they are taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgit.git import Commit, Repository, TooLarge
from nomicgit.ground.problems import Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy

LARGE = 1 << 20
"""Bytes of a file over which it is named."""


def named(repository: Repository, own: Sequence[Commit], refused: Refused) -> Refused:
    """A push that was refused for its size, with the own commit, oldest first, that brings a large file, and how it goes; as
    it was where none does.
    """
    for commit in own:
        if paths := [printable(path, 80) for path in _large(repository, commit)]:
            what = f"the commit {commit.oid[:12]} of your own brings {', '.join(paths)}, more than {LARGE >> 20} MiB each"
            mend = remedy(
                "keep a copy of that elsewhere, then take the commit out:",
                command("git", "rebase", "--onto", commit.parents[0], commit.oid),
                command("nomicgit", "sync"),
            )
            return Refused(*(Problem(each.what) for each in refused.problems), Problem(what, mend=mend))
    return refused


def _large(repository: Repository, commit: Commit) -> Iterator[str]:
    """The paths of the large files that a commit brings."""
    before = repository.commit(commit.parents[0]).tree
    for path, _, new in repository.changed(before, commit.tree):
        try:
            if new is not None and new[0] != "160000":
                repository.blob(new[1], limit=LARGE)
        except TooLarge:
            yield path
