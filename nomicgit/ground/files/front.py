"""A Markdown file with front matter: YAML between two lines of ``---``, then the body."""

from __future__ import annotations

from typing import NamedTuple

from nomicgit.ground.problems import Malformed

_FENCE = "---\n"


class Parts(NamedTuple):
    """The two parts of a file, and the lines (from 1) on which they begin."""

    front: str
    """YAML, each line with its line feed."""
    body: str
    front_line: int
    body_line: int


def split(text: str, file: str = "") -> Parts:
    """The front matter and the body of a file. Raises Malformed for a missing or endless front matter."""
    if not text.startswith(_FENCE):
        first = text[:6]
        mend = "begin the file with a line of three hyphens, ---"
        if first.startswith("\ufeff"):
            mend = "save the file without a byte order mark"
        elif "\r" in first:
            mend = "end lines with a line feed alone"
        raise Malformed.of("no front matter", file=file, line=1, column=1, mend=mend)
    end = text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end = len(text) - 4
    if end < 0:
        raise Malformed.of(
            "the front matter has no end", file=file, line=1, mend="close it with a line of ---"
        )
    front = text[4 : end + 1]
    return Parts(front, text[end + 5 :], 2, 3 + front.count("\n"))


def join(front: str, body: str) -> str:
    """The file of a front matter and a body. ValueError where ``split`` would not undo it."""
    if (front and not front.endswith("\n")) or f"\n{_FENCE}" in f"\n{front}":
        raise ValueError("a front matter ends with a line feed and has no line of ---")
    return f"{_FENCE}{front}{_FENCE}{body}"
