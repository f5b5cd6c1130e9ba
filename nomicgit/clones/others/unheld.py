"""Commits that not every clone takes in, where they lie here all the same: Git alone has brought them in.

``sync`` takes in no such commit, and pushes nothing upon one; ``git pull`` brings it in. What it lays beside the game is told
as long as that stands; what is wrong with the commit itself until all up to it has been replayed, which no clone has that
does nothing upon it.
"""

from __future__ import annotations

from contextlib import suppress

from nomicgit.clones.others import building
from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Commit, Repository
from nomicgit.git.trees import LINK
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.record import journal, line
from nomicgit.record.seen import arrivals
from nomicgit.record.seen.strays import replayed


class Unheld(Unexpected, frozen=True):
    """A commit that not every clone takes in."""

    def includes(self, build: building.Building) -> bool:
        """Whether what a build would do comes with the same commit, and goes with it."""
        return (build.commit, build.mend) == (self.commit, self.mend)


def unheld(repository: Repository, tip: str) -> Unheld | None:
    """The oldest commit since the founding that brings what lies beside the game at a tip, and what not every clone holds, or
    the first of those that this clone has not replayed yet that not every clone takes in; None where there is none.
    """
    if (brought := _brought(repository, tip)) is None:
        return None
    commit, why = brought
    return Unheld(commit.oid, commit.author, why, arrivals.mend_of(repository, commit.oid))


def unfit_since(repository: Repository, tip: str, since: str) -> Unheld | None:
    """The first commit up to a tip that not every clone takes in, of those after another one, or with "" after the founding."""
    if not since:
        since = next(iter(line.since_founding(repository, tip)[0].parents), "")
    for oid, why in arrivals.unfit_of(repository, tip, since or None):
        return Unheld(oid, repository.commit(oid).author, why, arrivals.mend_of(repository, oid))
    return None


def refuse_unheld(upstream: Upstream, there: str) -> None:
    """Refuse to push upon such a commit, where the branch that a clone follows stands at ``there``."""
    if (brought := _brought(upstream.repository, there)) is None:
        return
    commit, why = brought
    raise Refused.of(
        f"the commit {commit.oid[:12]} {line.in_the_name(commit.author)}, which stands on {upstream.name}, {why}; "
        "nothing is moved, and nothing is pushed",
        mend=arrivals.mend_for_all(upstream, there, commit.oid),
    )


def _brought(repository: Repository, tip: str) -> tuple[Commit, str] | None:
    if (lies := _unheld(repository, tip)) is not None:
        return lies
    if since := replayed(repository):
        with suppress(NomicError):  # nobody has that commit here any more
            for oid, why in arrivals.unfit_of(repository, tip, since):
                return repository.commit(oid), why
    return None


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
