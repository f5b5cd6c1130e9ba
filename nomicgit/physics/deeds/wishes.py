"""Wishes: what somebody may want of a law once it has become another, and how it is seen that a wish has come about.

Source: A law that bricks itself, in ``docs/architecture.md``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.shapes import Change

MOST_TARGETS = 3


class Wish(Struct, frozen=True):
    """A kind of change that somebody may want of the law, and whether a ruleset shows that it has been made.

    Where it ``needs_all`` of its changes, none of them will do alone; else any does.
    """

    kind: str
    changes: Sequence[Change]
    came: Callable[[Ruleset], bool]
    needs_all: bool = False

    def least(self) -> Sequence[Change]:
        """As few of its changes as will do."""
        return self.changes if self.needs_all else self.changes[-1:]


class Wishes(Struct, frozen=True):
    """What is wanted of a law: that what has just been enacted is taken back; or else everything that is ``other``."""

    back: Wish | None
    other: Sequence[Wish]

    def each(self) -> Iterator[Wish]:
        """All of them, the taking back last: what it takes away may bar the others."""
        yield from self.other
        yield from (self.back,) if self.back else ()

    def granted(self, came: Sequence[Wish]) -> bool:
        """Whether the law can still be changed where these have come about."""
        return (self.back is not None and self.back in came) or all(wish in came for wish in self.other)


def between(before: Ruleset, after: Ruleset) -> Wishes:
    """What somebody may want of the law after it became what it is: this taken back, another rule out, a new one in."""
    touched = [
        placed
        for placed in after.rules
        if placed.acts and ((old := before.by_slug.get(placed.slug)) is None or old.law != placed.law)
    ]
    spared = {placed.slug for placed in touched}
    return Wishes(_taken_back(before, after, touched), [_repealed(after, spared), *_added(after)])


def _taken_back(before: Ruleset, after: Ruleset, touched: Sequence[Placed]) -> Wish | None:
    """What was there stands again where it stood, what is new is repealed, and what was there says what it said.

    No change names a rule that one before it takes away: what was there leaves a new rule before that is repealed, and
    what is new goes with the new rule above it.
    """
    if not touched:
        return None
    olds = [before.by_slug[placed.slug] for placed in touched if placed.slug in before.by_slug]
    new = [placed.slug for placed in touched if placed.slug not in before.by_slug]
    changes: list[Change] = [_back(old) for old in olds if _place(old) != _place(after.by_slug[old.slug])]
    changes += [{"repeal": slug} for slug in new if not {*after.lineage(slug)[1:]} & {*new}]
    for old in olds:
        whole = {"text": old.prose, "mechanics": old.mechanics, "declares": dict(old.front)}
        changes.append({"amend": {"rule": old.slug, **whole}})

    def came(ruleset: Ruleset) -> bool:
        there = ruleset.by_slug
        return not any(slug in there for slug in new) and all(
            old.slug in there
            and (there[old.slug].front, there[old.slug].mechanics) == (old.front, old.mechanics)
            for old in olds
        )

    return Wish("taken back", changes, came, needs_all=True)


def _place(placed: Placed) -> tuple[str, str | None]:
    return placed.section, placed.parent


def _back(old: Placed) -> Change:
    """A rule is put where it was: under the rule that it stood under, or to the top of its section."""
    where = {"section": old.section} if old.parent is None else {"under": old.parent}
    return {"move": {"rule": old.slug, **where}}


def _repealed(after: Ruleset, spared: set[str]) -> Wish:
    """Another rule goes, any of which will do, since a law may guard one: the last ones that are more than prose and
    have no rules under them, outside the core where there are such.
    """
    leaves = [p for p in after.rules if not after.children(p.slug) and p.acts] or list(after.rules)
    others = [p for p in leaves if p.slug not in spared] or leaves
    targets = [p.slug for p in others if p.section != "core"][-MOST_TARGETS:] or [others[-1].slug]
    return Wish(
        "repealed",
        [{"repeal": slug} for slug in targets],
        lambda ruleset: any(slug not in ruleset.by_slug for slug in targets),
    )


def _added(after: Ruleset) -> Iterator[Wish]:
    """A new rule with mechanics comes, in one section or another; its name is none that a law could foresee."""
    title = name_of(after)
    code = f"def way_{title}():\n    return 1"
    rule = {"title": title, "text": "There is a way.", "mechanics": code}
    yield Wish(
        "added",
        [{"add-rule": rule | {"section": "core"}}, {"add-rule": rule}],
        lambda ruleset: any(p.title == title and p.mechanics.strip() == code for p in ruleset.rules),
    )


def name_of(ruleset: Ruleset) -> str:
    """A short name for a ruleset that a deed would have made."""
    text = "\0".join(f"{path}\0{body}" for path, body in sorted(ruleset.texts.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
