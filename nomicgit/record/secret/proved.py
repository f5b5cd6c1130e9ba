"""Orders that prove themselves: what a player has signed of one stands, sealed, beside the deed that came of it."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deed import Deed, Proof
from nomicgit.record.signers import Asked, signers_in
from nomicgit.record.tree import GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.orders import NAMESPACE, Order
from nomicgit.sealing.ssh import PublicKey


def proof_of(repository: Repository, tree: str, order: Order, who: str, *, vouched: bool) -> Proof | None:
    """What of an order proves that it is a player's (by id), by the keys in a tree of the game; None where nothing does.

    Refused where it is not signed as the game asks. ``vouched``: somebody else, such as a forge, says whose it is.
    """
    own, asked = signers_in(repository, tree).get(who, ()), GameTree(repository, tree).settings.signed
    if _signs(own, order):
        return Proof(order.term, order.by, order.at, order.signature)
    wrong = own and order.signature and asked != Asked.NO
    if wrong or (asked == Asked.REQUIRED and not vouched):
        raise Refused.of(
            "this order is not signed by a key of the player whom it names",
            mend=remedy("hand it in from a clone that signs:", command("nomicgit", "order")),
        )
    return None


def refuse_unproved(repository: Repository, tree: str, game: str, deed: Deed) -> None:
    """Refuse a deed of an order, in the game of this id, whose proof does not hold by the keys in a tree, or that must have one.

    On a forge it need not: there an account vouches for it.
    """
    here, proof, name = GameTree(repository, tree), deed.proof, printable(str(deed.actor), 60)
    if proof is None:
        if here.settings.signed == Asked.REQUIRED and not here.settings.forge:
            raise Refused.of(f"{name} has not signed the order that it was")
        return
    own = signers_in(repository, tree).get(str(deed.actor), ())
    order = Order(
        game,
        proof.term,
        proof.by,
        deed.action,
        deed.given,
        str(deed.nonce),
        proof.at,
        proof.signature,
        deed.instead,
    )
    if here.spelled(proof.by) != deed.actor or proof.at != deed.made or not _signs(own, order):
        raise Refused.of(
            f"what {name} is said to have signed of the order that it was is signed with no key of theirs"
        )


def _signs(own: Sequence[PublicKey], order: Order) -> bool:
    return bool(own and order.signature) and ssh.signs(own, order.text, order.signature, NAMESPACE)
