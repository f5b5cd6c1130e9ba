"""The canonical form: the one way in which the program writes a value, and a fast reader of that way.

The top is a mapping or a list in block style. What is nested in it stands in flow style on its key's
line where that line keeps within 100 characters and has no text of several lines; else in block style,
two columns further in. Texts are plain where every reader of YAML takes them so, else in double quotes;
texts of several lines are literal blocks where nothing in them is unseen. Keys keep their order.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import Any, NoReturn

from .grammar import (
    KEY,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_NODES,
    PLAIN,
    QUOTED,
    Value,
    all_seen,
    key_text,
    nodes,
    plain_key,
    scalar,
    scalar_text,
    unquoted,
)

WIDTH = 100
_LARGEST = 10**MAX_DIGITS - 1
_SAFE_LENGTH = 2 * MAX_NODES  # no text as short as this holds more nodes than are allowed

# --- writing


def write(value: Value) -> str:
    """The canonical text of a mapping or a list. ValueError for what no file can hold.

    Ends with one line feed, unless its last text itself ends with several.
    """
    if not isinstance(value, dict | list):
        raise ValueError(f"cannot be written: {type(value).__name__} is neither a mapping nor a list")
    if not value:
        return "{}\n" if isinstance(value, dict) else "[]\n"
    lines: list[str] = []
    _write_block(value, "", "", lines, 1)
    lines.append("")
    text = "\n".join(lines)
    if len(text) > _SAFE_LENGTH and (len(text.encode()) > MAX_BYTES or nodes(value) > MAX_NODES):
        raise ValueError("cannot be written: too large for one file")
    return text


def write_flow(value: Value) -> str:
    """The canonical text of any value on one line, without a line feed. ValueError as for ``write``."""
    text = _flow(value, MAX_BYTES, 1, several_lines=True)
    if text is None or (len(text) > _SAFE_LENGTH and nodes(value) > MAX_NODES):
        raise ValueError("cannot be written: too large for one file")
    return text


def _write_block(
    value: dict[str, Any] | list[Any], indent: str, lead: str, lines: list[str], depth: int
) -> None:
    """Adds a container's lines; ``lead`` is what the first of them begins with instead of the indent."""
    if depth > MAX_DEPTH:
        raise ValueError(f"cannot be written: nested more than {MAX_DEPTH} deep")
    inner = indent + "  "
    if isinstance(value, dict):
        for key, item in value.items():
            head = f"{lead}{_key(key)}:"
            if not _write_inline(head, item, inner, lines, depth):
                lines.append(head)
                _write_block(item, inner, inner, lines, depth + 1)
            lead = indent
    else:
        for item in value:
            head = lead + "-"
            if not _write_inline(head, item, inner, lines, depth):
                _write_block(item, inner, head + " ", lines, depth + 1)
            lead = indent


def _write_inline(head: str, item: Value, inner: str, lines: list[str], depth: int) -> bool:
    """Adds a value that begins on the line of its head; False for one that has to stand below it."""
    if isinstance(item, str):
        if "\n" in item and (header := _literal_header(item)):
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


def _flow(value: Value, room: int, depth: int, *, several_lines: bool = False) -> str | None:
    """A value in flow style; None where it needs more room, or has a text of several lines unasked."""
    if isinstance(value, str) and (len(value) > room or ("\n" in value and not several_lines)):
        return None
    if not isinstance(value, dict | list):
        text = _atom(value)
        return text if len(text) <= room else None
    if depth > MAX_DEPTH:
        raise ValueError(f"cannot be written: nested more than {MAX_DEPTH} deep")
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


def _atom(value: Value) -> str:
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
            raise ValueError(
                f"cannot be written: a number that is not finite or has more than {MAX_DIGITS} digits"
            )
        case _:
            raise ValueError(f"cannot be written: {type(value).__name__}")


def _without_exponent(number: str) -> str:
    text = f"{Decimal(number):f}"
    return text if "." in text else text + ".0"


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"cannot be written: a key that is {type(key).__name__} and not a text")
    return key_text(key)


def _literal_header(text: str) -> str:
    """How a text of several lines begins as a literal block; nothing where it cannot be one."""
    if " \n" in text or text[-1] == " " or not text.strip("\n") or not all_seen(text):
        return ""
    indicator = "2" if text.lstrip("\n")[0] == " " else ""
    if text[-1] != "\n":
        return f"|{indicator}-"
    return f"|{indicator}+" if text[-2] == "\n" else f"|{indicator}"


# --- reading


class NotCanonical(ValueError):  # noqa: N818 - a finding, not an error: the strict reader comes next
    """A text is not in canonical form; only the strict reader can tell whether and how it is to be read."""


_ENTRY = re.compile(rf"({KEY}):(?: ({PLAIN})| ([\[{{\"|].*))?")
_ITEM = re.compile(rf"- (?:({PLAIN})|([\[{{\"|].*))")
_FLOW_ENTRY = re.compile(rf"({KEY}): (?:({PLAIN}|{QUOTED})|(?=[\[{{]))")
_FLOW_ITEM = re.compile(rf"{PLAIN}|{QUOTED}")
_HEADER = re.compile(r"\|(2?)([-+]?)")


def read(text: str) -> Value:
    """The value of a canonical text. Raises NotCanonical, and nothing else."""
    if text[-1:] != "\n" or not all_seen(text):
        raise NotCanonical
    if text in ("{}\n", "[]\n"):
        return {} if text[0] == "{" else []
    try:
        value = _Reader(text[:-1].split("\n")).top()
    except ValueError:
        raise NotCanonical from None
    if len(text) > _SAFE_LENGTH and nodes(value) > MAX_NODES:
        raise NotCanonical
    return value


class _Reader:
    """Reads lines downwards: ``at`` is the number of the next one."""

    __slots__ = ("at", "lines")

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def top(self) -> Value:
        """The value of all lines."""
        value = self.block(0, 1)
        if self.at < len(self.lines):
            raise NotCanonical
        return value

    def block(self, indent: int, depth: int) -> Value:
        """The mapping or list whose first line is the next one, from column ``indent`` (0, 2, 4, …) on."""
        if depth > MAX_DEPTH or self.at >= len(self.lines):
            raise NotCanonical
        if self.lines[self.at].startswith("- ", indent):
            return self.items(indent, depth)
        return self.mapping(indent, depth)

    def mapping(self, indent: int, depth: int) -> dict[str, Any]:
        """The mapping at the next line."""
        found: dict[str, Any] = {}
        blanks, lines, match = " " * indent, self.lines, _ENTRY.fullmatch
        while self.at < len(lines):
            line = lines[self.at]
            entry = match(line, indent)
            if entry is None or (indent and not line.startswith(blanks)):
                break
            self.at += 1
            token, plain, other = entry.groups()
            key = _read_key(token)
            if key in found:
                raise NotCanonical
            if plain is not None:
                found[key] = scalar(plain)
            elif other is not None:
                found[key] = self.inline(other, indent + 2, depth + 1)
            elif lines[self.at : self.at + 1] and lines[self.at].startswith(blanks + "  "):
                found[key] = self.block(indent + 2, depth + 1)
            else:
                raise NotCanonical
        return found or _not_canonical()

    def items(self, indent: int, depth: int) -> list[Any]:
        """The list at the next line."""
        found: list[Any] = []
        lead, lines, match = " " * indent + "- ", self.lines, _ITEM.fullmatch
        while self.at < len(lines) and lines[self.at].startswith(lead):
            line = lines[self.at]
            item = match(line, indent)
            if item and item[1] is not None:
                self.at += 1
                found.append(scalar(item[1]))
            elif item and not _ENTRY.fullmatch(line, indent + 2):
                self.at += 1
                found.append(self.inline(item[2], indent + 2, depth + 1))
            else:
                lines[self.at] = lead[:-2] + "  " + line[indent + 2 :]  # its first line, as if it stood alone
                found.append(self.block(indent + 2, depth + 1))
        return found

    def inline(self, token: str, indent: int, depth: int) -> Value:
        """A value in double quotes, in flow style, or of several lines from column ``indent`` on."""
        if token[0] == "|":
            return self.literal(token, " " * indent)
        value, end = _read_flow(token, 0, depth)
        return value if end == len(token) else _not_canonical()

    def literal(self, token: str, blanks: str) -> str:
        """The text of a literal block whose header was read."""
        header = _HEADER.fullmatch(token) or _not_canonical()
        first, found = self.at, []
        for line in self.lines[first:]:
            if line and (not line.startswith(blanks) or line[-1] == " "):
                break
            found.append(line[len(blanks) :])
        self.at += len(found)
        text = "\n".join(found) if header[2] == "-" else "\n".join(found) + "\n"
        return text if "\n" in text and _literal_header(text) == token else _not_canonical()


def _read_flow(text: str, at: int, depth: int) -> tuple[Value, int]:
    """The value that begins at a place of a line, and where it ends."""
    opening = text[at : at + 1]
    if opening not in ("[", "{"):
        token = (_FLOW_ITEM.match(text, at) or _not_canonical())[0]
        return _read_scalar(token), at + len(token)
    if depth > MAX_DEPTH:
        raise NotCanonical
    if text.startswith(("[]", "{}"), at):
        return ([] if opening == "[" else {}), at + 2
    return (_read_flow_list if opening == "[" else _read_flow_mapping)(text, at + 1, depth)


def _read_flow_list(text: str, at: int, depth: int) -> tuple[Value, int]:
    found: list[Any] = []
    while True:
        value, at = _read_flow(text, at, depth + 1)
        found.append(value)
        if text.startswith("]", at):
            return found, at + 1
        if not text.startswith(", ", at):
            raise NotCanonical
        at += 2


def _read_flow_mapping(text: str, at: int, depth: int) -> tuple[Value, int]:
    found: dict[str, Any] = {}
    while True:
        entry = _FLOW_ENTRY.match(text, at) or _not_canonical()
        key, token, at = _read_key(entry[1]), entry[2], entry.end()
        if key in found:
            raise NotCanonical
        if token is None:
            found[key], at = _read_flow(text, at, depth + 1)
        else:
            found[key] = _read_scalar(token)
        if text.startswith("}", at):
            return found, at + 1
        if not text.startswith(", ", at):
            raise NotCanonical
        at += 2


def _read_scalar(token: str) -> Value:
    return _read_quoted(token) if token[0] == '"' else scalar(token)


def _read_quoted(token: str) -> str:
    text = unquoted(token)
    return text if text is not None else _not_canonical()


@lru_cache(maxsize=4096)
def _read_key(token: str) -> str:
    key = _read_quoted(token) if token[0] == '"' else plain_key(token)
    return key if key_text(key) == token else _not_canonical()


def _not_canonical() -> NoReturn:
    raise NotCanonical
