"""A value in short plain words, on one line: ``iron 3, coal 2``; of what is too long, how much more there is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

SHORT = 60  # letters


def in_words(value: object, most: int = SHORT) -> str:
    """A value in about so many letters at most. An empty text stands in quotes, an empty list or map is none."""
    match value:
        case Mapping() | list() if value:
            return _fitting(list(_parts(value, most)), most)
        case Mapping() | list():
            return "none"
        case str() if value.strip():
            return _cut(" ".join(value.split()), most)
    return json.dumps(value, ensure_ascii=False)


def _parts(value: Mapping[object, object] | list[object], most: int) -> Iterator[str]:
    """The members of a list, or what a map gives to what; what is long in itself takes half the place at most."""
    if isinstance(value, list):
        for each in value:
            text = _within(each, most // 2)
            yield (
                text.strip("()") if isinstance(each, Mapping) and len(each) == 1 and " " not in text else text
            )
        return
    for name, each in value.items():
        yield f"{_cut(str(name), most // 2)} {_within(each, most // 2)}"


def _within(value: object, most: int) -> str:
    """A value within another: a list or a map in brackets; a map that is too long for that by its names."""
    if not isinstance(value, Mapping | list) or not value:
        return in_words(value, most)
    whole = ", ".join(_parts(value, most * 4))
    if len(whole) > most and isinstance(value, Mapping):
        whole = ", ".join(map(str, value))
    elif len(whole) > most:
        whole = _fitting(list(_parts(value, most // 2)), most)
    return f"({whole})" if len(whole) <= most else f"({len(value)})"


def _fitting(parts: list[str], most: int) -> str:
    """As many of the parts as fit, and how many more there are."""
    if len(", ".join(parts)) <= most:
        return ", ".join(parts)
    shown = 1
    while len(", ".join(parts[: shown + 1])) + len(f" and {len(parts)} more") <= most:
        shown += 1
    left = len(parts) - shown
    return ", ".join(parts[:shown]) + (f" and {left} more" if left else "")


def _cut(text: str, most: int) -> str:
    """A text, or its beginning and how long it is."""
    if len(text) <= most:
        return text
    tail = f"… ({len(text)} letters)"
    return text[: most - len(tail)].rstrip() + tail if len(tail) * 2 <= most else text[: most - 1] + "…"
