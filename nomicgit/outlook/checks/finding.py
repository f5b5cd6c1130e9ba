"""What a check finds: a problem, and whether it is an error or a warning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from nomicgit.ground.problems import Place, Problem
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed


class Finding(Struct, frozen=True):
    """A problem and its level."""

    level: Literal["error", "warning"]
    problem: Problem

    def __str__(self) -> str:
        return f"{self.level}: {self.problem}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"level": self.level, **self.problem.as_json()}


def error(problem: Problem) -> Finding:
    """Something that must be mended."""
    return Finding("error", problem)


def warning(problem: Problem) -> Finding:
    """Something that may be meant."""
    return Finding("warning", problem)


def misspelt(problem: Problem, meant: str) -> Finding:
    """A name that nobody has: an error where another is ``meant`` that is called nearly so, else it may be of rules to come."""
    return (error if meant else warning)(problem)


def in_rule(law: Law, slug: str, what: str, mend: str = "", line: int = 0) -> Problem:
    """A problem in the file of a rule."""
    placed: Placed | None = law.ruleset.by_slug.get(slug)
    return Problem(
        what, Place(f"game/ruleset/{placed.path}", line, 0, placed.title) if placed else Place(), mend
    )


def in_front(law: Law, slug: str, path: Sequence[str], what: str, mend: str = "") -> Problem:
    """A problem with what stands at a path of a rule's declarations, or as far on the way to it as there is anything."""
    return Problem(what, law.declared_at(slug, *path), mend)
