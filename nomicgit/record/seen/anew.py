"""Done anew: deeds of a line that stand on another all the same, under their ids, though their commits are others there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.tree import GameTree

Named = Set[tuple[str, str]]
"""What deeds have made: how it was called, and how it is called where they were done anew."""


def not_anew(repository: Repository, lost: Sequence[Commit], done: Mapping[str, Commit]) -> list[Commit]:
    """Those of some deeds that are not among others, by their ids, or say something else there. Posts and entities that were made
    anew are meant by the names that they have there; a founding is never done anew.
    """
    named: Named | None = None
    lacking = list[Commit]()
    for was in lost:
        now = done.get(journal.deed_id(was.message))
        if now is None or journal.is_founding(was.message) or _kind(was) != _kind(now):
            lacking.append(was)
        elif not _says_the_same(was, now):
            named = _named(repository, lost, done) if named is None else named
            if not _means_the_same(repository, was, now, named):
                lacking.append(was)
    return lacking


def _kind(commit: Commit) -> tuple[str | None, str, bool] | None:
    entry = journal.told(commit.message)
    return None if entry is None else (entry.deed.actor, entry.deed.action, bool(entry.sealed))


def _says_the_same(was: Commit, now: Commit) -> bool:
    one = journal.parse(was.message)
    return bool(one.sealed) or one.deed.given == journal.parse(now.message).deed.given


def _named(repository: Repository, lost: Iterable[Commit], done: Mapping[str, Commit]) -> Named:
    from nomicgit.record.made import made_by  # here: few clones meet a branch that was rewritten

    pairs = ((was, done[name]) for was in lost if (name := journal.deed_id(was.message)) in done)
    named = set[tuple[str, str]]()
    for was, now in pairs:
        before, after = made_by(repository, was), made_by(repository, now)
        for kind, refs in before.items():
            if len(refs) == len(after.get(kind, ())):
                named |= set(zip(map(_name, refs), map(_name, after[kind]), strict=True))
    return named


def _name(ref: str) -> str:
    return ref.partition("/")[2]


def _means_the_same(repository: Repository, was: Commit, now: Commit, named: Named) -> bool:
    try:
        one, other = (
            journal.lengthened(journal.parse(each.message).deed.given, Store(GameTree(repository, each.tree)))
            for each in (was, now)
        )
    except NomicError:  # a text that nobody can read says nothing
        return False
    return _alike(one, other, named)


def _alike(one: object, other: object, named: Named) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        one, other = [*one.items()], [*other.items()]
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(lambda some, more: _alike(some, more, named), one, other))
    return one == other or (str(one), str(other)) in named
