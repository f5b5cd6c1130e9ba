"""A game that keeps secrets, in memory: what random play needs of a game, without a repository."""

from __future__ import annotations

from nomicgit import editions
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Recorded
from nomicgit.rehearsal.rehearsal import Past

SEED = b"sealed"


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
        before = self.kept.ruleset
        outcome = self.kept.position.decide(self.context, deed, Seeded(SEED, deed.id))
        self.past.keep(deed, self.kept.position, before)
        self.kept.store.forget()
        return Recorded("", outcome)
