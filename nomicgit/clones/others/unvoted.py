"""Rules that a deed changed though it enacted nothing: by an action that may, such as one that corrects what is misspelt."""

from __future__ import annotations

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.record import journal, visible
from nomicgit.record.history import post_of
from nomicgit.record.seen.strays import takes_back
from nomicgit.record.tree import GameTree

_LONG, _SHOWN = 60, 5


def unvoted(repository: Repository, commit: Commit) -> str:
    """Which rules a deed has changed without a vote, in words; "" where it has changed none, or what it enacted has, or what it
    has changed cannot be read.
    """
    if journal.told(commit.message) is None or takes_back(commit):
        return ""
    try:
        rules = visible.amended(repository, commit)
        if not rules or _enacts(repository, commit):
            return ""
    except NomicError:
        return ""
    return "rules changed without a vote: " + "; ".join(
        f"{word} {_listed(titles)}" for word, titles in rules.items()
    )


def _enacts(repository: Repository, commit: Commit) -> bool:
    """Whether a matter was enacted in a deed."""
    parent = repository.commit(commit.parents[0])
    before, after = GameTree(repository, parent.tree), GameTree(repository, commit.tree)
    posts = {post for path, _, _ in repository.changed(parent.tree, commit.tree) if (post := post_of(path))}

    def enacted(side: GameTree, post: str) -> bool:
        return (side.entity(post) or {}).get("status") == "enacted"

    return any(enacted(after, post) and not enacted(before, post) for post in posts)


def _listed(titles: list[str]) -> str:
    more = f" and {len(titles) - _SHOWN} more" if len(titles) > _SHOWN else ""
    return ", ".join(printable(title, _LONG) for title in titles[:_SHOWN]) + more
