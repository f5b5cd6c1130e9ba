"""Finding the functions and constants in mechanics by their tokens, without running or compiling anything.

A definition is a ``def`` or an assignment to one name that begins at a line's start, with the comment lines
directly above it. Changes are made definition by definition: see the forms of ``amend``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from msgspec import Struct

Token = tuple[str, str, int]  # kind, text, offset of its first character

_PATTERN = (
    r"[ \t\r\f]+"
    r"|(?![rRbBfF]{1,2}[\"'])[^\W\d]\w*"
    r"|[()\[\]{},:\n]"
    r"|(?:[rRbBfF]{1,2}(?=[\"']))?(?:"
    r"\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r"|\"(?:[^\\\n\"]|\\.)*(?:\"|(?=\n)|\\?\Z)|'(?:[^\\\n']|\\.)*(?:'|(?=\n)|\\?\Z))"
    r"|0[xXoObB][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    r"|\#[^\n]*"
    r"|\\\r?\n"
    r"|(?:\*\*|//|>>|<<|[-+*/%&|^=!<>])=|\*\*|//|>>|<<|->|."
)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_MARKS = frozenset("()[]{}\n;")
_BLANK = frozenset(" \t\r\f")
DEEPER = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
SPACE = frozenset(
    " \t\r\f\n#\\"
)  # what begins with that is nothing to the law: white space, comments, lines that go on
_GOES_ON = ("\\\n", "\\\r\n")  # a line that goes on
_NO_STATEMENT = frozenset(" \t\r\f\n#)]};\\")  # with what begins that, no statement begins
END = ";;"  # behind the last lexeme, as no lexeme is


class Definition(Struct, frozen=True):
    """A function or constant: its 0-based lines from ``start`` to before ``end``, comments above included."""

    name: str
    kind: Literal["function", "constant"]
    start: int
    end: int


class Statement(NamedTuple):
    """A statement at the top level: its lexemes from number ``first`` to before ``end``, and what it defines."""

    first: int
    end: int
    defines: Definition | None


class Lexed(Struct, frozen=True):
    """Mechanics in lexemes, which together are the text, with END behind them.

    ``brackets`` are the numbers of the brackets among them, ``depths`` how deep it is behind each. ``alone``: no
    statement shares its line with another.
    """

    lexemes: Sequence[str]
    brackets: Sequence[int]
    depths: Sequence[int]
    statements: Sequence[Statement]
    alone: bool


@cache
def _lexeme() -> re.Pattern[str]:
    """The pattern of a lexeme, compiled late: most deeds meet no mechanics that are not taken apart already."""
    return re.compile(_PATTERN, re.DOTALL)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of mechanics: (kind, text, offset), the kinds NAME OP STRING NUMBER COMMENT NEWLINE.

    Every line feed outside of strings is a NEWLINE, white space is passed over, and a string that is not
    closed ends with its line, or the text. Nothing is ever refused.
    """
    offset = 0
    for lexeme in _lexeme().findall(text):
        if lexeme[0] not in _BLANK and lexeme not in _GOES_ON:
            yield _kind(lexeme), lexeme, offset
        offset += len(lexeme)


@lru_cache(maxsize=1024)
def code(text: str) -> tuple[Token, ...]:
    """The tokens of mechanics but their comments and line feeds."""
    return tuple(token for token in tokens(text) if token[0] not in ("COMMENT", "NEWLINE"))


def _kind(lexeme: str) -> str:
    first = lexeme[0]
    if first == "\n":
        return "NEWLINE"
    if first == "#":
        return "COMMENT"
    if first in "\"'" or (first in "rRbBfF" and ("'" in lexeme or '"' in lexeme)):
        return "STRING"
    if first in "0123456789" or (first == "." and len(lexeme) > 1):
        return "NUMBER"
    return "NAME" if first == "_" or (first.isalnum() and not first.isdecimal()) else "OP"


@lru_cache(maxsize=1024)
def definitions(text: str) -> tuple[Definition, ...]:
    """All definitions of some mechanics, in their order; a name defined twice is there twice."""
    return tuple(each.defines for each in lexed(text).statements if each.defines is not None)


def lexed(text: str) -> Lexed:
    """Mechanics in lexemes, with the statements at their top level. Nothing is ever refused."""
    lexemes = [*_lexeme().findall(text), END]
    brackets: list[int] = []
    depths: list[int] = []
    starts = [] if lexemes[0][0] in _NO_STATEMENT else [0]
    depth, alone = 0, True
    for at in [at for at, lexeme in enumerate(lexemes) if lexeme in _MARKS]:
        deeper = DEEPER.get(lexemes[at])
        if deeper:
            depth = depth + deeper if depth or deeper > 0 else 0
            brackets.append(at)
            depths.append(depth)
        elif lexemes[at] == ";":
            alone = False
        elif not depth and lexemes[at + 1][0] not in _NO_STATEMENT:
            starts.append(at + 1)
    return Lexed(lexemes, brackets, depths, tuple(_statements(lexemes, starts)), alone)


def _statements(lexemes: Sequence[str], starts: Sequence[int]) -> Iterator[Statement]:
    line, floor = "".join(lexemes[: starts[0]]).count("\n") if starts else 0, -1
    for first, end in pairwise([*starts, len(lexemes) - 1]):
        tail = end - 1
        while lexemes[tail][0] in SPACE and (lexemes[tail][0] != "#" or lexemes[tail - 1] == "\n"):
            tail -= 1  # a comment is part of the statement before, unless it stands at its line's start
        above = line - _comments_above(lexemes, first, line - 1 - floor)
        floor = line + "".join(lexemes[first : tail + 1]).count("\n")
        yield Statement(first, end, _defined(lexemes, first, above, floor + 1))
        line = floor + "".join(lexemes[tail + 1 : end]).count("\n")


def _comments_above(lexemes: Sequence[str], first: int, most: int) -> int:
    """How many lines directly above a statement hold nothing but a comment."""
    count = 0
    while count < most and first > 1 and lexemes[first - 1] == "\n" and lexemes[first - 2][0] == "#":
        first -= 2
        first -= first > 0 and lexemes[first - 1][0] in _BLANK
        if first > 0 and lexemes[first - 1] != "\n":
            break
        count += 1
    return count


def _defined(lexemes: Sequence[str], first: int, start: int, end: int) -> Definition | None:
    name, following = lexemes[first], islice(lexemes, first + 1, None)
    second = next(each for each in following if each[0] not in SPACE)
    if name == "def" and second.isidentifier():
        return Definition(second, "function", start, end)
    return Definition(name, "constant", start, end) if second == "=" and name.isidentifier() else None


def text_of(text: str, name: str) -> str | None:
    """The whole text of a definition with the comments above it; None where there is none of that name."""
    definition = next((each for each in definitions(text) if each.name == name), None)
    return None if definition is None else "\n".join(text.split("\n")[definition.start : definition.end])


def with_definition(text: str, name: str, new: str | None) -> str:
    """Mechanics with one definition replaced in its place, taken out (None), or, a new name, put last."""
    lines = text.split("\n")
    definition = next((each for each in definitions(text) if each.name == name), None)
    body = [] if new is None else new.strip("\n").split("\n")
    if definition is None:
        return "\n\n".join(part for part in (text.strip("\n"), "\n".join(body)) if part)
    before, after = lines[: definition.start], lines[definition.end :]
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
