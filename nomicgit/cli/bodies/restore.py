"""``nomicgit restore``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline
from nomicgit.ground import clock
from nomicgit.record.outside import entitled


def restore(seat: Seat, commit: str, by: tuple[str, ...]) -> int:
    game = seat.game()
    at = seat.moment_of_deed(game)
    who = by or (seat.actor(game),)
    made: str | None = None
    left: tuple[str, ...] = ()
    if seat.dry_run:
        outcome = entitled.restoring_would(game, who, commit, at)
    else:
        recorded = entitled.restore(game, who, commit, at)
        outcome, made, left = recorded.outcome, recorded.commit, tuple(recorded.kept_edits)
    deed = outcome.deed
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
                    "commit": made,
                    "dry_run": seat.dry_run,
                    "notes": list(outcome.notes),
                    "left_as_edited": list(left),
                }
            )
        )
        return 0
    said = click.style(f"restored to {deed.given['to'][:10]}", fg="green" if made else "yellow")
    where = f"commit {made[:10]}" if made else "dry run, nothing is recorded"
    click.echo(f"{said}  ({where}, {clock.text(deed.at)})")
    for line in (*outcome.notes, *(f"left as you had edited it: {path}" for path in left)):
        click.echo(f"  {inline(line)}")
    return 0
