"""Votes and edits that others of the same player's have replaced since: the newer one stands, whichever was pushed first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from nomicgit.clones.own.redone import timed
from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Malformed
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.tree import GameTree, comments_path


def replaced(scratch: Repository, first: Commit, deed: Deed, posts: Mapping[str, str], *, aside: bool) -> str:
    """Why a deed, done at ``first``, is not done again: the same player has voted since on a matter that it votes on, or has done the
    same since to a post that it changes. ``posts`` are the references of the posts that it means, and what each is called where a
    scratch clone stands. "" where it is the last that they have said. Of two of one time, one that was set ``aside`` is the older.
    """
    head = scratch.head()
    assert head is not None
    before = GameTree(scratch, scratch.commit(first.parents[0]).tree)
    after, now = GameTree(scratch, first.tree), GameTree(scratch, scratch.commit(head).tree)
    for ref, means in posts.items():
        number, post = means.partition("/")[2], now.entity(means)
        if post is None:
            continue
        path = now.post_path(int(number), post)
        with suppress(Malformed):  # of two that lie there of one number, after a rebase
            votes = _votes(before, ref, deed)
            if _votes(after, ref, deed) != votes and _votes(now, means, deed) != votes:
                since = _voting(scratch, head, means, deed, comments_path(path))
                if by := _newer(scratch, first, deed, since, aside=aside):
                    return f"you have voted on post {number} since, in {by.oid[:12]}"
            if (was := before.entity(ref)) is not None and was != after.entity(ref) and post != was:
                since = _doing(scratch, head, deed, path)
                if by := _newer(scratch, first, deed, since, aside=aside):
                    return f"you have done the same to post {number} since, in {by.oid[:12]}"
    return ""


def _votes(tree: GameTree, ref: str, deed: Deed) -> list[dict[str, Any]]:
    return [each for each in tree.comments(ref) if "icon" in each and each.get("by") == deed.actor]


def _voting(scratch: Repository, head: str, ref: str, deed: Deed, path: str) -> Iterable[Commit]:
    """The commits that have brought a player's votes on a matter, the latest first."""
    for touched in scratch.walked(head, path):
        commit = scratch.commit(touched.oid)
        trees = (scratch.commit(oid).tree for oid in (*commit.parents[:1], commit.oid))
        before, *after = (_votes(GameTree(scratch, tree), ref, deed) for tree in trees)
        if after and len(after[0]) > len(before):
            yield commit


def _doing(scratch: Repository, head: str, deed: Deed, path: str) -> Iterable[Commit]:
    """The commits of a player's deeds of this kind that have touched a post, the latest first."""
    for touched in scratch.walked(head, path):
        commit = scratch.commit(touched.oid)
        entry = journal.told(commit.message)
        if entry is not None and (entry.deed.actor, entry.deed.action) == (deed.actor, deed.action):
            yield commit


def _newer(
    scratch: Repository, first: Commit, deed: Deed, since: Iterable[Commit], *, aside: bool
) -> Commit | None:
    """The latest of some commits, where it is of another deed than this one, which came after it, and not before."""
    latest = next(iter(since), None)
    if latest is None or scratch.leads_to(latest.oid, first.oid):
        return None
    entry = journal.told(latest.message)
    own = {journal.deed_id(each.message) for each in scratch.beyond(latest.oid, first.oid)}
    if entry is None or entry.deed.id in own:
        return None
    then, now = timed(deed.id, deed.at), timed(entry.deed.id, entry.deed.at)
    return latest if now > then or (aside and now == then) else None
