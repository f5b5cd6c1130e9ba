"""Sources of a store that are no files: nothing yet, and what everybody may see of another."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgit.ground.files import Value
from nomicgit.physics.state.store import Source, Store


class Nothing(Source):
    """The source of a game that is yet to be founded."""


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
