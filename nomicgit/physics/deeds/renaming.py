"""A player takes another name. Their id, the name under which they first joined, stays, and so do they, wherever it stands.

Whatever people read and write goes by names; what files and the law keep goes by ids.
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.declaring import refuse_id
from nomicgit.physics.state import naming
from nomicgit.physics.state.transaction import Transaction


def rename_player(world: Transaction, given: Mapping[str, object]) -> None:
    """The change ``rename-player: {from, to}``. Refused where another has, or ever had, the new name."""
    who, new = naming.player_id(world, str(given.get("from"))), str(given.get("to"))
    if who is None:
        raise Refused.of(f"there is no player {printable(str(given.get('from')), 60)}")
    refuse_id("players", new)
    other = naming.holder(world.store, new)
    if other not in (None, who):
        assert other is not None
        raise Refused.of(f"{new} cannot be a name: {naming.taken(world.store, new, other)}")
    if new != naming.called(world.store, who):
        had = [name for name in naming.names_of(world.store, who) if name != new]
        naming.keep_names(world.store, who, [*had, new])
        world.store.put(f"players/{who}", "name", new)
