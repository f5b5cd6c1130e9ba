"""A store as it was when its log had a length, beside the same store as it is."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgit.ground.files import Value
from nomicgit.law.variables import MISSING
from nomicgit.physics.state.store import Change, Source, Store


class Earlier(Source):
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
