"""Shares of a whole, compared exactly: 4 of 6 reach two thirds, and no number between is needed for it."""

from __future__ import annotations

import re

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, printable

_SHARE = late(r"(\d{1,9})(?:/([1-9]\d{0,8})|%)", re.ASCII)


def share(text: str) -> tuple[int, int]:
    """The share that a text such as ``2/3`` or ``60%`` says: so many of so many. Raises Malformed."""
    match = _SHARE.fullmatch(text)
    if match is None:
        raise Malformed.of(f"{printable(text, 60)} is no share", mend="write it as 2/3 or 60%")
    return int(match[1]), int(match[2] or 100)


def reaches(part: int | float, whole: int | float, text: str, *, more: bool = False) -> bool:
    """Whether a part is at least (with ``more``, more than) such a share of a whole; of a whole of 0 nothing is."""
    of, by = share(text)
    (a, b), (c, d) = part.as_integer_ratio(), whole.as_integer_ratio()
    has, needs = a * d * by, of * c * b
    return whole > 0 and (has > needs if more else has >= needs)
