"""What people enter for a parameter, on a line or in a field, as the value that its type takes."""

from __future__ import annotations

from nomicgit.ground import files
from nomicgit.ground.problems import Malformed
from nomicgit.law.variables import Type

WHOLE = frozenset({"list", "set", "map", "record", "entry", "any"})
"""Types whose values are read as YAML, whatever comes out; all others are one word, or a text."""


def value(kind: Type | None, key: str, text: str) -> object:
    """One value: a text as it is, everything else as YAML has it; ``null`` is nothing.

    ``kind`` is None for what no parameter asks for. Malformed, with the key as its place, for YAML that is none.
    """
    if kind is not None and kind.kind == "text":
        return text
    whole = kind is None or kind.kind in WHOLE
    try:
        read = files.read(text, key)
    except Malformed:
        if whole and kind is not None and kind.kind != "any":
            raise
        return text
    return read if whole or read is None or isinstance(read, str | int | float) else text
