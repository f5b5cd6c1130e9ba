"""``nomicgit keys share`` and ``join``: a key in several hands. What they need is seldom needed, and slow to load."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from nomicgit.cli.bodies import mailboxes
from nomicgit.cli.bodies.keys import ask, at_hand, fits, keyed, laid, read
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import many
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.record.game import Game
from nomicgit.record.secret import handouts
from nomicgit.record.secret.keyring import LAY_DOWN
from nomicgit.sealing.shares import joined, shares

WORDS = 59  # of a share


def share(
    seat: Seat, needed: int | None, count: int | None, to: tuple[str, ...], mine: bool, sure: bool
) -> int:
    if mine != (needed is None) or (needed is not None and (count is None) == (not to)):
        raise click.UsageError(
            "say how many shares are the key, and of how many, or whose they are (--to NAME); or ask for yours (--mine)"
        )
    game = keyed(seat)
    if needed is None:
        return _mine(seat, game)
    if count is None:
        return _hand_out(seat, game, needed, to)
    key = at_hand(game)
    if key is None or not fits(game, key):
        raise Refused.of("the key of the present term is not in this clone", mend=LAY_DOWN)
    written = shares(key, needed, count)
    ask(seat, f"whoever reads {needed} of these shares has the key", "Show them?", sure=sure)
    if seat.as_json:
        click.echo(json.dumps({"needed": needed, "shares": written}))
        return 0
    for words in written:
        click.echo(words)
    said = f"{many(count, 'share')}, a line each; any {needed} of them are the key: nomicgit keys join"
    click.echo(said, err=True)
    return 0


def _hand_out(seat: Seat, game: Game, needed: int, to: Sequence[str]) -> int:
    names = list(dict.fromkeys(map(game.tree.spelled, to)))
    handouts.hand_out(game, upstream_of(game), needed, names, seat.moment(game))
    if seat.as_json:
        click.echo(json.dumps({"needed": needed, "to": names}))
        return 0
    called = ", ".join(map(game.tree.called, names))
    click.echo(
        f"{many(len(names), 'share')} handed out, each sealed to a mailbox: {called}; any {needed} of them are the key"
    )
    click.echo("each reads their own: nomicgit keys share --mine")
    return 0


def _mine(seat: Seat, game: Game) -> int:
    player = seat.actor(game)
    mailboxes.refuse_other(game, player)
    words = handouts.own(game, upstream_of(game), player, mailboxes.identity(game))
    click.echo(json.dumps({"share": words}) if seat.as_json else words)
    return 0


def upstream_of(game: Game) -> Upstream:
    upstream = Upstream.of(game.repository)
    if upstream is None:
        raise Refused.of(
            "this clone's branch follows no other, so nothing can be handed out or fetched",
            mend="give shares to each of them yourself: nomicgit keys share NEEDED COUNT",
        )
    return upstream


def join(seat: Seat, file: str) -> int:
    game = keyed(seat)
    return laid(seat, game, joined(_lines(read(file))))


def _lines(text: str) -> list[str]:
    """The shares in a text: one a line, or whole ones however a terminal has broken their lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    words = text.split()
    if all(len(line.split()) == WORDS for line in lines) or len(words) % WORDS:
        return lines
    return [" ".join(words[n : n + WORDS]) for n in range(0, len(words), WORDS)]
