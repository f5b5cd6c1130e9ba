"""Paths at which nothing is to be, and at which nothing can ever be: they are misspelt."""

from __future__ import annotations

from msgspec import Struct, field

from nomicgit.law import paths
from nomicgit.law.law import Law
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import HEADS, meant

OF_RULES = ("players", "game", "dynasty")
"""Kinds of which rules declare something, beside their own collections."""


class Words(Struct):
    """The kinds of things that there are or were in a scenario, and what was declared of those of which rules declare it; and the cells
    of grids."""

    kinds: set[str] = field(default_factory=lambda: {*HEADS})
    names: set[tuple[str, str]] = field(default_factory=set)
    cells: dict[str, set[str]] = field(default_factory=dict)
    law: Law | None = None

    def take_up(self, world: Transaction) -> None:
        """Take up those of the law of now."""
        if world.law is self.law:
            return
        law = self.law = world.law
        kinds = {*OF_RULES, *law.declared.collections}
        self.kinds |= kinds
        for kind in kinds:
            if cells := law.declared.cells(kind):
                self.cells.setdefault(kind, set()).update(cells)
        for kind in kinds:
            self.names |= {
                (kind, name)
                for name in (*reading.KEPT.get(kind, ()), *(each.name for each in law.by_kind.get(kind, ())))
            }
        self.names |= {("players" if of == "player" else of, name) for of, name in law.declared.views} | {
            ("players", "active")
        }

    def never(self, world: Transaction, path: str, wanted: object) -> str:
        """Why nothing can ever be at a path, where that is wanted; "" where something may be, or may have been."""
        if wanted != {"absent": True}:
            return ""
        head, *rest = paths.segments(path)
        if head not in self.kinds:
            return f"nothing is called {head}, now or before{meant(world, path)}"
        if rest[1:] and head in self.cells and rest[0] not in self.cells[head]:
            return f"there is no {rest[0]} among the {head}, now or before{meant(world, path)}"
        names = rest if head in ("game", "dynasty") else rest[1:]
        if not names or (head in HEADS and head not in OF_RULES):
            return ""
        known = {(head, names[0]), (head, names[0].replace("-", "_"))} & self.names
        return "" if known else f"no rule declares {names[0]} of {head}, now or before{meant(world, path)}"
