"""What becomes of the orders that were handed in, however they came: over a plain remote, on a forge, by hand.

Whoever makes a round, a keeper's or a steward's, hands in all that came; nobody else decides on orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from nomicgit.ground.problems import Refused
from nomicgit.physics.deeds.keyed import TooMany
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.record.secret.ordering import Taken
from nomicgit.sealing.orders import Order


class HandedIn(Struct, frozen=True):
    """A sealed order: by which name it is known where it came from, and whose account handed it in, where that is known.
    ``at_once``: it waits for no time at which orders are taken. ``empty``: why there is none, where that is known.
    """

    name: str
    armour: str
    player: str | None = None
    at_once: bool = False
    empty: str = ""


class Settled(Struct, frozen=True):
    """What became of one: it was taken; or it is refused, and why; or it waits, for the next time at which orders are taken
    (``until``, seconds, UTC) or for another day (``tomorrow``). ``twice``: it is the same as one that was taken in this round.
    """

    order: HandedIn
    taken: Taken | None = None
    why_not: str = ""
    until: int | None = None
    tomorrow: bool = False
    twice: bool = False


def settle(game: Game, orders: Sequence[HandedIn], at: int, since: int) -> Iterator[Settled]:
    """Take what was handed in, each player's as they were made, and who comes when is nobody's choice; what waits comes first.

    ``since``: the time of the round before.
    """
    ripe: dict[str, list[HandedIn]] = {}
    for order in orders:
        until = None if order.at_once else _until(game, order.armour, at)
        if until is not None:
            yield Settled(order, until=until)
        else:
            ripe.setdefault(order.armour, []).append(order)
    deeds: set[str] = set()
    for armour in ordering.in_turn(game, list(ripe), at, deeds.__contains__):
        for order in ripe[armour]:
            if armour in deeds:
                yield Settled(order, twice=True)
                continue
            settled = _settled(game, order, at, since)
            if settled.taken is not None:
                deeds.add(armour)
            yield settled


def _settled(game: Game, order: HandedIn, at: int, since: int) -> Settled:
    try:
        return Settled(order, ordering.take(game, order.armour, at=at, since=since, player=order.player))
    except Refused as error:
        return Settled(order, why_not=error.problems[0].what, tomorrow=isinstance(error, TooMany))


def _until(game: Game, armour: str, at: int) -> int | None:
    """Until when an order waits, where the game takes orders at certain times alone; None for what is none."""
    if game.settings.orders:
        with suppress(Refused):
            return ordering.waits_until(game, Order.read(armour, ordering.sealer_of(game).identity), at)
    return None
