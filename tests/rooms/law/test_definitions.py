"""Functions and constants, found by tokens."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.depth import examples

from nomicgit.law.definitions import definitions, text_of, tokens, unfinished, with_definition

LAW = '''\
# The costs.
COSTS = {
    "room": 3,  # def no():
}

# What a room costs.
# Never less than 1.
def cost(room,
floor):
    """Words.

def fake():
    """
    # for now
    return "def a(): \\"" + 'b'
# a stray remark

_WORD = "x"
def is_free(room): return cost(room, 0) == 0'''


def test_definitions_are_found_with_the_comments_above_them() -> None:
    found = [(each.name, each.kind, each.start, each.end) for each in definitions(LAW)]
    assert found == [
        ("COSTS", "constant", 0, 4),
        ("cost", "function", 5, 15),
        ("_WORD", "constant", 17, 18),
        ("is_free", "function", 18, 19),
    ]


def test_what_is_no_definition_is_passed_over() -> None:
    assert definitions('load("x", "y")\nA == B\nf(1)\nx.y = 2\n"text"') == ()


def test_a_line_that_goes_on_counts_as_one_statement() -> None:
    assert [each.name for each in definitions("A = 1 + \\\n2\nB = (\n3)\nC = 4")] == ["A", "B", "C"]
    assert text_of("A = 1 + \\\n2\nB = 1", "A") == "A = 1 + \\\n2"


def test_a_definition_is_replaced_in_its_place() -> None:
    changed = with_definition(LAW, "_WORD", '_WORD = "y"')
    assert changed == LAW.replace('"x"', '"y"')


def test_a_definition_put_back_changes_nothing() -> None:
    for each in definitions(LAW):
        assert with_definition(LAW, each.name, text_of(LAW, each.name)) == LAW


def test_a_definition_is_taken_out_with_its_comments_and_its_blank_line() -> None:
    assert with_definition("A = 1\n\n# two\nB = 2\n\nC = 3", "B", None) == "A = 1\n\nC = 3"
    assert with_definition("A = 1\n\nB = 2", "B", None) == "A = 1"
    assert with_definition("A = 1", "A", None) == ""


def test_a_new_definition_comes_last_after_a_blank_line() -> None:
    assert with_definition("A = 1", "B", "B = 2") == "A = 1\n\nB = 2"
    assert with_definition("", "B", "B = 2") == "B = 2"


def test_an_unknown_name_has_no_text_and_is_taken_out_without_effect() -> None:
    assert text_of(LAW, "nothing") is None
    assert with_definition(LAW, "nothing", None) == LAW


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A = (1,", "line 1: ( is not closed"),
        ("A = 1\nB = ]", "line 2: ] closes nothing"),
        ("A = (1]", "line 1: ] closes nothing"),
        ("A = 'x", "line 1: a string is not closed"),
        ('A = """x', "line 1: a string is not closed"),
        (LAW, ""),
    ],
)
def test_what_is_left_open_is_told(text: str, says: str) -> None:
    assert unfinished(text) == says


def test_tokens_have_kinds_and_offsets() -> None:
    assert list(tokens("f(x) # c\nr'a' **= 1.5")) == [
        ("NAME", "f", 0), ("OP", "(", 1), ("NAME", "x", 2), ("OP", ")", 3), ("COMMENT", "# c", 5),
        ("NEWLINE", "\n", 8), ("STRING", "r'a'", 9), ("OP", "**=", 14), ("NUMBER", "1.5", 18),
    ]  # fmt: skip


@pytest.mark.slow
@examples()
@given(
    st.lists(st.sampled_from([*"()[]{}'\"#\\=\n", "def ", "x", " ", '"""', "    ", "A = 1\n", "é", "\x00"]))
)
def test_any_text_is_tokens_and_white_space(parts: list[str]) -> None:
    text = "".join(parts)
    end = 0
    for _, value, start in tokens(text):
        assert not text[end:start].strip(" \\\n")
        assert text[start : start + len(value)] == value
        end = start + len(value)
    assert not text[end:].strip(" \\\n")
    lines = text.split("\n")
    found = definitions(text)
    assert all(0 <= each.start < each.end <= len(lines) for each in found)
    assert all(a.end <= b.start or a.end - 1 == b.start for a, b in pairwise(found))
