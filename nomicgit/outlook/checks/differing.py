"""How two rulesets differ, for people: rule by rule, prose by sentences, declarations by lines, mechanics by lines."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from nomicgit.ground import files
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.sentences import canonical

AROUND = 1  # unchanged lines that are shown beside a change


class RuleDiffers(Struct, frozen=True):
    """One rule that is added, amended, moved or repealed; ``lines`` is the difference, unified."""

    slug: str
    title: str
    number: str
    how: str
    lines: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "slug": self.slug, "title": self.title, "number": self.number, "how": self.how, "lines": list(self.lines)
        }  # fmt: skip


def differing(before: Ruleset, after: Ruleset) -> tuple[RuleDiffers, ...]:
    """The rules that differ, in the order in which they stand, those that are gone last."""
    return tuple(_differing(before, after))


def _differing(before: Ruleset, after: Ruleset) -> Iterator[RuleDiffers]:
    for new in after.rules:
        old = before.by_slug.get(new.slug)
        if (
            old is not None
            and old.rule == new.rule
            and (old.section, old.parent) == (new.section, new.parent)
        ):
            continue
        lines = tuple(_lines(old, new))
        how = "added" if old is None else "amended" if lines else "moved"
        if old is None or lines or (old.section, old.parent) != (new.section, new.parent):
            yield RuleDiffers(new.slug, new.title, new.number, how, lines)
    for old in before.rules:
        if old.slug not in after.by_slug:
            yield RuleDiffers(old.slug, old.title, old.number, "repealed", ())


def _lines(old: Placed | None, new: Placed) -> Iterator[str]:
    for part in ("title", "declarations", "prose", "mechanics"):
        a, b = (_part(each, part) for each in (old, new))
        if a != b:
            yield f"@@ {part}"
            hunks = difflib.unified_diff(a, b, lineterm="", n=AROUND)
            yield from (line for line in list(hunks)[2:] if line != "" and not line.startswith("@@"))


def _part(placed: Placed | None, part: str) -> list[str]:
    if placed is None:
        return []
    match part:
        case "title":
            return [placed.title]
        case "declarations":
            return files.write(dict(placed.front)).split("\n")[:-1] if placed.front else []
        case "prose":
            return canonical(placed.prose).split("\n") if placed.prose else []
        case _:
            return placed.mechanics.split("\n") if placed.mechanics else []
