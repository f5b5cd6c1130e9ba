"""What a deed's commit merges, seen without replaying it: the heads of the branches that it enacts, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.store import Store
from nomicgit.record import history
from nomicgit.record.seen.headers import enacted_heads, foreign
from nomicgit.record.tree import GameTree


def strange(repository: Repository, commit: Commit, deed: Deed) -> Iterator[str]:
    """What a deed's commit merges that is no branch which it enacts, by what it has changed."""
    if commit.parents[1:]:
        yield from foreign(commit, _heads(repository, commit, deed))


def _heads(repository: Repository, commit: Commit, deed: Deed) -> list[str]:
    try:
        effects = history.effects_of(repository, commit)
        enacted = [
            str(each["ref"]) for each in effects if each["field"] == "status" and each["new"] == "enacted"
        ]
        outcome = Outcome(deed, None, [], [], [], [], [], enacted=enacted)
        store = Store(GameTree(repository, commit.tree))
        return enacted_heads(outcome, store, repository, commit.parents[0])
    except NomicError:  # what cannot be read enacts nothing
        return []
