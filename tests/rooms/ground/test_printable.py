"""What no eye sees is written out: held to the ranges that Unicode's own table of derived properties gives."""

from __future__ import annotations

from nomicgit.cli.terminal import clean
from nomicgit.ground.problems import printable

IGNORABLE = (
    "00ad 034f 061c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 "
    "1bca0-1bca3 1d173-1d17a e0000-e0fff"
)
"""Default_Ignorable_Code_Point, from DerivedCoreProperties.txt."""
BLANK = "2800"


def test_what_no_eye_sees_is_written_out_and_nothing_else_that_python_prints() -> None:
    unseen = set[int]()
    for each in (*IGNORABLE.split(), BLANK):
        first, _, last = each.partition("-")
        unseen |= set(range(int(first, 16), int(last or first, 16) + 1))
    for code in range(0x110000):
        whole = chr(code).isprintable() and code not in unseen
        assert (printable(chr(code)) == chr(code)) is whole, hex(code)
    assert clean("Be\u3164es\ufe0f") == "Be\\u3164es\\ufe0f"
    assert clean("Frühling, 蜂, แม่, é, नमस्ते 🐝") == "Frühling, 蜂, แม่, é, नमस्ते 🐝"
