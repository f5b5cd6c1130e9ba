"""What somebody idle can do to play again, as the law says it."""

from __future__ import annotations

from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.transaction import Transaction

BACK = "unidle"


def way_back(world: Transaction, player: str) -> str:
    """How a player (by id) who is idle comes back; "" where they are not idle."""
    known = naming.player_id(world, player)
    if known is None or not reading.is_idle(world, f"players/{known}"):
        return ""
    action = world.law.declared.actions.get(BACK)
    return (action.instead if action else "") or remedy(
        "see how one comes back:", command("nomicgit", "actions")
    )


def without_admins(world: Transaction) -> str:
    """That every admin is idle, so that what the law leaves to admins waits; "" where one is not, or there is none."""
    named = [ref for ref in reading.roster(world, idle=True) if world.store.value(ref, "admin") is True]
    if not named or reading.admins(world):
        return ""
    who = ", ".join(naming.called(world.store, ref.partition("/")[2]) for ref in named)
    return f"every admin is idle ({who}): what only an admin may do waits until one is active again"
