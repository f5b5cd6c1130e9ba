"""Colours that the law gives: a text such as ``#CCCC00`` is the ground on which something stands."""

from __future__ import annotations

import re

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def ground(text: object) -> str | None:
    """The style of what stands on a colour; None where a value is none."""
    if not isinstance(text, str) or not _COLOUR.fullmatch(text):
        return None
    return f"background-color:{text};color:{_contrast(text)}"


def _contrast(colour: str) -> str:
    """Black or white, whichever reads better on a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return "#000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#fff"
