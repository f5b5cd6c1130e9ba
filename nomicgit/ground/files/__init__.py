"""The files of a game: strict YAML, its one canonical form, front matter, and append-only logs."""

from __future__ import annotations

from . import fast, strict
from .canonical import Parts, join, split, write, write_flow
from .grammar import Unwritable, Value, decoded
from .log import log_line, read_log

__all__ = [
    "Parts",
    "Unwritable",
    "Value",
    "join",
    "log_line",
    "read",
    "read_log",
    "read_with_lines",
    "split",
    "write",
    "write_flow",
]


def read(data: bytes | str, file: str = "", *, line: int = 1) -> Value:
    """The value of one YAML document; nothing at all is None.

    ``line`` is the number of the document's first line inside of ``file``.
    Raises Malformed for everything that YAML's readers might take in two ways.
    """
    text = decoded(data, file, line)
    try:
        return fast.read(text)
    except fast.NotCanonical:
        return strict.read(text, file, line)


def read_with_lines(
    data: bytes | str, file: str = "", *, line: int = 1
) -> tuple[Value, dict[tuple[str | int, ...], int]]:
    """The value of one YAML document, and the line of each key and item, by its path from the top."""
    lines: dict[tuple[str | int, ...], int] = {}
    return strict.read(decoded(data, file, line), file, line, lines), lines
