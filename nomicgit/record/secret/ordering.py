"""Taking orders: what players ask for in secret becomes deeds, by whoever has the key. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git.signing import signature
from nomicgit.ground import clock
from nomicgit.ground.problems import Exhausted, Problem, Refused, printable, quoted
from nomicgit.ground.reasons import worded
from nomicgit.ground.remedies import beside, command, remedy
from nomicgit.law.outside import OWN, Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import keyed
from nomicgit.physics.deeds.keyed import TooMany
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.record import journal
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.outside import restoring
from nomicgit.record.secret import proved, turns, veil
from nomicgit.record.secret.keyring import LAY_DOWN, WHERE_LOST, earlier_keys
from nomicgit.record.secret.turns import Made, Turns
from nomicgit.record.seen import strays
from nomicgit.record.signers import Asked, refuse_without, signers_in
from nomicgit.sealing.keys import Sealer
from nomicgit.sealing.orders import NAMESPACE, Order

BLANK: Final = keyed.BLANK
MINUTE, WEEK = 60, 7 * 86_400  # seconds


class Taken(Struct, frozen=True):
    """An order that was taken: whose it was, what it was recorded as, and why it was refused, where it was."""

    player: str
    nonce: str
    recorded: Recorded

    @property
    def refusal(self) -> str:
        """Why, or nothing."""
        return self.recorded.outcome.refusal


def sealer_of(game: Game) -> Sealer:
    """What opens orders of a game. Refused where its key is not at hand, or something has come that this clone has not replayed."""
    sealer = key_of(game)
    strays.refuse_beyond(game.repository, game.head.oid)
    return sealer


def key_of(game: Game) -> Sealer:
    """What opens the secrets of a game. Refused where its key is not at hand."""
    keeping = game.keeping()
    if keeping is None:
        raise Refused.of(
            "this game keeps no secrets, and takes no orders",
            mend=remedy(
                "to fetch, to do your own deeds after those, and to push:", command("nomicgit", "sync")
            ),
        )
    if keeping.sealer is None:
        raise Refused.of(
            f"the key of this game is not in this clone{handing_on(game)}", mend=how_it_comes(game)
        )
    return keeping.sealer


def how_it_comes(game: Game) -> str:
    """How the key of a game comes into a clone, and what is left where nobody has it any more."""
    lost = WHERE_LOST if restoring.named(game.settings.restore)[0] else ()
    return remedy(LAY_DOWN, *lost)


def handing_on(game: Game) -> str:
    """Who has the key of a term that another than its keeper has begun, and hands it on; "" where that is nobody."""
    term = game.terms[-1]
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message) if term.since in commit.message else None
        if entry is not None and entry.deed.id == term.since:
            by = entry.deed.actor
            if by is None or by == term.keeper or len(game.terms) == 1:
                break
            name = printable(game.tree.called(by), 60)
            return f"; {name} has begun its term with it, and hands it on"
    return ""


def time_of_round(game: Game, now: int) -> int:
    """The time of a round that begins now (seconds, UTC): that of no other, for by it their orders are told apart."""
    sealer, at = sealer_of(game), max(now, game.last())
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        if entry.deed.at < at or entry.deed.id == game.terms[-1].since:
            break
        behind = veil.behind(entry, sealer) if entry.sealed else None
        if behind is not None and behind.deed.nonce is not None:
            return at + 1
    return at


def seconds_between(said: str) -> int:
    """How far apart the times are at which orders are taken, as the settings say that (``every 6h``); 0 where any round does.
    Refused for what says none.
    """
    word, _, how = said.partition(" ")
    many = clock.span(how).seconds if word == "every" and clock.is_span(how) else 0
    if said and not MINUTE <= many <= WEEK:
        raise Refused.of(
            f"{quoted(said, 40)} does not say when orders are taken",
            mend="say it like this: every 6h (1m to 7d)",
        )
    return many


def waits_until(game: Game, order: Order, at: int) -> int | None:
    """Until when an order waits, where the game takes orders at certain times alone: those that were made since the last of
    these are taken together from the next one on.
    """
    between = seconds_between(game.settings.orders)
    waits = between and at - at % between < order.at <= at
    return at - at % between + between if waits else None


def in_turn(game: Game, armours: Sequence[str], at: int, taken: Callable[[str], bool]) -> Iterator[str]:
    """Orders that came together in the order in which they are taken: each player's as they were made, and who comes when is
    what nobody without the key foresees or chooses. What is no order comes last. ``taken``: whether one has become a deed.
    """
    sealer = sealer_of(game)
    orders: dict[str, list[tuple[Made, str]]] = {}
    unfit = []
    for armour in armours:
        try:
            order = Order.read(armour, sealer.identity)
            who = turns.key_of(game.tree.spelled(order.by))
        except Refused:
            unfit.append(armour)
            continue
        orders.setdefault(who, []).append((made(order, at), armour))
    yield from turns.in_turn(Turns(sealer, at), orders, taken)
    yield from unfit


def made(order: Order, at: int) -> Made:
    """By what a player's orders of a round follow each other."""
    return Made(min(order.at, at), order.nonce)


def nonce(now: int, chance: bytes) -> str:
    """What makes an order good once: when it was made (nanoseconds, UTC), by which one's own are taken in turn, and chance."""
    return f"{now:016x}-{chance.hex()}"


def nonce_before(other: str, chance: bytes) -> str:
    """The same of an order that is to be taken right before another of one's own, which was made at the same time."""
    return nonce(int(other.partition("-")[0], 16) - 1, chance)


def take(game: Game, armour: str, *, at: int, since: int, player: str | None = None) -> Taken:
    """Take an order: what comes of it is recorded, be it that it is refused. ``since``: the time of the pass before, before
    which nothing counts as asked for.

    ``player``: whose account handed it in, where that is known. Refused, and nothing recorded, for what is no order of this
    game, term and player, for one that was taken already, and for one too many of a day.
    """
    order = opened(game, armour, player)
    who, cast = game.tree.spelled(order.by), max(since, min(order.at, at))
    proof = proved.proof_of(game.repository, game.head.tree, order, who, vouched=player is not None)
    deed = Deed(
        new_id(at),
        who,
        order.action,
        order.with_,
        at,
        cast if cast < at else None,
        nonce=order.nonce,
        made=order.at,
        proof=proof,
        instead=order.instead,
    )
    return Taken(who, order.nonce, game.act(deed, decide=decided))


def opened(game: Game, armour: str, player: str | None = None) -> Order:
    """An order of this game and term, by whom it says. ``player``: whose account handed it in, where that is known. Refused
    for what is none.
    """
    sealer, term = sealer_of(game), game.terms[-1]
    order = _sealed_to(sealer.identity, armour) or _former(game, sealer, armour)
    if order is None:
        order = Order.read(armour, sealer.identity)  # which says why it is none
    if order.game != game.terms[0].since:
        raise Refused.of("this is an order for another game")
    if order.term != term.number:
        raise Refused.of(
            f"this is an order for term {order.term}, and the game is in term {term.number}, whose key is another: make it anew"
        )
    if order.action.startswith(OWN) or (order.action == BLANK and order.with_):
        raise Refused.of("an order asks for what the rules declare, and a blank one for nothing")
    who = game.tree.spelled(order.by)
    if player not in (None, who):
        raise Refused.of("this order names another player than the one who hands it in")
    proved.proof_of(game.repository, game.head.tree, order, who, vouched=player is not None)
    return order


def _sealed_to(identity: str, armour: str) -> Order | None:
    """The order that a text holds, where this identity opens it."""
    with suppress(Refused):
        return Order.read(armour, identity)
    return None


def _former(game: Game, sealer: Sealer, armour: str) -> Order | None:
    """One that was sealed to the key of a term that is over, as far as that was passed on."""
    former = (
        _sealed_to(Sealer(key, sealer.game).identity, armour) for key in earlier_keys(game.terms, sealer)
    )
    return next(filter(None, former), None)


def signed_by_player(game: Game, order: Order) -> Order:
    """An order as its player hands it in: signed, where this clone signs for them. Refused where it must be, and this one does not."""
    who = game.tree.spelled(order.by)
    if game.settings.signed == Asked.REQUIRED:
        refuse_without(game.repository, (who,), signers_in(game.repository, game.head.tree).get(who, ()))
    key = game.repository.key_of((who,))
    if key is None:
        return order
    return replace(order, signature=signature(order.text, key, NAMESPACE).decode() + "\n")


def decided(position: Position, context: Context, deed: Deed, chance: Chance) -> Outcome:
    """Decide an order. One that the law refuses is a sealed deed without effect: what came of it, its letter tells alone."""
    if deed.action != BLANK or deed.instead:
        try:
            outcome = position.decide(context, deed, chance)
            return outcome if deed.action != BLANK else replace(outcome, hidden=True)
        except (Exhausted, TooMany):
            raise
        except Refused as error:
            why = in_words(error.problems[0])
    else:
        why = ""
    blank = replace(deed, action=Outside.SEALED, given={})
    outcome = position.decide(context, blank, chance)
    return replace(outcome, deed=deed, hidden=True, refusal=why)


def in_words(problem: Problem) -> str:
    """Why an order is refused, as its letter says it: the reason and the rule's name; where that stands in a file is nothing to
    its reader.
    """
    rule = printable(problem.where.rule)
    return worded(problem.what) + (f" (rule {rule})" if rule else "") + beside(problem.mend)
