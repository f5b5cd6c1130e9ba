"""``nomicgit act``, and the short forms ``roll``, ``set`` and ``undo``."""

from __future__ import annotations

import click

from nomicgit.cli import completing
from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat, from_source, playing


@click.command("act")
@click.argument("name", shell_complete=completing.actions)
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]…")
@playing
def act_command(seat: Seat, name: str, given: tuple[str, ...]) -> int:
    """Do an action that the rules declare, with its parameters.

    Texts stand as they are; everything else is read as YAML's flow form; KEY=@FILE reads a file. What there
    is to do, and what it takes, is told by `nomicgit actions`.

    \b
    Examples:
      nomicgit act explore room=C3 name=Hall 'features=[glyph, x]'
      nomicgit act ascend theme="Among the clouds" 'terms={player: Aeronaut}'
      nomicgit act cfj title="Whose turn?" body=@turn.md
    """
    from nomicgit.cli.given import typed

    game = seat.game()
    return act(seat, name, typed(game, name, given), game=game)


@click.command("roll")
@click.argument("dice")
@playing
def roll_command(seat: Seat, dice: str) -> int:
    """Roll dice in the open: DICE6, 2DICE6, or what else the rules know.

    \b
    Examples:
      nomicgit roll 2DICE6
      nomicgit roll '{ana, ben, cy}'
    """
    return act(seat, "roll", {"dice": dice})


@click.command("set")
@click.argument("path")
@click.argument("value")
@playing
def set_command(seat: Seat, path: str, value: str) -> int:
    """Set a variable that the rules give into people's hands; the value is read as YAML.

    \b
    Examples:
      nomicgit set players.cy.hats 3
      nomicgit set game.weather "light rain"
    """
    from nomicgit.law import entered

    return act(seat, "set", {"path": path, "value": entered.value(None, "value", from_source(value))})


@click.command("undo")
@click.argument("deed")
@playing
def undo_command(seat: Seat, deed: str) -> int:
    """Take back an alteration that broke the rules; `nomicgit log` tells the ids of deeds.

    \b
    Examples:
      nomicgit undo 20210607T010000Z-3f2a91c0b7de
    """
    return act(seat, "undo", {"deed": deed})
