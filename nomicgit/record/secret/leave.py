"""The branches of orders and letters, and the keeper's leave: signed, it lets a push move letters, or take an order away,
on a server that asks for it.

It goes beside the push as one of Git's push options, and is good for one move of one branch from where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Repository
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS
from nomicgit.ground.problems import Refused, printable
from nomicgit.record.secret.keyring import terms_at
from nomicgit.sealing.keys import Sealer

ORDERS, LETTERS = "orders/", "letters"
ORDER = "order"
MOST = 128 << 10
"""Bytes of an order's file."""
WORD = "nomicgit-keeper="
MARK = b"nomicgit/1/move\n"
"""Stands before what is signed, so that the signature is good for nothing else."""


def of(sealer: Sealer, move: Move) -> str:
    """The leave for a move, as it is said beside the push."""
    return WORD + sealer.signature(_text(sealer.game, move))


def refuse_without(
    repository: Repository, scratch: Repository, tree: str, move: Move, words: Sequence[str]
) -> None:
    """Refuse a move of letters or orders that is not the keeper's, by the keys in a tree of the game; an order may come."""
    is_order = move.ref.startswith(HEADS + ORDERS)
    if not is_order and move.ref != HEADS + LETTERS:
        return
    name = printable(move.ref.removeprefix(HEADS))
    if is_order and move.new is not None:
        if move.old is not None:
            raise Refused.of(
                f"the order {name} lies here already", mend="lay another one down: nomicgit order"
            )
        _refuse_no_order(scratch, name, move.new)
        return
    terms = terms_at(repository, tree)
    text = _text(terms[0].since, move)
    signatures = (word.removeprefix(WORD) for word in words if word.startswith(WORD))
    if not any(terms[-1].public.signs(text, each) for each in signatures):
        raise Refused.of(
            f"only the keeper moves {name}", mend="that is done by the keeper's round: nomicgit keep"
        )


def _refuse_no_order(scratch: Repository, name: str, oid: str) -> None:
    """Refuse what is no order that lies alone in a commit of its own."""
    commit = scratch.commit(oid)
    lies = scratch.tree(commit.tree)
    size = scratch.sizes([lies[ORDER][1]]).get(lies[ORDER][1], 0) if [*lies] == [ORDER] else None
    if commit.parents or size is None or size > MOST:
        raise Refused.of(f"{name} holds no order", mend="lay one down: nomicgit order")


def _text(game: str, move: Move) -> bytes:
    facts = (game, move.ref, move.old or "-", move.new or "-")
    return MARK + "".join(f"{each}\n" for each in facts).encode("utf-8", "surrogateescape")
