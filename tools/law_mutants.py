"""Changes of what the law declares, one at a time: numbers, defaults, who may and when, limits, what stays and what counts,
who sees a secret, and what overrides what.

Each is a `Guard` of `guards.py`, which is tried like one: it survives where no scenario of the edition misses it, and may
be argued for in the rule's mechanics, by a line ``# guard of `LINE`: WHY``, for front matter has no
comments. There are many, so a run takes some of them, drawn by a seed.
Whoever rehearses sees all, so secrets are held to their list, ``tests/rooms/editions/secrets.yml``, as a test does;
and whether each leaks once it is public is asked by ``tests/rooms/record/test_leaks.py``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from noticing import EDITIONS, Guard

FRONT = re.compile(rb"\A---\n(.*?)^---$", re.MULTILINE | re.DOTALL)
ARGUED = re.compile(r"^# guard of `(.+?)`: (\S.*)$", re.MULTILINE)
"""What is argued for: a line, or its beginning, and why no scenario can miss it."""
UNTOLD = re.compile(r"\s*(title|summary|called|label|status|default_status|terms|- \{names?|cost: [^{]):?")
"""Lines of which no number and no order is law: they name things, or say them to people."""
QUOTED = re.compile(r'"[^"]*"')

CHANGES: Sequence[tuple[str, str]] = (
    (r"(?<![\w.:-])\d+(?=(h|d|m|mo|w|s)?\b(?![\w:.-]))", "more"),
    (r"\bby: admin\b", "by: player"),
    (r"\bby: emperor\b", "by: player"),
    (r"\bby: anyone\b", "by: player"),
    (r"\bby: \[(\w+), [^\]]*\]", r"by: \1"),
    (r"\bidle: true\b", "idle: false"),
    (r"\b(communal|shared|permanent|transient|official|votable|attempt): true\b", r"\1: false"),
    (r"\b(official|votable): false\b", r"\1: true"),
    (r"\bdefault: true\b", "default: false"),
    (r"\bdefault: false\b", "default: true"),
    (
        r"\bchoices: \[([^,\]]+), ([^,\]]+)((?:, [^\]]+)?)\](?=.*\bdefault: \1\b)(.*)\bdefault: \1\b",
        r"choices: [\1, \2\3]\4default: \2",
    ),
    (r"\btracked: secret\b", "tracked: public"),
    (r"\btracked: public\b", "tracked: secret"),
    (r"\bseen_by: \[(\w+), \w+\]", r"seen_by: [\1]"),
    (r"(?:, )?\bseen_by: \[\w+\]", ""),
    (r"\bprivate: true\b", "private: false"),
    (r"\blimit: [\w-]+(, )?", ""),
    (r"\bwhich: \w+", ""),
    (r"\bper: day\b", "per: week"),
    (r"\bper: week\b", "per: day"),
    (r"\bbelow_zero: refuse\b", "below_zero: allow"),
    (r"\bbelow_zero: (allow|clamp)\b", "below_zero: refuse"),
    (r"^overrides: \[\w+\]$", ""),
    (r"^(overrides: \[.*), \w+\]$", r"\1]"),
)


def declared(edition: str) -> Iterator[Guard]:
    """All changes of what the rules of an edition declare, rule by rule, from top to bottom."""
    folder = EDITIONS / edition
    for path in sorted(folder.rglob("*.md")):
        file = path.read_bytes()
        front = FRONT.match(file)
        if front is not None:
            yield from _of_rule(edition, path.relative_to(folder), file, front)


def _of_rule(edition: str, path: Path, file: bytes, front: re.Match[bytes]) -> Iterator[Guard]:
    place, key, item = front.start(1), "", ""
    argued: list[tuple[str, str]] = ARGUED.findall(file.decode())
    for number, line in enumerate(front[1].splitlines(keepends=True), 2):
        text = line.decode()
        key = text.partition(":")[0] if text[0] != " " else key
        item = item if text.startswith("   ") else text.strip()
        if not UNTOLD.match(text):
            for start, end, without in _changes(text, whole=key == "overrides" and text.startswith("  ")):
                first, last = (place + len(text[:column].encode()) for column in (start, end))
                told = f"{text[start:end]} → {without}   in {_told(item, text.strip())}"
                reason = next((why for of, why in argued if text.strip().startswith(of)), "")
                place_of = (path.as_posix(), number, first, last)
                yield Guard(edition, *place_of, without.encode(), told, reason, declared=True)
        place += len(line)


def _hushed(quoted: re.Match[str]) -> str:
    """What is quoted; if it says something to people and calls nothing, as many strokes."""
    said = " " in quoted[0] and "(" not in quoted[0]
    return "_" * len(quoted[0]) if said else quoted[0]


def _told(item: str, line: str) -> str:
    """A line, with what it belongs to, where that stands on a line of its own."""
    return line if item == line else f"{item} {line}"


def _changes(line: str, *, whole: bool) -> Iterator[tuple[int, int, str]]:
    """What may stand in the place of a part of a line; nothing in the place of a ``whole`` one, besides."""
    told = QUOTED.sub(_hushed, line.rstrip())
    if whole:
        yield 0, len(told), ""
    for pattern, instead in CHANGES:
        for match in re.finditer(pattern, told):
            new = str(int(match[0]) + 1) if instead == "more" else match.expand(instead)
            yield match.start(), match.end(), new


def drawn(everything: Sequence[Guard], most: int, seed: str) -> list[Guard]:
    """So many of them, by a seed; all where there are no more, or none is said."""
    if not most or most >= len(everything):
        return list(everything)
    return random.Random(seed).sample(everything, most)
