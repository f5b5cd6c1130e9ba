"""What is known of an order before it is sealed, by who hands it in: what everybody sees, and what their letter tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from nomicgit.clones.secret import lettering
from nomicgit.ground.problems import Refused
from nomicgit.physics.deeds import acting
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.game import Game


def refusal(game: Game, action: str, actor: str, given: Mapping[str, Any], at: int) -> str:
    """Why the rules would refuse an order at a time (seconds, UTC); "" where they would not, or only the keeper can say."""
    keeping = game.keeping()
    assert keeping is not None
    world = game.looked_at(at, lettering.told(game, actor))
    store = world.store
    world.chance = replace(keeping, sealer=None).chance("surmised", store)
    world.context, store.needed = replace(world.context, surmising=True), False
    try:
        acting.perform(world, action, f"players/{actor}", given)
    except NeedsKey:
        return ""
    except Refused as error:
        return "" if store.needed else str(error.problems[0])
    return ""
