"""Who has come to an office that the program itself knows, by which they decide more than others: admins, the emperor, and those who
may restore the game. And who of these last may no more, and whether deeds are signed now.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.record import line
from nomicgit.record.outside import restoring
from nomicgit.record.tree import GameTree

RESTORER = "one of those who may restore the game"


def gained(repository: Repository, commits: Sequence[Commit]) -> list[str]:
    """Who has an office at the last of some commits, of one line and oldest first, that they had not before the first; in words,
    with the deed that gave it them. Nothing where the game cannot be read there, which is told elsewhere.
    """
    if not commits:
        return []
    before = commits[0].parents[0] if commits[0].parents else commits[0].oid
    try:
        earlier = repository.commit(before).tree
        had, has = _offices(repository, earlier), _offices(repository, commits[-1].tree)
        news = [
            f"{printable(who, 60)} is {office} now{_since(repository, commits, who, office)}"
            for who, office in sorted(has - had)
        ]
        news += [
            f"{printable(who, 60)} may restore the game no more"
            for who, office in sorted(had - has)
            if office == RESTORER
        ]
        asked = GameTree(repository, commits[-1].tree).settings.signed
        if asked != GameTree(repository, earlier).settings.signed:
            news.append(f"whether deeds are signed here is said anew: {asked}")
        return news
    except NomicError:
        return []


def _offices(repository: Repository, tree: str) -> set[tuple[str, str]]:
    game = GameTree(repository, tree)
    admins = {
        (who, "an admin")
        for who in game.ids("players")
        if (game.entity(f"players/{who}") or {}).get("admin") is True
    }
    admins |= {(who, RESTORER) for who in restoring.named(game.settings.restore)[0]}
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
