"""Differences between two texts of a rule, for people: what went, what came, and a little around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from markupsafe import Markup

from nomicgit.site.markup import escaped, joined, tag

AROUND = 1  # lines kept at each side of what changed
LONGEST = 4000  # lines of a text that is still compared
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


@lru_cache(maxsize=4096)
def difference(old: str | None, new: str | None) -> Markup:
    """The lines that differ; within a line that was reworded, the words."""
    before, after = _lines(old), _lines(new)
    if len(before) + len(after) > LONGEST:
        return tag("p", "The texts are too long to compare.")
    rows: list[Markup] = []
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(AROUND):
        if rows:
            rows.append(tag("div", "⋯", class_="nomic-gap"))
        for kind, a, b, c, d in group:
            rows += _rows(kind, before[a:b], after[c:d])
    return tag("div", *rows, class_="nomic-diff", tabindex="0", role="group", aria_label="What changed")


def _lines(text: str | None) -> list[str]:
    return [line for line in (text or "").split("\n") if line.strip() and line != "---"]


def _rows(kind: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Markup]:
    if kind == "equal":
        yield from (tag("div", line) for line in before)
        return
    pairs = len(before) if len(before) == len(after) else 0
    for old, new in zip(before[:pairs], after[:pairs], strict=True):
        yield from _reworded(old, new)
    yield from (tag("del", line) for line in before[pairs:])
    yield from (tag("ins", line) for line in after[pairs:])


def _reworded(old: str, new: str) -> Iterator[Markup]:
    a, b = _WORD.findall(old), _WORD.findall(new)
    match = SequenceMatcher(None, a, b, autojunk=False)
    if match.ratio() < 0.4:
        yield from (tag("del", old), tag("ins", new))
        return
    gone, came = [], []
    for kind, i, j, k, m in match.get_opcodes():
        same = kind == "equal"
        gone.append(escaped("".join(a[i:j])) if same or i == j else tag("b", "".join(a[i:j])))
        came.append(escaped("".join(b[k:m])) if same or k == m else tag("b", "".join(b[k:m])))
    yield tag("del", joined(gone))
    yield tag("ins", joined(came))
