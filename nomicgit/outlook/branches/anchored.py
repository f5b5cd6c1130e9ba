"""Edits of prose that are tried out, and the places that they are given by what stands around these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from nomicgit.law import prose
from nomicgit.law.placing import Places
from nomicgit.outlook.branches.pieces import Unit, passage

Edit = dict[str, Any]  # an ``amend`` without its rule
WIDEST = 3  # sentences that an anchor is widened by
BRIEF = 200  # characters that trying an edit on the shortest prose counts for

BEFORE, AFTER = ("after", "below"), ("before", "above")  # sides of what stands before a place, and after it


def carried(text: str, edit: Edit) -> prose.Edit:
    """Carry an edit out on canonical prose."""
    places = Places(*(edit.get(key) for key in ("after", "before", "below", "above", "at")))
    whole = edit.get("whole") is True
    match edit:
        case {"replace": quote}:
            return prose.replace(text, quote, edit["with"], whole=whole)
        case {"remove": quote}:
            return prose.remove(text, quote, whole=whole)
        case {"move": quote}:
            return prose.move(text, quote, places)
        case _:
            return prose.add(text, edit["add"], places)


class Patience(Struct):
    """How many characters of prose edits may still be tried on: a text that is too odd is said as a whole."""

    left: int


class Trying(Struct):
    """Edits tried on the way to the ``final`` prose, on ``left`` characters and as far as patience goes."""

    final: str
    patience: Patience
    left: int

    @property
    def patient(self) -> bool:
        """Whether anything more may be tried."""
        return min(self.left, self.patience.left) > 0

    def carried(self, text: str, edit: Edit) -> prose.Edit:
        """Carry an edit out; skipped where there is no patience left."""
        if not self.patient:
            return prose.Edit(text, "skipped", "too much was tried already")
        self.spend(len(text) + BRIEF)
        return carried(text, edit)

    def spend(self, characters: int) -> None:
        """Count some as tried."""
        self.left -= characters
        self.patience.left -= characters

    def rests(self, edit: Edit) -> bool:
        """Whether an edit, carried out once more when all is done, has nothing to do."""
        return self.carried(self.final, edit).outcome == "nothing"

    def fits(self, text: str, edit: Edit, wanted: str) -> bool:
        """Whether an edit makes of a text just what is wanted, and would have nothing to do in the end."""
        carried = self.carried(text, edit)
        return carried.outcome == "applied" and carried.text == wanted and self.rests(edit)


def anchored(
    trying: Trying, edit: Edit, text: str, wanted: str, before: Sequence[Unit], after: Sequence[Unit]
) -> Edit | None:
    """The edit with one place found by what stands before it, and one by what follows; None where neither fits.

    A text without a word, and the ends of one, are places of their own, as the last resort.
    """
    first = _place(trying, edit, text, wanted, BEFORE, _widening(before[::-1], backward=True))
    second = _place(trying, edit, text, wanted, AFTER, _widening(after, backward=False))
    both = edit | (first or {}) | (second or {})
    for one in (both, edit | (first or {}), edit | (second or {})):
        if one != edit and trying.fits(text, one, wanted):
            return one
    if "add" in edit and not (before and after):
        end = edit if not text else edit | {"at": "end" if before else "start"}
        return end if trying.fits(text, end, wanted) else None
    return None


def _place(
    trying: Trying, edit: Edit, text: str, wanted: str, sides: Sequence[str], anchors: Iterator[str]
) -> dict[str, str] | None:
    for anchor in islice(anchors, WIDEST):
        for side in sides:
            if trying.fits(text, edit | {side: anchor}, wanted):
                return {side: anchor}
    return None


def _widening(units: Sequence[Unit], *, backward: bool) -> Iterator[str]:
    """Ever longer anchors out of the units nearest to a place."""
    for size in range(1, len(units) + 1):
        near = list(units[:size])
        yield passage(near[::-1] if backward else near)
