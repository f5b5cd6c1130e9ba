"""One file's mechanics taken apart: its definitions, its calls, and the names that the whole law gives.

What a scan holds hangs on the file alone, so it is kept, in the clone's file too; ``linking`` fills its slots.

The values here are named tuples, which are made ten times as fast as dataclasses: every command waits for that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nomicgit.law.definitions import DEEPER, SPACE, Lexed, lexed

PREFIX = "overridden_"
_BEFORE_PARAMETER = frozenset(("(", ",", "*", "**"))
_NAMES = re.compile(r"[^\W\d]\w*")
_OVERRIDDEN = re.compile(rf"{PREFIX}\w*")


class Passage(NamedTuple):
    """One definition in a file's mechanics: its 0-based lines there, ``end`` excluded, and the names that it uses.

    ``uses`` has spaces between them: most are read from the clone's file and never looked at.
    """

    name: str
    start: int
    end: int
    uses: str


class Scan(NamedTuple):
    """One file's mechanics, taken apart: ``parts`` are texts with slots (name, role) between them.

    ``passages`` are its definitions; None where anything else stands beside them, so that none can be taken alone.
    """

    slug: str
    line: int
    parts: tuple[str, ...]
    slots: tuple[tuple[str, str], ...]
    functions: Mapping[str, int]
    private: tuple[str, ...]
    parameters: Mapping[str, tuple[str, ...]]
    calls: frozenset[str]
    passages: tuple[Passage, ...] | None

    def text(self, names: Mapping[tuple[str, str], str]) -> str:
        """The file's text with its slots filled."""
        pieces = [self.parts[0]]
        for slot, part in zip(self.slots, self.parts[1:], strict=True):
            pieces.append(names.get(slot, slot[0]))
            pieces.append(part)
        return "".join(pieces)


def scan(slug: str, text: str, line: int, rosters: frozenset[str]) -> Scan:
    """Take a file's mechanics apart. ``line``: how many lines of the file stand before its first."""
    known = _SCANS.get((slug, text, line, rosters))
    if known is None:
        known = _scanned(slug, text, line, rosters)
        remember(text, rosters, known)
    return known


_SCANS: dict[tuple[str, str, int, frozenset[str]], Scan] = {}
_KEPT_SCANS = 4096


def remember(text: str, rosters: frozenset[str], scanned: Scan) -> None:
    """Keep what was found in a file's mechanics, which hangs on its slug, its text, its line and these words alone."""
    if len(_SCANS) >= _KEPT_SCANS:
        _SCANS.clear()
    _SCANS[scanned.slug, text, scanned.line, rosters] = scanned


def _scanned(slug: str, text: str, line: int, rosters: frozenset[str]) -> Scan:
    law = lexed(text)
    lexemes, defined = law.lexemes, [each.defines for each in law.statements if each.defines]
    functions = {
        d.name: line + 1 + d.start for d in defined if d.kind == "function" and not d.name.startswith("_")
    }
    private = tuple(d.name for d in defined if d.name.startswith("_") or d.kind == "constant")
    own = {name: f"{name}__{slug.replace('-', '_')}" for name in private}
    linked_here = {*own, *functions, *rosters, *_OVERRIDDEN.findall(text)}
    parts: list[str] = []
    slots: list[tuple[str, str]] = []
    calls, parameters = set(), {}
    used_at: list[int] = []
    used: list[str] = []
    last, piece = 0, ""
    places = [at for at, lexeme in enumerate(lexemes) if lexeme[0] not in SPACE]
    words = [lexemes[at] for at in places]
    for n, (previous, value, following) in enumerate(zip(["", *words], words, words[1:], strict=False)):
        at = places[n]
        if not value.isidentifier():
            if value[0] in "rRbBfF":  # a string with a prefix, which may be filled in
                used += (names := _NAMES.findall(value))
                used_at += [at] * len(names)
            continue
        if previous == "." or (following == "=" and _depth(law, at)):
            continue
        used_at.append(at)
        used.append(value)
        if previous == "def":
            parameters[value] = _parameters(words, n + 1)
        elif following == "(" and value not in own:
            calls.add(value)
        if value not in linked_here:
            continue
        role = _role(value, previous, following, functions, own, rosters)
        if role == "own":
            piece += "".join(lexemes[last:at]) + own[value]
        elif role:
            parts.append(piece + "".join(lexemes[last:at]))
            slots.append((value, role))
            piece = ""
        else:
            continue
        last = at + 1
    parts.append(piece + "".join(lexemes[last:-1]))
    passages = _passages(law, used_at, used) if law.alone and len(defined) == len(law.statements) else None
    return Scan(
        slug, line, tuple(parts), tuple(slots), functions, private, parameters, frozenset(calls), passages
    )


def _depth(law: Lexed, at: int) -> int:
    """How deep in brackets a lexeme stands."""
    place = bisect_left(law.brackets, at)
    return law.depths[place - 1] if place else 0


def _passages(law: Lexed, used_at: Sequence[int], used: Sequence[str]) -> tuple[Passage, ...]:
    """The definitions with the names in them; ``used_at`` are the numbers of their lexemes."""
    made = []
    for first, end, each in law.statements:
        assert each is not None
        names = dict.fromkeys(used[bisect_left(used_at, first) : bisect_left(used_at, end)])
        made.append(Passage(each.name, each.start, each.end, " ".join(names)))
    return tuple(made)


def _role(
    value: str,
    previous: str,
    following: str,
    functions: Mapping[str, int],
    own: Mapping[str, str],
    rosters: frozenset[str],
) -> str:
    if value in own:
        return "own"
    if previous == "def" and value in functions:
        return "def"
    if value.startswith(PREFIX):
        return "overridden"
    return "roster" if value in rosters and following == "(" else ""


def _parameters(words: Sequence[str], bracket: int) -> tuple[str, ...]:
    """The parameter names of a definition, whose bracket opens with this word."""
    names, depth = [], 0
    for n in range(bracket, len(words)):
        depth += DEEPER.get(words[n], 0)
        if depth <= 0:
            break
        if depth == 1 and words[n - 1] in _BEFORE_PARAMETER and words[n].isidentifier():
            names.append(words[n])
    return tuple(names)
