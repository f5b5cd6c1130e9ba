"""A scratch game in which the law is tried: what is asked there has as long as a deed, and what runs on and on is asked once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from nomicgit.physics.state.transaction import Transaction


class Scratch(Transaction):
    """A scratch game over another. ``endless`` is what has used up its fuel or time, here or in a scratch game that shares it."""

    endless: set[str]

    @classmethod
    def over(cls, world: Transaction, endless: set[str] | None = None) -> Self:
        """A scratch game over another's position; what is ``endless`` is shared with whoever hands it in."""
        scratch = cls(world.position, world.context, world.chance, now=world.now)
        scratch.endless = set() if endless is None else endless
        return scratch

    @contextmanager
    def lent(self, what: str) -> Iterator[None]:
        """Fuel and time of a deed for what is asked within; where that does not do, it is endless from then on."""
        self.refuel(tried=True)
        try:
            yield
        finally:
            if self.fuel < 0 or (self.until is not None and time.process_time() > self.until):
                self.endless.add(what)
