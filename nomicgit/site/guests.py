"""Pages that people write beside the game's, as HTML that can do nothing: no style, script, frame or form, and no way by itself."""

from __future__ import annotations

import html
import re

import nh3
from markupsafe import escape

from nomicgit.ground.problems import Refused
from nomicgit.site.markup import visible
from nomicgit.site.outline import bracketless
from nomicgit.site.untrusted import SCHEMES, shallow

SAMPLE = "# A heading\n\nA [link](https://example.org) and a note[^1].\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[^1]: Of it.\n"
"""What a theme is tried with."""
MOST = 1_000  # the renderer's time grows with the square of brackets, tags and headings
_TAGS = frozenset(
    "h1 h2 h3 h4 h5 h6 p hr br pre blockquote ul ol li dl dt dd table thead tbody tr th td caption div span"
    " a img em strong b i u s del ins mark sub sup small code kbd samp var abbr cite q figure figcaption".split()
)
_ATTRIBUTES = {
    "*": {"class", "id", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "th": {"align", "colspan", "rowspan"},
    "td": {"align", "colspan", "rowspan"},
}
_CLASS = re.compile(
    r"highlight|codehilite|filename|language-[\w+#-]+|[a-z][a-z0-9]{0,2}|toc|headerlink|footnote(?:-ref|-backref)?"
    r"|admonition(?:-title)?|note|abstract|info|tip|success|question|warning|failure|danger|bug|example|quote"
)
"""The classes that extensions of Markdown write; all others are the theme's, or ours."""


def cleaned(content: str) -> str:
    """A rendered page with what shows and leads alone."""
    clean = nh3.clean(
        content, tags=set(_TAGS), clean_content_tags={"script", "style"}, attributes={k: set(v) for k, v in _ATTRIBUTES.items()},
        attribute_filter=_kept, url_schemes=set(SCHEMES), link_rel="nofollow noopener noreferrer ugc",
    )  # fmt: skip
    return visible(clean)


def _kept(_: str, attribute: str, value: str) -> str | None:
    match attribute:
        case "class":
            return " ".join(each for each in value.split() if _CLASS.fullmatch(each)) or None
        case "id":  # those of the theme's own parts begin so
            return None if value.startswith("__") else value
        case _:
            return value


def words(text: str) -> str:
    """A title or the like, be it written as HTML, as a template puts it into a page, which escapes nothing."""
    return str(escape(bracketless(html.unescape(visible(text)))))


def refuse_unbearable(text: str) -> None:
    """Refuse a page that no renderer comes to an end with in reasonable time."""
    headings = sum(line.lstrip(" >").startswith("#") for line in text.split("\n"))
    if max(text.count("["), text.count("<"), headings) > MOST or not shallow(text):
        raise Refused.of(
            f"it has more than {MOST} brackets or headings, or quotes and lists too deep in each other"
        )
