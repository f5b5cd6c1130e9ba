"""Proven deeds: what somebody signs before it comes in, on a forge, needs nobody's word but theirs.

Signed is what an order says, for another purpose and without a nonce: the game, who, which action, with what, and when that was
made. It is good once, since nothing that was made before it is good after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from nomicgit.git import Commit, Repository
from nomicgit.git.signing import signature
from nomicgit.ground.missing import INSTALL
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deed import Deed, Proof
from nomicgit.record import journal, line
from nomicgit.record.signers import judged, refuse_without, signers_in
from nomicgit.record.tree import GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.orders import Order

NAMESPACE = "nomicgit-deed"
"""For what a deed is signed beforehand, so that the signature is good for nothing else."""
AGAIN = remedy("sign it anew:", command("nomicgit", "propose", "--branch", "BRANCH", "--sign-only"))


def game_of(repository: Repository, tip: str) -> str:
    """What tells a game from all others: the id of the deed that founded it."""
    whole = list(repository.log(tip))[::-1]
    return journal.deed_id(whole[line.founded(repository, whole) or 0].message)


def proof_of(
    repository: Repository, head: Commit, by: str, action: str, given: Mapping[str, Any], at: int
) -> Proof:
    """What a player signs of a deed that is to come in later. Refused where this clone does not sign with a key of theirs."""
    ssh.needed()
    refuse_without(repository, (by,), signers_in(repository, head.tree).get(by, ()))
    key = repository.key_of((by,))
    assert key is not None
    proof = Proof(0, by, at, "")
    text = _order(game_of(repository, head.oid), action, given, proof).text
    return replace(proof, signature=signature(text, key, NAMESPACE).decode() + "\n")


def refuse_unjudged() -> None:
    """Refuse to record what somebody has signed where nobody here can judge it."""
    if not ssh.able():
        raise Refused.of(
            "it is signed, and signatures are not judged here, since the program's extra sealed is not installed",
            mend=f"leave the signature out, or have it installed: {INSTALL} '.[sealed]'",
        )


def refuse_unproven(repository: Repository, tree: str, game: str, deed: Deed) -> None:
    """Refuse a deed of this game that says it is signed by whoever does it, where that does not hold by the keys in a tree."""
    proof, here, name = deed.proof, GameTree(repository, tree), printable(str(deed.actor), 60)
    assert proof is not None
    if not judged(here.settings.signed):
        return
    if here.spelled(proof.by) != deed.actor:
        raise Refused.of(f"it is signed as {printable(proof.by, 60)}'s, and it is {name}'s")
    own = signers_in(repository, tree).get(str(deed.actor), ())
    text = _order(game, deed.action, deed.given, proof).text
    if not ssh.signs(own, text, proof.signature, NAMESPACE):
        raise Refused.of(
            f"what stands here is not what {name} has signed, or with no key of theirs", mend=AGAIN
        )


def _order(game: str, action: str, given: Mapping[str, Any], proof: Proof) -> Order:
    return Order(game, proof.term, proof.by, action, given, "", proof.at)
