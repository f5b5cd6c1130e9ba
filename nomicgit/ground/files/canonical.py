"""The canonical form: the one way in which the program writes a value, and the front matter of a file.

The top is a mapping or a list in block style. What is nested in it stands in flow style on its key's
line where that line keeps within 100 characters and has no text of several lines; else in block style,
two columns further in. Texts are plain where every reader of YAML takes them so, else in double quotes;
texts of several lines are literal blocks where nothing in them is unseen. Keys keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any

from msgspec import Struct

from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import Malformed

from .grammar import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_NODES,
    Unwritable,
    all_seen,
    key_text,
    nodes,
    scalar_text,
)

WIDTH = 100
MANY = 32
_CONTAINERS = frozenset({dict, list})
_MANY = Kept[str, tuple[dict[str, Any], dict[str, Any], Sequence[str]]](8)
_LARGEST = 10**MAX_DIGITS - 1
SAFE_LENGTH = 2 * MAX_NODES  # no text as short as this holds more nodes than are allowed


def write(value: object) -> str:
    """The canonical text of a mapping or a list. Unwritable for what no file can hold.

    Ends with one line feed, unless its last text itself ends with several.
    """
    if not isinstance(value, dict | list):
        raise Unwritable(f"cannot be written: {type(value).__name__} is neither a mapping nor a list")
    if not value:
        return "{}\n" if isinstance(value, dict) else "[]\n"
    lines: list[str] = []
    _write_block(value, "", "", lines, 1)
    lines.append("")
    text = "\n".join(lines)
    if len(text) > SAFE_LENGTH and (len(text.encode()) > MAX_BYTES or nodes(value) > MAX_NODES):
        raise Unwritable("cannot be written: too large for one file")
    return text


def fits(value: Mapping[str, object]) -> bool:
    """Whether a file can hold a mapping: it is written to know that only where it is large."""
    return _most_plainly(value) <= MAX_BYTES or _most(value) <= MAX_BYTES or _writable(dict(value))


def _writable(value: object) -> bool:
    try:
        write(value)
    except Unwritable:
        return False
    return True


_AROUND = (
    2 * MAX_DEPTH + 8
)  # characters, at most, that stand around a value or a line of a text: indent, marks, line feed
_NUMBER = 400  # characters of a number, at most: one without an exponent may be long


def _most_plainly(value: Mapping[str, object]) -> float:
    """The same, told at once from how Python shows it; no bound for what it shows otherwise than it stands."""
    try:
        shows = repr(value)
    except ValueError:  # a number of too many digits
        return inf
    if not shows.isascii() or "\\" in shows:
        return inf
    parts = 1 + sum(map(shows.count, ",:[{("))  # each value and each key comes behind one of these
    return _AROUND * parts + 2 * len(shows) + _NUMBER * sum(map(shows.count, (".", "e+", "e-")))


def _most(value: object) -> int:
    """How many bytes a value may have at most in a file."""
    if isinstance(value, str):
        plain = value.isascii() and value.isprintable()
        return _AROUND + 2 * len(value) if plain else _AROUND * (len(value) + 1)
    if isinstance(value, list | tuple):
        return _AROUND + sum(map(_most, value))
    if value is None or isinstance(value, int):
        return _AROUND + MAX_DIGITS
    if isinstance(value, dict | Mapping):  # the abstract kind is asked for last, for that takes longest
        return _AROUND + sum(map(_most, value)) + sum(map(_most, value.values()))
    return _AROUND + _NUMBER if isinstance(value, float) else _AROUND + MAX_DIGITS


def write_flow(value: object) -> str:
    """The canonical text of any value on one line, without a line feed. Unwritable as for ``write``."""
    text = _flow(value, MAX_BYTES, 1, several_lines=True)
    if text is None or (len(text) > SAFE_LENGTH and nodes(value) > MAX_NODES):
        raise Unwritable("cannot be written: too large for one file")
    return text


def _write_block(
    value: dict[str, Any] | list[Any], indent: str, lead: str, lines: list[str], depth: int
) -> None:
    """Adds a container's lines; ``lead`` is what the first of them begins with instead of the indent."""
    if depth > MAX_DEPTH:
        raise Unwritable(f"cannot be written: nested more than {MAX_DEPTH} deep")
    inner = indent + "  "
    if isinstance(value, dict):
        for key, item in value.items():
            head = f"{lead}{_key(key)}:"
            if depth == 1 and isinstance(item, dict) and len(item) >= MANY:
                lines += _many(head, item)
            elif not _write_inline(head, item, inner, lines, depth):
                lines.append(head)
                _write_block(item, inner, inner, lines, depth + 1)
            lead = indent
    else:
        for item in value:
            head = lead + "-"
            if not _write_inline(head, item, inner, lines, depth):
                _write_block(item, inner, head + " ", lines, depth + 1)
            lead = indent


def _many(head: str, item: dict[str, Any]) -> Sequence[str]:
    """The lines of a map with many keys, kept while it is the same: most deeds write its file anew for something else in it."""
    kept = _MANY.get(head, lambda: ({}, {}, ()))
    if kept[0] is item and kept[1] == item:
        return kept[2]
    lines: list[str] = []
    if not _write_inline(head, item, "  ", lines, 1):
        lines.append(head)
        _write_block(item, "  ", "  ", lines, 2)
    if _CONTAINERS.isdisjoint(map(type, item.values())):
        _MANY.put(head, (item, dict(item), lines))
    return lines


def _write_inline(head: str, item: object, inner: str, lines: list[str], depth: int) -> bool:
    """Adds a value that begins on the line of its head; False for one that has to stand below it."""
    if isinstance(item, str):
        if "\n" in item and (header := literal_header(item)):
            lines.append(f"{head} {header}")
            body = item[:-1] if item[-1] == "\n" else item
            lines.extend(inner + line if line else "" for line in body.split("\n"))
        else:
            lines.append(f"{head} {scalar_text(item)}")
        return True
    flow = (
        _flow(item, WIDTH - len(head) - 1, depth + 1)
        if isinstance(item, dict | list) and item
        else _atom(item)
    )
    if flow is None:
        return False
    lines.append(f"{head} {flow}")
    return True


def _flow(value: object, room: int, depth: int, *, several_lines: bool = False) -> str | None:
    """A value in flow style; None where it needs more room, or has a text of several lines unasked."""
    if isinstance(value, str) and (len(value) > room or ("\n" in value and not several_lines)):
        return None
    if not isinstance(value, dict | list):
        text = _atom(value)
        return text if len(text) <= room else None
    if depth > MAX_DEPTH:
        raise Unwritable(f"cannot be written: nested more than {MAX_DEPTH} deep")
    mapping = isinstance(value, dict)
    parts: list[str] = []
    room -= 2
    for key in value:
        item, head = (value[key], _key(key) + ": ") if isinstance(value, dict) else (key, "")
        room -= len(head) + (2 if parts else 0)
        part = _flow(item, room, depth + 1, several_lines=several_lines)
        if part is None:
            return None
        room -= len(part)
        parts.append(head + part)
    if room < 0:
        return None
    joined = ", ".join(parts)
    return f"{{{joined}}}" if mapping else f"[{joined}]"


def _atom(value: object) -> str:
    """A value without parts, or an empty container, on one line."""
    match value:
        case str():
            return scalar_text(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() if -_LARGEST <= value <= _LARGEST:
            return int.__repr__(value)
        case float() if isfinite(value):
            text = float.__repr__(value)
            return text if "e" not in text else _without_exponent(text)
        case dict() | list() if not value:
            return "{}" if isinstance(value, dict) else "[]"
        case int() | float():
            raise Unwritable(
                f"cannot be written: a number that is not finite or has more than {MAX_DIGITS} digits"
            )
        case _:
            raise Unwritable(f"cannot be written: {type(value).__name__}")


def _without_exponent(number: str) -> str:
    from decimal import Decimal  # here: slow to load, and few numbers have an exponent

    text = f"{Decimal(number):f}"
    return text if "." in text else text + ".0"


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise Unwritable(f"cannot be written: a key that is {type(key).__name__} and not a text")
    return key_text(key)


def literal_header(text: str) -> str:
    """How a text of several lines begins as a literal block; nothing where it cannot be one."""
    if " \n" in text or text[-1] == " " or not text.strip("\n") or not all_seen(text):
        return ""
    indicator = "2" if text.lstrip("\n")[0] == " " else ""
    if text[-1] != "\n":
        return f"|{indicator}-"
    return f"|{indicator}+" if text[-2] == "\n" else f"|{indicator}"


_FENCE = "---\n"


class Parts(Struct, frozen=True):
    """The two parts of a file, and the lines (from 1) on which they begin."""

    front: str
    """YAML, each line with its line feed."""
    body: str
    front_line: int
    body_line: int


def split(text: str, file: str = "") -> Parts:
    """The front matter and the body of a file. Raises Malformed for a missing or endless front matter."""
    if not text.startswith(_FENCE):
        first = text[:6]
        mend = "begin the file with a line of three hyphens, ---"
        if first.startswith("\ufeff"):
            mend = "save the file without a byte order mark"
        elif "\r" in first:
            mend = "end lines with a line feed alone"
        raise Malformed.of("no front matter", file=file, line=1, column=1, mend=mend)
    end = text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end = len(text) - 4
    if end < 0:
        raise Malformed.of(
            "the front matter has no end", file=file, line=1, mend="close it with a line of ---"
        )
    front = text[4 : end + 1]
    return Parts(front, text[end + 5 :], 2, 3 + front.count("\n"))


def join(front: str, body: str) -> str:
    """The file of a front matter and a body. ValueError where ``split`` would not undo it."""
    if (front and not front.endswith("\n")) or f"\n{_FENCE}" in f"\n{front}":
        raise ValueError("a front matter ends with a line feed and has no line of ---")
    return f"{_FENCE}{front}{_FENCE}{body}"
