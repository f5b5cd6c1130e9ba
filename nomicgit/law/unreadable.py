"""All for which mechanics cannot be read, told at once: the line of which one thing is told is taken out, and the rest read again.

The parser knows no bounds: all of this runs in a worker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from functools import partial

from msgspec.structs import replace

from nomicgit.ground.problems import Problem
from nomicgit.law.definitions import indented, lexed
from nomicgit.law.mechanics import PROGRAM, in_body, misread

MOST = 8  # problems of one text
_LOOP = r"\s*(while|until|loop|repeat|for\w*)\b"
"""What begins a loop here or elsewhere: what leaves it, or goes on in it, stays where it may stand."""
_FOLLOWS = "closes nothing that is open"
_WIDE = ("is not closed", "indented otherwise")
"""What is told of more than a line: the whole statement is taken out."""


def unreadable(path: str, text: str, line: int, rule: str) -> list[Problem]:
    """Why a file's mechanics do not parse, if they do not.

    ``line`` lines of the file stand before them.
    """
    problems = _every("\n" * line + text, partial(misread, path))
    return [replace(each, where=replace(each.where, rule=rule)) for each in problems]


def legible(path: str, text: str) -> str:
    """What of mechanics can be read, in as many lines; "" where that is not known."""
    problems = _every(text, partial(misread, path))
    while True:
        try:
            next(problems)
        except StopIteration as over:
            return str(over.value)


def unreadable_program(path: str, body: str) -> list[Problem]:
    """Why a program does not parse, if it does not."""
    problems = unreadable(path, PROGRAM.format("", indented(body)), 0, "")
    return [in_body(each, path) for each in problems]


def _every(text: str, why: Callable[[str], Problem | None]) -> Generator[Problem, None, str]:
    """Why a text cannot be read, as far as that does not follow from what was told before; ``why`` says it of its first place.

    It returns what can be read, in as many lines; "" where that is not known.
    """
    mends: dict[str, str] = {}  # what was told, by what is to be done about it
    gone: set[int] = set()
    lines = text.split("\n")
    for _ in range(MOST):
        problem = why("\n".join(lines))
        if problem is None:
            return "\n".join(lines)
        at = problem.where.line - 1
        if not 0 <= at < len(lines):
            at = len(lines)
        follows = at in gone or (mends and problem.what.endswith(_FOLLOWS))
        if not follows and mends.setdefault(problem.mend, problem.what) == problem.what:
            yield problem  # other words with the same remedy go with what was told, as `except` goes with `try`
        whole = at in gone or any(each in problem.what for each in _WIDE)
        if whole or at == len(lines) or not _without(lines, at):
            start, end = _statement(lines, at)
            if not any(each.strip() for each in lines[start:end]):
                return ""
            lines[start:end] = [""] * (end - start)
            gone |= {*range(start, end)}
        gone.add(at)
    return ""


def _without(lines: list[str], at: int) -> bool:
    """Take a line of a function out, so that its block stays one; False where it is of none."""
    line = lines[at]
    deep = len(line) - len(line.lstrip())
    after = next((each for each in lines[at + 1 :] if each.strip()), "")
    header = len(after) - len(after.lstrip()) > deep
    begins = "for _ in []:" if re.match(_LOOP, line) else "if True:"
    lines[at] = line[:deep] + (begins if header else "pass")
    return deep > 0


def _statement(lines: list[str], at: int) -> tuple[int, int]:
    """The lines of the statement at the top level in which a line lies, from the first to before the last."""
    text = "\n".join(lines)
    known = lexed(text)
    starts, line, done = [0], 0, 0
    for each in known.statements:
        line += "".join(known.lexemes[done : each.first]).count("\n")
        done = each.first
        starts.append(line)
    start = max(n for n in starts if n <= at)
    return start, min((n for n in starts if n > at), default=len(lines))
