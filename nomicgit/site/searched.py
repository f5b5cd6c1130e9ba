"""What the search reads of a page: a row of a table is a sentence, for whoever finds it sees neither columns nor heads.

Of a section the search of Material shows the blocks in which it found a word, so each row is a block, and so are facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup, escape
from msgspec import Struct, field

from nomicgit.site.markup import BREAK

_TAG = re.compile(r'<(/?)(table|thead|tr|th|td|dl|dt|dd)\b(?:[^>"]|"[^"]*")*>')
_PICTURE = re.compile(
    r"<svg\b.*?</svg>", re.DOTALL
)  # what it shows stands beside it, as a table, or where it leads
_SOURCE = re.compile(
    r'<sup class="nomic-source">.*?</sup>', re.DOTALL
)  # the number of the post that wrote a sentence is no word of it
_RANGE = re.compile(r'<small class="nomic-range">.*?</small>')
_ENDS = (".", "!", "?", ":", ";", ",")
_NONE = frozenset(("", "–"))
_PAIR = 2  # columns that nobody needs heads for


def searched(title: object, body: Markup) -> Markup:
    """A page as the search reads it, whose title is no part of its text."""
    reading, html, place = _Reading(), _SOURCE.sub("", _PICTURE.sub("", body)), 0
    for mark in _TAG.finditer(html):
        reading.say(html[place : mark.start()])
        reading.meet(mark[2], closing=bool(mark[1]))
        place = mark.end()
    reading.say(html[place:])
    return Markup('<h1 id="title">{}</h1>').format(title) + Markup("".join(reading.parts))  # noqa: S704 - finished parts


class _Reading(Struct):
    """How far a page is read: what it says so far, and what is open of a table or of facts."""

    parts: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    filled: set[str] = field(default_factory=set)  # the heads under which a row has something
    cell: list[str] | None = None
    in_head: bool = False

    def say(self, html: str) -> None:
        """What stands between two tags."""
        (self.parts if self.cell is None else self.cell).append(html)

    def meet(self, name: str, *, closing: bool) -> None:
        """A tag: cells are gathered, and told where their row ends."""
        match name, closing:
            case "table", False:
                self.heads, self.filled = [], set()
            case "table", True:
                without = [head for head in self.heads if head not in self.filled]
                self._tell(without[:1] and [f"Without a value: {', '.join(without)}"])
            case "thead", _:
                self.in_head = not closing
            case (("tr" | "dl"), False):
                self.cells = []
            case "tr", True if self.in_head:
                self.heads = [escape(_plain(head)) for head in self.cells]
            case "tr", True:
                self._tell(self._row())
            case "dl", True:
                names, values = (escape(_plain(name)) for name in self.cells[::2]), self.cells[1::2]
                self._tell(f"{name}: {value}" for name, value in zip(names, values, strict=False))
            case _, False:
                self.cell = []
            case _ if self.cell is not None:
                self.cells.append("".join(self.cell).strip().replace(BREAK, ", "))
                self.cell = None

    def _row(self) -> Iterable[str]:
        """The cells of a row that hold something, each behind the head of its column, but for what names the row."""
        heads = self.heads if len(self.heads) == len(self.cells) else [""] * len(self.cells)
        for place, (head, cell) in enumerate(zip(heads, self.cells, strict=True)):
            if _plain(cell) in _NONE:
                continue
            self.filled.add(head)
            yield f"{head}: {cell}" if head and place and len(heads) > _PAIR else cell

    def _tell(self, said: Iterable[str]) -> None:
        """One block: its parts one after another, with a comma where none of them ends a sentence."""
        block = ""
        for part in said:
            block += f"{'' if not block else ' ' if _plain(block).endswith(_ENDS) else ', '}{part}"
        if block:
            self.parts.append(f"<p>{block}</p>")


def _plain(html: str) -> str:
    """The words of a part, without the range of a number behind its name."""
    return Markup(_RANGE.sub("", html)).striptags()  # noqa: S704 - a finished part
