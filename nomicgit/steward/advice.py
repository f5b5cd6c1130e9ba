"""Conflicts with what is pending, and the change that would avoid them. Pure, but for what was tried."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit import files
from nomicgit.amendments import Change, amend
from nomicgit.checks.enactment import NOTHING
from nomicgit.problems import NomicError
from nomicgit.record.tree import GameTree
from nomicgit.ruleset import Ruleset
from nomicgit.sentences import sentences
from nomicgit.steward.escaping import escaped, fenced


def advice(
    law: Ruleset, tree: GameTree, changes: Sequence[Change], found: Mapping[str, Any]
) -> Iterator[str]:
    """What stands in the way of whom, when both are enacted in turn, and how to say a change so that it does not."""
    after = _after_pending(law, tree, found)
    for n, (why, now) in enumerate(zip(found["after_pending"], found["made"], strict=True), 1):
        if why and why != now:
            said = (
                "would have nothing to do any more"
                if why == NOTHING
                else f"would not be made: {escaped(why)}"
            )
            yield f"- After what is pending before it, change {n} {said}."
            other = restated(after, changes[n - 1])
            if other is not None:
                yield (
                    "  This would still be made then:\n\n" + fenced(files.write([other]).rstrip("\n")) + "\n"
                )
    for each in found["pending"]:
        what = "would change nothing any more" if each["void"] else "would be carried out in part only"
        whys = "; ".join(escaped(why) for why in each["why"])
        yield f"- Post {int(each['post'])} ({escaped(each['title'])}) {what} after it: {whys}."


def _after_pending(law: Ruleset, tree: GameTree, found: Mapping[str, Any]) -> Ruleset:
    """The rules after what is pending, as far as its changes of rules go by themselves."""
    for number in (tree.entity("open") or {}).get("pending", []):
        for change in (tree.entity(f"posts/{number}") or {}).get("changes", []):
            for part in change.get("together", [change]):
                try:
                    law = amend(law, part, set(law.by_slug)).ruleset
                except NomicError:
                    continue
    return law


def restated(law: Ruleset, change: Change) -> Change | None:
    """The same replacement, of what its passage has become; None where nothing there is like it."""
    given = change.get("amend")
    if (
        not isinstance(given, Mapping)
        or not isinstance(given.get("replace"), str)
        or given.get("in") is not None
    ):
        return None
    try:
        placed = law.find(str(given.get("rule")))
    except NomicError:
        return None
    if placed is None:
        return None
    lines = [line for paragraph in placed.prose.split("\n") for line in sentences(paragraph)]
    near = difflib.get_close_matches(given["replace"], lines, 1, 0.5)
    return {"amend": {**given, "replace": near[0]}} if near and near[0] != given["replace"] else None
