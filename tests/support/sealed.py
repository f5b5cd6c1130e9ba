"""A game that keeps secrets, in memory: what random play needs of a game, without a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Recorded

SEED = b"sealed"


@dataclass
class Past:
    """The deeds so far, for whoever takes them back."""

    deeds: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    effected: dict[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def deed(self, name: str) -> Mapping[str, Any] | None:
        return self.deeds.get(name)

    def effects(self, name: str) -> Sequence[Mapping[str, Any]] | None:
        return self.effected.get(name)

    def add(self, deed: Deed, outcome: Outcome) -> None:
        self.deeds[deed.id] = {
            "actor": f"players/{deed.actor}",
            "action": f"actions/{deed.action}",
            "with": dict(deed.given),
            "at": clock.text(deed.at),
        }
        self.effected[deed.id] = outcome.effects


class SealedGame:
    """A game of an edition that keeps secrets; it tries no law that it enacts, and forgets the log after each deed."""

    def __init__(self, edition: str, start: Founding) -> None:
        chance = Seeded(SEED, "founding")
        self.past = Past()
        self.context = Context(self.past, secrets=True, trusted=True)
        self.kept = found(editions.load(edition), start, chance, self.context, NEWEST)
        self.kept.store.forget()

    def world(self) -> Transaction:
        return Transaction(self.kept.position, self.context, Seeded(SEED, "looking"))

    def looked_at(self, at: int) -> Transaction:
        """The world as the last deed left it: what falls due comes with the next one."""
        return self.world()

    def act(self, deed: Deed) -> Recorded:
        outcome = self.kept.position.decide(self.context, deed, Seeded(SEED, deed.id))
        self.past.add(deed, outcome)
        self.kept.store.forget()
        return Recorded("", outcome)
