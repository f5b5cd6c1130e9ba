"""Checks of the mechanics: their names and habits, and, in a worker, whether they load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.law import mechanics as language
from nomicgit.law.definitions import definitions, tokens
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning

WRITING = frozenset({"=", "+=", "-=", "*=", "//="})
_PLACED = re.compile(r"^(?P<file>[^:]+\.md):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)$", re.DOTALL)


def names(law: Law) -> Iterator[Finding]:
    """Functions defined twice, named like words, or overriding with other parameters; calls of what nobody defines."""
    for problem in law.linked.problems:
        yield error(problem)
    missing = set(law.linked.missing)
    for placed in law.active:
        for name in sorted(missing & law.scanned(placed).calls):
            yield warning(
                in_rule(law, placed.slug, f"no rule in force defines {name}, which the mechanics call")
            )


def habits(law: Law) -> Iterator[Finding]:
    """What does not mean what it seems to: ``/``, writing into what a word returned, statements outside functions."""
    for placed in law.active:
        if placed.mechanics:
            yield from _habits(law, placed)


def _habits(law: Law, placed: Placed) -> Iterator[Finding]:
    text = placed.mechanics
    toks = [t for t in tokens(text) if t[0] not in ("COMMENT", "NEWLINE")]
    for n, (kind, value, start) in enumerate(toks):
        if kind != "OP":
            continue
        line = placed.line + 1 + text.count("\n", 0, start)
        if value in ("/", "/="):
            yield error(
                in_rule(
                    law,
                    placed.slug,
                    "/ gives a fraction",
                    "write divide(a, b), which rounds towards zero",
                    line,
                )
            )
        if value == "]" and n + 1 < len(toks) and toks[n + 1][1] in WRITING and _of_a_call(toks, n):
            yield error(
                in_rule(
                    law,
                    placed.slug,
                    "this changes a copy of what the word returned",
                    "write put, mark, add or remove",
                    line,
                )
            )
    for definition in definitions(text):
        if definition.kind == "constant" and _calls(text, definition.start, definition.end):
            line = placed.line + 1 + definition.start
            yield error(
                in_rule(
                    law,
                    placed.slug,
                    f"{definition.name}: outside functions a file holds literals only",
                    "",
                    line,
                )
            )


def _of_a_call(toks: list[tuple[str, str, int]], closing: int) -> bool:
    """Whether the bracket that ends here opens behind a call's parenthesis."""
    depth = 0
    for n in range(closing, -1, -1):
        depth += (toks[n][1] == "]") - (toks[n][1] == "[")
        if depth == 0:
            return n > 0 and toks[n - 1][1] == ")"
    return False


def _calls(text: str, start: int, end: int) -> bool:
    inside = [t for t in tokens("\n".join(text.split("\n")[start:end])) if t[0] not in ("COMMENT", "NEWLINE")]
    return any(a[0] == "NAME" and b[1] == "(" for a, b in pairwise(inside)) or any(
        t[1] in ("for", "lambda", "if") for t in inside
    )


def loading(law: Law) -> Iterator[Finding]:
    """Whether the mechanics parse and load, and read no name that nobody defines; tried in a worker."""
    try:
        texts = worker.run(
            lambda: [str(problem) for problem in language.undefined_names(law.linked, law.language)]
        )
    except NomicError as wrong:
        for problem in wrong.problems:
            yield error(problem)
        return
    for text in texts:
        match = _PLACED.match(text)
        if match:
            title = next((p.title for p in law.active if match["file"].endswith(p.path)), "")
            yield error(
                Problem(match["what"], Place(match["file"], int(match["line"]), int(match["column"]), title))
            )
        else:
            yield error(Problem(text))
