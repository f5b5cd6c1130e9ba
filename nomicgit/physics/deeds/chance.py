"""Where random results come from: a seed, so that anyone recomputes them, or a scenario's script."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from nomicgit.ground import dice


class ScriptedDiceError(Exception):
    """A scenario's dice do not fit what is drawn."""


class Seeded:
    """Chance from a seed, keyed by the deed and the number of the draw."""

    def __init__(self, seed: bytes, deed: str) -> None:
        self.seed, self.deed, self.drawn = seed, deed, 0

    def die(self, sides: int, *, secret: bool) -> int:
        """The face of the next draw."""
        self.drawn += 1
        return dice.draw(self.seed, self.deed, self.drawn, sides)

    def choice(self, options: Sequence[str], *, secret: bool) -> int:
        """The place of the option that the next draw gives."""
        return self.die(len(options), secret=secret) - 1

    def scratch(self) -> Seeded:
        """Chance of its own: trying something foretells nothing."""
        return Seeded(hashlib.sha256(b"scratch" + self.seed).digest(), self.deed)


class Scripted:
    """The random results of a scenario's step, in the order in which they are drawn."""

    def __init__(self, values: Sequence[object], spare: Seeded) -> None:
        self.values, self.spare, self.drawn = list(values), spare, 0

    def _next(self, what: str) -> object:
        if self.drawn >= len(self.values):
            raise ScriptedDiceError(f"the dice ran out: {what} is drawn after {self.drawn} of them")
        self.drawn += 1
        return self.values[self.drawn - 1]

    def die(self, sides: int, *, secret: bool) -> int:
        """The next value, which must be a face of the die."""
        value = self._next(f"a die of {sides}")
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= sides:
            raise ScriptedDiceError(f"a die of {sides} cannot show {value!r}")
        return value

    def choice(self, options: Sequence[str], *, secret: bool) -> int:
        """The place of the next value among the options."""
        value = str(self._next("one of " + ", ".join(options)))
        if value not in options:
            raise ScriptedDiceError(f"{value!r} is none of {', '.join(options)}")
        return options.index(value)

    def scratch(self) -> Seeded:
        """Chance of its own."""
        return self.spare.scratch()

    @property
    def left(self) -> Sequence[object]:
        """The values that were not drawn."""
        return self.values[self.drawn :]
