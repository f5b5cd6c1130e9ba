"""What is held of characters, the same under every Python: what is made of a text is recorded, and tried again elsewhere.

Each Python has the tables of another Unicode. A character that Unicode 14 does not assign, such as a young emoji or a letter
of a script that came later, is a mark here, whatever the Python at hand knows of it: it is shown as it is, it is no letter,
and it has neither another case nor another form. For all others those tables agree.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from nomicgit.ground.assigned import ASSIGNED

MARK = "\ufffd"
"""What no Python takes for a letter."""

UNSEEN = (
    "\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufdd0-\ufdef"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001345f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
) + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
"""Characters that leave no mark, or end a line, as the inside of a class of a regular expression: all but a line feed may stand
in a file only as an escape.
"""
_PRIVATE = "\n\ue000-\uf8ff\U000f0000-\U0010fffd"


@cache
def _newer() -> re.Pattern[str]:
    """Characters that Unicode 14 does not assign; compiled late, for most texts are plain ASCII."""
    rows = (row.split("-") for row in ASSIGNED.split())
    known = "".join(f"\\U{int(row[0], 16):08x}-\\U{int(row[-1], 16):08x}" for row in rows)
    return re.compile(f"([^{known}]+)")


def settled(text: str) -> str:
    """The text, of the same length, with a mark in the place of each character that is newer than Unicode 14."""
    return text if text.isascii() else _newer().sub(lambda newer: MARK * len(newer[0]), text)


def fold(text: str) -> str:
    """The text as it is compared where case does not count."""
    if text.isascii():
        return text.casefold()
    return "".join(part if n % 2 else part.casefold() for n, part in enumerate(_newer().split(text)))


def in_ascii(text: str) -> str:
    """What is left of a text in ASCII, its accents taken off."""
    return unicodedata.normalize("NFKD", settled(text)).encode("ascii", "ignore").decode()


def as_read(text: str) -> str:
    """The text as it is read at a glance: letters of other scripts, and digits, that look like ones of ours are those."""
    plain = fold(in_forms(text)).translate(_ALIKE)
    return plain.replace("rn", "m").replace("vv", "w")


def in_forms(text: str) -> str:
    """A text without accents, and with wide letters and the like as plain ones."""
    return "".join(
        each for each in unicodedata.normalize("NFKD", settled(text)) if not unicodedata.combining(each)
    )


_PAIRS = (
    "аa вb еe кk мm нh оo рp сc тt уy хx іl јj ѕs ԁd ԛq ԝw һh ӏl гr пn ɡg ıl ոn սu օo հh զq յj"
    " αa βb εe ηn ιl κk νv οo ρp τt υu χx ωw 0o 1l |l il"
)
_ALIKE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
"""Small letters of Cyrillic, Greek and Armenian, and digits, by the Latin ones that they, or their capitals, look like."""


def of_two_scripts(text: str) -> str:
    """The first word with letters of several of the scripts whose letters look alike: Latin, Greek, Cyrillic; or ""."""
    return next((word for word in re.findall(r"\w+", settled(text)) if len(_scripts(word)) > 1), "")


def _scripts(word: str) -> set[str]:
    names = {unicodedata.name(each, "").partition(" ")[0] for each in word if each.isalpha()}
    return names & {"LATIN", "GREEK", "CYRILLIC"}


def is_letter(character: str) -> bool:
    """Whether a character is a letter or a digit."""
    return settled(character).isalnum()


@lru_cache(4096)
def is_seen(character: str) -> bool:
    """Whether a character leaves a mark, or is a blank: not so what Unicode lets a screen ignore, nor a letter that is blank."""
    return re.match(f"[{UNSEEN}{_PRIVATE}]", character) is None
