"""The branches of orders, letters and shares, and the keeper's leave: signed, it lets a push move letters or shares, or take
an order away, on a server that asks for it.

It goes beside the push as one of Git's push options, and is good for one move of one branch from where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Repository
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.secret.keyring import terms_at
from nomicgit.sealing import age
from nomicgit.sealing.keys import Sealer

ORDERS, LETTERS, SHARES = "orders/", "letters", "shares"
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
    """Refuse a move of letters, shares or orders that is not the keeper's, by the keys in a tree of the game; an order may come."""
    if is_in_the_way(move.ref) and move.new is not None:
        name = printable(move.ref.removeprefix(HEADS))
        raise Refused.of(
            f"a branch {name} would lie in the way of orders, letters or shares",
            mend="push it by another name",
        )
    is_order = move.ref.startswith(HEADS + ORDERS)
    if not is_order and move.ref not in (HEADS + LETTERS, HEADS + SHARES):
        return
    name = printable(move.ref.removeprefix(HEADS))
    if is_order and move.new is not None:
        if move.old is not None:
            raise Refused.of(
                f"the order {name} lies here already",
                mend=remedy("lay another one down:", command("nomicgit", "order")),
            )
        _refuse_no_order(scratch, name, move.new)
        return
    terms = terms_at(repository, tree)
    text = _text(terms[0].since, move)
    signatures = (word.removeprefix(WORD) for word in words if word.startswith(WORD))
    if not any(terms[-1].public.signs(text, each) for each in signatures):
        how = (
            (
                "the keeper hands shares out by:",
                command("nomicgit", "keys", "share", "NEEDED", "--to", "NAME"),
            )
            if move.ref == HEADS + SHARES
            else ("that is done by the keeper's round:", command("nomicgit", "keep"))
        )
        raise Refused.of(f"only the keeper moves {name}", mend=remedy(*how))


def is_in_the_way(ref: str) -> bool:
    """Whether Git could lay down no orders, no letters or no shares beside a branch."""
    return ref == HEADS + ORDERS.rstrip("/") or ref.startswith((f"{HEADS}{LETTERS}/", f"{HEADS}{SHARES}/"))


def remembered_in_the_way(upstream: Upstream) -> list[str]:
    """The branches of elsewhere that a clone remembers and that are in the way so: its own ``git fetch`` stops there."""
    there = f"refs/remotes/{upstream.remote}/"
    names = (ref.removeprefix(there) for ref in upstream.repository.references(there))
    return sorted(name for name in names if is_in_the_way(HEADS + name))


def _refuse_no_order(scratch: Repository, name: str, oid: str) -> None:
    """Refuse what is no order, as far as that can be told without the key, or does not lie alone in a commit of its own."""
    commit = scratch.commit(oid)
    lies = scratch.tree(commit.tree)
    size = scratch.sizes([lies[ORDER][1]]).get(lies[ORDER][1], 0) if [*lies] == [ORDER] else None
    mend = remedy("lay one down:", command("nomicgit", "order"))
    if commit.parents or size is None or size > MOST:
        alone = f"a file `{ORDER}` is to lie in it, and nothing else" if size is None else ""
        large = f"its file `{ORDER}` is larger than {MOST >> 10} KiB"
        why = "it lies upon other commits" if commit.parents else alone or large
        raise Refused.of(f"{name} holds no order: {why}", mend=mend)
    try:
        age.refuse_unfit(scratch.blob(lies[ORDER][1], limit=MOST))
    except NomicError as error:
        raise Refused.of(f"{name} holds no order: {error.problems[0].what}", mend=mend) from None


def _text(game: str, move: Move) -> bytes:
    facts = (game, move.ref, move.old or "-", move.new or "-")
    return MARK + "".join(f"{each}\n" for each in facts).encode("utf-8", "surrogateescape")
