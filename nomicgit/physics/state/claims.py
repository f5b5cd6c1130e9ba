"""Claims: what a deed says of work that was ended, by its fuel, by its time, or with its process, and for nothing else.

Where that happens depends on the interpreter and on the machine. So replay takes a recorded deed's claims as given, that
what follows is as it was; then it tries the work again, and doubts what does not show again.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class Claim(StrEnum):
    """The kinds of claims, by their names in a deed's evidence."""

    DIED = "died"
    """Mechanics that a change brought ended the process in which they were tried: the change was not made."""
    EXHAUSTED = "exhausted"
    """An event of the clock spent its fuel, and was put off."""
    RESTED = "rested"
    """The events of one function took too much fuel in all, and rested for the deed."""
    BRICKED = "bricked"
    """A law left no way to change it: its enactment was undone."""


class Doubt(NamedTuple):
    """A claim that a second try does not confirm: of what it was made, and what that work changes, a line each."""

    claim: Claim
    of: str
    spared: Sequence[str] = ()
