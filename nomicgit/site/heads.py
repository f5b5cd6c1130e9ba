"""What pages say of themselves to those who have not opened them: feeds, and what stands beside a link to them."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterator

from markupsafe import Markup
from msgspec import Struct

from nomicgit.site.card import HEIGHT, WIDTH
from nomicgit.site.card import URI as CARD
from nomicgit.site.feeds import TITLES
from nomicgit.site.markup import tag

_END = "</head>"
_SAID = 'property="og:'


class Heads(Struct, frozen=True):
    """What the heads of a site have in common: its name, its address ("" where unknown), the game's folder, its files."""

    name: str
    root: str
    under: str
    files: Container[str]

    def with_feeds(self, html: str, url: str) -> str:
        """A rendered page, at an address from the site's root, whose head names the game's feeds.

        The theme's script takes ``rel="alternate"`` alone for another language of the site, and asks for its sitemap.
        """
        links = (
            _void("link", rel="alternate feed", type="application/atom+xml", title=title, href=_way(self.under + uri, url))
            for uri, title in ((f"feeds/{name}.xml", title) for name, title in TITLES.items())
            if uri in self.files
        )  # fmt: skip
        return _into(html, links)

    def with_card(self, html: str, url: str, title: str, about: str) -> str:
        """A rendered page whose head says what is shown beside a link to it, unless its theme says so already."""
        return html if _SAID in html.partition(_END)[0] else _into(html, self._card(url, title, about))

    def _card(self, url: str, title: str, about: str) -> Iterator[Markup]:
        yield _void("meta", property="og:type", content="website")
        yield _void("meta", property="og:site_name", content=self.name)
        yield _void("meta", property="og:title", content=title)
        if about:
            yield _void("meta", property="og:description", content=about)
        if self.root:
            yield _void("meta", property="og:url", content=self.root + url)
        if self.root and CARD in self.files:
            yield _void("meta", property="og:image", content=self.root + self.under + CARD)
            yield _void("meta", property="og:image:width", content=str(WIDTH))
            yield _void("meta", property="og:image:height", content=str(HEIGHT))
            yield _void("meta", name="twitter:card", content="summary_large_image")


def _way(uri: str, url: str) -> str:
    """The way from a page's folder to a file."""
    return posixpath.relpath(uri, url or ".")


def _into(html: str, elements: Iterator[Markup]) -> str:
    """A page with more in its head."""
    before, end, after = html.partition(_END)
    return f"{before}{''.join(elements)}{end}{after}" if end else html


def _void(element: str, /, **attributes: str) -> Markup:
    """An element of the head, which holds nothing."""
    return Markup(str(tag(element, **attributes)).removesuffix(f"</{element}>"))  # noqa: S704 - finished by tag
