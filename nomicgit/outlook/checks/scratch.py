"""A scratch game in which the law is tried: what is asked there has as long as a deed, and what runs on and on is asked once.

All that runs on and on may take as long as a deed, or a little longer; after that nothing more is asked, and what was not is known.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from msgspec import Struct, field

from nomicgit.physics.state.transaction import SECONDS, Transaction


class Endless(Struct):
    """What has used up its fuel or time, and what is not asked any more since there are no seconds ``left`` for more of that."""

    left: float = SECONDS
    names: set[str] = field(default_factory=set)
    unasked: set[str] = field(default_factory=set)


class Scratch(Transaction):
    """A scratch game over another. What is ``endless`` is so here, or in a scratch game that shares it."""

    endless: Endless

    @classmethod
    def over(cls, world: Transaction, endless: Endless | None = None) -> Self:
        """A scratch game over another's position; what is ``endless`` is shared with whoever hands it in."""
        scratch = cls(world.position, world.context, world.chance, now=world.now)
        scratch.endless = endless or Endless()
        return scratch

    def asks(self, what: str) -> bool:
        """Whether there is time to ask it; what is endless is not asked again."""
        if self.endless.left <= 0 and what not in self.endless.names:
            self.endless.unasked.add(what)
        return self.endless.left > 0 and what not in self.endless.names

    @contextmanager
    def lent(self, what: str) -> Iterator[None]:
        """Fuel and time of a deed for what is asked within; where that does not do, it is endless from then on."""
        self.refuel(tried=True)
        began = time.process_time()
        try:
            yield
        finally:
            ended = time.process_time()
            if self.fuel < 0 or (self.until is not None and ended > self.until):
                self.endless.names.add(what)
                self.endless.left -= ended - began
