"""What holds for all values and all texts: writers and readers agree."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.depth import examples

from nomicgit.ground import files
from nomicgit.ground.files import fast, strict
from nomicgit.ground.problems import Malformed

NASTY = st.sampled_from(
    [
        "", " ", "a", "-", "?", ":", "- a", "? a", "a: b", "a:b", "a:", ":a", "a #b", "a#b", "#", "'",
        '"', "\\", "|", "|-", ">", "%", "@", "`", "!", "&a", "*a", "<<", "=", "~", "null", "true",
        "True", "no", "on", "y", "Off", "1", "-1", "+1", "-0", "0.5", ".5", "1.", "1e3", "0x1F", "017",
        "0o17", "1_000", "12:30", "12:30:45", ".inf", ".nan", "2021-06-07", "2021-06-07T00:00:00Z",
        "2021-06-07 00:00:00", "2024-13-45", "---", "...", "[", "]", "{", "}", ",", "[a]", "{a: b}",
        "a, b", " a", "a ", "a  b", "é", "🎲", "\u202e", "\u2028", "\x85", "\ufeff", "\t", "\r", "\0",
        "\xa0", "\ufe0f", "\U000e0041", "a\nb", "a\n", "\n", "\n\n", "\na", "  a\n b", "a\n\n", "a \nb",
        "a\n  b\nc\n", "# a\nb", "---\na", "+1h", "12h", "--", "-a", "a?b", "a\\nb", "\\u0041",
    ]
)  # fmt: skip
LETTERS = st.text(st.sampled_from(list("ab 01-:,#?'\"\\\n|{}[]._é🎲\t\u202e")), max_size=12)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LONG = st.integers(20, 120).map(lambda length: "word " * (length // 5) + "x" * (length % 5))
TEXTS = NASTY | LETTERS | ANY_TEXT | LONG
KEYS = (NASTY | LETTERS | ANY_TEXT).filter(lambda key: len(key) <= 100)
INTEGERS = st.integers(-(10**16) + 1, 10**16 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ATOMS = st.none() | st.booleans() | INTEGERS | FLOATS | TEXTS
VALUES = st.recursive(
    st.lists(ATOMS, max_size=4) | st.dictionaries(KEYS, ATOMS, max_size=4),
    lambda inner: st.lists(inner | ATOMS, max_size=4) | st.dictionaries(KEYS, inner | ATOMS, max_size=4),
    max_leaves=12,
)


def typed(value: Any) -> Any:
    """A value in which 1, 1.0 and True differ, and the order of keys counts."""
    if isinstance(value, dict):
        return [(key, typed(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [typed(item) for item in value]
    return (type(value).__name__, repr(value))


def taken(text: str) -> tuple[bool, Any]:
    """Whether the fast reader takes a text, and as what."""
    try:
        return True, fast.read_canonical(text)
    except fast.NotCanonical:
        return False, None


def texts_in(value: Any) -> list[tuple[bool, str]]:
    """All texts in a value, and whether each is a key."""
    if isinstance(value, dict):
        return [(True, key) for key in value] + [found for item in value.values() for found in texts_in(item)]
    if isinstance(value, list):
        return [found for item in value for found in texts_in(item)]
    return [(False, value)] if isinstance(value, str) else []


def misread(text: str, *, is_key: bool) -> bool:
    """Whether YAML 1.1 takes a text that stands plain for a date or a boolean."""
    if is_key and text.lower() in ("on", "off", "yes", "no"):
        return True
    return re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", text) is not None


@pytest.mark.slow
@examples()
@given(VALUES)
def test_both_readers_read_what_was_written(value: Any) -> None:
    text = files.write(value)
    assert typed(fast.read_canonical(text)) == typed(value)
    assert typed(strict.read(text)) == typed(value)
    assert typed(files.read(text.encode())) == typed(value)
    assert files.write(files.read(text)) == text


@pytest.mark.slow
@examples()
@given(VALUES)
def test_flow_on_one_line_is_read_as_it_was_written(value: Any) -> None:
    text = files.write_flow(value)
    assert "\n" not in text
    assert typed(files.read(text)) == typed(value)
    assert typed(fast.read_canonical(f"- {text}\n")) == typed([value])


@pytest.mark.slow
@examples()
@given(VALUES)
def test_pyyaml_reads_the_canonical_form_alike(value: Any) -> None:
    """Save for dates, and for the keys that YAML 1.1 takes for booleans."""
    assume(not any(misread(text, is_key=is_key) for is_key, text in texts_in(value)))
    assert typed(yaml.load(files.write(value), yaml.CSafeLoader)) == typed(value)


@pytest.mark.slow
@examples()
@given(VALUES)
def test_pyyamls_own_reader_reads_the_canonical_form_alike(value: Any) -> None:
    assume(not any(misread(text, is_key=is_key) for is_key, text in texts_in(value)))
    assert typed(yaml.load(files.write(value), yaml.SafeLoader)) == typed(value)


PIECES = [
    "", " ", "  ", "\n", "\n  ", ":", ": ", "- ", ", ", "#", " #", '"', "'", "\\", "|", "|2", "+", "-",
    "{", "}", "[", "]", "{}", "[]", "a", "a: 1\n", "- a\n", "1", "0", ".", "_", "~", "<<", "&a ", "*a",
    "!x ", "?", "? ", "true", "no", "---\n", "...\n", "%", "\t", "\u202e", "é", "\\ud800", "\\x41",
]  # fmt: skip
EDITS = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.integers(0, 3),
        st.sampled_from(PIECES),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@examples(4)
@given(VALUES, EDITS)
def test_the_fast_reader_takes_nothing_that_the_strict_reader_does_not_take_alike(
    value: Any, edits: list[tuple[int, int, str]]
) -> None:
    text = files.write(value)
    for place, length, piece in edits:
        at = place % (len(text) + 1)
        text = text[:at] + piece + text[at + length :]
    is_taken, found = taken(text)
    if is_taken:
        assert typed(strict.read(text)) == typed(found)


@pytest.mark.slow
@examples()
@given(st.text(st.sampled_from(list('ab1 :-,#?"|{}[]\n')), max_size=24))
def test_short_texts_are_taken_alike_or_left_to_the_strict_reader(text: str) -> None:
    is_taken, found = taken(text + "\n")
    if is_taken:
        assert typed(strict.read(text + "\n")) == typed(found)


@pytest.mark.slow
@examples()
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_text_is_read_or_refused(data: bytes | str) -> None:
    try:
        value = files.read(data)
    except Malformed:
        return
    if isinstance(value, dict | list):
        assert typed(files.read(files.write(value))) == typed(value)


@pytest.mark.slow
@examples()
@given(st.lists(st.dictionaries(KEYS, VALUES | ATOMS, max_size=4), max_size=4))
def test_a_log_is_read_as_it_was_written(entries: list[dict[str, Any]]) -> None:
    text = "".join(files.log_line(entry) for entry in entries)
    assert text.count("\n") == len(entries)
    assert typed(files.read_log(text.encode())) == typed(entries)


@examples()
@given(VALUES.filter(bool), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_front_matter_is_split_as_it_was_joined(value: Any, body: str) -> None:
    parts = files.split(files.join(files.write(value), body))
    assert typed(files.read(parts.front)) == typed(value)
    assert parts.body == body


FILLED = st.tuples(
    st.sampled_from(
        ["x", '"', "\n", "a\n b", "\u00e9", "\U000e0041", "\U0001f3b2", 7, 5e-324, None, [], [[["x\ny"]]]]
    ),
    st.floats(0.4, 1.6),
)


@pytest.mark.slow
@given(FILLED)
@settings(max_examples=6, deadline=None)
def test_what_fits_into_a_file_is_what_can_be_written(filled: tuple[Any, float]) -> None:
    """Around the bounds of a file, of bytes and of values, whatever it is filled with."""
    what, share = filled
    times = int(
        share * (2**20 / len(files.write({"a": what * 2000})) * 2000 if isinstance(what, str) else 24_900)
    )
    value = {"a": what * times} if isinstance(what, str) else {f"k{n}": what for n in range(times)}
    try:
        written = len(files.write(value).encode())
    except files.Unwritable:
        assert not files.fits(value)
    else:
        assert files.fits(value)
        assert written <= 2**20
