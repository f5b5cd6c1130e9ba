"""``nomicgit site settings``."""

from __future__ import annotations

import click

from nomicgit.cli.seat import Seat
from nomicgit.record import mkdocs_yml


def show(seat: Seat) -> int:
    click.echo(mkdocs_yml.of(seat.game().settings), nl=False)
    return 0
