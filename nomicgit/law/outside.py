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
    """Who has the game's key lets happen what fell due."""
    MAILBOX = "physics/mailbox"
    """A player says to which key private letters to them are written."""
    TERM = "physics/term"
    """Secrets are kept under another key from now on."""
    OPEN = "physics/open"
    """The key of a term that is over is published."""
    SEALED = "physics/sealed"
    """What stands in the place of an action that is done in private."""
    ACCOUNT = "physics/account"
    """A player's account on a forge becomes known."""
