"""``nomicgit restore``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat, at_time, clean, in_folder, json_option, pass_seat


@click.command("restore")
@click.argument("commit")
@click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    help="Who restores it; repeat it where several must. Else who acts.",
)
@pass_seat
@in_folder
@at_time
@json_option
def restore_command(seat: Seat, commit: str, by: tuple[str, ...]) -> int:
    """Put the ruleset back to that of an earlier commit: the one deed outside the law.

    It is for those whom the game names at its founding (nomicgit new --restore NAME), should its law stand
    in its own way. The gamestate stays; the deed stands in the history like any other.

    \b
    Examples:
      nomicgit restore 1f0c3e2 --by ana
      nomicgit restore HEAD~3 --by ana --by ben
    """
    from nomicgit.ground import clock

    game = seat.game()
    at = seat.moment(game)
    recorded = game.restore(by or (seat.actor(game),), commit, at)
    deed = recorded.outcome.deed
    if seat.as_json:
        told = {
            "action": deed.action,
            "by": deed.given["by"],
            "to": deed.given["to"],
            "at": clock.text(deed.at),
        }
        click.echo(json.dumps(told | {"commit": recorded.commit, "notes": list(recorded.outcome.notes)}))
        return 0
    said = click.style(f"restored to {deed.given['to'][:10]}", fg="green")
    click.echo(f"{said}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    for line in (
        *recorded.outcome.notes,
        *(f"left as you had edited it: {path}" for path in recorded.kept_edits),
    ):
        click.echo(f"  {clean(line)}")
    return 0
