"""Pages of a game's site that people write, under ``docs/``: what of them a site takes, so that none of them can end its build."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError, Refused, printable, quoted
from nomicgit.ground.remedies import remedy

ENDINGS = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
TAKEN = ("title", "description")
"""What a page may say of itself at its top, each a text; all else is for the theme, which may break on it."""
LARGEST = 1 << 18
"""Bytes of a page."""
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_SHOWN = 6


class GuestPage(Struct, frozen=True):
    """What a site takes of a page, and what of it is left out, in words; "" where that is nothing."""

    title: str
    description: str
    body: str
    left: str

    @property
    def wrong(self) -> str:
        """What is wrong with it, and what to do."""
        taken = " and ".join(TAKEN)
        return f"says more at its top than {taken}, which the site leaves out ({self.left}): take that out"


def read(content: bytes) -> GuestPage:
    """The page of a file. Refused where it is no text, or too long."""
    if len(content) > LARGEST:
        raise Refused.of(f"it is longer than {LARGEST} bytes", mend=remedy("make several pages of it"))
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise Refused.of("it is no text in UTF-8", mend=remedy("write it as one, or take it out")) from None
    front = _FRONT.match(text)
    if front is None:
        return GuestPage("", "", text, "")
    body = text[front.end() :]
    try:
        said = files.read(front[1])
    except NomicError:
        return GuestPage("", "", body, "what stands at its top, which cannot be read plainly")
    said = said if isinstance(said, Mapping) else {} if said is None else {"of no map": said}
    taken = {key: value for key, value in said.items() if key in TAKEN and isinstance(value, str)}
    left = [quoted(printable(str(key), 40)) for key in said if key not in taken]
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    return GuestPage(
        str(taken.get("title", "")), str(taken.get("description", "")), body, ", ".join(left[:_SHOWN]) + more
    )
