"""Seen: up to where whoever has done a deed in this clone had the game by then, be it that it was laid anew since upon more."""

from __future__ import annotations

from nomicgit.clones.own import put_aside
from nomicgit.clones.own.redone import parted_at
from nomicgit.git import Commit, Repository
from nomicgit.record import journal


def seen_at(repository: Repository, head: str, deed: Commit) -> str | None:
    """The newest commit of the line up to ``head`` that whoever has done a deed of it in this clone had by then; itself where it lies
    as it was done, or was done elsewhere, None where that cannot be told.
    """
    name, first = journal.deed_id(deed.message), None
    for each in repository.committed():
        if each.oid == deed.oid:
            return deed.oid
        first = each if journal.deed_id(each.message) == name else first
    if first is not None:
        return parted_at(repository, first.oid, head)
    return None if deed in put_aside.redone(repository) else deed.oid
