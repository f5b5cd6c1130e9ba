"""Pending matters carried out in turn on a scratch copy, in both orders: which of them collide, and how."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nomicgit.law.ruleset import FOLDER
from nomicgit.outlook.checks.very_deed import resolving
from nomicgit.outlook.doomed import can_only_fail
from nomicgit.physics.deeds import amending, matters
from nomicgit.physics.deeds.pipeline import effects
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

NOTHING = "nothing to do"
GONE = "it is gone"
MOST_BESIDE = 20  # pending matters beside which one is tried, the oldest
_FILE = re.compile(rf"{re.escape(FOLDER)}[\w./-]+\.md(?::\d+)*")
Whys = Sequence[str]
"""What becomes of each change of a matter: nothing, why it is not made, or that there is nothing to do."""


def made(world: Transaction, change: Mapping[str, object]) -> str:
    """What becomes of a change: nothing, why it is not made, or that there is nothing to do.

    As in the deed that resolves its matter, those listen who did before the first of them.
    """
    world.refuel()
    world.parent_law = world.parent_law or world.law
    world.steps.append(resolving(world, str(change.get("matter"))))
    try:
        return what_became(world, lambda: amending.apply(world, change))
    finally:
        world.steps.pop()


def what_became(world: Transaction, make: Callable[[], str]) -> str:
    """The same of a change that ``make`` makes, in a deed that is under way."""
    noted = len(world.notes)
    why = make()
    idle = next((note for note in world.notes[noted:] if amending.IDLE in note), "").partition(amending.IDLE)[
        2
    ]
    tried = f"{idle} when it was tried" if idle == amending.IN_VAIN else idle
    return why or (f"{NOTHING}: {tried}" if tried else "")


def carried(world: Transaction, matter: str) -> Whys:
    """Carry a matter out, as far as its changes can be made."""
    return [made(world, change) for change in matters.changes(world, matter)]


class _Played(NamedTuple):
    """Two matters carried out one behind the other: what became of both, and what stands in the end."""

    first: Whys
    then: Whys
    end: object


def beside(world: Transaction, ref: str) -> list[str]:
    """The pending matters beside which one is tried."""
    others = [each for each in reading.find(world, "posts", status="pending") if each != ref]
    return [each for each in others if not can_only_fail(world, each)][:MOST_BESIDE]


def collisions(world: Transaction, ref: str, others: Sequence[str]) -> list[dict[str, Any]]:
    """Those of other pending matters that collide with one, each tried before it and after it. The world stays as it is.

    Keys: ``post``, ``title``; ``before`` and ``after`` (what becomes of their changes without it, and behind it), ``void``
    (nothing is left of them), ``why``; ``behind`` (what becomes of its own changes behind theirs, where that is something
    else than becomes of them ``alone``); ``order`` (both are carried out in either order, and what stands in the end is not the same);
    ``untried`` (why it could not be tried with it, or "").
    """
    ahead = dict(zip(others, _behind(world, ref, others), strict=True))
    return [
        row
        for other in others
        for behind in list(_behind(world, other, [ref]))
        if (row := _collision(world, other, ahead[other], behind))
    ]


def untold(
    world: Transaction, ref: str, others: Sequence[str], *, behind: bool = False
) -> list[dict[str, Any]]:
    """The same of others with which it could not be tried: they take too long, or those before them do (``behind``)."""
    return [
        _row(world, other)
        | {"untried": "others take too long" if behind else f"{_number(other)} takes too long"}
        for other in others
    ]


def _number(ref: str) -> int:
    return int(ref.partition("/")[2])


def _row(world: Transaction, other: str) -> dict[str, Any]:
    """What stands of another matter, before anything is known of how it collides."""
    return {
        "post": _number(other), "title": reading.get(world, other, "title"), "void": False, "before": [], "after": [],
        "why": [], "behind": [], "alone": [], "order": False, "untried": "",
    }  # fmt: skip


def _behind(world: Transaction, first: str, then: Sequence[str]) -> Iterator[_Played]:
    """One matter carried out, and each of some others behind it; all is taken back."""
    start, written = world.mark(), {each: len(reading.get(world, each, "changes")) for each in then}
    whys = carried(world, first)
    done = world.mark()
    for each in then:
        left = carried(world, each)
        yield _Played(whys, [*left, *[GONE] * (written[each] - len(left))], _stands(world))
        world.back(done)
    world.back(start)


def _stands(world: Transaction) -> object:
    """Rules and values as they stand: of rules not their numbers, which come and go with their neighbours."""
    rules = {each.slug: (each.rule, each.section, each.parent) for each in world.ruleset.rules}
    return rules, {
        each["path"]: each["new"] for each in effects(world) if not each["ref"].startswith("posts/")
    }


def _collision(world: Transaction, other: str, ahead: _Played, behind: _Played) -> dict[str, Any] | None:
    """How two matters collide: ``ahead`` the one that is asked about comes first, ``behind`` the other does."""
    mine, theirs = ahead.first, behind.first
    after, beside = _whats(ahead.then) != _whats(theirs), _whats(behind.then) != _whats(mine)
    same = not after and not beside
    order = same and ahead.end != behind.end
    if same and not order:
        return None
    worse = [
        why for was, why in zip(theirs, ahead.then, strict=False) if why and _whats([why]) != _whats([was])
    ]
    return _row(world, other) | {
        "void": after and all(ahead.then), "before": list(theirs), "after": list(ahead.then),
        "why": list(dict.fromkeys(worse)), "behind": list(behind.then) if beside else [], "alone": list(mine), "order": order,
    }  # fmt: skip


def _whats(whys: Whys) -> Whys:
    """What becomes of changes, wherever the files lie of which that is told: they are renamed as rules come and go."""
    return [_FILE.sub("", why) for why in whys]


def told_of(collision: Mapping[str, Any]) -> Iterator[str]:
    """A collision in sentences."""
    if collision["untried"]:
        yield f"with {collision['post']} it could not be tried together: {collision['untried']}"
        return
    other = f"the pending post {collision['post']} ({collision['title']})"
    if _whats(collision["after"]) != _whats(collision["before"]):
        what = (
            "would make none of its changes any more"
            if collision["void"]
            else "would be carried out otherwise"
        )
        whys = "; ".join(collision["why"])
        yield f"{other} {what} after it" + (f": {whys}" if whys else "")
    both = zip(collision["behind"], collision["alone"], strict=False)
    for number, why in (
        (n, why) for n, (why, alone) in enumerate(both, 1) if _whats([why]) != _whats([alone])
    ):
        what = f"would not be made after {other}: {why}" if why else f"would be made after {other}"
        yield f"change {number} {what}"
    if collision["order"]:
        yield f"both it and {other} can be carried out, and what stands in the end depends on which comes first"
