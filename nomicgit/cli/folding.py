"""Lines on a terminal: too long a line is broken between words, and what follows is set in."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast
from unicodedata import east_asian_width

import click

SET_IN = 2  # columns further than the line itself


class Folding:
    """A terminal's stream that folds what is written to it; all else is the stream's own."""

    def __init__(self, stream: TextIO, as_it_is: Callable[[], bool]) -> None:
        self._stream, self._as_it_is = stream, as_it_is

    def write(self, text: str) -> int:
        """Write some text: folded, but for what machines are to read."""
        if self._as_it_is():
            return self._stream.write(text)
        columns = self._columns()
        self._stream.write("\n".join(folded(line, columns) for line in text.split("\n")))
        return len(text)

    def _columns(self) -> int:
        """How wide the terminal is, unless the environment says so. (What Python has for this loads five archivers.)"""
        told = os.environ.get("COLUMNS", "")
        if told.isdecimal() and int(told):
            return int(told)
        return os.get_terminal_size(self._stream.fileno()).columns or 80

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def folding(as_it_is: Callable[[], bool]) -> Iterator[None]:
    """Fold what goes to a terminal meanwhile, unless it is to be written as it is."""
    out, err = (
        cast(TextIO, Folding(each, as_it_is)) if each.isatty() else each for each in (sys.stdout, sys.stderr)
    )
    with redirect_stdout(out), redirect_stderr(err):
        yield


def folded(line: str, columns: int) -> str:
    """A line as lines of so many columns at most; a word that is longer than that stays whole."""
    if wide(line) <= columns:
        return line
    first, *rest = re.findall(r"^ *\S*|  *\S+", line)
    margin = " " * (len(line) - len(line.lstrip(" ")) + SET_IN)
    lines = [first]
    for word in rest:
        if wide(lines[-1] + word) <= columns:
            lines[-1] += word
        else:
            lines.append(margin + word.lstrip(" "))
    return "\n".join(lines)


def wide(text: str) -> int:
    """The columns that a text takes; its colours take none."""
    plain = click.unstyle(text)
    return len(plain) if plain.isascii() else sum(1 + (east_asian_width(each) in "WF") for each in plain)
