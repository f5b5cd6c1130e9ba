"""Blame: which commit left a file of the game as it is, where that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomicgit.git import Repository
from nomicgit.ground.problems import Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import line
from nomicgit.record.tree import GAME


def left_so(repository: Repository, tip: str, paths: Iterable[str]) -> Iterator[Problem]:
    """The commits up to a tip that left these files of the game as they are, and where to find out whether they were deeds.

    Nothing of what differs in the folder: that nobody has left so but whoever edits it.
    """
    tree = repository.commit(tip).tree
    recorded = [
        path for path in dict.fromkeys(paths) if path.startswith(GAME) and repository.entry(tree, path)
    ]
    edited = repository.local_edits(recorded, tree)
    for path in recorded:
        last = None if path in edited else next(repository.walked(tip, path), None)
        if last is not None:
            by = repository.commit(last.oid)
            yield Problem(
                f"the commit {by.oid[:12]} {line.in_the_name(by.author)} left {path} so",
                mend=remedy(
                    "see whether it was a lawful deed, and what takes it back:", command("nomicgit", "verify")
                ),
            )
