"""Canonical prose: blocks parted by one blank line, one sentence to a line, so that an amendment reads as a
diff.

The form is part of what a game means by a change, so what it does to a text may never differ between two
programs. Only white space between words, the marks of lists (``- ``, ``1. ``) and underlined headings are
ever rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct, field

from nomicgit.ground.characters import settled
from nomicgit.law.rules import fences

NEST = 4  # columns that each level of a list is set in by
BLANK = " \t\r\f\v"

ITEM = re.compile(r"([-*+]|[0-9]{1,9}[.)])[ \t]+(?=[^ \t])")
_LONE = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])$")  # a list's mark that marks nothing
HEADING = re.compile(r"#{1,6}(?: |$)")
_BREAK = re.compile(r"([-*_])(?: *\1){2,}$")  # a horizontal rule
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})$")
_REFERENCE = re.compile(r"\[[^\]]+\]:(?: |$)")
_DELIMITER = re.compile(r"(?=[^|]*\|)(?=[^-]*-)[-|: ]+$")  # the second line of a table
_BEGINS_BLOCK = re.compile(
    r"#{1,6}(?: |$)|>|[-*+_](?: |$)|[0-9]{1,9}[.)](?: |$)|\||`{3}|~{3}|={3}|-{2}|_{3}|\*{3}|:-|"
    r"\[[^\]]+\]:(?: |$)"
)

APART = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\{\{[^{}\n]*\}\}")  # code and quotes: nothing ends inside them
_END = re.compile(r"[.!?…]+[])}\"'”’»*_`]*(?= )")
_OPENING = "\"'“‘«([*_"
_ABBREVIATION = re.compile(
    r"(?:e\.g|eg|i\.e|ie|cf|vs|mr|mrs|ms|messrs|dr|st|prof|jr|sr|viz|al|approx|resp|incl|excl|ca|dept)$"
)
_BEFORE_NUMBER = re.compile(r"(?:nos?|figs?|pp?|vols?|art|sec|ch|par)$")


class _Chunk(Struct):
    """What stands between two blank lines at most: a paragraph, an item, rows, a heading, a fenced block."""

    kind: str
    pad: int
    lines: list[str]
    mark: str = ""
    joins: bool = False  # follows the chunk before without a blank line

    def text(self) -> str:
        pad = " " * self.pad
        match self.kind:
            case "fence":
                return "\n".join(self.lines)
            case "text" | "item":
                first, *more = sentences(" ".join(self.lines))
                under = pad + " " * len(self.mark)
                return "\n".join([pad + self.mark + first, *(under + each for each in more)])
            case _:
                return "\n".join(pad + each for each in self.lines)


class _Reader(Struct):
    """Takes prose apart, line by line. ``levels`` are the open items' own columns, outermost first."""

    lines: Sequence[str]
    chunks: list[_Chunk] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    open: _Chunk | None = None  # the paragraph or item that the next line may go on with
    rows: _Chunk | None = None  # the rows that the next line may go on with

    def read(self) -> list[_Chunk]:
        ends = {fence.start: fence.end for fence in fences(self.lines)}
        at = 0
        while at < len(self.lines):
            if at in ends:
                end = ends[at]
                past = len(self.lines) if end is None else end + 1
                self._own(_column(self.lines[at]))
                self._put(_Chunk("fence", 0, list(self.lines[at:past])))
                at = past
                continue
            at += self._line(at)
        return self.chunks

    def _line(self, at: int) -> int:
        """Take the line at ``at``, with those that surely belong to it; gives their number."""
        column, line = _column(self.lines[at]), _plain(self.lines[at])
        item = ITEM.match(line)
        if not line:
            self.open = self.rows = None
        elif self._underlines(line):
            assert self.open is not None
            mark = "# " if line[0] == "=" else "## "
            self.open.kind, self.open.lines = "heading", [mark + self.open.lines[0]]
            self.open = None
        elif (size := self._table(at)) or line[0] == "|":
            self._rows("table", column, [_plain(each) for each in self.lines[at : at + max(1, size)]])
            return max(1, size)
        elif line[0] == ">":
            rest = line[1:].strip(BLANK)
            self._rows("quote", column, ["> " + rest if rest else ">"])
        elif _REFERENCE.match(line) and self.open is None:
            self._rows("reference", column, [line])
        elif HEADING.match(line) or _BREAK.match(line) or (item and _BREAK.match("- " + line[item.end() :])):
            self._put(_Chunk("heading", self._own(column), [line]))
        elif item and not (item[1][:-1] not in ("", "1") and self.open and self.open.kind == "text"):
            self._item(column, "- " if item[1] in "-*+" else "1. ", line[item.end() :])
        elif self.open:
            self.open.lines.append(line)
        else:
            self._put(_Chunk("text", self._own(column), [line]))
            self.open = None if _LONE.match(line) else self.chunks[-1]
        return 1

    def _underlines(self, line: str) -> bool:
        """Whether the line makes a heading of the one line of a paragraph above it."""
        paragraph = self.open is not None and self.open.kind == "text" and len(self.open.lines) == 1
        return paragraph and bool(_UNDERLINE.match(line))

    def _table(self, at: int) -> int:
        """How many lines a table without marks at its rows' beginnings has from here; 0 for none."""
        following = "".join(self.lines[at + 1 : at + 2])
        if "|" not in self.lines[at] or not _DELIMITER.match(_plain(following)):
            return 0
        past = at + 2
        while past < len(self.lines) and "|" in self.lines[past]:
            past += 1
        return past - at

    def _put(self, chunk: _Chunk) -> None:
        self.open = self.rows = None
        self.chunks.append(chunk)

    def _rows(self, kind: str, column: int, lines: list[str]) -> None:
        """Lines that stay as lines: they join rows of their kind directly above."""
        if self.rows is not None and self.rows.kind == kind:
            self.rows.lines += lines
            return
        self._put(_Chunk(kind, self._own(column), lines))
        self.rows = self.chunks[-1]

    def _own(self, column: int) -> int:
        """The column for what stands in no item of its own: within the open item that it is set in under."""
        while self.levels and column < self.levels[-1] + 2:
            self.levels.pop()
        del self.marks[len(self.levels) :]
        return NEST * len(self.levels)

    def _item(self, column: int, mark: str, text: str) -> None:
        same = self.marks[:]
        pad = self._own(column)
        depth = len(self.levels)
        joins = bool(self.chunks) and self.chunks[-1].kind == "item"
        joins = joins and same[depth : depth + 1] in ([], [mark])
        self.levels.append(column)
        self.marks.append(mark)
        self._put(_Chunk("item", pad, [text], mark, joins))
        self.open = self.chunks[-1]


def _column(line: str) -> int:
    line = line.expandtabs(NEST)
    return len(line) - len(line.lstrip(BLANK))


def _plain(line: str) -> str:
    """A line without white space at its ends, and with single spaces in it."""
    return re.sub(r"[ \t\r\f\v]+", " ", line).strip(BLANK)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The prose in canonical form; of a canonical text, the same text. No word is lost or made."""
    pieces: list[str] = []
    for chunk in _Reader(text.replace("\r\n", "\n").split("\n")).read():
        if pieces:
            pieces.append("\n" if chunk.joins else "\n\n")
        pieces.append(chunk.text())
    return "".join(pieces).rstrip(BLANK + "\n")


def sentences(block: str) -> list[str]:
    """The sentences of a paragraph or item, which is first put on one line."""
    text = re.sub(r"[ \t\r\f\v\n]+", " ", block).strip(BLANK)
    apart = [passage.span() for passage in APART.finditer(text)]
    return [text[a:b] for a, b in _cuts(text, apart)]


def _cuts(text: str, apart: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    start, text = 0, settled(text)
    for end in _END.finditer(text):
        if any(a <= end.start() < b for a, b in apart):
            continue
        if _ends(text[start : end.start()], end[0], text[end.end() + 1 : end.end() + 200]):
            yield start, end.end()
            start = end.end() + 1
    yield start, len(text)


def _ends(before: str, mark: str, after: str) -> bool:
    """Whether a sentence ends between these texts, the first followed by the mark."""
    word = before.rpartition(" ")[2].lstrip(_OPENING).lower()
    following = after.lstrip(_OPENING)
    if not before or _BEGINS_BLOCK.match(after) or following[:1].islower():
        return False
    if mark[0] != "." or mark.startswith(".."):
        return True
    single = len(word) == 1 and word.isalpha()
    counts = _BEFORE_NUMBER.match(word) and following[:1].isdigit()
    return not (single or _ABBREVIATION.match(word) or counts)
