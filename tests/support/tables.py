"""The tables and facts of built pages, as a browser would show their text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

CELLS = ("td", "th", "dt", "dd")
SPACED = ("br", "li", "ul", "p", "div")


@dataclass
class Table:
    """A table: what it is called, the text of its heads, and of the cells of each row."""

    label: str
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def cells(self) -> list[tuple[str, str, str]]:
        """Each cell with the name of its row and the head of its column."""
        return [
            (row[0], head, cell)
            for row in self.rows
            for head, cell in zip(self.head[1:], row[1:], strict=True)
        ]


class Tables(HTMLParser):
    """The tables of a page, its lists of names and facts, and its paragraphs."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.facts: dict[str, str] = {}
        self.paragraphs: list[str] = []
        self._label, self._open, self._row = "", "", list[str]()
        self._texts: list[list[str]] = []
        self._name, self._label_of_row, self._folds = "", False, False
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a text."""
        given = dict(attrs)
        if tag == "div" and given.get("role") == "group":
            self._label = given.get("aria-label") or ""
        elif tag == "table":
            self.tables.append(Table(self._label))
        elif tag == "tr":
            self._row = []
        self._label_of_row = given.get("class") in ("nomic-label", "nomic-range")
        self._folds = tag == "summary"
        if tag in CELLS or (tag == "p" and not self._texts):
            self._texts.append([])
            self._open = tag
        elif tag in SPACED and self._texts:
            self._texts[-1].append(" ")

    def handle_endtag(self, tag: str) -> None:
        """End a text or a row."""
        self._label_of_row = False
        if self._texts and tag == self._open:
            text = " ".join("".join(self._texts.pop()).split())
            if tag in ("td", "th"):
                self._row.append(text)
            elif tag == "dt":
                self._name = text
            elif tag == "dd":
                self.facts[self._name] = text
            else:
                self.paragraphs.append(text)
        elif tag == "tr" and self.tables:
            table = self.tables[-1]
            if table.head:
                table.rows.append(self._row)
            else:
                table.head = self._row

    def handle_data(self, data: str) -> None:
        """Take down text, but for the label behind the name of a row, the range behind that of a column, and the word by which
        mechanics unfold.
        """
        if self._texts and not self._label_of_row and not (self._folds and data == "mechanics"):
            self._texts[-1].append(data)


def tables_of(page: Path) -> Tables:
    """What a page has, which is read once as long as nobody writes it anew."""
    return _read(page, page.stat().st_mtime_ns)


@lru_cache(maxsize=400)
def _read(page: Path, _written: int) -> Tables:
    return Tables(page)
