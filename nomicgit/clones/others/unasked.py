"""Deeds in one's own name that come from elsewhere and that nobody has signed: in a game that asks for no signatures anybody who can
push can do them.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.clones.own.fallen import done_here
from nomicgit.git import Commit, Repository
from nomicgit.git.signing import parts
from nomicgit.record import journal
from nomicgit.record.tree import GameTree


def unasked(repository: Repository, commits: Sequence[Commit], player: str) -> list[Commit]:
    """Those of some commits that are deeds of a player, that this clone has not done, and that are not signed; none of a game on a
    forge, or with keys, where others record what players have asked for.
    """
    theirs = [each for each in commits if each.author == player and _plainly(each)]
    if not theirs:
        return []
    tree = GameTree(repository, theirs[-1].tree)
    if tree.settings.forge or tree.has_keys:
        return []
    own = done_here(repository)
    return [
        each
        for each in theirs
        if journal.deed_id(each.message) not in own and not parts(repository.read(each.oid)[1]).signature
    ]


def _plainly(commit: Commit) -> bool:
    entry = journal.told(commit.message)
    return entry is not None and "/" not in entry.deed.action
