"""Conflicts with what is pending before a matter, and the change that would avoid them. Pure: rules only, no law runs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.ground import files
from nomicgit.ground.escaping import escaped, fenced
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.sentences import sentences
from nomicgit.law.shapes import Change
from nomicgit.outlook.branches import of_branch
from nomicgit.record.proof import carry

ALIKE = 0.5  # how much of a passage is still there in what it has become


class Waiting(Struct, frozen=True):
    """A pending post with its changes, in the order in which they are enacted."""

    number: int
    title: str
    changes: Sequence[Change]


class Queue:
    """What is pending, and the rules as they would be after each of it, worked out when they are asked for."""

    def __init__(self, law: Ruleset, waiting: Sequence[Waiting], used: Sequence[str]) -> None:
        self._waiting, self._used = waiting, frozenset(used)
        self._after = [law]

    def before(self, number: int) -> int:
        """How many are enacted before a post."""
        return next((n for n, each in enumerate(self._waiting) if each.number == number), len(self._waiting))

    def law(self, place: int) -> Ruleset:
        """The rules after so many of them."""
        while len(self._after) <= place:
            each = self._waiting[len(self._after) - 1]
            self._after.append(carry(self._after[-1], of_rules(each.changes), self._used).ruleset)
        return self._after[place]

    def why_not(self, change: Change, place: int) -> str:
        """Nothing, or why a change of rules would not be made after so many of them."""
        return carry(self.law(place), [change], self._used).whys[0]

    def blamed(self, change: Change, place: int) -> Waiting:
        """The first of them after which a change would not be made any more."""
        return next(self._waiting[n] for n in range(place) if self.why_not(change, n + 1))


def of_rules(changes: Sequence[Change]) -> list[Change]:
    """Those of some changes that change rules: what becomes of them needs no law to be run."""
    return [change for change in changes if of_branch(change) and "scenario" not in change]


def advice(queue: Queue, number: int, changes: Sequence[Change]) -> Iterator[str]:
    """What of a matter's changes would not be made, now or after what is pending before it, and what to say instead."""
    place = queue.before(number)
    for n, change in enumerate(changes, 1):
        if change not in of_rules([change]):
            continue
        now, then = queue.why_not(change, 0), queue.why_not(change, place)
        if now:
            yield f"- Change {n} would not be made now: {escaped(now)}."
        elif then:
            other = queue.blamed(change, place)
            post = f"post {other.number} ({escaped(other.title, 80)})"
            yield f"- Change {n} would not be made once {post} is enacted: {escaped(then)}."
            yield from _instead(queue.law(place), change)


def _instead(law: Ruleset, change: Change) -> Iterator[str]:
    other = restated(law, change)
    if other is not None:
        yield "\n  This would still be made then:\n\n" + fenced(files.write([other]).rstrip("\n")) + "\n"


def restated(law: Ruleset, change: Change) -> Change | None:
    """The same change of a passage, by what that has become; None where nothing in the rule is like it."""
    given = change.get("amend")
    if not isinstance(given, Mapping) or given.get("in") is not None:
        return None
    key = next((key for key in ("replace", "remove") if isinstance(given.get(key), str)), None)
    try:
        placed = law.find(str(given.get("rule")))
    except NomicError:
        return None
    if placed is None or key is None:
        return None
    near = difflib.get_close_matches(given[key], _sentences(placed.prose), 1, ALIKE)
    return {"amend": {**given, key: near[0]}} if near and near[0] != given[key] else None


def _sentences(prose: str) -> list[str]:
    return [line.strip() for block in prose.split("\n") for line in sentences(block) if line.strip()]


def waiting(posts: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Waiting]:
    """The pending posts, oldest first."""
    return [
        Waiting(number, str(post.get("title", "")), post.get("changes") or [])
        for number, post in sorted(posts, key=lambda each: each[0])
    ]
