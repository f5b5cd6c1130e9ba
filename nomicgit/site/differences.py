"""Differences between two texts of a rule, for people: what went, what came, and a little around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

from nomicgit.law.rules import LANGUAGE
from nomicgit.site.markup import escaped, joined, tag

AROUND = 1  # lines kept at each side of what changed

LONGEST = 4000  # lines of a text that is still compared
_CODE = re.compile(r"`+")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})(\w*)\s*")
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
        last = Part.TEXT
        for part, row in (row for kind, a, b, c, d in group for row in _rows(kind, before[a:b], after[c:d])):
            rows += [] if part is last else [tag("div", part.value, class_="nomic-gap")]
            rows.append(row)
            last = part
    return tag("div", *rows, class_="nomic-diff", tabindex="0", role="group", aria_label="What changed")


class Part(Enum):
    """What a line of a rule's file is a part of, by its name for people."""

    DECLARATIONS = "declarations"
    TEXT = "text"
    MECHANICS = "mechanics"


Line = tuple[Part, str]


def _lines(text: str | None) -> list[Line]:
    """The lines of a rule's file, or of its text alone, each with what it is a part of; what only parts these is none."""
    lines, part, fenced = list[Line](), Part.TEXT, False
    for at, line in enumerate((text or "").split("\n")):
        if line == "---" and (at == 0 or part is Part.DECLARATIONS):
            part = Part.TEXT if at else Part.DECLARATIONS
        elif part is not Part.DECLARATIONS and (fence := _FENCE.fullmatch(line)):
            fenced = not fenced
            part = Part.MECHANICS if fenced and fence[1] == LANGUAGE else Part.TEXT
        elif line.strip():
            lines.append((part, line))
    return lines


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


def _whole(line: Line) -> Markup:
    part, text = line
    return _pieced(part, [(piece, False) for piece in re.split(f"({_CODE.pattern})", text)])


def _rows(kind: str, before: Sequence[Line], after: Sequence[Line]) -> Iterator[tuple[Part, Markup]]:
    if kind == "equal":
        yield from ((line[0], tag("div", _whole(line))) for line in before)
        return
    alike = [line[0] for line in before] == [line[0] for line in after]
    pairs = len(before) if alike else 0
    for old, new in zip(before[:pairs], after[:pairs], strict=True):
        yield from ((old[0], row) for row in _reworded(old, new))
    yield from ((line[0], tag("del", _whole(line))) for line in before[pairs:])
    yield from ((line[0], tag("ins", _whole(line))) for line in after[pairs:])


def _reworded(old: Line, new: Line) -> Iterator[Markup]:
    part, a, b = old[0], _WORD.findall(old[1]), _WORD.findall(new[1])
    match = SequenceMatcher(None, a, b, autojunk=False)
    if match.ratio() < 0.4:
        yield from (tag("del", _whole(old)), tag("ins", _whole(new)))
        return
    gone, came = list[tuple[str, bool]](), list[tuple[str, bool]]()
    for kind, i, j, k, m in match.get_opcodes():
        gone += _pieces(a[i:j], changed=kind != "equal")
        came += _pieces(b[k:m], changed=kind != "equal")
    yield tag("del", _pieced(part, gone))
    yield tag("ins", _pieced(part, came))


def _pieced(part: Part, pieces: Sequence[tuple[str, bool]]) -> Markup:
    """The same, but of what is no text, in which marks of code are what they are."""
    if part is Part.TEXT:
        return _coded(pieces)
    return joined(tag("b", text) if changed else escaped(text) for text, changed in pieces)


def _pieces(words: Sequence[str], *, changed: bool) -> Iterator[tuple[str, bool]]:
    """Words that changed, or did not, in as few pieces as marks of code leave."""
    for marks, some in groupby(words, lambda word: bool(_CODE.fullmatch(word))):
        alike = list(some)
        yield from ((word, changed) for word in (alike if marks else ["".join(alike)]))
