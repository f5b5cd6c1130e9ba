"""What comes from whoever types, and what goes to a terminal."""

from __future__ import annotations

import os
import sys

import click

from nomicgit.ground.problems import printable


def clean(text: str) -> str:
    """A text of a player, of several lines, fit for a terminal: nothing in it moves the cursor or hides."""
    return "\n".join(printable(line, 1_000_000) for line in text.split("\n"))


def from_source(text: str) -> str:
    """A text; of ``@FILE`` what the file holds, of ``-`` what comes in, and ``@@`` is an @ at a text's beginning.

    UsageError where it cannot be read.
    """
    if text == "-":
        return sys.stdin.read()
    if not text.startswith("@") or text.startswith("@@"):
        return text[1:] if text.startswith("@@") else text
    try:
        with open(text[1:], encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        mend = "a text that begins with @ is written @@"
        raise click.UsageError(f"{text[1:]!r} cannot be read ({error}); {mend}") from error


def many(count: int, one: str, more: str = "") -> str:
    """A number of things: ``1 deed``, ``2 deeds``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def tty() -> bool:
    """Whether somebody watches what goes to the error stream."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def colour() -> bool | None:
    """No colour where NO_COLOR asks for none; else (None) as the stream can."""
    return False if os.environ.get("NO_COLOR") else None
