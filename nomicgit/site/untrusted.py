"""What players wrote, as HTML that can do nothing: Markdown rendered without its raw HTML, then sanitised."""

from __future__ import annotations

from functools import lru_cache
from xml.etree.ElementTree import Element

import markdown  # type: ignore[import-untyped]
import nh3
from markdown.extensions.tables import TableExtension  # type: ignore[import-untyped]
from markdown.treeprocessors import Treeprocessor  # type: ignore[import-untyped]
from markupsafe import Markup

from nomicgit.site.markup import tag, visible

LARGEST = 65_536  # bytes of a text; a longer one is shown as it was typed
MOST_BRACKETS = 500  # the renderer's time grows with the square of these, and of headings
MOST_HEADINGS = 500
SHIFT = 3  # a player's topmost heading is h4: pages and rules have h1 to h3 for themselves
BLOCKS = (
    "p",
    "hr",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
)
TAGS = frozenset((*BLOCKS, "br", "em", "strong", "code", "a"))
ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),
    "a": {"href"},
    "ol": {"start"},
    "th": {"align"},
    "td": {"align"},
}
_RAW = (("preprocessors", "html_block"), ("inlinePatterns", "html"))
_PICTURES = ("image_link", "image_reference", "short_image_ref")


class _Lowered(Treeprocessor):  # type: ignore[misc]
    """Moves headings below those of the site."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            if len(element.tag) == 2 and element.tag[0] == "h" and element.tag[1].isdigit():
                element.tag = f"h{min(6, int(element.tag[1]) + SHIFT)}"


@lru_cache(maxsize=1)
def _renderer() -> markdown.Markdown:
    found = markdown.Markdown(
        extensions=[TableExtension(use_align_attribute=True), "sane_lists", "fenced_code"]
    )
    for registry, name in _RAW:
        getattr(found, registry).deregister(name)
    for name in _PICTURES:
        found.inlinePatterns.deregister(name)
    found.treeprocessors.register(_Lowered(found), "lowered", 1)
    return found


@lru_cache(maxsize=4096)
def rendered(text: str) -> Markup:
    """Markdown of a player as safe HTML; what is too large or too involved is shown as plain text."""
    text = visible(text)
    if not _bearable(text):
        return plain(text)
    try:
        html = _renderer().reset().convert(text)
    except RecursionError:
        return plain(text)
    clean = nh3.clean(
        html, tags=set(TAGS), clean_content_tags={"script", "style"}, attributes={k: set(v) for k, v in ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"}, url_relative="deny", link_rel="nofollow noopener noreferrer ugc",
    )  # fmt: skip
    return Markup(clean)  # noqa: S704 - sanitised on the line above


def _bearable(text: str) -> bool:
    if len(text.encode(errors="replace")) > LARGEST or text.count("[") > MOST_BRACKETS:
        return False
    return sum(line.lstrip(" >").startswith("#") for line in text.split("\n")) <= MOST_HEADINGS


def plain(text: str) -> Markup:
    """A text as it was typed."""
    return tag("pre", text, class_="nomic-plain")
