"""Deeds in one's own name that come from elsewhere and that one has not signed: players' own, which in a game that asks for no
signatures anybody who can push can do, and those outside the law, of which one signature stands for all whom they name.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.clones.own.fallen import done_here
from nomicgit.git import Commit, Repository
from nomicgit.git.signing import parts
from nomicgit.record import journal
from nomicgit.record.tree import GameTree


def unasked(repository: Repository, commits: Sequence[Commit], player: str) -> list[Commit]:
    """Those of some commits that are deeds in a player's name, that this clone has not done, and that the player has not signed.

    Of players' own deeds none in a game on a forge, or with keys, where others record what players have asked for.
    """
    outside = [each for each in commits if player in _by(each)]
    theirs = [each for each in commits if each.author == player and _plainly(each)]
    if theirs:
        tree = GameTree(repository, theirs[-1].tree)
        theirs = [] if tree.settings.forge or tree.has_keys else theirs
    own = done_here(repository) if theirs or outside else ()
    named = {each.oid for each in (*theirs, *outside) if journal.deed_id(each.message) not in own}
    return [
        each
        for each in commits
        if each.oid in named and not (each.author == player and parts(repository.read(each.oid)[1]).signature)
    ]


def _plainly(commit: Commit) -> bool:
    entry = journal.told(commit.message)
    return entry is not None and "/" not in entry.deed.action


def _by(commit: Commit) -> Sequence[str]:
    """In whose names a deed outside the law says that it is done."""
    entry = journal.told(commit.message)
    by = entry.deed.given.get("by") if entry is not None and "/" in entry.deed.action else None
    return [each for each in by if isinstance(each, str)] if isinstance(by, list | tuple) else []
