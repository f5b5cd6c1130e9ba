"""Changes of what the law declares, one at a time: numbers, who may and when, limits, what stays and what counts.

Each is a `Guard` of `guards.py`, which is tried like one: it survives where no scenario of the edition misses it, and may
be argued for in place by ``# guard: WHY`` on its line. There are many, so a run takes some of them, drawn by a seed.
Secrets are not among them, for whoever rehearses sees all: ``tests/rooms/record/test_leaks.py`` makes each public.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from guards import ARGUED, EDITIONS, Guard

FRONT = re.compile(rb"\A---\n(.*?)^---$", re.MULTILINE | re.DOTALL)
UNTOLD = re.compile(r"\s*(title|summary|called|label|status|default_status|terms|- \{names?):?")
"""Lines of which no number and no order is law: they name things, or say them to people."""

CHANGES: Sequence[tuple[str, str]] = (
    (r"(?<![\w.:-])\d+(?=(h|d|m|mo|w|s)?\b(?![\w:.-]))", "more"),
    (r"\bby: admin\b", "by: player"),
    (r"\bby: emperor\b", "by: player"),
    (r"\bby: anyone\b", "by: player"),
    (r"\bby: \[(\w+), [^\]]*\]", r"by: \1"),
    (r"\bidle: true\b", "idle: false"),
    (r"\b(communal|shared|permanent|transient|official|votable|attempt): true\b", r"\1: false"),
    (r"\b(official|votable): false\b", r"\1: true"),
    (r"\blimit: [\w-]+(, )?", ""),
    (r"\bwhich: \w+", ""),
    (r"\bper: day\b", "per: week"),
    (r"\bper: week\b", "per: day"),
    (r"\bbelow_zero: (refuse|allow)\b", "below_zero: set"),
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
    place = front.start(1)
    for number, line in enumerate(front[1].splitlines(keepends=True), 2):
        text = line.decode()
        if not UNTOLD.match(text):
            for start, end, without in _changes(text):
                first, last = (place + len(text[:column].encode()) for column in (start, end))
                told = f"{text[start:end]} → {without}   in {text.strip()}"
                argued = ARGUED.search(text)
                reason = argued[1] if argued else ""
                yield Guard(edition, path.as_posix(), number, first, last, without.encode(), told, reason)
        place += len(line)


def _changes(line: str) -> Iterator[tuple[int, int, str]]:
    """What may stand in the place of a part of a line."""
    told = line.partition("# guard:")[0]
    for pattern, instead in CHANGES:
        for match in re.finditer(pattern, told):
            new = str(int(match[0]) + 1) if instead == "more" else match.expand(instead)
            yield match.start(), match.end(), new


def drawn(everything: Sequence[Guard], most: int, seed: str) -> list[Guard]:
    """So many of them, by a seed; all where there are no more, or none is said."""
    if not most or most >= len(everything):
        return list(everything)
    return random.Random(seed).sample(everything, most)
