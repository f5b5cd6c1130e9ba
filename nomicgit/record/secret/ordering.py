"""Taking orders: what players ask for in secret becomes deeds, by whoever has the key. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomicgit.ground.problems import Exhausted, Refused
from nomicgit.law.outside import OWN, Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds.keyed import TooMany
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.sealing.orders import Order

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Sealer

BLANK = "blank"
"""The action of an order that asks for nothing."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An order that was taken: whose it was, what it was recorded as, and why it was refused, where it was."""

    player: str
    nonce: str
    recorded: Recorded

    @property
    def refusal(self) -> str:
        """Why, or nothing."""
        return self.recorded.outcome.refusal


def sealer_of(game: Game) -> Sealer:
    """What opens orders of a game. Refused where its key is not at hand."""
    keeping = game.keeping()
    if keeping is None:
        raise Refused.of("this game keeps no secrets, and takes no orders")
    if keeping.sealer is None:
        raise Refused.of(
            "the key of this game is not in this clone", mend="who keeps it lays it down: nomicgit keys set"
        )
    return keeping.sealer


def in_turn(game: Game, armours: Sequence[str], at: int) -> list[str]:
    """Orders that came together in the order in which they are taken: each player's as they were made, and who comes when is
    what nobody without the key foresees or chooses. What is no order comes last.
    """
    sealer = sealer_of(game)
    made: dict[str, list[tuple[tuple[int, str], str]]] = {}
    unfit = []
    for armour in armours:
        try:
            order = Order.read(armour, sealer.identity)
        except Refused:
            unfit.append(armour)
            continue
        made.setdefault(order.by.casefold(), []).append(((order.at, order.nonce), armour))
    turns = []
    for who, own in made.items():
        drawn = sorted(sealer.dice("orders", str(at), who, str(number)) for number in range(len(own)))
        turns += list(zip(drawn, (armour for _, armour in sorted(own)), strict=True))
    return [armour for _, armour in sorted(turns)] + unfit


def nonce(now: int, chance: bytes) -> str:
    """What makes an order good once: when it was made (nanoseconds, UTC), by which one's own are taken in turn, and chance."""
    return f"{now:016x}-{chance.hex()}"


def take(game: Game, armour: str, *, at: int, since: int, player: str | None = None) -> Taken:
    """Take an order: what comes of it is recorded, be it that it is refused. ``since``: the time of the pass before.

    ``player``: whose account handed it in, where that is known. Refused, and nothing recorded, for what is no order of this
    game, term and player, for one that was taken already, and for one too many of a day.
    """
    sealer, term = sealer_of(game), game.terms[-1]
    order = Order.read(armour, sealer.identity)
    if order.game != game.terms[0].since:
        raise Refused.of("this is an order for another game")
    if order.term != term.number:
        raise Refused.of(
            f"this is an order for term {order.term}, and the game is in term {term.number}",
            mend="make it anew",
        )
    if order.action.startswith(OWN) or (order.action == BLANK and order.with_):
        raise Refused.of("an order asks for what the rules declare, and a blank one for nothing")
    who = game.tree.spelled(order.by)
    if player not in (None, who):
        raise Refused.of("this order names another player than the one who hands it in")
    cast = max(since, min(order.at, at))
    deed = Deed(
        new_id(at), who, order.action, order.with_, at, cast if cast < at else None, nonce=order.nonce
    )
    return Taken(who, order.nonce, game.act(deed, decide=decided))


def decided(position: Position, context: Context, deed: Deed, chance: Chance) -> Outcome:
    """Decide an order. One that the law refuses is a sealed deed without effect: what came of it, its letter tells alone."""
    if deed.action != BLANK:
        try:
            return position.decide(context, deed, chance)
        except (Exhausted, TooMany):
            raise
        except Refused as error:
            why = str(error.problems[0])
    else:
        why = ""
    blank = replace(deed, action=Outside.SEALED, given={})
    outcome = position.decide(context, blank, chance)
    return replace(outcome, deed=deed, hidden=True, refusal=why)
