"""The files of a game together with what somebody's letter tells of the secrets: what they may see, and nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.git import Repository
from nomicgit.record.tree import GameTree

Told = Mapping[str, Mapping[str, object]]
"""Secret values by entity and variable; one that has none of its own yet is None."""


class ToldTree(GameTree):
    """The files of a game in one Git tree, and what a letter tells, as the source of a store that is looked at."""

    def __init__(self, repository: Repository, tree: str, letter: Told) -> None:
        super().__init__(repository, tree)
        self.letter = letter

    def entity(self, ref: str) -> dict[str, Any] | None:
        """All fields of an entity that its reader may see."""
        public, secret = super().entity(ref), self.letter.get(ref, {})
        known = {name: value for name, value in secret.items() if value is not None}
        return public if public is None and not known else {**(public or {}), **known}

    @property
    def known(self) -> frozenset[tuple[str, str]]:
        """The secret fields of which it is known what they are, or that they have no value of their own."""
        return frozenset((ref, name) for ref, fields in self.letter.items() for name in fields)
