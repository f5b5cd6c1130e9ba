"""The units of prose in which it is compared: sentences, items, rows and fenced blocks; and where two texts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from nomicgit.law.rules import fences

Hunk = tuple[int, int, int, int]  # units of the old prose, and those of the new in their place


class Unit(Struct, frozen=True):
    """A line of canonical prose, or a fenced block; ``apart``: a blank line stands before it."""

    text: str
    apart: bool


def units(text: str) -> list[Unit]:
    """The units of canonical prose."""
    rows = text.split("\n")
    ends = {fence.start: len(rows) - 1 if fence.end is None else fence.end for fence in fences(rows)}
    units: list[Unit] = []
    at, apart = 0, False
    while at < len(rows):
        past = ends.get(at, at) + 1
        block = "\n".join(rows[at:past])
        if block.strip():
            units.append(Unit(block, apart))
        apart = bool(units) and not block.strip()
        at = past
    return units


def text_of(units: Sequence[Unit]) -> str:
    """Units put together."""
    parts = [("\n\n" if each.apart else "\n") * bool(n) + each.text for n, each in enumerate(units)]
    return "".join(parts)


def passage(units: Sequence[Unit]) -> str:
    """Units as a passage of their own: set in no further than needed."""
    rows = text_of(units).split("\n")
    column = min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)
    return "\n".join(row[column:] for row in rows)


def following(units: Sequence[Unit], like: Sequence[Unit]) -> list[Unit]:
    """The units of the old prose behind a place, the first of them parted as it will be in the new."""
    if not units or not like or units[0].text != like[0].text:
        return list(units)
    return [Unit(units[0].text, like[0].apart), *units[1:]]


def hunks(old: Sequence[Unit], new: Sequence[Unit]) -> list[Hunk]:
    """Where the units differ, in order: replaced one by one where that fits, and where only their parting differs."""
    hunks: list[Hunk] = []
    matcher = SequenceMatcher(None, [u.text for u in old], [u.text for u in new], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            apart = (k for k in range(1, i2 - i1) if old[i1 + k].apart != new[j1 + k].apart)
            hunks += [(i1 + k, i1 + k, j1 + k, j1 + k) for k in apart]
        elif i2 - i1 == j2 - j1 and all(
            a.apart == b.apart for a, b in zip(old[i1 + 1 : i2], new[j1 + 1 : j2], strict=True)
        ):
            hunks += [(i1 + k, i1 + k + 1, j1 + k, j1 + k + 1) for k in range(i2 - i1)]
        else:
            hunks.append((i1, i2, j1, j2))
    return hunks


def weight(old: Sequence[Unit], new: Sequence[Unit]) -> int:
    """About how many comparisons finding where they differ may take: many, where many units are the same."""
    one, other = (Counter(each.text for each in some) for some in (old, new))
    return sum(n * other[text] for text, n in one.items()) * min(len(old), len(new)) + len(old) + len(new)
