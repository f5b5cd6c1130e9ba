"""Own deeds that Git has carried elsewhere, as a rebase does: which they are, and where they were done first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from nomicgit.git import Commit, Repository
from nomicgit.record import journal
from nomicgit.record.seen import headers
from nomicgit.record.signers import committers


def as_first_done(repository: Repository, own: Sequence[Commit]) -> dict[str, Commit]:
    """The commits of own deeds as they were done, of those that Git has carried elsewhere since, as the reflog still has them."""
    carried = {each.deed.id for each in map(partial(_carried, repository), own) if each is not None}
    firsts: dict[str, Commit] = {}
    for commit in repository.stood() if carried else ():
        entry = journal.told(commit.message)
        if (
            entry is not None
            and entry.deed.id in carried - firsts.keys()
            and not _carried(repository, commit)
        ):
            firsts[entry.deed.id] = commit
    return firsts


def _carried(repository: Repository, commit: Commit) -> journal.Entry | None:
    """What a deed's commit says whose headers are not the deed's: Git has carried it elsewhere, as a rebase does."""
    entry = journal.told(commit.message)
    if entry is None or not commit.parents:
        return None
    before, (_, stored) = repository.commit(commit.parents[0]), repository.read(commit.oid)
    by = committers(repository, before.tree, entry.deed, sealed=bool(entry.sealed))
    return entry if any(headers.misheaded(commit, stored, entry.deed, commit.message, by)) else None
