"""Turns: in which order the orders of one round are taken, by the key alone. Source: The orders of a round, in ``docs/secrets.md``.

Each player's are taken as they were made. A player's first order of a round has a turn that is drawn with the key; each later
one a turn of its own, or that of the one before it where that is later. Whose turn is the lowest comes first. So nobody gains
by handing in more of them, and whoever has the key can tell from the record whether that was so.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nomicgit.sealing.keys import Sealer


class Made(NamedTuple):
    """When an order was made, as far as a round counts that (seconds, UTC), and what makes it good once: by these a player's
    own follow each other.
    """

    at: int
    nonce: str


class Turns:
    """The turns of a round, which is named by its time."""

    def __init__(self, sealer: Sealer, at: int) -> None:
        self._sealer, self._at = sealer, at
        self._drawn: dict[str, list[bytes]] = defaultdict(list)
        self._had: dict[str, int] = defaultdict(int)

    def of(self, who: str, more: int = 0) -> bytes:
        """The turn of somebody's next order, or of the one so many after that."""
        drawn, number = self._drawn[who], self._had[who] + more
        while len(drawn) <= number:
            turn = self._sealer.dice("orders", str(self._at), who, str(len(drawn)))
            drawn.append(max(turn, *drawn[-1:]) if drawn else turn)
        return drawn[number]

    def had(self, who: str) -> None:
        """Somebody's next order is taken."""
        self._had[who] += 1


def key_of(player: str) -> str:
    """Whoever is the same player, whatever the capitals."""
    return player.casefold()


def in_turn(
    turns: Turns, orders: Mapping[str, Sequence[tuple[Made, str]]], taken: Callable[[str], bool]
) -> Iterator[str]:
    """The orders that came together, by who made them, each with when that was; ``taken``: whether one that was given has
    become a deed, for what has not counts for nothing.
    """
    waiting = {who: deque(order for _, order in sorted(own)) for who, own in orders.items()}
    while waiting:
        who = min(waiting, key=turns.of)
        order = waiting[who].popleft()
        yield order
        if taken(order):
            turns.had(who)
        if not waiting[who]:
            del waiting[who]
