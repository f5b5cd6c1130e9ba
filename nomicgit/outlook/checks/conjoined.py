"""Checks of comparisons that are joined so that they always hold, or never: ``mood != "calm" or mood != "cross"``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from nomicgit.law.definitions import DEEPER, Token
from nomicgit.law.law import Law
from nomicgit.outlook.checks.calling import whole_functions
from nomicgit.outlook.checks.finding import Finding, error, in_rule
from nomicgit.outlook.checks.references import COMPARED

SAME = frozenset("get read was id name len str weekday date now emperor".split())
"""Words that give the same each time that they are asked within a line."""
JOINS = {"or": "!=", "and": "=="}
"""Two of these comparisons with two values, so joined, always hold, or never."""
_BEFORE = frozenset({"if", "elif", "not", ",", "=", "return", "lambda", ":", "or", "and", ";"})
_BEHIND = frozenset({":", ",", "or", "and", "if", "else", "for", ";"})


class _Side(NamedTuple):
    """What is compared, the value with which it is, and what stands before and behind both."""

    asked: tuple[str, ...]
    value: str
    before: str
    behind: str


def conjoined(law: Law) -> Iterator[Finding]:
    """Two comparisons of one thing with two values, of which one always holds, or one never does."""
    for placed in law.active:
        for function in whole_functions(placed.mechanics):
            tokens = function.tokens
            for n, (_, word, at) in enumerate(tokens):
                if word not in JOINS or (pair := _pair(tokens, n)) is None:
                    continue
                first, second = pair
                asked, line = _written(placed.mechanics, tokens, n), placed.line + 1
                line += placed.mechanics.count("\n", 0, at)
                holds = "always holds" if word == "or" else "never holds"
                what = f"{asked} is compared with two values, joined by {word}: this {holds}"
                listed = f"[{first.value}, {second.value}]"
                mend = f"write {asked} {'not in' if word == 'or' else 'in'} {listed}, if that is meant"
                yield error(in_rule(law, placed.slug, what, mend, line))


def _pair(tokens: Sequence[Token], n: int) -> tuple[_Side, _Side] | None:
    """The comparisons on both sides of a word that joins them, where they are of one thing with two values."""
    join = tokens[n][1]
    first, second = _side(tokens, n, -1), _side(tokens, n, 1)
    if first is None or second is None or first.asked != second.asked or first.value == second.value:
        return None
    if first.before == "not" or (join == "or" and "and" in (first.before, second.behind)):
        return None
    return first, second


def _side(tokens: Sequence[Token], n: int, step: int) -> _Side | None:
    """The comparison on one side of a place; None where there stands anything else, or what may be another each time."""
    start, depth = n + step, 0
    end = start
    while 0 <= end < len(tokens):
        word = tokens[end][1]
        depth += step * DEEPER.get(word, 0)
        if depth < 0 or (depth == 0 and word in (_BEHIND if step > 0 else _BEFORE)):
            break
        end += step
    inside = tokens[start:end] if step > 0 else tokens[end + 1 : start + 1]
    outside = tokens[end][1] if 0 <= end < len(tokens) else ""
    if len(inside) < 3 or inside[-1][0] not in ("STRING", "NUMBER") or inside[-2][1] != JOINS[tokens[n][1]]:
        return None
    asked = inside[:-2]
    if any(word in COMPARED or word in (*JOINS, "not", "in", "if") for _, word, _ in asked):
        return None
    called = {word for (kind, word, _), (_, after, _) in pairwise(asked) if kind == "NAME" and after == "("}
    if not called <= SAME:
        return None
    words, value = tuple(word for _, word, _ in asked), inside[-1][1].replace("'", '"')
    return _Side(words, value, outside if step < 0 else "", outside if step > 0 else "")


def _written(text: str, tokens: Sequence[Token], n: int) -> str:
    """What is compared before a place, as it is written."""
    side = _side(tokens, n, -1)
    count = len(side.asked) if side is not None else 0
    return " ".join(text[tokens[n - 2 - count][2] : tokens[n - 2][2]].split())
