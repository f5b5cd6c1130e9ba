"""Deeds that somebody names by their commits, as logs and pages show these: what is recorded of them are their ids, which stay."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.git import Repository
from nomicgit.ground.kept import late
from nomicgit.ground.problems import NomicError
from nomicgit.record import journal

_COMMIT = late("[0-9a-f]{4,40}")


def of(repository: Repository, kinds: Mapping[str, str], given: Mapping[str, object]) -> dict[str, object]:
    """What is given to an action, with the id of each deed that is named by its commit: as a parameter, or in a change ``undo``.

    ``kinds``: those of the action's parameters, by their names.
    """
    return {
        name: _id(repository, value)
        if kinds.get(name) == "deed"
        else _changes(repository, value)
        if isinstance(value, list)
        else value
        for name, value in given.items()
    }


def _changes(repository: Repository, changes: list[object]) -> list[object]:
    return [_change(repository, each) if isinstance(each, dict) else each for each in changes]


def _change(repository: Repository, change: dict[str, object]) -> dict[str, object]:
    if isinstance(together := change.get("together"), list):
        return {**change, "together": _changes(repository, together)}
    return {**change, "undo": _id(repository, change["undo"])} if "undo" in change else change


def _id(repository: Repository, name: object) -> object:
    """The id of the deed of a commit; the name as it is where it names none, or several: a commit's first digits may look like a number."""
    digits = str(name) if isinstance(name, str | int) else ""
    if _COMMIT.fullmatch(digits) is None:
        return name
    try:
        oid = repository.resolve(digits)
        entry = journal.told(repository.commit(oid).message) if oid else None
    except NomicError:
        return name
    return entry.deed.id if entry else name
