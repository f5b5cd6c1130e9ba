"""Whose votes are wanted: the pending matters on which a player may vote and has not."""

from __future__ import annotations

from nomicgit.outlook import allowed
from nomicgit.outlook.ahead import asked
from nomicgit.outlook.doomed import can_only_fail
from nomicgit.outlook.inquiry import Inquiry
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare


def wants_vote(world: Transaction, player: str) -> tuple[int, ...]:
    """The pending matters on which a player may vote and has cast nothing, nor counts as having voted."""
    numbers = []
    world.look()
    law, who = Inquiry(world), f"players/{player}"
    for ref in reading.find(world, "posts", status="pending"):
        counted = world.words["ballots"](ref) | (law.view("reasons", ref) or {})
        if who not in counted and not can_only_fail(world, ref) and _may_vote(world, who, ref):
            numbers.append(int(bare(world, ref)))
    return tuple(numbers)


def _may_vote(world: Transaction, who: str, ref: str) -> bool:
    action = world.law.declared.actions.get("vote")
    icon = action.parameters.get("icon") if action else None
    matter = bare(world, ref)

    def refusal(choice: object) -> str:
        return asked(world, lambda w: allowed.barred(w, "vote", who, {"matter": matter, "icon": choice}))

    return any(not refusal(choice) for choice in (icon.choices if icon else ()))
