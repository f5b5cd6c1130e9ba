"""What goes wrong, told in one place."""

from __future__ import annotations

import json
import platform
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress

import click
from msgspec.structs import replace

from nomicgit.cli.terminal import Unread, clean, colour, inline
from nomicgit.ground import problems
from nomicgit.ground.missing import missing
from nomicgit.ground.problems import (
    NOTHING,
    SHORT,
    Defect,
    Malformed,
    NomicError,
    Outage,
    Place,
    Problem,
    Refused,
    Unreached,
    printable,
)
from nomicgit.ground.reasons import worded
from nomicgit.ground.remedies import below, once

REFUSED, WRONG_LINE, DEFECT, OUTAGE, UNTOLD, NO_NETWORK, INTERRUPTED = (
    1,
    2,
    3,
    4,
    5,
    6,
    130,
)  # most wrong lines click tells
BESIDES = "besides"
"""How that is called which is told beside a refusal, and refuses nothing."""
UNREAD = 141  # as of a program that SIGPIPE ends, such as git
WRITING = ("click.utils", "nomicgit.cli.app", "nomicgit.cli.terminal")
"""The modules that write to streams."""
UNSEALING = "nomicgit.sealing.ciphers"
"""The module that every process loads, and no other, which seals or opens anything."""


def told(error: BaseException, *, as_json: bool) -> int:
    """Tell an error on the error stream, and as JSON on the other one, and what is recorded all the same; returns the exit code."""
    kind, wrong, code = _judged(error)
    if commit := problems.recorded:
        wrong = tuple(replace(each, mend="") if each.mend.startswith(NOTHING) else each for each in wrong)
        code = UNTOLD if isinstance(error, BrokenPipeError) or _by_the_stream(error) else code
    with suppress(OSError):  # where nothing more can be written the exit code tells it alone
        for problem in _advised_once(wrong):
            click.echo(sentence(kind, problem), err=True, color=colour())
        beside = error.beside if isinstance(error, NomicError) else ()
        for problem in _advised_once(beside):  # none of it is why
            click.echo(sentence(BESIDES, problem, "yellow"), err=True, color=colour())
        if commit:
            click.echo(f"recorded before that, and not to be done again: commit {commit[:10]}", err=True)
        if code == DEFECT:
            click.echo(report(error), err=True)
        if as_json and wrong:
            more: dict[str, object] = {"recorded": commit} if commit else {}
            more |= {BESIDES: [problem.as_json() for problem in beside]} if beside else {}
            click.echo(json.dumps({kind: [problem.as_json() for problem in wrong]} | more))
    return code


def _advised_once(some: Sequence[Problem]) -> Iterator[Problem]:
    for problem, mend in zip(some, once([each.mend for each in some]), strict=True):
        yield replace(problem, mend=mend)


def _judged(error: BaseException) -> tuple[str, tuple[Problem, ...], int]:
    """What an error is called, what it says, and the exit code. Of an end that somebody wanted nothing is said."""
    if isinstance(error, KeyboardInterrupt | BrokenPipeError):
        return "", (), INTERRUPTED if isinstance(error, KeyboardInterrupt) else UNREAD
    outage = isinstance(error, Outage | MemoryError) or (isinstance(error, OSError) and error.errno in SHORT)
    lacking = missing(error) if isinstance(error, ImportError) else None
    wrong = error.problems if isinstance(error, NomicError) else (lacking or _problem(error),)
    if isinstance(error, Unread):
        return "error", wrong, WRONG_LINE
    if outage:
        return "error", wrong, OUTAGE
    if isinstance(error, Unreached):
        return "error", wrong, NO_NETWORK
    known = lacking is not None or isinstance(error, NomicError | OSError)
    if not known or isinstance(error, Defect):
        return "defect", wrong, DEFECT
    return "refused" if isinstance(error, Refused) else "error", wrong, REFUSED


def blamed(error: BaseException, path: str) -> BaseException:
    """The same error; where a commit in that folder is no deed, and may be why something cannot be read, it is named first.

    Where none is seen, the commit that left a file of the game so is named: whether it was lawful, verification tells.
    """
    of_no_game = isinstance(error, Outage | MemoryError | OSError | ImportError | Unread)
    if of_no_game or not isinstance(error, Exception):
        return error
    from nomicgit.clones.others.vetting import advised
    from nomicgit.git import (
        Repository,
        TooLarge,
    )  # here: that a module is missing must be told without any of them
    from nomicgit.git.objects import Misshapen
    from nomicgit.record.seen.arrivals import unreadable
    from nomicgit.record.seen.blame import left_so
    from nomicgit.record.seen.strays import elsewhere

    wrong = error.problems if isinstance(error, NomicError) else (_problem(error),)
    files = [each.where.file for each in wrong if each.where.file.startswith("game/")]
    if isinstance(error, Refused) and not files and not isinstance(error, TooLarge):
        return error
    named: list[Problem] = []
    with suppress(NomicError, OSError), Repository.open(path) as repository:
        head = repository.head() or ""
        if (
            elsewhere(repository) is not None
        ):  # what a proposal's branch holds is no deed, and nothing to blame
            return error
        if isinstance(error, Misshapen) and (made_so := [*unreadable(repository, head)]):
            return Refused(*made_so)
        named = [stray.problem for stray in advised(repository, head).strays]
        if not named and isinstance(error, Malformed):
            named = [*left_so(repository, head, files)]
    if not named:
        return error
    return Refused(*named, *(replace(each, mend="") if each.where.file in files else each for each in wrong))


def _problem(error: BaseException) -> Problem:
    """An error that is none of ours: of the machine (a full disk, a process that was killed), or a defect."""
    if isinstance(error, Outage):
        return error.problem
    if isinstance(error, MemoryError):
        return Problem(
            "memory is short",
            mend=f"{NOTHING}; look what uses it, or whether a limit is set (see `ulimit -a`)",
        )
    if isinstance(error, OSError):
        short = error.errno in SHORT and not _by_the_stream(error)
        mend = f"{NOTHING}; mend that and try again" if short else ""
        return Problem(error.strerror or str(error), Place(str(error.filename or "")), mend)
    return Problem(_in_words(error))


def _by_the_stream(error: BaseException) -> bool:
    """Whether it is the output that takes no more: what was asked for may be done, and only cannot be told."""
    if not isinstance(error, OSError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_globals.get("__name__") in WRITING


def _in_words(error: BaseException) -> str:
    """An error with what it says; without that where this process may have opened secrets, which it would tell."""
    said = "what it says is left out, for it may be secret" if UNSEALING in sys.modules else str(error)
    return f"{type(error).__name__}: {said}"


def sentence(kind: str, problem: Problem, fg: str = "red") -> str:
    """A problem in a line or two: ``refused: REASON (rule TITLE, FILE:LINE)``, and what to do."""
    where = problem.where
    spot = where.file + (f":{where.line}" if where.line else "")
    place = ", ".join(part for part in (f"rule {printable(where.rule)}" if where.rule else "", spot) if part)
    said = inline(worded(problem.what)) + (f" ({clean(place)})" if place else "")
    line = click.style(f"{kind}:", fg=fg, bold=True) + f" {said}"
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
