"""Append-only logs, such as a post's comments: each line is ``- `` and one JSON object.

So a log is YAML and JSON at once, save for an unseen character beyond U+FFFF: JSON escapes it in two
halves, which YAML does not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, printable

from .grammar import MAX_DEPTH, MAX_DIGITS, Value, all_seen, decoded, refuse_unseen, unseen

_MAX_LOG_BYTES = 64 << 20  # lines cannot be taken out again, so this is far above what a post gathers
_HALF = late(r"\\u[dD][89a-fA-F]")
_STRINGS = late(r'"[^"\\]*(?:\\.[^"\\]*)*"')


def log_line(entry: Mapping[str, object]) -> str:
    """The line of one entry, with its line feed. ValueError for what no file can hold."""
    text = json.dumps(entry, ensure_ascii=False, allow_nan=False)
    if not all_seen(text):
        text = unseen().sub(_escaped, text)
    try:
        _entry(text)
    except ValueError as wrong:
        raise ValueError(f"cannot be written: {wrong}") from None
    return f"- {text}\n"


def read_log(data: bytes | str, file: str = "") -> list[dict[str, Value]]:
    """The entries of a log, oldest first. Raises Malformed at the first line that is not one entry."""
    text = decoded(data, file, limit=_MAX_LOG_BYTES)
    refuse_unseen(text, file, 1)
    if not text:
        return []
    lines = text.split("\n")
    if lines.pop():
        mend = "end the file with a line feed"
        raise Malformed.of("the last line has no end", file=file, line=len(lines) + 1, mend=mend)
    entries = []
    for number, line in enumerate(lines, 1):
        if line[:3] != "- {":
            mend = "write one object on one line"
            raise Malformed.of("not an entry of a log", file=file, line=number, column=1, mend=mend)
        try:
            entries.append(_entry(line[2:]))
        except ValueError as wrong:
            column = wrong.colno + 2 if isinstance(wrong, json.JSONDecodeError) else 0
            what = wrong.msg if isinstance(wrong, json.JSONDecodeError) else str(wrong)
            raise Malformed.of(f"not JSON: {what}", file=file, line=number, column=column) from None
    return entries


def _entry(text: str) -> dict[str, Value]:
    """The object of a text that begins with a brace. ValueError where it is none, or out of bounds."""
    if text.count("{") + text.count("[") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    entry: dict[str, Value]
    entry, end = _DECODER.raw_decode(text)
    if end < len(text):
        raise ValueError("more than one object on the line")
    if "\\u" in text and _HALF.search(text):
        _refuse_halves(entry)
    return entry


def _depth(text: str) -> int:
    """How deep brackets nest outside of strings, at most."""
    depth = deepest = 0
    for mark in re.findall(r"[\[{\]}]", _STRINGS.sub("", text)):
        depth += 1 if mark in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _refuse_halves(entry: Mapping[str, Value]) -> None:
    try:
        json.dumps(entry, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None


def _mapping(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise ValueError(f"the key {printable(twice)} stands here twice")
    return entries


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"a whole number of more than {MAX_DIGITS} digits")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number that is too large")
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _escaped(match: re.Match[str]) -> str:
    halves = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{halves[at]:02x}{halves[at + 1]:02x}" for at in range(0, len(halves), 2))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_mapping, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)
