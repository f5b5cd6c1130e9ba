"""Titles of rules: how they are compared when people write them, and the slugs that are made of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container
from functools import lru_cache

from nomicgit.ground.characters import fold, in_ascii, is_seen, of_two_scripts
from nomicgit.ground.kept import late
from nomicgit.ground.problems import printable

LONGEST = 256
"""Letters of a title, as many as forges take."""
STYLES = {0xFE0E: None, 0xFE0F: None}
"""Signs that say how the picture before them is drawn, which a title goes without; for ``str.translate``."""
LONGEST_SLUG = 60  # characters, before a number that tells it from others: it is a part of a file's name
_BRACKETED = late(r"\s*\[[^\]]*\]\s*")


@lru_cache(maxsize=4096)
def plain(title: str) -> str:
    """A title as it is compared: case, kinds of apostrophe and white space do not count."""
    return " ".join(fold(re.sub("[‘’ʼ`´]", "'", title).replace("“", '"').replace("”", '"')).split())


def short(title: str) -> str:
    """A plain title without its bracketed parts, such as [Rare]."""
    return " ".join(_BRACKETED.sub(" ", plain(title)).split())


def why_none(title: str) -> str:
    """Why one line can be no title of a rule or a post, or "": it must be short, and be what it seems to be."""
    if len(title) > LONGEST:
        return f"a title has at most {LONGEST} letters, and this one has {len(title):,}"
    if title.isascii() and title.isprintable():
        return ""
    if unseen := next((each for each in title if not is_seen(each)), ""):
        return f"a title is of characters that can be seen, and this one has U+{ord(unseen):04X}"
    if word := of_two_scripts(title):
        return f"the word {printable(word, 60)} has letters of two scripts, which look alike"
    return ""


def slugless(title: str) -> str:
    """Why no slug can be made of a title, or ""."""
    if slug_for(title, ()):
        return ""
    why = "it has no letter from a to z and no digit; write `slug:` beside it"
    return f"no slug can be made of the title “{printable(title, 60)}”: {why}"


def slug_for(title: str, used: Container[str]) -> str:
    """The slug of a new rule: its title in ASCII, with -2, -3 … where that is, or ever was, used; "" if none can be made."""
    words = re.findall(r"[a-z0-9]+", in_ascii(re.sub("['‘’ʼ]", "", title)).lower())
    while len(words) > 1 and len("-".join(words)) > LONGEST_SLUG:
        words.pop()
    slug = "-".join(words)[:LONGEST_SLUG]
    return unused(slug, used.__contains__) if slug else ""


def unused(slug: str, used: Callable[[str], bool]) -> str:
    """A slug, with -2, -3 … where that is used."""
    numbered = (f"{slug}-{n}" for n in itertools.count(2))
    return next(each for each in itertools.chain([slug], numbered) if not used(each))
