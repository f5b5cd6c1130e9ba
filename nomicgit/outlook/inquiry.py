"""What the law says when it is asked how things stand: what of it is broken, or hangs on a secret, is gathered, and told as nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nomicgit.ground.problems import Defect, NomicError, Problem, foreseeing
from nomicgit.physics.deeds import units
from nomicgit.physics.state import deriving, reading
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction


class Inquiry:
    """Questions to the law of a world. ``defects``: what was broken; ``sealed``: what only who has the game's key can say."""

    def __init__(self, world: Transaction) -> None:
        self.world = world
        self.defects: list[Problem] = []
        self.sealed: list[str] = []

    def view(self, name: str, ref: str = "game") -> Any:
        """A view, None where the law has none or it is broken."""
        return self.tell(name, lambda: deriving.view(self.world, name, ref))

    def field(self, ref: str, name: str) -> object:
        """A value, None where nobody declares it or it is broken."""
        return self.tell(name, lambda: reading.get(self.world, ref, name, None))

    def tell(self, name: str, ask: Callable[[], object]) -> Any:
        """What the law says; None where that is broken, or hangs on a secret."""
        self.world.question()
        self.world.store.needed, answer = False, None
        try:
            with foreseeing(f"tell {name} here"):
                answer = ask()
        except NeedsKey:
            pass
        except NomicError as error:
            self.defects.append(error.problems[0].of_part(name))
        if not self.world.store.needed:
            return answer
        self.world.store.needed = False
        self.sealed.append(name)
        return None

    def breaks(self, what: str, call: Callable[[], object]) -> bool:
        """Whether what the law does of itself breaks: that it refuses, or hangs on a secret, is no break."""
        try:
            with self.world.asking(), units.unit(self.world):
                call()
        except Defect as error:
            self.defects.append(error.problems[0].of_part(what))
            return True
        except NomicError:
            pass
        finally:
            self.world.store.needed = False
        return False
