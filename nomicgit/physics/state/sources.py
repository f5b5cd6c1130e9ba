"""Sources of a store that are no files: nothing yet, an earlier state of another store, what everybody may see of one."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgit.ground.files import Value
from nomicgit.law.variables import MISSING
from nomicgit.physics.state.store import Change, Store


class Nothing:
    """The source of a game that is yet to be founded."""

    def entity(self, ref: str) -> dict[str, Value] | None:
        """Nothing is there."""
        return None

    def ids(self, kind: str) -> Iterable[str]:
        """Nothing is there."""
        return ()

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """Nothing is there."""
        return []


class Earlier:
    """The entities as they were when a store's log had a length, for as long as nothing more is written: for what compares."""

    def __init__(self, store: Store, mark: int) -> None:
        self.store = store
        self._fields: dict[str, dict[str, Value] | None] = {}
        self._comments: dict[str, list[dict[str, Value]]] = {}
        for change in reversed(list(store.since(mark))):
            self._take_back(change)

    def _take_back(self, change: Change) -> None:
        ref = change.ref
        fields = self._fields.setdefault(ref, self.store.entity(ref))
        match change.field:
            case "created":
                self._fields[ref] = None
            case "destroyed":
                self._fields[ref] = dict(change.old)
            case "comments":
                self._comments[ref] = change.old
            case field if fields is not None and change.old is MISSING:
                fields.pop(field, None)
            case field if fields is not None:
                fields[field] = change.old

    def entity(self, ref: str) -> dict[str, Value] | None:
        """All fields of an entity as it was."""
        return self._fields[ref] if ref in self._fields else self.store.entity(ref)

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of now: who compares knows which entities were touched."""
        return self.store.ids(kind)

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """The comments of a post as they were."""
        return self._comments[ref] if ref in self._comments else list(self.store.comments(ref))


class Blind:
    """What everybody may see of a store, as the source of another."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def entity(self, ref: str) -> dict[str, Value] | None:
        """The fields of an entity that are not secret."""
        return self.store.public(ref)

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of a kind; none where that is secret."""
        return () if kind in self.store.secrecy.kinds else self.store.ids(kind)

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """The comments of a post, oldest first."""
        return self.store.comments(ref)
