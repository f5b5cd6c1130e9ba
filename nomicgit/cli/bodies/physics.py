"""``nomicgit physics``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.ground import clock
from nomicgit.physics.numbers import KNOWN
from nomicgit.record.outside import entitled


def move(seat: Seat, number: int | None, by: tuple[str, ...]) -> int:
    game = seat.game()
    if number is None:
        numbers = {"physics": game.settings.physics, "known": sorted(KNOWN)}
        known = ", ".join(map(str, sorted(KNOWN)))
        click.echo(
            json.dumps(numbers)
            if seat.as_json
            else f"physics {game.settings.physics}; this program knows {known}"
        )
        return 0
    recorded = entitled.under_physics(game, by or (seat.actor(game),), number, seat.moment_of_deed(game))
    deed = recorded.outcome.deed
    if seat.as_json:
        moved = {
            "physics": number,
            "by": deed.given["by"],
            "at": clock.text(deed.at),
            "commit": recorded.commit,
        }
        click.echo(json.dumps(moved))
        return 0
    click.echo(f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    return 0
