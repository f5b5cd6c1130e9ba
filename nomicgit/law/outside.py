"""Deeds outside the law: those that the program itself carries out. Their names are none for a law's actions.

A deed in the record is replayed by the name of its action. An action of the law under one of these names would make
honest deeds faults, so a rule that declares one is refused wherever it is written.
"""

from __future__ import annotations

from enum import StrEnum


class Outside(StrEnum):
    """The names of the program's own deeds, as the record tells them."""

    FOUND = "found"
    RESTORE = "restore"
    REHOUSE = "game.rehouse"
    PHYSICS = "game.physics"
    ACCOUNT = "account"
    """A player's account on a forge becomes known."""


NAMES = frozenset(each.value for each in Outside)
