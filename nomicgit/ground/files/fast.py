"""A fast reader of the canonical form, which leaves every other text to the strict reader.

It takes a little more than what is written, such as flow style on long lines and plain texts with commas,
and nothing that the strict reader would refuse or read as something else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed

from . import strict
from .canonical import SAFE_LENGTH, WIDTH, join, literal_header, split
from .grammar import (
    BLOCK_PLAIN,
    KEY,
    MAX_DEPTH,
    MAX_NODES,
    PLAIN,
    QUOTED,
    Unquoted,
    Value,
    all_seen,
    decoded,
    key_text,
    nodes,
    plain_key,
    scalar,
    unquoted,
)


class NotCanonical(ValueError):
    """A text is not in canonical form; only the strict reader can tell whether and how it is to be read."""


_ENTRY = late(rf"({KEY}):(?: ({PLAIN})| ([\[{{\"|].*))?")
_ITEM = late(rf"- (?:({BLOCK_PLAIN})|([\[{{\"|].*))")
_FLOW_ENTRY = late(rf"({KEY}): (?:({PLAIN}|{QUOTED})(?:, |(?=}}))|(?=[\[{{]))")
_FLOW_ITEM = late(rf"{PLAIN}|{QUOTED}")
_PLAIN = late(PLAIN)
_BLOCK_PLAIN = late(BLOCK_PLAIN)
_KEY_IN_QUOTES = late(QUOTED)
_OPENING = ("[", "{", '"', "|")
_HEADER = late(r"\|(2?)([-+]?)")


def read(data: bytes | str, file: str = "", *, line: int = 1) -> Value:
    """The value of one YAML document; nothing at all is None.

    ``line`` is the number of the document's first line inside of ``file``.
    Raises Malformed for everything that YAML's readers might take in two ways; Unquoted where quotes mend all of it.
    """
    text = decoded(data, file, line)
    try:
        return read_canonical(text)
    except NotCanonical:
        return strict.read(text, file, line)


def read_canonical(text: str) -> Value:
    """The value of a canonical text. Raises NotCanonical, and nothing else."""
    if text[-1:] != "\n" or not all_seen(text):
        raise NotCanonical
    if text in ("{}\n", "[]\n"):
        return {} if text[0] == "{" else []
    try:
        value = _Reader(text[:-1].split("\n")).top()
    except ValueError:
        raise NotCanonical from None
    if len(text) > SAFE_LENGTH and nodes(value) > MAX_NODES:
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

    def mapping(self, indent: int, depth: int) -> dict[str, Value]:
        """The mapping at the next line."""
        entries: dict[str, Value] = {}
        blanks, lines = " " * indent, self.lines
        while self.at < len(lines):
            line = lines[self.at]
            if line[:indent] != blanks:
                break
            head, colon, rest = line.partition(": ")
            if line.startswith('"', indent):
                head, colon, rest = _split_quoted(line, indent)
            self.at += 1
            key = _read_key(head[indent:] if colon else _without_colon(head[indent:]))
            if key in entries:
                raise NotCanonical
            if not colon:
                entries[key] = self.below(blanks + "  ", depth + 1)
            elif rest[:1] in _OPENING:
                entries[key] = self.inline(rest, indent + 2, depth + 1)
            else:
                entries[key] = _read_block(rest) if len(rest) <= WIDTH else _any_block(rest)
        return entries or _not_canonical()

    def below(self, blanks: str, depth: int) -> Value:
        """The container that stands below the line of its key."""
        if self.at >= len(self.lines) or not self.lines[self.at].startswith(blanks):
            raise NotCanonical
        return self.block(len(blanks), depth)

    def items(self, indent: int, depth: int) -> list[Value]:
        """The list at the next line."""
        items: list[Value] = []
        lead, lines, match = " " * indent + "- ", self.lines, _ITEM.fullmatch
        while self.at < len(lines) and lines[self.at].startswith(lead):
            line = lines[self.at]
            item = match(line, indent)
            if item and item[1] is not None:
                self.at += 1
                items.append(scalar(item[1]))
            elif item and not _ENTRY.fullmatch(line, indent + 2):
                self.at += 1
                items.append(self.inline(item[2], indent + 2, depth + 1))
            else:
                lines[self.at] = lead[:-2] + "  " + line[indent + 2 :]  # its first line, as if it stood alone
                items.append(self.block(indent + 2, depth + 1))
        return items

    def inline(self, token: str, indent: int, depth: int) -> Value:
        """A value in double quotes, in flow style, or of several lines from column ``indent`` on."""
        if token[0] == "|":
            return self.literal(token, " " * indent)
        if (
            '"' not in token
            and token.find("[", 1) < 0
            and token.find("{", 1) < 0
            and depth <= MAX_DEPTH
            and len(token) <= WIDTH
        ):
            return _read_flat(token)
        value, end = _read_flow(token, 0, depth)
        return value if end == len(token) else _not_canonical()

    def literal(self, token: str, blanks: str) -> str:
        """The text of a literal block whose header was read."""
        header = _HEADER.fullmatch(token) or _not_canonical()
        lines, kept = self.lines, []
        while self.at < len(lines) and (not (line := lines[self.at]) or line.startswith(blanks)):
            kept.append(line[len(blanks) :])
            self.at += 1
        text = "\n".join(kept) if header[2] == "-" else "\n".join(kept) + "\n"
        return text if "\n" in text and literal_header(text) == token else _not_canonical()


def _read_flat(token: str) -> Value:
    """The value of a flow token without quotes and nesting: the most frequent ones, three times as fast."""
    inner, ends = token[1:-1], token[0] + token[-1]
    if ends == "[]":
        return [_read_plain(part) for part in inner.split(", ")] if inner else []
    if ends != "{}":
        raise NotCanonical
    parts = [part.partition(": ") for part in inner.split(", ")] if inner else []
    entries = {_read_key(key): _read_plain(plain) for key, _, plain in parts}
    return entries if len(entries) == len(parts) else _not_canonical()


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
    items: list[Value] = []
    while True:
        value, at = _read_flow(text, at, depth + 1)
        items.append(value)
        if text.startswith("]", at):
            return items, at + 1
        if not text.startswith(", ", at):
            raise NotCanonical
        at += 2


def _read_flow_mapping(text: str, at: int, depth: int) -> tuple[Value, int]:
    entries: dict[str, Value] = {}
    while True:
        entry = _FLOW_ENTRY.match(text, at) or _not_canonical()
        token, atom = entry.groups()
        key, at = _read_key(token), entry.end()
        if key in entries:
            raise NotCanonical
        if atom is not None:
            entries[key] = _read_scalar(atom)
            more = text[at - 1] == " "
        else:
            entries[key], at = _read_flow(text, at, depth + 1)
            more = text.startswith(", ", at)
            at += 2 if more else 0
        if not more:
            return (entries, at + 1) if text.startswith("}", at) else _not_canonical()


def _read_scalar(token: str) -> Value:
    return _read_quoted(token) if token[0] == '"' else scalar(token)


def _any_plain(token: str) -> Value:
    return scalar(token) if _PLAIN.fullmatch(token) else _not_canonical()


def _any_block(token: str) -> Value:
    return scalar(token) if _BLOCK_PLAIN.fullmatch(token) else _not_canonical()


_read_plain = lru_cache(maxsize=4096)(_any_plain)
_read_block = lru_cache(maxsize=4096)(_any_block)


def _split_quoted(line: str, at: int) -> tuple[str, str, str]:
    """A line whose key is in double quotes, parted at the colon behind it."""
    end = (_KEY_IN_QUOTES.match(line, at) or _not_canonical()).end()
    return (line[:end], ": ", line[end + 2 :]) if line.startswith(": ", end) else (line, "", "")


def _without_colon(head: str) -> str:
    return head[:-1] if head[-1:] == ":" else _not_canonical()


def _read_quoted(token: str) -> str:
    text = unquoted(token)
    return text if text is not None else _not_canonical()


@lru_cache(maxsize=4096)
def _read_key(token: str) -> str:
    key = _read_quoted(token) if token[:1] == '"' else plain_key(token)
    return key if key_text(key) == token else _not_canonical()


def _not_canonical() -> NoReturn:
    raise NotCanonical


def requoted(text: str) -> str:
    """A file with quotes around what lacks them in its front matter, so that the rest can be looked at."""
    try:
        parts = split(text)
        read(parts.front)
    except Unquoted as unquoted:
        return join(unquoted.quoted, parts.body)
    except Malformed:
        pass  # what is wrong there is told by whoever reads it
    return text
