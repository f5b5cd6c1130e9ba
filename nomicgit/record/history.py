"""What earlier deeds were and did, read from the record; what a decision looked at becomes its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.git import Commit, Repository
from nomicgit.ground import clock, files
from nomicgit.record import journal
from nomicgit.record.tree import STATE, decoded


class RecordedHistory:
    """The deeds before a commit. ``told`` is what a deed's own evidence says, which replay takes as given."""

    def __init__(self, repository: Repository, tip: str, told: Mapping[str, Any] | None = None) -> None:
        self.repository, self.tip = repository, tip
        self._told = dict(told or {})
        self._used: dict[str, dict[str, Any]] = {}
        self._replaying = told is not None

    def deed(self, name: str) -> Mapping[str, object] | None:
        """``{actor, action, with, at}`` of an earlier deed."""
        found = self._look(name)
        return found["deed"] if found else None

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """The net effects of an earlier deed on the gamestate."""
        found = self._look(name)
        if found is None:
            return None
        effects: Sequence[Mapping[str, Any]] = found["effects"]
        return effects

    def evidence(self) -> dict[str, object]:
        """What was looked at, to be carried by the deed."""
        return {"deeds": self._used} if self._used else {}

    def _look(self, name: str) -> dict[str, Any] | None:
        if name not in self._used:
            known = self._told.get("deeds", {}).get(name) if self._replaying else self._read(name)
            if known is None:
                return None
            self._used[name] = known
        return self._used[name]

    def _read(self, name: str) -> dict[str, object] | None:
        found = (
            c
            for c in self.repository.log(self.tip)
            if journal.tells_of(c.message, name) and journal.told(c.message)
        )
        return next((told_of(self.repository, commit) for commit in found), None)


def told_of(repository: Repository, commit: Commit) -> dict[str, object]:
    """A deed of the record as the law and the evidence of later deeds tell it: ``{deed, effects}``."""
    deed = journal.parse(commit.message, commit.oid).deed
    told = {
        "actor": f"players/{deed.actor}" if deed.actor else None,
        "action": f"actions/{deed.action}",
        "with": dict(deed.given),
        "at": clock.text(deed.at),
    }
    return {"deed": told, "effects": list(effects_of(repository, commit))}


def effects_of(repository: Repository, commit: Commit) -> Iterator[dict[str, object]]:
    """What a commit changed in the gamestate, field by field."""
    if not commit.parents:
        return
    old = repository.commit(commit.parents[0]).tree
    for path, before, after in repository.changed(old, commit.tree):
        if not path.startswith(STATE) or not path.endswith(".yml") or path == STATE + "open.yml":
            continue
        kind, slash, name = path.removeprefix(STATE).removesuffix(".yml").partition("/")
        ref = f"{kind}/{decoded(name)}" if slash else kind
        a, b = _fields(repository, before, path), _fields(repository, after, path)
        if slash and (before is None) != (after is None):
            field = "created" if before is None else "destroyed"
            yield {
                "ref": ref,
                "field": field,
                "old": None if before is None else a,
                "new": None if after is None else b,
            }
        for field in sorted({*a, *b}):
            if a.get(field) != b.get(field) and field != "made":
                yield {"ref": ref, "field": field, "old": a.get(field), "new": b.get(field)}


def _fields(repository: Repository, entry: tuple[str, str] | None, path: str) -> dict[str, object]:
    found = files.read(repository.blob(entry[1]), path) if entry else None
    return found if isinstance(found, dict) else {}
