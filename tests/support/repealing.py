"""Rules taken out of a game in rehearsal: a lively table of an edition, a law amended by play, and what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from nomicgit.physics.deed import Outcome
from nomicgit.physics.deeds import clockwork
from nomicgit.physics.state.context import Chance
from nomicgit.rehearsal import rehearsal
from nomicgit.rehearsal.scenarios import Path

Step = Mapping[str, Any]
FIVE = ("ana", "ben", "cy", "dee", "eli")


@dataclass(frozen=True, slots=True)
class Table:
    """A game of an edition that rules are taken out of: who sits there, what they have, and what is played on."""

    edition: str
    start: str
    players: Sequence[str] = FIVE
    by: str = "cy"
    """Who proposes."""
    voters: Sequence[str] = ("ben", "dee")
    matter: Mapping[str, Any] = field(default_factory=dict)
    """What a proposal says besides its title and its changes."""
    state: Mapping[str, Any] = field(default_factory=dict)
    before: Sequence[Step] = ()
    """What is played before anything is proposed."""
    going_on: Sequence[tuple[Step, frozenset[str]]] = ()
    """What is played on, and without which rules it cannot be."""
    words: frozenset[str] = frozenset()
    """Rules that say what words of all others mean: without them much is defective, and yet a game is left."""
    later: int = 13
    """How many hours after the start the next proposal is made, when all this has been played."""

    def enact(self, name: str, hours: int, *changes: object) -> list[Step]:
        """Steps that bring a proposal of changes to enactment after twelve hours."""
        enacted = {f"matters.{name}.status": "enacted"}
        return [
            *self.proposed(name, hours, *changes),
            {"at": f"+{hours + 12}h", "by": "ben", "resolve": name, "expect": enacted},
        ]

    def proposed(self, name: str, hours: int, *changes: object) -> list[Step]:
        """Steps that propose changes, and vote for them."""
        proposal = {"title": name, "changes": list(changes), **self.matter}
        return [
            {"at": f"+{hours}h", "by": self.by, "propose": proposal, "as": name},
            *({"by": voter, "vote": "for", "on": name} for voter in self.voters),
        ]

    def played_on(self, slug: str) -> list[Step]:
        """Every step that is played on: one that needs a rule that is gone may be refused."""
        return [
            {key: value for key, value in step.items() if key != "expect"} | {"refused": None}
            if slug in needed or slug in self.words
            else step
            for step, needed in self.going_on
        ]

    def scenario(self, *steps: Step) -> Step:
        """These steps at this table."""
        return {
            "name": "a law amended by play", "edition": self.edition, "start": self.start, "players": self.players,
            "emperor": "ana", "admins": ["ben"], "state": self.state, "steps": [*self.before, *steps],
        }  # fmt: skip


class Watched(rehearsal.Rehearsal):
    """A rehearsal that keeps what the journal says and what is defective, in a deed or by the clock.

    A step with ``refused: null`` may be refused.
    """

    def __init__(self, scenario: Step) -> None:
        self.notes: list[str] = []
        self.defective: list[str] = []
        self.failures: list[str] = []
        super().__init__(scenario, "test", None)

    def _deed(self, number: int, verb: str, step: Step, chance: Chance) -> Outcome:
        outcome = super()._deed(number, verb, step, chance)
        self.notes += outcome.notes
        self.defective += [f"step {number}: {note}" for note in outcome.notes if "defective" in note]
        return outcome

    def _step(self, number: int, step: Step) -> list[tuple[Path, str]]:
        failures = super()._step(number, step)
        may_be_refused = "refused" in step and step["refused"] is None
        return [each for each in failures if not (may_be_refused and "was refused" in each[1])]


def watched(monkeypatch: pytest.MonkeyPatch, table: Table, *steps: Step) -> Watched:
    """Play steps at a table."""
    rehearsed = Watched(table.scenario(*steps))
    real = clockwork.catch_up

    def catch_up(world: Any, until: int) -> list[str]:
        failed = real(world, until)
        rehearsed.defective += [*failed, *(note for note in world.notes if "defective" in note)]
        return failed

    monkeypatch.setattr(clockwork, "catch_up", catch_up)
    rehearsed.failures = [failure for _, failure in rehearsed.play()]
    return rehearsed
