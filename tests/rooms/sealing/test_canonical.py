"""Canonical JSON: the examples of RFC 8785, and Python's own reading of it."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import tells

from nomicgit.ground.problems import Malformed
from nomicgit.sealing.canonical import canonical

NUMBERS = """
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2
"""
"""RFC 8785, appendix B."""

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("line", NUMBERS.strip().splitlines())
def test_numbers_are_those_of_the_appendix(line: str) -> None:
    bits, text = line.split()
    [number] = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number).decode() == text


def test_an_object_is_written_as_the_rfc_writes_it() -> None:
    """RFC 8785, 3.2.2 and 3.2.4."""
    text = r"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    assert canonical(json.loads(text)).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_keys_are_sorted_by_their_utf_16_units() -> None:
    """RFC 8785, 3.2.3."""
    named = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    order = ["Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
             "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh"]  # fmt: skip
    assert list(json.loads(canonical(named)).values()) == order


@pytest.mark.slow
@given(VALUES)
def test_what_is_written_is_read_as_it_was(value: object) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert canonical(json.loads(text)) == text


def test_whole_numbers_of_a_game_are_written_exactly() -> None:
    assert canonical([10**16 - 1, 2**53 + 1]) == b"[9999999999999999,9007199254740993]"


DEEP: list[object] = []
for _ in range(2000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 10**16, "owl\ud800", {"owl\udc00": 1}, {1: "owl"}, {"owl"}, b"owl", DEEP]
)  # fmt: skip
def test_what_json_cannot_say_is_refused_without_it(value: object) -> None:
    with pytest.raises(Malformed) as refusal:
        canonical({"a": value})
    assert tells(refusal.value, "owl") == []
