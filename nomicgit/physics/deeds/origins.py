"""Writing down where a deed came in: a player's account, a post's thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.problems import Refused
from nomicgit.law.variables import MISSING
from nomicgit.physics.deed import Account, Origin
from nomicgit.physics.deeds import petitions
from nomicgit.physics.state import naming
from nomicgit.physics.state.transaction import Transaction


def leave(world: Transaction, origin: Origin, actor: str | None, result: Any) -> None:
    """Write into the gamestate what is to be known of a deed's origin. Refused where an account is another player's."""
    if origin.account is not None and actor is not None:
        holder = holder_of(world, origin.account)
        if holder not in (None, actor):
            raise Refused.of(
                f"that account is {naming.called(world.store, str(holder).partition('/')[2])}'s already"
            )
        _refuse_another(world, origin.account, actor)
        if world.store.fields(actor) is None:
            _await(world, origin.account, actor)
        else:
            kept = world.store.value(actor, "forge")
            since = {key: kept[key] for key in ("since",) if isinstance(kept, Mapping) and key in kept}
            world.store.put(actor, "forge", {**origin.account.as_kept(), **since})
    made = isinstance(result, str) and result.startswith("posts/") and result in world.store.touched()
    if origin.thread is not None and made and world.store.value(result, "forge") is MISSING:
        world.store.put(result, "forge", origin.thread.as_kept())


def _await(world: Transaction, account: Account, actor: str) -> None:
    """Keep the account of who has asked to join, until they are a player. Refused where it has asked as somebody else."""
    name = actor.partition("/")[2]
    for other in {petition.who for petition in petitions.waiting(world)} - {name}:
        if naming.kept_account(world.store, other).get(account.forge) == account.id:
            raise Refused.of(f"that account has asked to be {other} already, and waits for an answer")
    naming.keep_account(world.store, name, account.as_kept())


def _refuse_another(world: Transaction, account: Account, actor: str) -> None:
    """Refuse who comes back as somebody that had another account on the same forge."""
    name = actor.partition("/")[2]
    if naming.kept_account(world.store, name).get(account.forge, account.id) != account.id:
        raise Refused.of(f"{name} is the name of somebody who was here before, with another account")


def holder_of(world: Transaction, account: Account) -> str | None:
    """The player whose account it is."""
    for name in world.store.ids("players"):
        kept = world.store.value(f"players/{name}", "forge")
        if isinstance(kept, Mapping) and kept.get(account.forge) == account.id:
            return f"players/{name}"
    return None
