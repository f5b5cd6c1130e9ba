"""Where a quote stands in canonical prose, and the lines and blocks that it stands in.

A quote is found by whole words. White space in it is free inside a block, a blank line in it meets only a
blank line; kinds of quotation marks and dashes do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from nomicgit.ground.characters import is_letter
from nomicgit.ground.problems import printable
from nomicgit.law.rules import fences
from nomicgit.law.sentences import HEADING, ITEM, canonical

Span = tuple[int, int]


class Line(Struct, frozen=True):
    """A line of canonical prose by offsets: where it starts, its words start, and it ends; and what it is
    in.
    """

    start: int
    words: int
    end: int
    block: int
    item: int  # the number of its item, -1 for none
    kind: str  # text, item, fence, row (of a table), quote, heading
    column: int


_ALIKE = str.maketrans({
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
})  # fmt: skip
_WHITE = re.compile(r"[ \t\r\f\v\n]+")
_GAP = re.compile(r"[ \t]*\n[ \t]*|[ \t]+")
_PARTING = re.compile(r"[ \t]*\n(?:[ \t]*\n)+[ \t]*")


@lru_cache(maxsize=512)
def _alike(text: str) -> str:
    """The text with one kind of quotation marks and dashes, every character in its place."""
    return text.translate(_ALIKE)


def _spans(text: str, quote: str) -> Iterator[Span]:
    """Where a quote without white space at its ends stands in a text, by whole words; spans may overlap."""
    plain, wanted = _alike(text), _alike(quote)
    words, gaps = _WHITE.split(wanted), [gap.count("\n") > 1 for gap in _WHITE.findall(wanted)]
    start = plain.find(words[0])
    while start >= 0:
        if not (is_letter(quote[0]) and start and is_letter(plain[start - 1])):
            end = _end(plain, start + len(words[0]), words[1:], gaps)
            if end >= 0 and not (is_letter(quote[-1]) and is_letter(plain[end : end + 1])):
                yield start, end
        start = plain.find(words[0], start + 1)


def _end(text: str, at: int, words: Sequence[str], gaps: Sequence[bool]) -> int:
    """Where words end that stand from an offset on, each behind its gap (True: a blank line); -1 where they do not."""
    for number, (word, parting) in enumerate(zip(words, gaps, strict=True)):
        gap = (_PARTING if parting else _GAP).match(text, at)
        if gap is None:
            return -1
        at = gap.end()
        if (
            not parting and "\n" in gap[0] and text[at : at + 2] in ("> ", ">\t")
        ):  # the next line of a block quote
            inside = _end(text, at + 2 + len(word), words[number + 1 :], gaps[number + 1 :])
            if text.startswith(word, at + 2) and inside >= 0:
                return inside
        if not text.startswith(word, at):
            return -1
        at += len(word)
    return at


def hits_of(text: str, quote: str) -> list[Span]:
    """Where a quote stands, as it is written or else in its canonical form."""
    for form in dict.fromkeys((quote.strip(), canonical(quote))):
        spans = list(_spans(text, form)) if form else []
        if spans:
            return spans
    return []


def in_marks(quote: str) -> str:
    """A quote as a message shows it."""
    return f"“{printable(' '.join(quote.split()), 60)}”"


@lru_cache(maxsize=256)
def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of canonical prose that are not blank; blocks and items are numbered."""
    rows = text.split("\n")
    fenced = {n for fence in fences(rows) for n in range(fence.start, (fence.end or len(rows) - 1) + 1)}
    lines: list[Line] = []
    offset = block = items = 0
    item, parted = -1, False
    for n, row in enumerate(rows):
        plain = row.lstrip(" ")
        if plain or n in fenced:
            if parted:
                block, item, parted = block + 1, -1, False
            kind, words = _kind(plain) if n not in fenced else ("fence", 0)
            if kind == "item":
                items, item = items + 1, items
            column = len(row) - len(plain)
            lines.append(Line(offset, offset + column + words, offset + len(row), block, item, kind, column))
        else:
            parted = bool(lines)
        offset += len(row) + 1
    return tuple(lines)


def _kind(line: str) -> tuple[str, int]:
    """What kind of line this is, and after how many characters its words begin."""
    if mark := ITEM.match(line):
        return "item", mark.end()
    if mark := HEADING.match(line):
        return "heading", mark.end()
    if line[0] == ">":
        return "quote", 2
    return ("row", 0) if line[0] == "|" or line.count("|") > 1 else ("text", 0)


def line_at(lines: tuple[Line, ...], offset: int) -> Line:
    """The line that an offset lies in, or the last one before it."""
    return next(each for each in reversed(lines) if each.start <= offset or each is lines[0])


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a span covers whole lines of canonical prose: sentences, items, rows."""
    lines = lines_of(text)
    first, last = line_at(lines, start), line_at(lines, end - 1)
    return start in (first.words, first.start + first.column, first.start) and end == last.end
