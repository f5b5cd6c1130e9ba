"""Writing down where a deed came in: a player's account, a post's thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.variables import MISSING
from nomicgit.physics.deed import Account, Deed, Origin, Proof
from nomicgit.physics.deeds import petitions
from nomicgit.physics.state import naming, writing
from nomicgit.physics.state.transaction import Transaction

AHEAD = 300
"""Seconds by which the clock of whoever signs may go before that of whoever records it."""


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


def use_up(world: Transaction, deed: Deed, proof: Proof) -> None:
    """Note when what its player has signed of a deed was made. Refused where that was not after what they have signed last."""
    proofs: Any = writing.stored(world, "used", "proofs", {})
    who, made, last = str(deed.actor), clock.text(proof.at), proofs.get(str(deed.actor), "")
    if made <= last:
        raise Refused.of(
            f"it was signed at {made}, and what {who} has signed at {last} was done already: a signature is good once"
        )
    if proof.at > world.now + AHEAD:
        raise Refused.of(f"it is signed at {made}, which is to come", mend="look whether your clock is right")
    world.store.put("used", "proofs", dict(sorted({**proofs, who: made}.items())))


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
