"""The difference of two bodies of mechanics, definition by definition, each with the hash of what stood there."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.ground.problems import Place, Problem
from nomicgit.law.definitions import definitions, text_of
from nomicgit.law.paths import digest

LOOSE = "a statement at the top level"


def coded(old: str, new: str) -> list[dict[str, object]]:
    """The ``amend`` forms, without their rule, that put in, replace and take out what differs."""
    names = dict.fromkeys(each.name for text in (old, new) for each in definitions(text))
    pairs = {name: (text_of(old, name), text_of(new, name)) for name in names}
    changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if not changed:
        return []
    was = {
        name: None if before is None else digest(before, code=True) for name, (before, _) in changed.items()
    }
    return [{"in": "mechanics", "set": {name: after for name, (_, after) in changed.items()}, "was": was}]


def wrong(text: str, first: int, file: str, rule: str) -> Iterator[Problem]:
    """What is wrong with the statements of some mechanics; ``first`` lines of their file stand before them."""
    defined = definitions(text)
    lines = text.split("\n")
    seen: set[str] = set()
    for each in defined:
        if each.name in seen:
            at = next(n for n in range(each.start, each.end) if not lines[n].startswith("#"))
            what = f"{each.name} is defined twice in this file"
            yield Problem(what, Place(file, first + at + 1, 0, rule), "keep one of them")
        seen.add(each.name)
    inside = {n for each in defined for n in range(each.start, each.end)}
    stray = False
    for n, line in enumerate(lines):
        before, stray = stray, n not in inside and line.strip() != "" and not line.lstrip().startswith("#")
        if stray and not before:
            mend = "put it into a function; outside functions a file holds `def`s and `NAME = value` only"
            yield Problem(LOOSE, Place(file, first + n + 1, 0, rule), mend)
