"""What lies beside the game and not every clone holds, where it lies here all the same: Git alone has brought it in.

``sync`` takes in no commit that brings such a thing, and pushes nothing upon one; ``git pull`` brings it in.
"""

from __future__ import annotations

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.git.trees import LINK
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import as_json
from nomicgit.record import arrivals, building, journal, line


class Unheld(Struct, frozen=True):
    """What not every clone holds, the commit that has brought it and in whose name that is, and what takes it out."""

    commit: str
    by: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"the commit {self.commit[:12]} {line.in_the_name(self.by)} {self.what}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"commit": self.commit, "by": self.by, "what": self.what} | as_json(self.mend)


def unheld(repository: Repository, tip: str) -> Unheld | None:
    """The oldest commit since the founding that brings what lies beside the game at a tip, and what not every clone holds;
    None where all do.
    """
    if (brought := _unheld(repository, tip)) is None:
        return None
    commit, why = brought
    return Unheld(commit.oid, commit.author, why, arrivals.mend_of(repository, commit.oid))


def refuse_unheld(upstream: Upstream, there: str) -> None:
    """Refuse to push upon such a commit, where the branch that a clone follows stands at ``there``."""
    if (brought := _unheld(upstream.repository, there)) is None:
        return
    commit, why = brought
    raise Refused.of(
        f"the commit {commit.oid[:12]} {line.in_the_name(commit.author)}, which stands on {upstream.name}, {why}; "
        "nothing is moved, and nothing is pushed",
        mend=arrivals.mend_for_all(upstream, there, commit.oid),
    )


def _unheld(repository: Repository, tip: str) -> tuple[Commit, str] | None:
    tree = repository.commit(tip).tree
    folders = [name for name in repository.tree(tree) if _is_unheld(repository, tree, name)]
    for commit in line.since_founding(repository, tip) if folders else ():
        if journal.is_deed(commit.message) or not any(_changes(repository, commit, name) for name in folders):
            continue
        if why := arrivals.unfit(repository, commit.oid, tree):
            return commit, why
    return None


def _is_unheld(repository: Repository, tree: str, name: str) -> bool:
    """Whether what is called so, at the top of a tree, holds links, or names that not every clone does, or is too much to be
    looked at.
    """
    try:
        files = dict(building.beside(repository, tree, name))
    except Refused:
        return True
    return LINK in files.values() or bool(repository.misnamed(None, tree, files))


def _changes(repository: Repository, commit: Commit, name: str) -> bool:
    before = repository.commit(commit.parents[0]).tree if commit.parents else None
    return before is None or repository.entry(before, name) != repository.entry(commit.tree, name)
