"""In what a deed is decided: chance, what came before it, and what may be done in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class Chance(Protocol):
    """Where random results come from. ``drawn``: how many have been drawn, which may be put back."""

    drawn: int

    def die(self, sides: int, *, secret: bool) -> int:
        """A face from 1 to ``sides`` (2 or more, or 1)."""

    def choice(self, options: Sequence[str], *, secret: bool) -> int:
        """The place of one of these options (two or more)."""

    def scratch(self) -> Chance:
        """Chance of its own, for what is only tried."""


class History(Protocol):
    """What earlier deeds of the game were."""

    def deed(self, name: str) -> Mapping[str, object] | None:
        """``{actor, action, with, at}`` of a deed, or None."""

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """The net effects of a deed: ``[{ref, field, old, new}]``, or None where they are not known."""


class NoHistory:
    """The history of a game that has none."""

    def deed(self, name: str) -> Mapping[str, object] | None:
        """There is none."""
        return None

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """There are none."""
        return None


NO_HISTORY = NoHistory()


@dataclass(frozen=True, slots=True)
class Context:
    """In what deeds are decided. Looking, rehearsing, trying and replaying differ in this alone.

    ``secrets``: something can be kept secret. ``trusted``: nothing that the law does is tried in a worker first, as
    in a trial. ``claims``: what a recorded deed says of itself, and replay takes as given; None where a deed is decided
    for the first time.
    """

    history: History = NO_HISTORY
    secrets: bool = False
    trusted: bool = False
    claims: Mapping[str, Sequence[str]] | None = None
