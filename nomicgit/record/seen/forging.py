"""Forged deeds of those who may restore the game: each says by whom it is, and anybody could write that by hand.

Seen without replaying anything, so that none of them hides what it says to have taken back.
"""

from __future__ import annotations

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import line
from nomicgit.record.outside import counting, mending, restoring
from nomicgit.record.outside.misgiven import misgiven
from nomicgit.record.outside.settling import SETTLING, refuse_unentitled
from nomicgit.record.tree import GameTree


def wrong(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> str:
    """What is wrong with such a deed upon a commit, of a mend also how it is signed; "" where nothing is, or it is another kind."""
    mends = deed.action == Outside.MEND
    if not mends and deed.action != Outside.RESTORE and deed.action not in SETTLING:
        return ""
    if said := misgiven(deed.action, deed.given, deed.actor):
        return f"its deed is refused: {said}"
    try:
        if not mends:
            settings = GameTree(repository, before.tree).settings
            if deed.action in SETTLING:
                refuse_unentitled(settings, Store(GameTree(repository, before.tree)), deed)
            else:
                restoring.allowed(settings.restore, deed.given["by"])
            return ""
        return _mended_otherwise(repository, before, commit, deed)
    except NomicError as error:
        return f"its deed is refused: {error.problems[0]}"


def _mended_otherwise(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> str:
    """That a mend's tree is not what mending makes, or that its doer has not signed it. Refused where it may not be done."""
    whole = list(repository.log(before.oid))[::-1]
    if repository.cut_off(whole[0]):
        return ""  # what it goes back to may not be there
    commits = whole[line.founded(repository, whole) or 0 :]
    mended = mending.mend(repository, commits, deed, write=False)
    if mended.tree != commit.tree:
        return "its tree is not what its deed makes"
    followed = counting.Followed.along(repository, commits)
    return counting.mend_standing(followed, deed, repository.read(commit.oid)[1]).wrong
