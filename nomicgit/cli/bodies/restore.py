"""``nomicgit restore``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline
from nomicgit.ground import clock
from nomicgit.record import entitled


def restore(seat: Seat, commit: str, by: tuple[str, ...]) -> int:
    game = seat.game()
    at = seat.moment_of_deed(game)
    recorded = entitled.restore(game, by or (seat.actor(game),), commit, at)
    deed = recorded.outcome.deed
    if seat.as_json:
        plain = {
            "action": deed.action,
            "by": deed.given["by"],
            "to": deed.given["to"],
            "at": clock.text(deed.at),
        }
        click.echo(
            json.dumps(
                plain
                | {
                    "commit": recorded.commit,
                    "notes": list(recorded.outcome.notes),
                    "left_as_edited": list(recorded.kept_edits),
                }
            )
        )
        return 0
    said = click.style(f"restored to {deed.given['to'][:10]}", fg="green")
    click.echo(f"{said}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    for line in (
        *recorded.outcome.notes,
        *(f"left as you had edited it: {path}" for path in recorded.kept_edits),
    ):
        click.echo(f"  {inline(line)}")
    return 0
