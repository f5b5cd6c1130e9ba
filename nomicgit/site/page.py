"""A page of the site, whatever generator it goes through: an address, a title, and sections of finished HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup
from msgspec import Struct

from nomicgit.site.markup import NOTHING, escaped, joined, line, tag, visible

BEGINNING = 4096  # characters of a page, of which its description is made
DESCRIBED = 200  # characters
TOP = 2  # the level of a part of a page
MANY = 4  # parts from which on a style leaves the contents beside a wide table, unless the ways to them stand above
WAYS = "nomic-ways"
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")


class Section(Struct, frozen=True):
    """A part of a page under a heading of its own. ``label`` is what tables of contents show, where shorter; ``under`` is how many
    parts of its own level it is a part of, which they show as well.
    """

    id: str
    title: str | Markup
    body: Markup
    level: int = TOP
    label: str = ""
    under: int = 0

    @property
    def html(self) -> Markup:
        """The heading and what stands under it."""
        return tag(f"h{self.level}", self.title, id=self.id) + self.body

    @property
    def name(self) -> str:
        """The heading as plain text."""
        return self.label or (self.title.striptags() if isinstance(self.title, Markup) else self.title)


class Page(Struct, frozen=True):
    """``uri`` is the page's source file, such as ``rules/votes.md``, served as ``rules/votes/``.

    The title is plain text, not yet escaped. Links in ``lead`` and ``sections`` are relative to the served address.
    """

    uri: str
    title: str
    lead: Markup = NOTHING
    sections: tuple[Section, ...] = ()
    listed: bool = False  # in the navigation
    searched: bool = True  # in the search index
    about: str = ""  # what it is about, as plain text; else how it begins

    @property
    def description(self) -> str:
        """What it is about, in a sentence or two of plain text."""
        begins = self.lead if len(self.lead) <= BEGINNING else self.lead[:BEGINNING].rpartition("<")[0]
        text = visible(" ".join((self.about or line(begins)).split()))
        return text if len(text) <= DESCRIBED else text[: DESCRIBED - 1] + "…"

    @property
    def body(self) -> Markup:
        """Everything below the title. Where a table takes the place of the contents, the ways to the parts stand at the top."""
        parts = [section.html for section in self.sections]
        top = [section for section in self.sections if section.level == TOP]
        main = top if len(top) >= MANY else self.sections
        wide = len(main) >= MANY and WAYS not in self.lead and any("nomic-wide" in part for part in parts)
        return Markup("\n").join([self.lead, *([ways_to(main)] if wide else ()), *parts])


def ways_to(sections: Iterable[Section]) -> Markup:
    """The ways to the sections of a page that is long: on a phone no table of contents stands beside it."""
    ways = (tag("a", section.name, href=f"#{section.id}") for section in sections)
    about = {"class_": f"nomic-about {WAYS}", "data_search_exclude": ""}
    return tag("p", joined(ways, " · "), **about)


def within(folder: str, name: str) -> str:
    """The page of what has a name, in a folder. What is called index, as no page but a folder's own is, gets a hyphen, which
    ends no name.
    """
    return f"{folder}/{name}{'-' if name.casefold() == 'index' else ''}.md"


def rule_uri(slug: str) -> str:
    """The page of a rule."""
    return within("rules", slug)


def url_of(uri: str) -> str:
    """The address of a page from the site's root: a folder, "" for the home page."""
    stem = uri.removesuffix(".md")
    return "" if stem == "index" else stem.removesuffix("/index") + "/"


def root_of(uri: str) -> str:
    """The way from a page's address to the site's root."""
    return "../" * url_of(uri).count("/") or "./"


def document(page: Page) -> str:
    """The page as a file for any generator: front matter and one block of HTML without a blank line.

    Markdown ends a block of HTML at a blank line, so none is left: in preformatted text it is written as a reference.
    """
    title = visible(page.title).replace("\\", "\\\\").replace('"', '\\"')
    html = tag("div", tag("h1", escaped(page.title)), "\n", page.body, class_="nomic")
    return f'---\ntitle: "{title}"\n---\n\n' + _BLANK_LINE.sub("&#10;", html) + "\n"
