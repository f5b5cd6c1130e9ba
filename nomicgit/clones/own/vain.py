"""Deeds of which nothing can come any more: the matter that they mean is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Malformed
from nomicgit.record.tree import GameTree


def in_vain(scratch: Repository, first: Commit, posts: Mapping[str, str], *, aside: bool) -> str:
    """Why a deed, done at ``first`` and refused where a scratch clone stands, is not kept: it resolved a matter that is resolved so
    already, or is a vote, set ``aside`` before, on one that is resolved. "" where it is. ``posts`` are the references of the posts that
    it means, and what each is called now.
    """
    trees = (scratch.commit(first.parents[0]).tree, first.tree, scratch.commit(str(scratch.head())).tree)
    then, left, now = (GameTree(scratch, tree) for tree in trees)
    for ref, means in posts.items():
        with suppress(Malformed):  # of two that lie there of one number, after a rebase
            was, became, stands = (
                (tree.entity(name) or {}).get("status")
                for tree, name in ((then, ref), (left, ref), (now, means))
            )
            number = means.partition("/")[2]
            if was != "pending" or stands in (None, "pending"):
                continue
            if became == stands:
                return f"post {number} is {stands} already"
            votes = any("icon" in each for each in left.comments(ref) if each not in then.comments(ref))
            if aside and became == "pending" and votes:
                return f"post {number} is {stands}, and nothing can come of it any more"
    return ""
