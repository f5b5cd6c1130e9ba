"""The random results of a scenario: drawn from its script, in the order in which it names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nomicgit.ground.problems import NoAnswer
from nomicgit.physics.state.context import Seeded


class ScriptedDiceError(NoAnswer):
    """A scenario's dice do not fit what is drawn."""


class Scripted:
    """The random results of a scenario's step, in the order in which they are drawn."""

    def __init__(self, values: Sequence[object], spare: Seeded) -> None:
        self.values, self.spare, self.drawn = list(values), spare, 0
        self.clocks, self.of_clock = True, False  # whether the clock draws, and whether it has asked for one
        self.seeds: list[bytes] = []  # a rehearsal leaves no record

    def come_to_deed(self, spare: Seeded) -> None:
        """The clock has drawn what it draws; the rest is the deed's."""
        self.spare, self.clocks = spare, False

    def _next(self, what: str) -> object:
        self.of_clock |= self.clocks
        if self.drawn >= len(self.values):
            raise ScriptedDiceError(f"the dice ran out: {what} is drawn after {self.drawn} of them")
        self.drawn += 1
        return self.values[self.drawn - 1]

    def die(self, sides: int, *, secret: bool, turn: str) -> int:
        """The next value, which must be a face of the die."""
        value = self._next(f"a die of {sides}")
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= sides:
            raise ScriptedDiceError(f"a die of {sides} cannot show {value!r}")
        return value

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of the next value among the options."""
        value = str(self._next("one of " + ", ".join(options)))
        if value not in options:
            raise ScriptedDiceError(f"{value!r} is none of {', '.join(options)}")
        return options.index(value)

    def mark(self) -> Callable[[], None]:
        """Nothing: a rehearsal leaves no record."""
        return lambda: None

    def scratch(self) -> Seeded:
        """Chance of its own."""
        return self.spare.scratch()

    @property
    def left(self) -> Sequence[object]:
        """The values that were not drawn."""
        return self.values[self.drawn :]
