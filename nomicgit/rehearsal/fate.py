"""What came of a scenario, with the places in its file where it failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground.problems import NomicError, Place
from nomicgit.rehearsal.scenarios import Path


class Rehearsed(Struct, frozen=True):
    """What came of a scenario: its failures (none: it passed) and where each stands in its file, and what the journal of a
    game notes of what did not happen; both with their steps."""

    name: str
    file: str
    failures: Sequence[str]
    notes: Sequence[str] = ()
    places: Sequence[Place] = ()

    @property
    def passed(self) -> bool:
        """Whether everything came out as it must."""
        return not self.failures

    @property
    def explained(self) -> Sequence[str]:
        """The failures with their places, and after them what may have led to them; nothing where it passed."""
        return [*self.placed, *self.notes] if self.failures else []

    @property
    def placed(self) -> Sequence[str]:
        """The failures, each with the file and the line where it stands."""
        return [f"{place}: {failure}" for place, failure in zip(self.places, self.failures, strict=True)]


def unplayed(name: str, file: str, error: NomicError, lines: Mapping[Path, int]) -> Rehearsed:
    """A scenario that could not be played; ``lines``: of its keys and items. What a rule breaks has the rule's place behind its own."""
    failures, places = [], []
    for problem in error.problems:
        own = problem.where.file in ("", file)
        head = problem.what.partition(":")[0]
        failures.append(str(replace(problem, where=Place()) if own else problem))
        places.append(
            problem.where if own and problem.where.file else Place(file, lines.get((head,), 0) if own else 0)
        )
    return Rehearsed(name, file, failures, (), places)
