"""Claims: what a deed says of work that was ended, by its fuel, by its time, or with its process, and for nothing else.

Where that happens depends on the interpreter and on the machine. So replay takes a recorded deed's claims as given, that
what follows is as it was; and who replays it may try the work again. Source: Claims, in ``docs/trust.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from nomicgit.physics.state.transaction import Transaction

TENTH: Final = 0.1
"""The share of its time that work which is said to have been ended by that takes at least where it is tried again: machines are as
unlike as that. Fuel is counted, and half of it is asked for.
"""


class Claim(StrEnum):
    """The kinds of claims, by their names in a deed's evidence."""

    DIED = "died"
    """Mechanics that a change brought ended the process in which they were tried, or it spent its fuel: it was not made."""
    EXHAUSTED = "exhausted"
    """An event of the clock spent its fuel, and was put off."""
    RESTED = "rested"
    """The events of one function took too much fuel in all, and rested for the deed."""
    BRICKED = "bricked"
    """A law left no way to change it: its enactment was undone."""


def claim(world: Transaction, which: Claim, name: str) -> None:
    """Make a claim: it is evidence of the deed."""
    world.claims.setdefault(which, []).append(name)


def turn(world: Transaction, name: str) -> str:
    """A name with the number of its turn in this deed, or in what is only asked in it: equal changes are no single one."""
    world.turns[name] += 1
    return f"{name} {world.turns[name]}{' asked' * world.asked}"


def recorded(world: Transaction, which: Claim, name: str) -> bool | None:
    """Whether the recorded deed that is replayed makes a claim; None where a deed is decided for the first time."""
    given = world.context.claims
    return None if given is None else name in given.get(which, ())


def reason(world: Transaction, which: Claim, name: str, usual: str) -> str | None:
    """Why, as the recorded deed that is replayed claims it with a name; of the name alone, the usual reason.

    "" where it makes no such claim, None as for ``recorded``.
    """
    given = world.context.claims
    if given is None:
        return None
    claims = (each.partition(" ") for each in given.get(which, ()))
    return next((why or usual for of, _, why in claims if of == name), "")


def again(
    world: Transaction, which: Claim, of: str, work: Callable[[], object], since: int | None = None
) -> None:
    """Hand the work of which a claim is made to who replays the deed; ``since``: the log's length before it (None: now)."""
    if world.context.again is not None:
        world.context.again(world, which, of, work, len(world.store.log) if since is None else since)
