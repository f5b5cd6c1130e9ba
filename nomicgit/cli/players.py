"""``nomicgit join``, ``idle``, ``unidle``: coming and going."""

from __future__ import annotations

import click

from nomicgit.cli import completing
from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat, playing


@click.command("join")
@playing
def join_command(seat: Seat) -> int:
    """Join the game.

    \b
    Examples:
      nomicgit --as fay join
      nomicgit me fay && nomicgit join
    """
    return act(seat, "join", {})


def _given(seat: Seat, player: str | None, reason: str | None) -> dict[str, str]:
    given = {"player": player or seat.actor(seat.game())}
    return given | ({"reason": reason} if reason else {})


@click.command("idle")
@click.argument("player", required=False, shell_complete=completing.players)
@click.option("--reason", metavar="REASON", help="On which grounds, such as asked or inactive.")
@playing
def idle_command(seat: Seat, player: str | None, reason: str | None) -> int:
    """Make somebody idle; yourself, where nobody is named.

    \b
    Examples:
      nomicgit idle
      nomicgit --as ben idle cy --reason asked
    """
    return act(seat, "idle", _given(seat, player, reason))


@click.command("unidle")
@click.argument("player", required=False, shell_complete=completing.players)
@click.option("--reason", metavar="REASON", help="On which grounds, such as asked.")
@playing
def unidle_command(seat: Seat, player: str | None, reason: str | None) -> int:
    """Make somebody active again; yourself, where nobody is named.

    \b
    Examples:
      nomicgit unidle
      nomicgit --as ben unidle cy
    """
    return act(seat, "unidle", _given(seat, player, reason))
