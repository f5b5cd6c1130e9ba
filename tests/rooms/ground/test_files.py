"""The files of a game: what is read, what is refused, how values are written, front matter, and logs."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest
import yaml

from nomicgit.ground import files
from nomicgit.ground.files import fast, strict
from nomicgit.ground.problems import Malformed, Place


def refusal(data: bytes | str, **where: Any) -> str:
    """What is said of a document that is refused; the refusal has a place."""
    began = process_time()
    with pytest.raises(Malformed) as caught:
        files.read(data, "a.yml", **where)
    assert process_time() - began < 1
    (problem,) = caught.value.problems
    assert problem.where.file == "a.yml"
    assert problem.where.line >= 1
    return str(caught.value)


# --- reading


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# nothing\n", None),
        ("a:\n", {"a": None}),
        ("a: null\nb: true\nc: false\n", {"a": None, "b": True, "c": False}),
        ("a: 12\nb: -3\nc: 0\nd: 1.50\n", {"a": 12, "b": -3, "c": 0, "d": 1.5}),
        ("a: 2021-06-07T00:00:00Z\nb: 2021-06-07\n", {"a": "2021-06-07T00:00:00Z", "b": "2021-06-07"}),
        ("{at: +1h, by: cy, on: p1, wait: 12h}", {"at": "+1h", "by": "cy", "on": "p1", "wait": "12h"}),
        ("on: 1\nno: 2\ny: 3\n5: 4\n-1: 5\n", {"on": 1, "no": 2, "y": 3, "5": 4, "-1": 5}),
        ("a: 'it''s'\nb: \"no\"\nc: \"\\u202e\"\n", {"a": "it's", "b": "no", "c": "\u202e"}),
        ("a: one\n  two\nb: >-\n  c\n  d\nc: |\n  e\n", {"a": "one two", "b": "c d", "c": "e\n"}),
        ("---\na: 1  # why\n", {"a": 1}),
        ("a: 1.2.3\nb: .\nc: n\nd: '1_000'\n", {"a": "1.2.3", "b": ".", "c": "n", "d": "1_000"}),
        ("- [a, {b: 1}]\n- \n", [["a", {"b": 1}], None]),
    ],
)
def test_what_people_write_is_read(text: str, value: object) -> None:
    assert files.read(text) == value
    assert files.read(text.encode()) == value


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a: &x 1\nb: *x\n", "an anchor"),
        ("a: *x\n", "an alias"),
        ("a: &a [x]\nb: {<<: [*a, *a]}\n", "an anchor"),
        ("a: &a [*a]\n", "an anchor"),
        ("<<: {a: 1}\n", "not a text, as a key must be"),
        ("a: !!python/object/apply:os.system [ls]\n", "a tag"),
        ("a: !!binary aGk=\n", "a tag"),
        ("a: !!set {b}\n", "a tag"),
        ("a: ! 1\n", "a tag"),
        ("!x {a: 1}\n", "a tag"),
        ("%YAML 1.2\n---\na: 1\n", "a directive"),
        ("%YAML 9.9\n---\na: 1\n", "not YAML"),
        ("%TAG ! tag:x,2000:\n---\na: 1\n", "a directive"),
        ("a: 1\n---\nb: 2\n", "a second document"),
        ("quorum: 3\nquorum: 1\n", "the key quorum stands here twice"),
        ("5: a\n'5': b\n", "the key 5 stands here twice"),
        ("? [a]\n: 1\n", "a key that is not a text"),
        ("{a: 1}: 2\n", "a key that is not a text"),
        ("? |\n  a\n  b\n: 1\n", "a key of more than"),
        (f"{'k' * 101}: 1\n", "a key of more than"),
        ("?\n: 1\n", "a key is missing"),
        ("1.0: a\n", "not a text, as a key"),
        ("true: a\n", "not a text, as a key"),
        ("null: a\n", "not a text, as a key"),
        ("~: a\n", "not a text, as a key"),
        ("0x1F: a\n", "not a text, as a key"),
        ("a: [b\n", "not YAML"),
        ('a: "\\ud800"\n', "not YAML"),
    ],
)
def test_constructions_that_are_refused(text: str, what: str) -> None:
    assert what in refusal(text)


@pytest.mark.parametrize(
    "value",
    [
        "no", "on", "yes", "off", "No", "ON", "Yes", "True", "FALSE", "Null", "~", "017", "08", "+5",
        "0o17", "0x1F", "0b11", "1_000", "1,000", "12:30", "12:30:45", "1e3", "1.5e3", ".5", "1.",
        ".nan", ".inf", "-.inf", "+.5", "=", "<<", "2024-1-1", "2001-12-14t21:59:43.10-05:00",
    ],
)  # fmt: skip
def test_values_that_readers_take_differently_are_to_be_quoted(value: str) -> None:
    assert "put it in quotes" in refusal(f"a: {value}\n")
    assert files.read(f"a: '{value}'\n") == {"a": value}


@pytest.mark.parametrize("digits", ["9" * 17, "9" * 100_000, "0x" + "f" * 1_000_000, "9" * 400 + ".0"])
def test_numbers_out_of_bounds(digits: str) -> None:
    assert "put it in quotes" in refusal(f"a: {digits}\n")


@pytest.mark.parametrize(
    "code",
    [
        0x00, 0x07, 0x09, 0x0D, 0x7F, 0x85, 0x9B, 0xA0, 0xAD, 0x61C, 0x200B, 0x200D, 0x200E, 0x2028,
        0x2029, 0x202E, 0x2066, 0x2800, 0x3164, 0xFE0F, 0xFEFF, 0xFFFE, 0xE0041,
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["a: x{}y\n", "a: 'x{}y'\n", "a: |\n  x{}y\n", "a: 1 # x{}y\n", "x{}y: 1\n"])
def test_unseen_characters_are_refused(code: int, form: str) -> None:
    assert f"U+{code:04X}" in refusal(form.format(chr(code)))


def test_an_unseen_character_is_taken_as_an_escape() -> None:
    assert files.read('a: "\\u202e\\t\\U000e0041"') == {"a": "\u202e\t\U000e0041"}


def test_a_lone_surrogate_in_a_text_is_refused() -> None:
    assert "U+D800" in refusal("a: \ud800\n")


@pytest.mark.parametrize(
    "data", [b"a: \xff\n", "a: 1\n".encode("utf-16"), b"a: \xed\xa0\x80\n", b"\xef\xbb\xbfa: 1\n"]
)
def test_other_encodings_are_refused(data: bytes) -> None:
    assert refusal(data)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[" * 100_000, "deep"),
        ("{a: " * 100_000, "deep"),
        ("- " * 100_000, "deep"),
        ("".join(" " * depth + "a:\n" for depth in range(1000)), "deep"),
        ("a: " + "[" * 24 + "]" * 24 + "\n", "deep"),
        ("? " * 100_000, "a key that is not a text"),
        ("- a\n" * 60_000, "more than 50,000 values"),
        ("- [" + "a, " * 60_000 + "a]\n", "more than 50,000 values"),
        ("a" * (1 << 20) + "b", "longer than 1,048,576 bytes"),
        ("é" * (1 << 19) + "b", "longer than 1,048,576 bytes"),
    ],
)
def test_bounds(text: str, what: str) -> None:
    assert what in refusal(text)


def test_a_refusal_has_file_line_and_column() -> None:
    assert refusal("a: 1\nb: {c: no}\n").startswith("a.yml:2:8: no is not a text")
    assert refusal("a: 1\nb: {c: no}\n", line=5).startswith("a.yml:6:8: ")
    assert refusal("a: 1\nb: x\ty\n", line=2).startswith("a.yml:3:5: a tab")
    assert refusal(b"a: 1\nb: \xff\n", line=2).startswith("a.yml:3:4: byte 0xff")


def test_lines_of_keys_and_items() -> None:
    text = "a: 1\nb:\n  - x\n  - c: {d: 2}\n    e: 3\nf:\n  g: 4\n"
    value, lines = files.read_with_lines(text, line=2)
    assert value == files.read(text)
    assert lines == {
        ("a",): 2,
        ("b",): 3,
        ("b", 0): 4,
        ("b", 1): 5,
        ("b", 1, "c"): 5,
        ("b", 1, "c", "d"): 5,
        ("b", 1, "e"): 6,
        ("f",): 7,
        ("f", "g"): 8,
    }


def test_an_empty_document_has_no_lines() -> None:
    assert files.read_with_lines("") == (None, {})


# --- writing


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}\n"),
        ([], "[]\n"),
        (["a", 1, None, True, 1.0], "- a\n- 1\n- null\n- true\n- 1.0\n"),
        ({"a": {}, "b": [], "c": ""}, 'a: {}\nb: []\nc: ""\n'),
        (
            {"puissance": {"of": "player", "type": "integer", "default": 10}},
            "puissance: {of: player, type: integer, default: 10}\n",
        ),
        ({"z": 1, "a": 2}, "z: 1\na: 2\n"),
        ({"on": "on", "5": "5", "true": "true"}, 'on: "on"\n"5": "5"\n"true": "true"\n'),
        ({"two words": "n"}, 'two words: "n"\n'),
        ({"at": "2021-06-07T00:00:00Z", "in": "+1h"}, "at: 2021-06-07T00:00:00Z\nin: +1h\n"),
        ({"a": "b: c", "d": "#e", "f": "g, h"}, 'a: "b: c"\nd: "#e"\nf: "g, h"\n'),
        ({"a": "https://x.y/z", "b": "it's"}, "a: https://x.y/z\nb: it's\n"),
        ({"a": 'say "é"\t\\\u202e\U000e0041'}, 'a: "say \\"é\\"\\t\\\\\\u202e\\U000e0041"\n'),
        ({"a": "b\nc"}, "a: |-\n  b\n  c\n"),
        ({"a": "b\n\nc\n"}, "a: |\n  b\n\n  c\n"),
        ({"a": "b\n\n", "c": 1}, "a: |+\n  b\n\nc: 1\n"),
        ({"a": " b\nc"}, "a: |2-\n   b\n  c\n"),
        ({"a": "b \nc", "d": "\n", "e": "f\tg\n"}, 'a: "b \\nc"\nd: "\\n"\ne: "f\\tg\\n"\n'),
        (
            {"a": ["b\nc", {"d": "e\nf", "g": 1}]},
            "a:\n  - |-\n    b\n    c\n  - d: |-\n      e\n      f\n    g: 1\n",
        ),
        ({"a": 1e-7, "b": 1e16, "c": -0.5}, "a: 0.0000001\nb: 10000000000000000.0\nc: -0.5\n"),
    ],
)
def test_the_canonical_form(value: dict[str, Any] | list[Any], text: str) -> None:
    assert files.write(value) == text
    assert fast.read_canonical(text) == strict.read(text) == value


def test_a_line_of_100_characters_is_flow_and_of_101_is_block() -> None:
    assert files.write({"a": ["x" * 95]}) == f"a: [{'x' * 95}]\n"
    assert files.write({"a": ["x" * 96]}) == f"a:\n  - {'x' * 96}\n"


def test_items_that_do_not_fit_stand_in_blocks() -> None:
    long = "x" * 60
    assert files.write([{"a": long, "b": long}]) == f"- a: {long}\n  b: {long}\n"
    assert files.write([[long, long], [1]]) == f"- - {long}\n  - {long}\n- [1]\n"


def test_flow_on_one_line() -> None:
    assert files.write_flow({"a": [1, "b\nc", {}], "d": None}) == '{a: [1, "b\\nc", {}], d: null}'
    assert files.write_flow("x") == "x"
    assert files.write_flow(["x" * 200]) == f"[{'x' * 200}]"


def deep(levels: int) -> list[Any]:
    """A list in a list and so on."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        "text",
        {"a": float("nan")},
        {"a": float("inf")},
        {"a": 10**16},
        {"a": "\ud800"},
        {"a": {1: 2}},
        {"a": (1, 2)},
        {"k" * 101: 1},
        deep(25),
        [1] * 50_000,
        ["x" * (1 << 20)],
    ],
    ids=lambda value: str(value)[:20].encode("ascii", "replace").decode(),
)
def test_what_no_file_can_hold(value: Any) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        files.write(value)


@pytest.mark.slow
def test_bounds_are_the_same_to_writer_and_readers() -> None:
    for value in (deep(24), [1] * 49_999, {"\U000e0041" * 100: 1}, {"a": 10**16 - 1}):
        text = files.write(value)
        assert fast.read_canonical(text) == strict.read(text) == value


def test_a_plain_text_outside_of_flow_may_hold_commas_and_brackets() -> None:
    text = "summary: Look, and (x[1]) wait {a while}\nlist:\n  - one, two\n"
    assert (
        fast.read_canonical(text)
        == strict.read(text)
        == {"summary": "Look, and (x[1]) wait {a while}", "list": ["one, two"]}
    )


def test_a_map_of_many_keys_is_written_as_it_stands_each_time() -> None:
    many = {f"k{n}": n for n in range(100)}
    before = files.write({"many": many})
    assert files.read(before) == {"many": many}
    many["k7"] = 70
    assert files.write({"many": many}) == before.replace("k7: 7\n", "k7: 70\n")
    of_lists = {key: [1] for key in many}
    before = files.write({"many": of_lists})
    of_lists["k7"].append(2)
    assert files.write({"many": of_lists}) == before.replace("k7: [1]\n", "k7: [1, 2]\n")


# --- front matter


def test_a_file_is_split_and_joined() -> None:
    text = "---\ntitle: Names\nx: 1\n---\nA word.\n---\nmore\n"
    parts = files.split(text)
    assert parts == files.Parts("title: Names\nx: 1\n", "A word.\n---\nmore\n", front_line=2, body_line=5)
    assert files.join(parts.front, parts.body) == text


@pytest.mark.parametrize(
    ("text", "body_line"), [("---\n---\n", 3), ("---\n---\nx", 3), ("---\na: 1\n---", 4)]
)
def test_small_files_are_split(text: str, body_line: int) -> None:
    parts = files.split(text)
    assert parts.body_line == body_line
    assert files.split(files.join(parts.front, parts.body)) == parts


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no front matter"),
        ("# Title\n", "no front matter"),
        (" ---\na: 1\n---\n", "no front matter"),
        ("----\na: 1\n---\n", "no front matter"),
        ("\ufeff---\na: 1\n---\n", "byte order mark"),
        ("---\r\na: 1\r\n---\r\n", "line feed"),
        ("---\na: 1\n", "no end"),
        ("---\na: 1\n----\n", "no end"),
    ],
)
def test_front_matter_that_is_missing_or_has_no_end(text: str, what: str) -> None:
    with pytest.raises(Malformed, match=what) as caught:
        files.split(text, "a.md")
    assert caught.value.problems[0].where.line == 1


@pytest.mark.parametrize("front", ["a: 1", "a: 1\n---\nb: 2\n", "---\n"])
def test_a_front_matter_that_split_would_not_give_back_is_not_joined(front: str) -> None:
    with pytest.raises(ValueError, match="front matter"):
        files.join(front, "")


# --- logs


ENTRY: dict[str, Any] = {"at": "2021-06-07T01:00:00Z", "by": "cy", "icon": "for", "text": "“Yes”:\n1"}


def test_a_line_of_a_log() -> None:
    line = files.log_line(ENTRY)
    assert line == '- {"at": "2021-06-07T01:00:00Z", "by": "cy", "icon": "for", "text": "“Yes”:\\n1"}\n'
    assert files.read_log(line + line) == [ENTRY, ENTRY]
    assert files.read_log(line.encode()) == [ENTRY]


@pytest.mark.slow
def test_a_log_is_yaml_too() -> None:
    entries: list[dict[str, Any]] = [
        ENTRY,
        {"text": "\x7f\x85\u2028\u202e\ufeff é 🎲", "of": [1, None, {"a": 0.5}]},
    ]
    text = "".join(files.log_line(entry) for entry in entries)
    assert yaml.load(text, yaml.CSafeLoader) == entries
    assert strict.read(text) == entries


def test_what_cannot_be_seen_is_escaped_in_a_log() -> None:
    line = files.log_line({"a": "\x00\x7f\x85\u2028\u202e\ufeff\U000e0041"})
    assert line == '- {"a": "\\u0000\\u007f\\u0085\\u2028\\u202e\\ufeff\\udb40\\udc41"}\n'
    assert files.read_log(line) == [{"a": "\x00\x7f\x85\u2028\u202e\ufeff\U000e0041"}]


def test_an_empty_log_has_no_entries() -> None:
    assert files.read_log("") == files.read_log(b"") == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "not an entry"),
        ('{"a": 1}', "not an entry"),
        ("- [1]", "not an entry"),
        ("# why", "not an entry"),
        ('-  {"a": 1}', "not an entry"),
        ('- {"a": 1', "not JSON"),
        ('- {"a": 1} {"b": 2}', "more than one object"),
        ('- {"a": 1, "a": 2}', "the key a stands here twice"),
        ('- {"a": {"b": 1, "b": 1}}', "the key b stands here twice"),
        ('- {"a": NaN}', "NaN is no number"),
        ('- {"a": 1e999}', "too large"),
        ('- {"a": 12345678901234567}', "more than 16 digits"),
        ('- {"a": "\\ud800"}', "surrogate"),
        ('- {"a": "\u202e"}', "U+202E"),
        ('- {"a": "\u2028"}', "U+2028"),
        ('- {"a": 1}\r', "U+000D"),
        ('- {"a": ' + "[" * 100_000, "deep"),
        ('- {"a": ' + '{"a":' * 100_000, "deep"),
    ],
)
def test_lines_that_no_log_has(line: str, what: str) -> None:
    with pytest.raises(Malformed) as caught:
        files.read_log(f"{files.log_line(ENTRY)}{line}\n", "c.yml")
    assert what in str(caught.value)
    assert str(caught.value).startswith("c.yml:2")


def test_a_torn_last_line_is_refused() -> None:
    with pytest.raises(Malformed, match="the last line has no end"):
        files.read_log(files.log_line(ENTRY) + '- {"a": 1}')


def test_brackets_in_texts_are_not_depth() -> None:
    entry = {"a": "[" * 50 + '"' + "{" * 50}
    assert files.read_log(files.log_line(entry)) == [entry]


@pytest.mark.parametrize(
    "value", [float("nan"), "\ud800", 10**16, deep(24)], ids=["nan", "surrogate", "long", "deep"]
)
def test_what_no_log_can_hold(value: Any) -> None:
    with pytest.raises(ValueError, match=r"cannot be written|not JSON compliant"):
        files.log_line({"a": value})


def test_a_log_is_json_by_the_line() -> None:
    lines = (files.log_line(ENTRY) * 3).splitlines()
    assert [json.loads(line[2:]) for line in lines] == [ENTRY] * 3


def test_a_place_is_known_without_a_file() -> None:
    with pytest.raises(Malformed) as caught:
        files.read("a: no\n")
    assert caught.value.problems[0].where == Place("", 1, 4)


@pytest.mark.parametrize("mark", ["'", '"'])
def test_a_quotation_mark_that_is_not_closed_is_told_where_it_stands(mark: str) -> None:
    with pytest.raises(Malformed, match="end of stream") as caught:
        files.read(f"a: 1\nb: {mark}not closed\nc: 2\n", "given.yml")
    assert caught.value.problems[0].where == Place("given.yml", 2, 4)
    assert caught.value.problems[0].mend == "close the quotation mark"


@pytest.mark.parametrize(
    ("text", "line", "mend"),
    [
        ("title Town Crier\nwhen: {a: [b]}\n", 1, "write title: Town Crier"),
        ("title: A\nactions:\n  shop\n    by: b\n", 3, "write shop:"),
        ("title: A\nactions:\n  shop {}\n  walk: {}\n", 3, "write shop: {}"),
        ("actions\n  a: {}\n", 1, "write actions:"),
        ("limits\n  tides: {per: day}\n  ebbs: {per: week}\n", 1, "write limits:"),
        ("title: Long\n  text goes\n  x: 1\n", 3, 'put a text that holds ": " in quotes'),
        ("title: A: b\nx: 1\n", 1, 'put a text that holds ": " in quotes'),
    ],
)
def test_a_key_without_its_colon_is_told_in_its_own_line(text: str, line: int, mend: str) -> None:
    with pytest.raises(Malformed) as wrong:
        files.read(text, "a.yml")
    [problem] = wrong.value.problems
    assert problem.where.line == line
    assert problem.mend.startswith(mend)
