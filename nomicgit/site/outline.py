"""Titles and tables of contents, fit for themes that escape nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Sequence
from typing import Any

from markupsafe import escape

from nomicgit.site.markup import visible
from nomicgit.site.page import Section

_WHOLE = dict.fromkeys(("rules", "terms", "law"), "ruleset")
"""Of parts of the game's site that lie in folders of their own: the page of which they are parts."""

_REFERENCE = re.compile("&(#?[0-9A-Za-z]+;?)")


def bracketless(title: str) -> str:
    """A title that stays harmless where a theme takes the tags out of it, which undoes what was escaped."""
    plain = _REFERENCE.sub(
        lambda match: match[0] if html.unescape(match[0]) == match[0] else f"＆{match[1]}", title
    )
    return visible(plain).translate({ord("<"): "‹", ord(">"): "›", ord('"'): "”"})


def contents(sections: Sequence[Section]) -> list[Any]:
    """A table of contents: each section under the last one of a higher level. Names are escaped here, once."""
    top: list[Any] = []
    for section in sections:
        entry: dict[str, Any] = {
            "level": section.level + section.under,
            "id": section.id,
            "name": str(escape(visible(section.name))),
            "children": [],
        }
        into = top
        while into and into[-1]["level"] < section.level + section.under:
            into = into[-1]["children"]
        into.append(entry)
    return top


def navigation(own: Sequence[str], others: Sequence[object], under: str) -> list[object]:
    """The game's own entries, under a heading where they lie in a folder, and the pages that people wrote."""
    if not under.strip("/"):
        return [*own, *others]
    front = [each for each in others if isinstance(each, str)]
    return [*front, {"Game": list(own)}, *(each for each in others if not isinstance(each, str))]


def above(uri: str, listed: Container[str]) -> str | None:
    """The listed page of which another one is a part, by their places; None for one that is listed, or part of none."""
    part = uri.partition("/")[0].removesuffix(".md")
    whole = f"{_WHOLE.get(part, part)}.md"
    places = (whole, whole.replace(".md", "/index.md"))
    return None if uri in listed else next((each for each in places if each in listed), None)
