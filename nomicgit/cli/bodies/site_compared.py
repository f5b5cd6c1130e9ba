"""``nomicgit site compare``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.bodies import bell
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many
from nomicgit.ground.problems import Problem
from nomicgit.record.game import Game
from nomicgit.site.compared import compare


def show(seat: Seat, address: str, whole: bool) -> int:
    game = seat.game()
    where = f"{address.rstrip('/')}/" if address else bell.place_of(game).site
    with game.repository:
        compared = compare(game, where, whole=whole)
    if seat.as_json:
        click.echo(json.dumps({"site": where} | compared.as_json()))
    else:
        if compared.problem is not None:
            click.echo(f"{click.style('wrong', fg='red')}: {clean(str(compared.problem))}")
        same = f"{many(compared.same, 'file')} of {where} are what this clone makes of {compared.commit[:10]}, as of {compared.at}"
        click.echo(clean(same))
    return 0 if compared.problem is None else 1


def lie(game: Game, address: str) -> Problem | None:
    """What is wrong with the site at an address. Refused where it cannot be asked, or not be built here."""
    return compare(game, address).problem
