"""``nomicgit log``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.ground import clock
from nomicgit.record import journal
from nomicgit.record.game import Game


def tell(seat: Seat, limit: int, by: str | None, action: str | None) -> int:
    game = seat.game()
    who = None if by is None else game.tree.called(game.tree.spelled(by))
    deeds = (
        row for row in _rows(game)
        if who in (None, row["by"]) and action in (None, row["action"])
    )  # fmt: skip
    rows = list(islice(deeds, limit or None))
    if seat.as_json:
        click.echo(json.dumps(rows))
        return 0
    if not rows:
        asked = [f"{how} {clean(name)}" for how, name in (("by", by), ("of the action", action)) if name]
        click.echo(f"no deed is {' and '.join(asked)}")
    for row in rows:
        click.echo(f"{click.style(str(row['at']), fg='cyan')}  {clean(str(row['subject']))}")
        for line in row["notes"]:
            click.echo(f"    {clean(str(line))}")
        click.echo(click.style(f"    {row['id']}  commit {str(row['commit'])[:10]}", dim=True))
    return 0


def _rows(game: Game) -> Iterator[dict[str, Any]]:
    """The deeds of a game, newest first."""
    called = cache(game.tree.called)
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        deed = entry.deed
        yield {
            "id": deed.id, "at": clock.text(deed.at), "by": deed.actor and called(deed.actor), "action": deed.action,
            "with": dict(deed.given),
            "subject": commit.message.partition("\n")[0], "notes": journal.notes_of(commit.message),
            "dice": entry.dice, "commit": commit.oid,
        }  # fmt: skip
