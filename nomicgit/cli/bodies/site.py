"""``nomicgit site``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import many
from nomicgit.site.export import export


def write(seat: Seat, folder: Path, url: str) -> int:
    game = seat.game_to_look_at(law=False)
    with game.repository:
        written = export(game, folder, seat.moment(game), f"{url.rstrip('/')}/" if url else "")
    if seat.as_json:
        click.echo(json.dumps({"folder": str(folder), "files": written}))
        return 0
    click.echo(f"{many(written, 'file')} in {folder}")
    return 0
