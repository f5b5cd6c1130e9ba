"""``nomicgit order``, and ``keep`` where a game keeps secrets."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

import click
from msgspec.structs import replace

from nomicgit.cli.bodies import kept_round, mailboxes
from nomicgit.cli.bodies.became import came, plain_of_own, told_where_stopped
from nomicgit.cli.bodies.given import action_of, typed
from nomicgit.cli.bodies.keys import ask, looked
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.cli.vetted import vetted
from nomicgit.clones.secret import addresses, awaited, inbox, leave, rounds, surmise
from nomicgit.clones.secret.addresses import Noted
from nomicgit.clones.secret.awaited import Awaited
from nomicgit.git import Repository
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import meant
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deeds import acting
from nomicgit.physics.deeds.keyed import A_DAY, BLANK, NOBODY, Judged
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.forms import ORDER, forge_of
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing.orders import Order

SHOWN = 20
"""Orders that are none, which a round names one by one."""


def order(
    seat: Seat,
    action: str | None,
    given: tuple[str, ...],
    push: bool,
    blank: bool,
    instead: str | None,
    sure: bool,
) -> int:
    game = seat.game()
    if (action is None) != blank or (blank and given):
        raise click.UsageError("name an action with its parameters, or ask for a blank order: --blank")
    if not game.terms:
        raise Refused.of(
            "this game keeps no secrets, and takes no orders",
            mend=remedy("do it in the open:", command("nomicgit", "act")),
        )
    actor, at, term = seat.actor(game), seat.moment(game), game.terms[-1]
    wanted = {} if action is None else typed(game, action, given)
    upstream = _upstream(game.repository) if push else None
    if upstream is not None:
        rounds.refuse_former(game, upstream)
    if actor not in game.tree.ids("players"):
        ask(
            seat,
            f"nobody in this game is called {actor}, and no letter tells what comes of it",
            "Seal it?",
            sure=sure,
        )
    if action is not None:
        _refuse_unfit(game, action, actor, wanted)
        if why := surmise.refusal(game, action, actor, wanted, at):
            ask(
                seat,
                f"as far as can be seen from here, this would be refused now: {why}",
                "Seal it?",
                sure=sure,
            )
        if not action_of(game, action).hidden(wanted):
            ask(
                seat,
                f"{action} with these words is not private: once it is done, the journal shows it with your name and its words",
                "Seal it all the same?",
                sure=sure,
            )
    looked(game)
    nonce, name, back = ordering.nonce(time.time_ns(), os.urandom(8)), os.urandom(12).hex(), ""
    if instead is not None:  # its place is that of the one that it takes back, right before that
        former = _waiting_order(game, actor, instead)
        at, back = clock.instant(former.at), former.nonce
        nonce = ordering.nonce_before(back, os.urandom(8))
    wish = Order(game.terms[0].since, term.number, actor, action or BLANK, wanted, nonce, at, instead=back)
    sealed = ordering.signed_by_player(game, wish).armoured(term.public.recipient)
    awaited.made_here(game, nonce, wish.action, wanted)
    branch = None
    if upstream is not None:
        there = upstream.heads(leave.LETTERS, upstream.branch.removeprefix(HEADS))
        letters, stood = there.get(HEADS + leave.LETTERS, ""), there.get(upstream.branch, game.head.oid)
        branch = inbox.hand_in(game.repository, upstream, sealed, name)
        what = action or BLANK
        awaited.remember(
            game, Awaited(actor, what, clock.text(at), branch, term.number, nonce, letters, stood)
        )
    unread = mailboxes.unanswered(game, actor, at)
    if term.number > 1 and not seat.as_json:
        click.echo(
            f"sealed for term {term.number}, of which {_keeper(game)} has the key", err=upstream is None
        )
    if seat.as_json:
        plain = {
            "order": sealed,
            "nonce": nonce,
            "term": term.number,
            "branch": branch,
            "keeper": term.keeper,
            "instead": back or None,
        }
        click.echo(json.dumps(plain | {"taken": game.settings.orders or None, "mailbox": unread or None}))
    elif upstream is not None:
        click.echo(click.style("handed in, sealed", fg="green") + f"  ({nonce})")
        if back:
            click.echo(f"it takes back the order {back}, unless the keeper has taken that before")
        click.echo("what comes of it, your letter tells after the keeper's next round: nomicgit letters")
        if game.settings.orders:
            click.echo(
                f"in this game rounds take orders {game.settings.orders} (UTC), so that more come together"
            )
        if unread:
            click.echo(click.style("mailbox: ", fg="yellow") + unread)
    else:
        click.echo(sealed.rstrip("\n"))
        click.echo(f"it is not handed in: {_by_hand(game)}; or hand it in from here: --push", err=True)
        if unread:
            click.echo(f"mailbox: {unread}", err=True)
    return 0


def _waiting_order(game: Game, actor: str, named: str) -> Awaited:
    """The order of a player (by id) that is named by what makes it good once, or the beginning of that. Refused where none
    was handed in from this clone that no letter has answered yet, or several are meant.
    """
    own = [
        each for each in awaited.all_of(game) if (each.player, each.term) == (actor, game.terms[-1].number)
    ]
    meant = [each for each in own if each.nonce.startswith(named)]
    if len(meant) != 1:
        which = "; ".join(f"{each.nonce} ({each.action}, made at {each.at})" for each in own)
        raise Refused.of(
            f"{'several orders' if meant else 'no order'} {printable(named, 64)} of yours that {'were' if meant else 'was'} handed in "
            "from this clone and not answered yet",
            mend=f"name one of these: {printable(which, 1000)}" if own else "none of yours waits here",
        )
    return meant[0]


def surmised(game: Game, action: str, actor: str, given: Mapping[str, Any], at: int) -> str:
    """Why an order would be refused, as far as everybody can say; "" where it would not, or only the keeper can."""
    return surmise.refusal(game, action, actor, given, at)


def _keeper(game: Game) -> str:
    """Who keeps the game, as they are called now."""
    keeper = game.terms[-1].keeper
    return "the steward" if keeper is None else game.tree.called(keeper)


def _by_hand(game: Game) -> str:
    """How a sealed order that was printed comes to the keeper."""
    place = forge_of(game.settings.forge)
    form = f" (or fill in {place.address}/issues/new?template={ORDER})" if place else ""
    return f"lay it into a file, and let the keeper take that: nomicgit keep --order FILE{form}"


def _refuse_unfit(game: Game, action: str, actor: str, given: Mapping[str, Any]) -> None:
    """Refuse an order whose parameters anybody can see to be wrong; what only the keeper can say is left to them."""
    world, declared = game.world(), action_of(game, action)
    try:
        with world.asking():
            acting.parameters(world, declared, given)
    except NeedsKey:
        return
    except Refused as unfit:
        meanings = (meant.of_given(world, declared.parameters, given, each.what) for each in unfit.problems)
        near = [next(filter(None, some), "") for some in meanings]
        raise Refused(
            *(replace(each, mend=said or each.mend) for each, said in zip(unfit.problems, near, strict=True))
        ) from None


def _upstream(repository: Repository) -> Upstream:
    mend = remedy(
        "print it, and give it to the keeper in another way, who takes it by:",
        command("nomicgit", "keep", "--order", "FILE"),
    )
    return Upstream.needed(repository, "handed in", mend)


def keep(
    seat: Seat, orders: Sequence[TextIO], confirm: Sequence[str], refuse: Sequence[str], admin: str | None
) -> int:
    game = seat.game()
    ordering.key_of(game)
    texts = [each.read(leave.MOST + 1) for each in orders]
    if both := sorted({*confirm} & {*refuse}):
        raise click.UsageError(f"--confirm and --refuse: say one of them of {both[0]}")
    said = dict.fromkeys(confirm, Judged.THEIRS) | dict.fromkeys(refuse, Judged.NOT_THEIRS)
    upstream = Upstream.of(game.repository)
    with told_where_stopped(seat):
        done = rounds.keep(
            game.repository,
            upstream,
            kept_round.moment(seat),
            in_private,
            game.key,
            texts,
            said,
            admin,
            vetted,
        )
    game = seat.game()
    shares, way = loaded("sharing.outdated")(game, done.at), mailboxes.in_the_way(game)
    bars, announced = kept_round.barred(seat, admin, done.resolved, done.at), kept_round.announce(seat)
    if seat.as_json:
        click.echo(json.dumps({
            "came": len(done.synced.others), **plain_of_own(done.synced),
            "clock": done.clock, "taken": done.taken, "own": done.own, "unfit": done.unfit, "waiting": done.waiting,
            "later": done.later, "over": done.over, "left": done.left,
            "mailboxes": [
                {"player": each.box.player, "recipient": each.box.recipient, "is": str(each.judged),
                 "replaces": each.box.replaces, "others": list(each.box.others)}
                for each in done.mailboxes
            ],
            "mailboxes_waiting": [
                {"player": box.player, "recipient": box.recipient, "until": clock.text(box.begins) if box.begins else None}
                for box in addresses.waiting(game, done.at)
                if box.begins is not None or addresses.keepers_own(game, box.player)
            ],
            "shares": shares._asdict(), "in_the_way": way or None,
            "letters": done.letters, "at": clock.text(done.at),
            "barred": bars or None,
            "resolved": [each.as_json() for each in done.resolved],
            "announced": [each.as_json() for each in announced],
        }))  # fmt: skip
    else:
        for line in (
            *_told(game, done, bars),
            *_waiting(game, done),
            *shares.lines(),
            *([click.style("in the way: ", fg="red") + clean(way)] if way else ()),
            *(loaded("announce.lines")(announced) if announced else ()),
        ):
            click.echo(line)
    own = [
        name for name in done.unfit if not name.startswith(HEADS)
    ]  # on a branch anybody lays down what is none
    return 1 if own else kept_round.ended(done.synced, done.resolved, announced, bars)


def _boxes(game: Game, boxes: Sequence[Noted]) -> Iterator[str]:
    """What was said of mailboxes, and how the keeper says whose one is that waits."""
    for box, judged, _ in boxes:
        name, word = clean(game.tree.called(box.player)), _word(game, box)
        where = f"{click.style('mailbox', fg='yellow')} {clean(box.recipient)}"
        if judged != Judged.SEEN:
            counts = "letters go there" if judged == Judged.THEIRS else "refused, and counts no more"
            yield f"{where} in {name}'s name: {counts}"
            if judged == Judged.NOT_THEIRS:
                yield "  one that it pushed out is confirmed still, for a week: nomicgit keep --confirm NAME=RECIPIENT"
            continue
        former = (
            "letters go to the former one till then" if box.replaces else "no letter is written till then"
        )
        yield f"{where} in {name}'s name is new: it counts in 72 hours, and {former}"
        if box.others:
            others = clean(", ".join(map(game.tree.called, box.others)))
            yield f"  it is {others}'s mailbox too: whoever has its key reads the letters of each"
        yield f"  ask {name}; if it is theirs: nomicgit keep --confirm {word}"
        yield f"  if it is not: nomicgit keep --refuse {word}"


def _word(game: Game, box: addresses.Waiting) -> str:
    """By which the keeper means a mailbox, with its player's name of now."""
    return clean(f"{game.tree.called(box.player)}={box.recipient}")


def _waiting(game: Game, done: rounds.Round) -> Iterator[str]:
    """The mailboxes that an earlier round has seen, and that wait still."""
    new = {each.box.word for each in done.mailboxes}
    for box in addresses.waiting(game, done.at):
        name, word = clean(game.tree.called(box.player)), _word(game, box)
        if box.begins is None and addresses.keepers_own(game, box.player):
            yield f"in your own name, {name}, a mailbox was registered without the key: no letter goes there, whenever,"
            yield f"  before you say that it is yours: nomicgit keep --confirm {word}, or --refuse {word}"
        elif box.begins is not None and box.word not in new:
            yield f"in {name}'s name a mailbox waits until {clock.text(box.begins)}:"
            yield f"  nomicgit keep --confirm {word}, or --refuse {word}"


def _told(game: Game, done: rounds.Round, bars: str) -> Iterator[str]:
    yield from came(done.synced)
    yield from kept_round.ran(done.clock)
    if done.taken:
        yield f"{many(len(done.taken), 'order')} taken"
    else:
        yield "no order taken" if done.waiting or done.later or done.left else "no orders"
    unfit = [*done.unfit.items()]
    yield from (click.style(f"{clean(name)}: ", fg="red") + inline(why) for name, why in unfit[:SHOWN])
    if unfit[SHOWN:]:
        yield f"and {len(unfit) - SHOWN} more that are none, all taken away"
    for who, count in sorted(done.over.items()):
        wait = "waits" if count == 1 else "wait"
        name, of = (
            (f"{clean(game.tree.called(who))}'s name", "")
            if who != NOBODY
            else ("names that nobody has", " of all these")
        )
        yield f"{many(count, 'order')} in {name} {wait} until tomorrow: more than {A_DAY} a day{of}"
    for until in sorted(set(done.later.values())):
        yield f"{many(list(done.later.values()).count(until), 'order')} left until {until}"
    for commit in done.own:
        yield click.style("in your own name: ", fg="red") + (
            f"an order that was not made in this clone is the deed of commit {commit[:12]}; if it was not you, whoever can push was; "
            "nomicgit log says what it asked for"
        )
    if done.left:
        yield f"{many(done.left, 'branch', 'branches')} of orders left for the next round"
    yield from kept_round.told(done.resolved, bars)
    yield from _boxes(game, done.mailboxes)
    if done.letters:
        yield f"{many(done.letters, 'letter')} written"
    yield from kept_round.pushed(done.synced)
