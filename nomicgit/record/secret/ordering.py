"""Taking orders: what players ask for in secret becomes deeds, by whoever has the key. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomicgit.ground.problems import Exhausted, Refused
from nomicgit.law.outside import Outside
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
    """Orders that came together in the order in which they are taken, which nobody without the key foresees or chooses."""
    sealer = sealer_of(game)
    return sorted(armours, key=lambda armour: sealer.dice("orders", str(at), armour.strip()))


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
