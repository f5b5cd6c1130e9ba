"""What lies between deeds: the gamestate, the ruleset in force, the time, and what was worked out from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nomicgit.gamestate.store import Store
from nomicgit.law import Law, law_of
from nomicgit.ruleset import Ruleset

if TYPE_CHECKING:
    from nomicgit.gamestate.frames import Frame


class Position:
    """A game between two deeds. Deeds move it on; whoever only looks leaves it as it is.

    ``now`` (seconds, UTC) is the time of the last deed, and of what fell due by then.
    """

    def __init__(
        self, store: Store, ruleset: Ruleset, words: Mapping[str, Callable[..., Any]], *, now: int
    ) -> None:
        self.store, self.words, self.now = store, words, now
        self.word_names = frozenset(words)
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
        """The ruleset as law."""
        if self._law is None:
            self._law = law_of(self._ruleset, self.word_names)
        return self._law


class Memories:
    """What reading functions answered, rosters and searches, each with the version of the store that it holds for."""

    __slots__ = ("answers", "rosters", "searches")

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], tuple[int, Any, Frame]] = {}
        self.rosters: tuple[int, dict[str, list[str]]] = (-1, {})
        self.searches: tuple[tuple[int, Law | None], dict[tuple[str, str], list[str]]] = ((-1, None), {})
