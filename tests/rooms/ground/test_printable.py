"""What no eye sees is written out: held to the ranges that Unicode's own table of derived properties gives."""

from __future__ import annotations

import unicodedata

import pytest

from nomicgit.cli.terminal import clean
from nomicgit.ground.problems import printable

IGNORABLE = (
    "00ad 034f 061c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 "
    "1bca0-1bca3 1d173-1d17a e0000-e0fff"
)
"""Default_Ignorable_Code_Point, from DerivedCoreProperties.txt."""
BLANK = "2800 16fe4 1d159 13430-1345f fdd0-fdef"
"""Letters without ink, what only arranges others, and what is no character. (``XXfffe`` and ``XXffff`` are none either.)"""
BEFORE_NUMBERS = "0600-0605 06dd 070f 0890-0891 08e2 110bd 110cd"
"""Prepended_Concatenation_Mark, of the same file: format characters with ink."""


def codes(rows: str) -> set[int]:
    """The numbers of characters, which stand in rows."""
    parts = (each.partition("-") for each in rows.split())
    return {code for first, _, last in parts for code in range(int(first, 16), int(last or first, 16) + 1)}


@pytest.mark.slow
def test_what_no_eye_sees_is_written_out_and_nothing_else_that_is_a_character() -> None:
    unseen, inked = codes(f"{IGNORABLE} {BLANK}"), codes(BEFORE_NUMBERS)
    for code in range(0x110000):
        nothing = code in unseen or code & 0xFFFE == 0xFFFE
        young = (
            unicodedata.category(chr(code)) == "Cn"
        )  # what no table of this Python's knows is shown as it is
        whole = not nothing and (young or code in inked or chr(code).isprintable())
        assert (printable(chr(code)) == chr(code)) is whole, hex(code)
    assert clean("Be\u3164es\ufe0f") == "Be\\u3164es\\ufe0f"
    assert clean("Frühling, 蜂, แม่, é, नमस्ते 🐝") == "Frühling, 蜂, แม่, é, नमस्ते 🐝"
