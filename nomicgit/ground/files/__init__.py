"""The files of a game: strict YAML, its one canonical form, front matter, and append-only logs."""

from __future__ import annotations

from .canonical import Parts, fits, join, split, write, write_flow
from .fast import read, requoted
from .grammar import Unquoted, Unwritable, Value
from .logs import log_line, read_log
from .strict import Lines, read_with_lines

__all__ = [
    "Lines",
    "Parts",
    "Unquoted",
    "Unwritable",
    "Value",
    "fits",
    "join",
    "log_line",
    "read",
    "read_log",
    "read_with_lines",
    "requoted",
    "split",
    "write",
    "write_flow",
]
