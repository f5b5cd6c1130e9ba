"""A game in memory: deeds are done on its position, and looks are taken at it."""

from __future__ import annotations

from dataclasses import dataclass

from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.transaction import Transaction


@dataclass(frozen=True)
class Played:
    """A game between two deeds, and in what they are decided."""

    position: Position
    context: Context

    @classmethod
    def found(cls, ruleset: Ruleset, start: Founding) -> Played:
        """A game that has just begun and keeps no secrets."""
        context = Context()
        return cls(found(ruleset, start, Seeded(b"", "founding"), context, NEWEST).position, context)

    def look(self) -> Transaction:
        """The game as it stands."""
        return Transaction(self.position, self.context, Seeded(b"", "looking"))

    def act(self, at: int, who: str, action: str, **given: object) -> object:
        """A deed at a time; returns what its function returned."""
        self.position.store.forget()
        deed = Deed(f"{who} {at}", who, action, given, at)
        return self.position.decide(self.context, deed, Seeded(b"", "dice")).result
