"""Whose votes are wanted: the pending matters on which a player may vote and has not, or on which their vote counts no more."""

from __future__ import annotations

from nomicgit.outlook import allowed
from nomicgit.outlook.ahead import asked
from nomicgit.outlook.doomed import can_only_fail
from nomicgit.outlook.inquiry import Inquiry
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

NO_VOTE = "no vote:"
"""How the law's view of reasons begins of whose vote does not count, such as that of who has left and come back since."""


def wants_vote(world: Transaction, player: str) -> tuple[int, ...]:
    """The pending matters on which a player may vote and has cast nothing that counts, nor counts as having voted."""
    numbers = []
    world.look()
    law, who = Inquiry(world), f"players/{player}"
    for ref in reading.find(world, "posts", status="pending"):
        if (
            not _has_voted(world, law, who, ref)
            and not can_only_fail(world, ref)
            and _may_vote(world, who, ref)
        ):
            numbers.append(int(bare(world, ref)))
    return tuple(numbers)


def counts(world: Transaction, player: str, ref: str) -> bool:
    """Whether what a player has voted on a matter counts, or they count as having voted."""
    world.look()
    return _has_voted(world, Inquiry(world), f"players/{player}", ref)


def _has_voted(world: Transaction, law: Inquiry, who: str, ref: str) -> bool:
    reasons = law.view("reasons", ref) or {}
    if str(reasons.get(who, "")).startswith(NO_VOTE):
        return False
    return who in reasons or who in world.words["ballots"](ref)


def _may_vote(world: Transaction, who: str, ref: str) -> bool:
    action = world.law.declared.actions.get("vote")
    icon = action.parameters.get("icon") if action else None
    matter = bare(world, ref)

    def refusal(choice: object) -> str:
        return asked(world, lambda w: allowed.barred(w, "vote", who, {"matter": matter, "icon": choice}))

    return any(not refusal(choice) for choice in (icon.choices if icon else ()))
