"""Chance of a game with keys: neither players nor the keeper choose it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from nomicgit.ground import dice
from nomicgit.physics.state.context import Seeded


class ByTurns(Struct):
    """Chance that hangs on who draws and how often they have, so that no deed is made until its dice fall well.

    ``seed`` gives the seed of a turn, open or secret: from the game's key, or in replay without it from the record.
    """

    seed: Callable[[str, bool], bytes]
    deed: str
    drawn: int = 0
    turns: dict[str, tuple[bytes, int]] = field(default_factory=dict)
    seeds: list[bytes] = field(default_factory=list)

    def die(self, sides: int, *, secret: bool, turn: str) -> int:
        """The face of the next draw of a turn."""
        if turn not in self.turns:
            seed = self.seed(turn, secret)
            self.turns[turn] = seed, self.drawn
            self.seeds += [] if secret else [seed]
        seed, before = self.turns[turn]
        self.drawn += 1
        return dice.draw(seed, turn, self.drawn - before, sides)

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of the option that the next draw of a turn gives."""
        return self.die(len(options), secret=secret, turn=turn) - 1

    def mark(self) -> Callable[[], None]:
        """What takes back the turns from now on, and their seeds."""
        seeds, turns = [*self.seeds], dict(self.turns)

        def back() -> None:
            self.seeds, self.turns = seeds, turns

        return back

    def scratch(self) -> Seeded:
        """Chance of its own, which everybody can work out: trying something foretells nothing."""
        return Seeded(hashlib.sha256(b"scratch" + self.deed.encode()).digest(), self.deed)
