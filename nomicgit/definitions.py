"""Finding the functions and constants in mechanics by their tokens, without running or compiling anything.

A definition is a ``def`` or an assignment to one name that begins at a line's start, with the comment lines
directly above it. Changes are made definition by definition: see the forms of ``amend``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple

Token = tuple[str, str, int]  # kind, text, offset of its first character

_PATTERN = (
    r"(?:[ \t\r\f]+|\\\r?\n)*(?:"  # white space first, so that it is no match of its own
    r"((?![rRbBfF]{1,2}[\"'])[^\W\d]\w*)"
    r"|([()\[\]{},:])"
    r"|(\n)"
    r"|((?:[rRbBfF]{1,2}(?=[\"']))?(?:"
    r"\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r"|\"(?:[^\\\n\"]|\\.)*(?:\"|(?=\n)|\\?\Z)|'(?:[^\\\n']|\\.)*(?:'|(?=\n)|\\?\Z)))"
    r"|(0[xXoObB][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(\#[^\n]*)"
    r"|((?:\*\*|//|>>|<<|[-+*/%&|^=!<>])=|\*\*|//|>>|<<|->|.)"
    r"|\Z)"
)
_KINDS = ("", "NAME", "OP", "NEWLINE", "STRING", "NUMBER", "COMMENT", "OP")  # of the groups of _PATTERN
_CLOSING = {")": "(", "]": "[", "}": "{"}


class Definition(NamedTuple):
    """A function or constant: its 0-based lines from ``start`` to before ``end``, comments above included."""

    name: str
    kind: Literal["function", "constant"]
    start: int
    end: int


@dataclass(slots=True)
class _Statement:
    """A statement at the top level: its first line, its last, and its first two tokens."""

    first: int
    last: int
    head: list[str]


@cache
def _token() -> re.Pattern[str]:
    """The pattern of a token, compiled late: most deeds meet no mechanics that are not taken apart already."""
    return re.compile(_PATTERN, re.DOTALL)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of mechanics: (kind, text, offset), the kinds NAME OP STRING NUMBER COMMENT NEWLINE.

    Every line feed outside of strings is a NEWLINE, white space is passed over, and a string that is not
    closed ends with its line, or the text. Nothing is ever refused.
    """
    for found in _token().finditer(text):
        group = found.lastindex
        if group:
            yield _KINDS[group], found[group], found.start(group)


@lru_cache(maxsize=1024)
def definitions(text: str) -> tuple[Definition, ...]:
    """All definitions of some mechanics, in their order; a name defined twice is there twice."""
    return definitions_among(list(tokens(text)), text)[0]


def definitions_among(toks: Sequence[Token], text: str) -> tuple[tuple[Definition, ...], bool]:
    """The definitions of a text with these tokens, and whether nothing else stands at its top level."""
    statements, comments = _statements(toks, text)
    found: list[Definition] = []
    floor = -1
    for statement in statements:
        start = statement.first
        while start - 1 > floor and start - 1 in comments:
            start -= 1
        floor = statement.last
        match statement.head:
            case ["def", name] if name.isidentifier():
                found.append(Definition(name, "function", start, floor + 1))
            case [name, "="] if name.isidentifier():
                found.append(Definition(name, "constant", start, floor + 1))
    return tuple(found), len(found) == len(statements)


def _statements(toks: Sequence[Token], text: str) -> tuple[list[_Statement], set[int]]:
    """The statements at the top level, and the lines that hold nothing but a comment."""
    statements: list[_Statement] = []
    comments: set[int] = set()
    feeds = [found.start() for found in re.finditer("\n", text)]
    depth = began = tail = 0  # ``began``: where the line begins; ``tail``: where the last token ends
    wanted = 0  # how many of the statement's first two tokens are still to come
    fresh = True  # nothing has stood on this line yet
    for kind, value, offset in toks:
        if kind == "NEWLINE":
            began, fresh = offset + 1, True
        elif kind == "COMMENT":
            if fresh:
                comments.add(bisect_left(feeds, offset))
            if not fresh or offset > began:
                tail = offset
        else:
            if fresh and offset == began and depth == 0 and value not in _CLOSING:
                _end(statements, feeds, tail)
                statements.append(_Statement(bisect_left(feeds, offset), 0, []))
                wanted = 2
            fresh = False
            tail = offset + len(value)
            if wanted:
                statements[-1].head.append(value)
                wanted -= 1
            if kind == "OP":
                if value in "([{":
                    depth += 1
                elif value in _CLOSING:
                    depth = max(0, depth - 1)
    _end(statements, feeds, tail)
    return statements, comments


def _end(statements: Sequence[_Statement], feeds: Sequence[int], tail: int) -> None:
    """Note the line on which the statement under way ends."""
    if statements:
        statements[-1].last = bisect_left(feeds, tail)


def text_of(text: str, name: str) -> str | None:
    """The whole text of a definition with the comments above it; None where there is none of that name."""
    found = next((each for each in definitions(text) if each.name == name), None)
    return None if found is None else "\n".join(text.split("\n")[found.start : found.end])


def with_definition(text: str, name: str, new: str | None) -> str:
    """Mechanics with one definition replaced in its place, taken out (None), or, a new name, put last."""
    lines = text.split("\n")
    found = next((each for each in definitions(text) if each.name == name), None)
    body = [] if new is None else new.strip("\n").split("\n")
    if found is None:
        return "\n\n".join(part for part in (text.strip("\n"), "\n".join(body)) if part)
    before, after = lines[: found.start], lines[found.end :]
    if new is None:
        gap = max(_blanks(before[::-1]), _blanks(after))
        before, after = before[: len(before) - _blanks(before[::-1])], after[_blanks(after) :]
        body = [""] * gap if before and after else []
    return "\n".join([*before, *body, *after])


def _blanks(lines: list[str]) -> int:
    """How many blank lines stand first."""
    return next((n for n, line in enumerate(lines) if line.strip()), len(lines))


def unfinished(text: str) -> str:
    """Why mechanics cannot be whole, as far as tokens tell: a bracket or a string left open; else ""."""
    open_: list[tuple[str, int]] = []
    for kind, value, offset in tokens(text):
        line = text.count("\n", 0, offset) + 1
        if kind == "STRING" and not _closed(value):
            return f"line {line}: a string is not closed"
        if kind == "OP" and value in "([{":
            open_.append((value, line))
        elif kind == "OP" and value in _CLOSING and (not open_ or open_.pop()[0] != _CLOSING[value]):
            return f"line {line}: {value} closes nothing"
    return f"line {open_[-1][1]}: {open_[-1][0]} is not closed" if open_ else ""


def _closed(string: str) -> bool:
    inner = string.lstrip("rRbBfF")
    marks = inner[:3] if inner[:3] in ('"""', "'''") else inner[:1]
    return len(inner) >= 2 * len(marks) and inner.endswith(marks)


def indented(body: str) -> str:
    """A text one level deeper; lines inside a string stay as they are."""
    inside: set[int] = set()
    for kind, value, start in tokens(body):
        if kind == "STRING" and "\n" in value:
            first = body.count("\n", 0, start)
            inside |= set(range(first + 1, first + 1 + value.count("\n")))
    return "".join(("" if n in inside else "    ") + line + "\n" for n, line in enumerate(body.split("\n")))
