"""What the game has made of a branch's rules since it began: what the branch changes, what the game changed, where they meet."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.paths import keyed
from nomicgit.law.rules import front_lines
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.sentences import canonical
from nomicgit.outlook.branches.ends import ends
from nomicgit.outlook.branches.sides import sides
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.proof import same_words

PARTS = ("title", "declarations", "prose", "mechanics")
MOST = 10  # places of one rule that are told
LONG = 80  # characters of a line


class Brought(Struct, frozen=True):
    """The rules from which a branch began, and those that its author has written."""

    base: Ruleset
    head: Ruleset


def brought_by(repository: Repository, world: Transaction, ref: str, game: str = "") -> Brought | None:
    """What the branch of a post brings to a commit of the game, or its newest one; None where the post has no branch, or
    its commits do not lie in this clone.
    """
    commit = world.store.value(ref, "branch_head")
    return brought(repository, commit, game) if isinstance(commit, str) else None


def brought(repository: Repository, commit: str, game: str = "") -> Brought | None:
    """The same of a branch by its newest commit."""
    try:
        both = sides(repository, *ends(repository, commit, game or str(repository.head())))
    except NomicError:
        return None
    return Brought(both.base, both.head)


class _Hunk(NamedTuple):
    """Lines of a part of a rule that stand otherwise than at the base: where there, and what stands in their place."""

    start: int
    end: int
    lines: tuple[str, ...]

    def meets(self, other: _Hunk) -> bool:
        """Whether both change the same lines, or put something between the same two, and not the same way."""
        at_one = self.start == other.start and (self.end == other.end or self.start in (self.end, other.end))
        return self != other and (at_one or (self.start < other.end and other.start < self.end))


class _Side(NamedTuple):
    """A rule as one side has it, with the text of its file."""

    placed: Placed
    text: str

    @classmethod
    def of(cls, rules: Ruleset, slug: str) -> _Side | None:
        """The rule of a slug; None where this side has none."""
        placed = rules.by_slug.get(slug)
        return cls(placed, rules.texts[placed.path]) if placed else None

    def lines(self, part: str) -> list[str]:
        """A part of the rule by its lines, prose by its sentences."""
        match part:
            case "title":
                return [f"title: {self.placed.title}"]
            case "declarations":
                return [
                    f"{'.'.join(map(str, path))}: {keyed(value)}"
                    for path, value in _leaves(self.placed.front)
                ]
            case "prose":
                return [line for line in canonical(self.placed.prose).split("\n") if line]
            case _:
                return [line.rstrip() for line in self.placed.mechanics.split("\n") if line.strip()]

    def hunks(self, base: _Side, part: str) -> list[_Hunk]:
        """Where a part differs from the base."""
        a, b = base.lines(part), self.lines(part)
        codes = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        return [_Hunk(i, j, tuple(b[m:n])) for tag, i, j, m, n in codes if tag != "equal"]

    def told(self, part: str, hunk: _Hunk) -> str:
        """Some lines and where they stand; of what is taken out only that."""
        if not hunk.lines:
            return f"taken something out of the {part} ({self.placed.file})"
        return f"{_quoted(hunk.lines)} ({self.placed.file}{self._line(part, hunk.lines[0])})"

    def _line(self, part: str, wanted: str) -> str:
        """The line of the file in which something stands; nothing of a sentence that is broken over lines."""
        if part == "declarations":
            fronts = {".".join(map(str, path)): line for path, line in front_lines(self.text).items()}
            return f":{fronts[wanted.partition(': ')[0]]}"
        starts = self.placed.line if part == "mechanics" else 0
        lines = enumerate(self.text.split("\n")[starts:], starts + 1)
        line = next((n for n, each in lines if wanted.strip() in each), 0)
        return f":{line}" if line else ""


def meanwhile(brought: Brought, now: Ruleset, after: Ruleset) -> Iterator[str]:
    """In sentences: the rules that both the branch and the game have changed since it began.

    ``now`` are the rules in force, ``after`` those that stand once the branch's changes are made.
    """
    for placed in brought.base.rules:
        slug, title = placed.slug, _shown(placed.title)
        mine, theirs = brought.head.by_slug.get(slug), now.by_slug.get(slug)
        if _same(placed, mine) or _same(placed, theirs):
            continue
        if mine is not None and theirs is None:
            yield f"the rule {title}, which this branch changes, has been repealed since it began"
        elif mine is None and theirs is not None:
            changed = _changed(_side(brought.base, slug), _side(now, slug))
            yield f"the rule {title}, which this branch repeals, has been changed since it began: {changed}"
        elif mine is not None and theirs is not None and not same_words(mine, theirs):
            base, own, other = (_side(rules, slug) for rules in (brought.base, brought.head, now))
            yield from (f"the rule {title}{each}" for each in _both(base, own, other, _Side.of(after, slug)))


def _leaves(
    value: object, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """What stands in some declarations, each with its path, as far as that goes."""
    parts = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    )
    if not parts and path:
        yield path, value
    for key, each in parts:
        yield from _leaves(each, (*path, key))


def _side(rules: Ruleset, slug: str) -> _Side:
    side = _Side.of(rules, slug)
    assert side is not None
    return side


def _same(one: Placed, other: Placed | None) -> bool:
    return other is not None and same_words(one, other)


def _both(base: _Side, mine: _Side, theirs: _Side, after: _Side | None) -> Iterator[str]:
    """What becomes of a rule that both have changed: each place where they meet, else what the game has changed."""
    met = [
        _meeting(part, mine.told(part, one), theirs.told(part, other), base, after, one, other)
        for part in PARTS
        for one in mine.hunks(base, part)
        for other in theirs.hunks(base, part)
        if one.meets(other)
    ]
    if not met:
        yield f" has been changed since this branch began, in other places than it does: {_changed(base, theirs)}"
    yield from (f": {each}" for each in met[:MOST])
    if len(met) > MOST:
        yield f": and {len(met) - MOST} more places that both have changed"


def _meeting(
    part: str, mine: str, theirs: str, base: _Side, after: _Side | None, one: _Hunk, other: _Hunk
) -> str:
    """Two changes of the same lines, by the branch and by the game, and which of them stands in the end."""
    left = set(after.lines(part)) if after else set()
    stands = [
        whose
        for whose, hunk, rest in (("the branch's", one, other), ("the game's", other, one))
        if (new := set(hunk.lines) - set(rest.lines)) and new <= left
    ]
    was = base.lines(part)[min(one.start, other.start) : max(one.end, other.end)]
    before = f" where {_quoted(was)} stood" if was else ""
    end = " and ".join(stands) or "neither"
    verb = "stand" if len(stands) > 1 else "stands"
    return f"the branch has {mine}, the game since then {theirs}{before}; after it {end} {verb}"


def _changed(base: _Side, theirs: _Side) -> str:
    """What the game has changed in a rule."""
    each = [theirs.told(part, hunk) for part in PARTS for hunk in theirs.hunks(base, part)]
    return "; ".join([*each[:MOST], *([f"and {len(each) - MOST} more"] if len(each) > MOST else [])])


def _quoted(lines: Sequence[str]) -> str:
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    return f"“{_shown(lines[0].strip())}”{more}"


def _shown(text: str) -> str:
    return printable(text, LONG)
