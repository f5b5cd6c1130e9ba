"""Differences between two texts of a rule, for people: what went, what came, and a little around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

from nomicgit.site.markup import escaped, joined, tag

AROUND = 1  # lines kept at each side of what changed
LONGEST = 4000  # lines of a text that is still compared
_CODE = re.compile(r"`+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\w*\s*")
_WORD = re.compile(r"\s+|\w+|`+|[^\w\s]")


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
    lines = (text or "").split("\n")
    return [line for line in lines if line.strip() and line != "---" and not _FENCE.fullmatch(line)]


def _coded(pieces: Sequence[tuple[str, bool]]) -> Markup:
    """A line, of which some pieces changed; what stands between marks of code is code, without them."""
    parts, closing = list[Markup](), -1
    for at, (text, changed) in enumerate(pieces):
        if closing < at and _CODE.fullmatch(text):
            closing = next((then for then in range(at + 1, len(pieces)) if pieces[then][0] == text), -1)
            if closing > at:
                continue
        if at == closing:
            continue
        piece = tag("code", text) if at < closing and text else escaped(text)
        parts.append(tag("b", piece) if changed else piece)
    return joined(parts)


def _whole(line: str) -> Markup:
    return _coded([(piece, False) for piece in re.split(f"({_CODE.pattern})", line)])


def _rows(kind: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Markup]:
    if kind == "equal":
        yield from (tag("div", _whole(line)) for line in before)
        return
    pairs = len(before) if len(before) == len(after) else 0
    for old, new in zip(before[:pairs], after[:pairs], strict=True):
        yield from _reworded(old, new)
    yield from (tag("del", _whole(line)) for line in before[pairs:])
    yield from (tag("ins", _whole(line)) for line in after[pairs:])


def _reworded(old: str, new: str) -> Iterator[Markup]:
    a, b = _WORD.findall(old), _WORD.findall(new)
    match = SequenceMatcher(None, a, b, autojunk=False)
    if match.ratio() < 0.4:
        yield from (tag("del", _whole(old)), tag("ins", _whole(new)))
        return
    gone, came = list[tuple[str, bool]](), list[tuple[str, bool]]()
    for kind, i, j, k, m in match.get_opcodes():
        gone += _pieces(a[i:j], changed=kind != "equal")
        came += _pieces(b[k:m], changed=kind != "equal")
    yield tag("del", _coded(gone))
    yield tag("ins", _coded(came))


def _pieces(words: Sequence[str], *, changed: bool) -> Iterator[tuple[str, bool]]:
    """Words that changed, or did not, in as few pieces as marks of code leave."""
    for marks, some in groupby(words, lambda word: bool(_CODE.fullmatch(word))):
        alike = list(some)
        yield from ((word, changed) for word in (alike if marks else ["".join(alike)]))
