"""Values in short plain words: readable, counted, and never the names of a map without what it gives to them."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgit.ground.wording import in_both_words, in_words

BATS = [{"name": "Bat", "hp": 3}] * 5
MOON = {"add-rule": {"title": "Moonlight", "text": "The moon shines into the crypt."}}
NOTES = [{"action": "arrive-in-town", "location": "C5"}, {"action": "take"}]


@pytest.mark.parametrize(
    ("value", "most", "words"),
    [
        (BATS[:2], 40, "(name Bat, hp 3), (name Bat, hp 3)"),
        (BATS, 40, "(name Bat, hp 3) and 4 more"),
        (NOTES, 120, "(action arrive-in-town, location C5), action take"),
        (NOTES, 60, "(action arrive-in-town, …), action take"),
        ([MOON], 60, "add-rule (title Moonlight, text The moon shines into the…)"),
        ([MOON, {"repeal": "votes"}], 60, "add-rule (title Moonl…, …), repeal votes"),
        ({"street": NOTES[0]}, 40, "street (action arrive-in-town, …)"),
        ([[1, 2], [3, 4]], 40, "(1, 2), (3, 4)"),
        ({"iron": 3, "coal": 2}, 40, "iron 3, coal 2"),
        ({"a": [], "b": "", "c": None}, 40, 'a none, b "", c null'),
    ],
)
def test_a_list_of_records_is_readable(value: object, most: int, words: str) -> None:
    assert in_words(value, most) == words


@pytest.mark.slow
@given(
    st.lists(
        st.fixed_dictionaries({"name": st.text("abc ", max_size=30), "hp": st.integers(0, 9**9)}), min_size=1
    ),
    st.sampled_from([40, 60, 120]),
)
def test_no_name_stands_without_what_it_is_given(records: list[dict[str, object]], most: int) -> None:
    words = in_words(records, most)
    assert len(words) <= most
    assert not re.search(r"\b(name|hp)[,)]", words)


def test_what_is_nested_deeply_or_wide_is_told_soon() -> None:
    deep: object = "x" * 300
    for _ in range(60):
        deep = [deep, {"in": deep}] if _ < 6 else [deep]
    began = time.process_time()
    assert len(in_words({"deep": deep, "wide": [[0] * 1000] * 1000}, 60)) <= 80
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("same " * 40 + "12h" + " same" * 40, "same " * 40 + "10h" + " same" * 40, ("… same 12h …", "… same 10h …")),
        ("one " * 40 + "end", "one " * 40 + "end more", ("… end", "… end more")),
        ("first " + "one " * 40, "one " * 40, ("first one …", "one …")),
        ("short", "brief", ("short", "brief")),
        (None, 3, ("null", "3")),
    ],
)  # fmt: skip
def test_of_two_long_texts_that_is_told_in_which_they_differ(
    old: object, new: object, shown: tuple[str, str]
) -> None:
    assert in_both_words(old, new) == shown


@given(st.lists(st.sampled_from("abc"), max_size=60), st.lists(st.sampled_from("abc"), max_size=60))
def test_two_texts_of_other_words_never_look_alike_where_what_differs_fits(
    old: list[str], new: list[str]
) -> None:
    was, now = in_both_words(" ".join(old), " ".join(new), 200)
    assert (was == now) == (old == new)
