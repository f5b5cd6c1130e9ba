"""``nomicgit physics``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat, at_time, clean, in_folder, json_option, pass_seat


@click.command("physics")
@click.argument("number", type=int, required=False)
@click.option(
    "--by", multiple=True, metavar="NAME", help="Who does it; repeat it where several must. Else who acts."
)
@pass_seat
@in_folder
@at_time
@json_option
def physics_command(seat: Seat, number: int | None, by: tuple[str, ...]) -> int:
    """Say under which physics the game is played, or play under another NUMBER from now on.

    A physics is all that the program does with a deed: its words, what rules may declare, its bounds. What a number
    means never changes. To play under a newer one is a deed outside the law, for those who may restore the game; it is
    refused where the law has problems under it. There is no way back.

    \b
    Examples:
      nomicgit physics
      nomicgit physics 2 --by ana
    """
    from nomicgit.ground import clock
    from nomicgit.physics.numbers import KNOWN

    game = seat.game()
    if number is None:
        found = {"physics": game.settings.physics, "known": sorted(KNOWN)}
        known = ", ".join(map(str, sorted(KNOWN)))
        click.echo(
            json.dumps(found)
            if seat.as_json
            else f"physics {game.settings.physics}; this program knows {known}"
        )
        return 0
    recorded = game.under_physics(by or (seat.actor(game),), number, seat.moment(game))
    deed = recorded.outcome.deed
    if seat.as_json:
        told = {
            "physics": number,
            "by": deed.given["by"],
            "at": clock.text(deed.at),
            "commit": recorded.commit,
        }
        click.echo(json.dumps(told))
        return 0
    click.echo(f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    return 0
