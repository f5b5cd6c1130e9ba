"""Proof by doing: changes carried out on a ruleset without a game, and whether two rulesets are the same law."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from nomicgit.law.amendments import Amended, amend
from nomicgit.law.definitions import definitions
from nomicgit.law.paths import keyed
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.sentences import canonical
from nomicgit.law.shapes import Change, malformed

FORMS = frozenset({"add-rule", "amend", "rename", "move", "repeal", "status", "scenario", "together"})


class Carried(Struct, frozen=True):
    """A ruleset after some changes, and why each change was not made ("": it was, or had nothing to do)."""

    ruleset: Ruleset
    whys: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether none was skipped."""
        return not any(self.whys)


def carry(ruleset: Ruleset, changes: Iterable[Change], used: Collection[str]) -> Carried:
    """Carry changes of rules out, one after the other; those that are none of rules are passed over.

    ``used`` are the slugs that the game ever used.
    """
    whys: list[str] = []
    known = set(used)
    for change in changes:
        wrong = [each.what for each in malformed(change)]
        after = ruleset
        known |= set(ruleset.by_slug)
        if not wrong and "scenario" not in change:
            amended = _one(ruleset, change, known)
            after, wrong = amended.ruleset, [amended.reason] if amended.outcome == "skipped" else []
        whys.append("; ".join(wrong))
        ruleset = after if not wrong else ruleset
    return Carried(ruleset, tuple(whys))


def _one(ruleset: Ruleset, change: Change, used: Collection[str]) -> Amended:
    if "together" not in change:
        return amend(ruleset, change, used)
    after = ruleset
    for inner in change["together"]:
        amended = _one(after, inner, {*used, *after.by_slug})
        if amended.outcome == "skipped":
            return Amended(ruleset, "skipped", amended.reason, amended.slugs)
        after = amended.ruleset
    return Amended(after, "applied" if after != ruleset else "nothing")


def of_branch(change: Change) -> bool:
    """Whether a change is of a form in which branches are said; a matter may bring others beside."""
    return all(form in FORMS for part in change.get("together", [change]) for form in part)


def gives(base: Ruleset, changes: Iterable[Change], head: Ruleset, used: Collection[str]) -> bool:
    """Whether changes make one law of another, and, carried out once more, nothing else of it."""
    changes = list(changes)
    once = carry(base, changes, used)
    if not once.whole or not same_law(once.ruleset, head):
        return False
    again = carry(once.ruleset, changes, {*used, *base.by_slug})
    return again.whole and again.ruleset == once.ruleset


def same_law(one: Ruleset, other: Ruleset) -> bool:
    """Whether two rulesets are the same: the tree of rules and what each says, up to the order of names."""
    trees = ([(each.slug, each.section, each.parent) for each in ruleset.rules] for ruleset in (one, other))
    return next(trees) == next(trees) and all(map(same_words, one.rules, other.rules))


def alike(one: Placed | None, other: Placed) -> bool:
    """Whether two rules say the same and lie in the same place."""
    there = one is not None and (one.section, one.parent) == (other.section, other.parent)
    return one is not None and there and same_words(one, other)


def same_words(one: Placed, other: Placed) -> bool:
    """Whether two rules differ in style, in the order of names, or in nothing."""
    return one.rule == other.rule or words(one) == words(other)


def words(each: Placed) -> tuple[object, ...]:
    """What a rule says: its title, prose, declarations and mechanics, in forms that are equal where these are."""
    return each.title, canonical(each.prose), keyed(each.front), likeness(each.mechanics)


def likeness(text: str) -> object:
    """What makes mechanics the same: their definitions, in any order, and all lines between them."""
    lines = text.split("\n")
    inside = {n for each in definitions(text) for n in range(each.start, each.end)}
    loose = [line for n, line in enumerate(lines) if n not in inside and line.strip()]
    bodies = ("\n".join(lines[each.start : each.end]) for each in definitions(text))
    return sorted(bodies), loose
