"""Who has come to an office that the program itself knows, by which they decide more than others: admins, and the emperor."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.record import line
from nomicgit.record.tree import GameTree


def gained(repository: Repository, commits: Sequence[Commit]) -> list[str]:
    """Who has an office at the last of some commits, of one line and oldest first, that they had not before the first; in words,
    with the deed that gave it them. Nothing where the game cannot be read there, which is told elsewhere.
    """
    if not commits:
        return []
    before = commits[0].parents[0] if commits[0].parents else commits[0].oid
    try:
        had = _offices(repository, repository.commit(before).tree)
        return [
            f"{printable(who, 60)} is {office} now{_since(repository, commits, who, office)}"
            for who, office in sorted(_offices(repository, commits[-1].tree) - had)
        ]
    except NomicError:
        return []


def _offices(repository: Repository, tree: str) -> set[tuple[str, str]]:
    game = GameTree(repository, tree)
    admins = {
        (who, "an admin")
        for who in game.ids("players")
        if (game.entity(f"players/{who}") or {}).get("admin") is True
    }
    emperor = (game.entity("dynasty") or {}).get("emperor")
    return admins | ({(str(emperor), "the emperor")} if emperor else set())


def _since(repository: Repository, commits: Sequence[Commit], who: str, office: str) -> str:
    """The deed since which somebody has an office."""
    since = commits[-1]
    for commit in reversed(commits):
        if (who, office) not in _offices(repository, commit.tree):
            break
        since = commit
    return f", by {line.deed_in_words(since)} ({since.oid[:12]})"
