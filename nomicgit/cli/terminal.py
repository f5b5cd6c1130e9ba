"""What comes from whoever types, and what goes to a terminal: there too long a line is broken between words, and what follows is set in."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOWrapper
from typing import Any, TextIO, TypeVar, cast
from unicodedata import east_asian_width

import click

from nomicgit.ground.problems import Malformed, Refused, printable

T = TypeVar("T")
UNTOLD = 2.0  # seconds that something takes before it is said what
TRYING = "trying what it would do"
SET_IN = 2  # columns further than the line itself
QUOTED = "  | "  # with which no line of the program's begins
FURTHER = "        | "


class Unread(Malformed):
    """The command line itself cannot be read, whatever the game holds."""


class Folding:
    """A terminal's stream that folds what is written to it; all else is the stream's own."""

    def __init__(self, stream: TextIO, as_it_is: Callable[[], bool]) -> None:
        self._stream, self._as_it_is = stream, as_it_is

    def write(self, text: str) -> int:
        """Write some text: folded, but for what machines are to read."""
        if self._as_it_is():
            return self._stream.write(text)
        columns = self.columns()
        self._stream.write("\n".join(folded(line, columns) for line in text.split("\n")))
        return len(text)

    def columns(self) -> int:
        """How wide the terminal is, unless the environment says so. (What Python has for this loads five archivers.)"""
        width = os.environ.get("COLUMNS", "")
        if width.isdecimal() and int(width):
            return int(width)
        return os.get_terminal_size(self._stream.fileno()).columns or 80

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def columns_of(stream: object) -> int | None:
    """How wide the terminal is to which a stream goes; None where it goes elsewhere."""
    return stream.columns() if isinstance(stream, Folding) else None


def open_closed() -> None:
    """Let a standard stream that is closed lead nowhere, else the next file that is opened would stand in its place; and let one
    that has not all letters show the others by their numbers.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the lowest number that is free
            setattr(sys, name, open(number, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="backslashreplace")


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
    own = len(line) - len(line.lstrip(" "))
    mark = re.match(r" *(?:\| )?", line)
    assert mark is not None
    margin = " " * (max(own, mark.end()) + SET_IN)
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


def clean(text: str) -> str:
    """A text of several lines, fit for a terminal: nothing in it moves the cursor or hides."""
    return "\n".join(printable(line, 1_000_000) for line in text.split("\n"))


def marked(text: str) -> str:
    """A text of a player that stands by itself: every line behind a mark, so that none passes for one of the program's."""
    return "\n".join(f"{QUOTED}{line}".rstrip() for line in clean(text).split("\n"))


def alone(text: str) -> str:
    """A text of a player that is all that is told: of several lines each stands behind that mark."""
    return marked(text) if "\n" in text else clean(text)


def inline(text: str) -> str:
    """A text of a player in a line of the program's: its further lines, if any, stand behind a mark like that, those too that
    the journal, which has a line for each note, has written out.
    """
    return clean(text).replace(printable("\n"), "\n").replace("\n", f"\n{FURTHER}")


def from_source(text: str) -> str:
    """A text; of ``@FILE`` what the file holds, of ``-`` what comes in, and ``@@`` is an @ at a text's beginning.

    UsageError where it cannot be read.
    """
    if text == "-" or (text.startswith("@") and not text.startswith("@@")):
        return text_of(text.removeprefix("@"), "; a text that begins with @ is written @@")
    return text[1:] if text.startswith("@@") else text


def text_of(file: str, mend: str = "") -> str:
    """What a file holds, or where it is called ``-`` what comes in. UsageError, with ``mend``, where it cannot be read."""
    if file == "-":
        return sys.stdin.read()
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{file!r} cannot be read ({error}){mend}") from error


def read_as(option: str, read: Callable[[str], T], text: str) -> T:
    """What is said with an option. UsageError where it cannot be read."""
    try:
        return read(text)
    except (Malformed, Refused) as unread:
        problem = unread.problems[0]
        raise click.UsageError(f"{option}: {problem.what}; {problem.mend}") from None


def many(count: int, one: str, more: str = "") -> str:
    """A number of things: ``1 deed``, ``2 deeds``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def tty() -> bool:
    """Whether somebody watches what goes to the error stream."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def colour() -> bool | None:
    """No colour where NO_COLOR asks for none; else (None) as the stream can."""
    return False if os.environ.get("NO_COLOR") else None


def progress(done: int, of: int) -> None:
    """Say how far a replay has come, where somebody watches."""
    if tty() and (done % 50 == 0 or done == of):
        click.echo(f"\r\033[K{done} of {of} commits" if done < of else "\r\033[K", nl=False, err=True)


@contextmanager
def waited(what: str) -> Iterator[None]:
    """Say what takes a while, where somebody watches, and take that back once it is done."""
    if not tty():
        yield
        return
    said = False

    def say(*_: object) -> None:
        nonlocal said
        said = True
        os.write(2, f"{what} …".encode())  # as a signal may: whatever is written meanwhile is not disturbed

    before = signal.signal(signal.SIGALRM, say)
    signal.setitimer(signal.ITIMER_REAL, UNTOLD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if said:
            os.write(2, b"\r\033[K")
