"""``nomicgit keys share`` and ``join``: a key in several hands. What they need is seldom needed, and slow to load."""

from __future__ import annotations

import json

import click

from nomicgit.cli.bodies.keys import ask, at_hand, fits, keyed, laid, read
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import many
from nomicgit.ground.problems import Refused
from nomicgit.record.secret.keyring import LAY_DOWN
from nomicgit.sealing.shares import joined, shares

WORDS = 59  # of a share


def share(seat: Seat, needed: int, count: int, sure: bool) -> int:
    game = keyed(seat)
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
