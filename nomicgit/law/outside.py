"""Deeds outside the law: those that the program itself carries out, written ``physics/NAME``.

A deed in the record is replayed by the name of its action. No name of the law holds a slash, so none of the law's
actions is ever taken for one of these.
"""

from __future__ import annotations

from enum import StrEnum

OWN = "physics/"
"""With what the names of the program's own deeds begin."""


class Outside(StrEnum):
    """The names of the program's own deeds, as the record tells them."""

    FOUND = "physics/found"
    RESTORE = "physics/restore"
    MEND = "physics/mend"
    REHOUSE = "physics/rehouse"
    NUMBER = "physics/number"
    """Another physics, by its number."""
    CLOCK = "physics/clock"
    """Who keeps the game lets happen what fell due."""
    MAILBOX = "physics/mailbox"
    """A player says to which key private letters to them are written."""
    ADDRESS = "physics/address"
    """Who has the game's key says of a mailbox that it has been seen, or whether it is that player's."""
    SIGNERS = "physics/signers"
    """A player's SSH keys, with which they sign their deeds, are others from now on."""
    SIGNED = "physics/signed"
    """Whether deeds are signed."""
    APPROVALS = "physics/approvals"
    """How many admins together name a player's keys."""
    RESTORERS = "physics/restorers"
    """Who may restore the game."""
    TERM = "physics/term"
    """Secrets are kept under another key from now on."""
    OPEN = "physics/open"
    """The key of a term that is over is published."""
    SEALED = "physics/sealed"
    """What stands in the place of an action that is done in private."""
    ACCOUNT = "physics/account"
    """A player's account on a forge becomes known."""


NOBODYS = frozenset({Outside.FOUND, Outside.CLOCK})
"""The deeds that name nobody as who does them."""
_WITHOUT_A_NAME = NOBODYS | {Outside.SEALED, Outside.TERM, Outside.OPEN, Outside.ADDRESS}
"""Those that may name nobody: what is done in private, and what a keeper does who is no player."""
AGAIN = frozenset({Outside.CLOCK, Outside.MAILBOX, Outside.ADDRESS})
"""Those that a clone does again by itself where others were faster, as it does those of players."""


def unnamed(action: str, actor: str | None) -> str:
    """What is wrong with a deed that names nobody as who does it, though somebody must; "" where nothing is."""
    if actor is not None or action in _WITHOUT_A_NAME:
        return ""
    return "the clock is no player, and does none of their actions: only what the law lets fall due happens by it"
