"""What lies between deeds: the gamestate, the ruleset in force, the time, and what was worked out from them."""

from __future__ import annotations

from typing import Any

from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.frames import Frame
from nomicgit.physics.state.store import Store


class Position:
    """A game between two deeds. Deeds move it on; whoever only looks leaves it as it is.

    ``now`` (seconds, UTC) is the time of the last deed, and of what fell due by then.
    """

    def __init__(self, store: Store, ruleset: Ruleset, physics: Physics, *, now: int) -> None:
        self.store, self.physics, self.now = store, physics, now
        self.memories = Memories()
        self.ruleset = ruleset

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset in force."""
        return self._ruleset

    @ruleset.setter
    def ruleset(self, ruleset: Ruleset) -> None:
        self._ruleset, self._law = ruleset, None

    _law: Law | None

    @property
    def law(self) -> Law:
        """The ruleset as law, under the game's physics."""
        if self._law is None:
            self._law = self.physics.law(self._ruleset)
        return self._law

    def decide(self, context: Context, deed: Deed, chance: Chance) -> Outcome:
        """Carry a deed out, or raise Refused and stay as it was; in the order that the physics has."""
        return self.physics.decide(self, context, deed, chance)


class Memories:
    """What reading functions answered, rosters and searches, each with the version of the store that it holds for."""

    __slots__ = ("answers", "rosters", "searches")

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], tuple[int, Any, Frame]] = {}
        self.rosters: tuple[int, dict[str, list[str]]] = (-1, {})
        self.searches: tuple[tuple[int, Law | None], dict[tuple[str, str], list[str]]] = ((-1, None), {})
