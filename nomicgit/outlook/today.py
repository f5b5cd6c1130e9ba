"""What a player finds on a morning: what needs their vote, what they may do now and why not, what became of their matters."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from nomicgit.outlook.openings import against
from nomicgit.outlook.voters import wants_vote
from nomicgit.physics.state.store import Sealed
from nomicgit.physics.state.transaction import Transaction


class Today(Struct, frozen=True):
    """The matters that need a player's vote; the actions open to them; those that are not, with the reason; and those of
    which only who has the game's key can say."""

    votes: tuple[int, ...]
    opened: tuple[str, ...]
    barred: Mapping[str, str]
    sealed: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "wants_vote": list(self.votes), "open": list(self.opened), "closed": dict(self.barred),
            "sealed": list(self.sealed),
        }  # fmt: skip


def today(world: Transaction, ref: str) -> Today:
    """What the law says of a player as things stand now."""
    reasons = {}
    for action in world.law.declared.actions.values():
        reasons[action.name] = against(world, action, ref)
    world.question()
    votes = wants_vote(world, ref.removeprefix("players/"))
    sealed = tuple(name for name, why in reasons.items() if isinstance(why, Sealed))
    barred = {name: why for name, why in reasons.items() if why and name not in sealed}
    return Today(votes, tuple(name for name, why in reasons.items() if not why), barred, sealed)
