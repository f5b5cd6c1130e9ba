"""What else is wrong in a rule's file whose front matter cannot be read: so that its author can mend all at once. In a worker."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Problem
from nomicgit.law import rules
from nomicgit.law.unreadable import unreadable

MOST = 5  # problems of one front matter
FENCE = "---"


def beside(file: str, text: str, slug: str) -> Iterator[Problem]:
    """All that is wrong with the form of its front matter, one key at the top after the other, and with its mechanics."""
    lines = text.replace("\r\n", "\n").split("\n")
    end = next((n for n, line in enumerate(lines) if n and line == FENCE), 0)
    if lines[0] == FENCE and end:
        yield from _front(file, lines[1:end])
    for fence in rules.fences(lines):
        if fence.language == rules.LANGUAGE and fence.end is not None:
            inside = "\n".join(lines[fence.start + 1 : fence.end])
            yield from unreadable(file, inside, fence.start + 1, slug)


def _front(file: str, lines: list[str]) -> Iterator[Problem]:
    for _ in range(MOST):
        try:
            files.read("\n".join(lines) + "\n", file, line=2)
            return
        except files.Unquoted:
            return  # told beside all else where the rest can be read
        except Malformed as wrong:
            problem = wrong.problems[0]
        yield problem
        at = min(max(problem.where.line - 2, 0), len(lines) - 1)
        tops = [n for n, line in enumerate(lines) if line[:1].strip(" \t#}])")] or [0]
        start = max((n for n in tops if n <= at), default=0)
        end = min((n for n in tops if n > at), default=len(lines))
        lines[start:end] = ["#"] * (end - start)  # as many lines, of which nothing is read
