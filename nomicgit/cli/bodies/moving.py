"""``nomicgit keys move`` and ``nomicgit keys open``: one term after another."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from nomicgit.cli.bodies import sharing
from nomicgit.cli.bodies.keys import looked
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import many
from nomicgit.clones.secret import inbox
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import turning
from nomicgit.record.secret.keyring import key_path


def move(seat: Seat, keeper: str | None, steward: bool, lost: bool, by: Sequence[str]) -> int:
    game = _keyed(seat)
    if keeper is not None and steward:
        raise click.UsageError("--keeper and --steward: one of them keeps the secrets")
    if by and not lost:
        raise click.UsageError("--by is for a key that is lost: --lost")
    who = game.terms[-1].keeper if keeper is None and not steward else keeper and game.tree.spelled(keeper)
    if who is not None and game.tree.entity(f"players/{who}") is None:
        raise Refused.of(f"{who} is no player of this game")
    at = seat.moment_of_deed(game)
    upstream = Upstream.of(game.repository)
    if upstream is not None and (lying := inbox.untaken(upstream)) and not lost:
        raise Refused.of(
            f"{many(lying, 'order')} under the present key: nobody could open what lies there any more",
            mend=remedy("take them first:", command("nomicgit", "keep")),
        )
    looked(game)
    if lost:
        _refuse_loss(seat, game)
        names = by or (seat.actor(game),)
        recorded = turning.begin_without(game, names, who, at)
    else:
        recorded = turning.begin_term(game, who, at)
    shares, file = sharing.outdated(seat.game(), at), str(key_path(game.repository))
    term = len(game.terms) if game.head.oid == recorded.commit else None
    _say(seat, recorded, term=term, file=file, shares=shares._asdict())
    if not seat.as_json:
        click.echo(f"the new key lies in {file}; keep it elsewhere too: nomicgit keys show --secret --yes")
        for line in shares.lines():
            click.echo(line)
        if who != seat.named(game) and who is not None:
            before = (
                ", and can read all that was sealed in this game before, what is never opened too"
                if not lost
                else ""
            )
            click.echo(
                f"hand it to {game.tree.called(who)}, who keeps it from now on{before}; then: nomicgit keys forget --yes"
            )
    return 0


def _refuse_loss(seat: Seat, game: Game) -> None:
    """Begin without secrets only where the key is not at hand, and somebody means it."""
    keeping = game.keeping()
    if keeping is not None and keeping.sealer is not None:
        raise Refused.of(
            "the key is in this clone, and nothing is lost",
            mend=remedy("without --lost all secrets go on:", command("nomicgit", "keys", "move")),
        )
    if seat.sure:
        return
    what = "all that is secret in this game is gone with that, for good"
    if seat.as_json or not sys.stdin.isatty():
        raise Refused.of(what, mend="if that is meant, say so: --yes")
    click.confirm(f"{what[0].upper()}{what[1:]}. Begin without it?", abort=True, err=True)


def publish(seat: Seat, number: int) -> int:
    game = _keyed(seat)
    looked(game)
    _say(seat, turning.open_term(game, number, seat.moment_of_deed(game)), term=number)
    return 0


def _keyed(seat: Seat) -> Game:
    game = seat.game()
    if not game.terms:
        raise Refused.of("this game has no keys, and keeps no secrets")
    return game


def _say(seat: Seat, recorded: Recorded, term: int | None, **more: object) -> None:
    outcome = recorded.outcome
    if seat.as_json:
        click.echo(
            json.dumps(
                {
                    "commit": recorded.commit,
                    "term": term,
                    "notes": list(outcome.notes),
                    "at": clock.text(outcome.deed.at),
                    **more,
                }
            )
        )
        return
    click.echo(f"{outcome.notes[0]}  (commit {recorded.commit[:10]}, {clock.text(outcome.deed.at)})")
