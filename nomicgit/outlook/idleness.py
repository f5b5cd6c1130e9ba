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
