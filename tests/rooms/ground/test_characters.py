"""What is held of characters is the same under every Python: held to Unicode's tables, and to what other Pythons make of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

import nomicgit
from nomicgit.ground.assigned import ASSIGNED
from nomicgit.ground.characters import fold, is_letter, is_seen, settled
from nomicgit.ground.problems import printable, quoted
from nomicgit.law import quotes, sentences, terms, titles

PACKAGE = Path(nomicgit.__file__).parent
FACE = "\U0001fae8"  # Unicode 15: a face that shakes
SMALL = "\U0001df25"  # Unicode 15: a small letter of the Latin script
NAG = "\U0001e4d0"  # Unicode 15: a letter of the Nag Mundari script
GARAY = "\U00010d50\U00010d70"  # Unicode 16: a letter with two cases
OUTLINED = "\U0001ccd6"  # Unicode 16: another form of the letter A

ALIKE: dict[str, tuple[Callable[[str], object], str]] = {
    "folded": (str.casefold, "b87e3e2c"),
    "taken apart": (lambda c: unicodedata.normalize("NFKD", c), "4533e83f"),
    "a letter or a digit": (str.isalnum, "4c34a1ee"),
    "a letter": (str.isalpha, "e14ad154"),
    "a space": (str.isspace, "3d78fe6e"),
    "a digit": (str.isdigit, "fd05e8bb"),
    "small": (str.lower, "84b3dc2c"),
    "capital": (str.upper, "e36e658d"),
}
"""What Python says of each character of Unicode 14, as a digest that was made by Python 3.11."""


def assigned() -> set[int]:
    """The numbers of the characters of Unicode 14."""
    codes = set[int]()
    for row in ASSIGNED.split():
        first, _, last = row.partition("-")
        codes |= set(range(int(first, 16), int(last or first, 16) + 1))
    return codes


def test_the_table_is_that_of_unicode_14() -> None:
    known = {code for code in range(0x110000) if unicodedata.category(chr(code)) != "Cn"}
    assert assigned() <= known
    if unicodedata.unidata_version == "14.0.0":
        assert assigned() == known


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "digest"), ALIKE.values(), ids=ALIKE)
def test_this_python_says_of_these_characters_what_others_say(
    asked: Callable[[str], object], digest: str
) -> None:
    every = sha256()
    for code in sorted(assigned()):
        every.update(written(asked(chr(code))))
    assert every.hexdigest()[:8] == digest


def written(value: object) -> bytes:
    """An answer as it was when the digests were made: as Python writes it, texts as they are."""
    return (repr(value) if not isinstance(value, str) else value).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("young", [FACE, SMALL, NAG, GARAY, OUTLINED])
def test_what_is_younger_is_a_mark(young: str) -> None:
    assert printable(young) == young
    assert all(map(is_seen, young))
    assert settled(f"a{young}b") == f"a{len(young) * chr(0xFFFD)}b"
    assert fold(f"STRASSE {young} ẞ") == f"strasse {young} ss"
    assert not is_letter(young)
    assert titles.plain(f"The {young}") == f"the {young}"
    assert titles.slug_for(f"A {young} day", ()) == "a-day"
    assert quotes.hits_of(f"so {young}moon{young} is", "moon"), "nothing that is younger joins a word"
    assert sentences.sentences(f"It is. {young} goes on.") == ["It is.", f"{young} goes on."]
    renamed = terms.replacing({"player": "witch"}, {"player": "wizard"})
    assert renamed(f"a {young}witch{young} of {young}") == f"a {young}wizard{young} of {young}"
    assert terms.replacing({"player": young}, {"player": "wizard"})(f"a {young}") == f"a {young}"


def test_a_text_is_quoted_alike_everywhere() -> None:
    assert quoted(f"moon {FACE}") == f"'moon {FACE}'"
    assert quoted("the cat's") == '"the cat\'s"'
    assert quoted("a\nb") == "'a\\u000ab'"


ASKED = re.compile(
    r"![r]\}|\brepr\(|\.isprintable\(|\.isal(?:num|pha)\(|\.casefold\(|\.isidentifier\(|\bunicodedata\b"
)
OF_ASCII = {
    "law/declaring.py": 2, "physics/deeds/founding.py": 1, "physics/state/naming.py": 3,  # names of players, which are of ASCII
    "law/definitions.py": 3, "law/linking.py": 2,  # names in mechanics, of which others do not compile
    "law/titles.py": 1,  # what a title is beyond ASCII is decided by a table
    "law/sentences.py": 1, "physics/words/blog.py": 2,  # of a text that is settled
}  # fmt: skip
"""How often a module asks Python of a character, and of which."""


def test_neither_the_law_nor_physics_ask_python_of_a_character() -> None:
    asking = {
        path.relative_to(PACKAGE).as_posix(): len(ASKED.findall(path.read_text(encoding="utf-8")))
        for room in ("law", "physics")
        for path in (PACKAGE / room).rglob("*.py")
    }
    assert {path: times for path, times in asking.items() if times} == OF_ASCII
