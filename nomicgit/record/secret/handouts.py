"""Shares of a game's key that are handed out: each encrypted to its player's mailbox, on a branch without history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import Refused
from nomicgit.record.game import Game
from nomicgit.record.secret import lettering
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.sealing import age
from nomicgit.sealing.padding import padded, unpadded
from nomicgit.sealing.shares import shares

BRANCH: Final = f"{HEADS}shares"
STEP = 1024  # bytes


def hand_out(game: Game, upstream: Upstream, needed: int, players: Sequence[str], now: int) -> None:
    """Lay a share of the key of now down for each of these players (by id), in place of those that lay there; any ``needed``
    of them are the key. Refused where one has no mailbox at that time (seconds, UTC).
    """
    boxes = lettering.mailboxes(game, now)
    if without := [game.tree.called(each) for each in players if each not in boxes]:
        raise Refused.of(
            f"no mailbox of {', '.join(without)} is known to the game, or it waits still",
            mend="they register one, and sync: nomicgit letters --register; the keeper's next round tells how it counts at once",
        )
    written = shares(sealer_of(game).key, needed, len(players))
    files = {
        f"{player}.age": age.encrypted(padded(words.encode(), STEP), [boxes[player]], armour=False)
        for player, words in zip(players, written, strict=True)
    }
    upstream.lay(BRANCH, game.repository.lone(files, "Shares"))


def own(game: Game, upstream: Upstream, player: str, identity: str) -> str:
    """The share that lies there for a player (by id). Refused where none does, or their mailbox does not open it."""
    commit = upstream.bring(BRANCH)
    tree = game.repository.commit(commit).tree if commit else None
    file = game.repository.file(tree, f"{player}.age") if tree is not None else None
    if file is None:
        raise Refused.of("no share of the key lies there for you")
    try:
        return unpadded(age.decrypted(file, identity)).decode()
    except age.Unreadable:
        raise Refused.of(
            "the share that lies there is sealed to another mailbox than this clone's, or is broken",
            mend="the keeper hands shares out anew: nomicgit keys share NEEDED --to NAME --to …",
        ) from None
