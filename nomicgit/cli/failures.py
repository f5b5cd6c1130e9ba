"""What goes wrong, told in one place."""

from __future__ import annotations

import json
import platform
import sys
import traceback
from contextlib import suppress

import click
from msgspec.structs import replace

from nomicgit.cli.terminal import Unread, clean, colour
from nomicgit.ground.missing import missing
from nomicgit.ground.problems import (
    SHORT,
    Defect,
    Malformed,
    NomicError,
    Outage,
    Place,
    Problem,
    Refused,
    printable,
)
from nomicgit.ground.reasons import worded
from nomicgit.ground.remedies import below

REFUSED, WRONG_LINE, DEFECT, OUTAGE = 1, 2, 3, 4  # most wrong lines click tells
WRITING = ("click.utils", "nomicgit.cli.app", "nomicgit.cli.terminal")
"""The modules that write to streams."""
UNSEALING = "nomicgit.sealing.ciphers"
"""The module that every process loads, and no other, which seals or opens anything."""


def told(error: BaseException, *, as_json: bool) -> int:
    """Tell an error on the error stream, and as JSON on the other one; returns the exit code."""
    outage = isinstance(error, Outage | MemoryError) or (
        isinstance(error, OSError) and error.errno in SHORT and not _by_the_stream(error)
    )
    lacking = missing(error) if isinstance(error, ImportError) else None
    known = (
        outage
        or lacking is not None
        or (isinstance(error, NomicError | OSError) and not isinstance(error, Defect))
    )
    problems = error.problems if isinstance(error, NomicError) else (lacking or _problem(error),)
    kind = "refused" if isinstance(error, Refused) else "error" if known else "defect"
    with suppress(OSError):  # where nothing more can be written the exit code tells it alone
        for problem in problems:
            click.echo(sentence(kind, problem), err=True, color=colour())
        if not known:
            click.echo(report(error), err=True)
        if as_json:
            click.echo(json.dumps({kind: [problem.as_json() for problem in problems]}))
    if isinstance(error, Unread):
        return WRONG_LINE
    return OUTAGE if outage else REFUSED if known else DEFECT


def blamed(error: Exception, path: str) -> Exception:
    """The same error; where a commit in that folder is no deed, and may be why something cannot be read, it is named first.

    Where none is seen, the commit that left a file of the game so is named: whether it was lawful, verification tells.
    """
    if isinstance(error, Outage | MemoryError | OSError | ImportError | Unread):
        return error
    from nomicgit.git import (
        Repository,
        TooLarge,
    )  # here: that a module is missing must be told without any of them
    from nomicgit.record.blame import left_so
    from nomicgit.record.strays import elsewhere, strays_in

    problems = error.problems if isinstance(error, NomicError) else (_problem(error),)
    files = [each.where.file for each in problems if each.where.file.startswith("game/")]
    if isinstance(error, Refused) and not files and not isinstance(error, TooLarge):
        return error
    named: list[Problem] = []
    with suppress(NomicError, OSError), Repository.open(path) as repository:
        head = repository.head() or ""
        if (
            elsewhere(repository) is not None
        ):  # what a proposal's branch holds is no deed, and nothing to blame
            return error
        named = [stray.problem for stray in strays_in(repository, head)]
        if not named and isinstance(error, Malformed):
            named = [*left_so(repository, head, files)]
    if not named:
        return error
    return Refused(
        *named, *(replace(each, mend="") if each.where.file in files else each for each in problems)
    )


def _problem(error: BaseException) -> Problem:
    """An error that is none of ours: of the machine (a full disk, a process that was killed), or a defect."""
    if isinstance(error, Outage):
        return error.problem
    if isinstance(error, MemoryError):
        return Problem(
            "memory is short", mend="look what uses it, or whether a limit is set (see `ulimit -a`)"
        )
    if isinstance(error, OSError):
        short = error.errno in SHORT and not _by_the_stream(error)
        mend = "mend that and try again" if short else ""
        return Problem(error.strerror or str(error), Place(str(error.filename or "")), mend)
    return Problem(_in_words(error))


def _by_the_stream(error: OSError) -> bool:
    """Whether it is the output that takes no more: what was asked for may be done, and only cannot be told."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_globals.get("__name__") in WRITING


def _in_words(error: BaseException) -> str:
    """An error with what it says; without that where this process may have opened secrets, which it would tell."""
    said = "what it says is left out, for it may be secret" if UNSEALING in sys.modules else str(error)
    return f"{type(error).__name__}: {said}"


def sentence(kind: str, problem: Problem) -> str:
    """A problem in a line or two: ``refused: REASON (rule TITLE, FILE:LINE)``, and what to do."""
    where = problem.where
    spot = where.file + (f":{where.line}" if where.line else "")
    place = ", ".join(part for part in (f"rule {printable(where.rule)}" if where.rule else "", spot) if part)
    said = clean(worded(problem.what)) + (f" ({clean(place)})" if place else "")
    line = click.style(f"{kind}:", fg="red", bold=True) + f" {said}"
    return line + below(clean(problem.mend))


def report(error: BaseException) -> str:
    """What somebody who mends the program needs to know, ready to be sent; it holds no text of players' own."""
    import traceback
    from importlib import metadata

    try:
        version = metadata.version("nomicgit")
    except metadata.PackageNotFoundError:
        version = "not installed"
    frames = traceback.extract_tb(error.__traceback__)
    spots = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames[-12:]]
    return "\n".join(
        ["this is a defect of the program, or of the game's law; please report it with these lines:",
         f"  nomicgit {version}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
         f"  {printable(_in_words(error), 400)}", *spots]
    )  # fmt: skip
