"""Faces of the commands under "In secret": what a game with keys is played by."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgit.cli.face import acting_as, at_time, command, in_folder, json_option, offering, playing


@command("order", body="orders.order")
@click.argument("action", required=False, shell_complete=offering("actions"))
@click.argument("given", nargs=-1, metavar="[PARAMETER=VALUE]...")
@click.option(
    "--push", is_flag=True, help="Hand it in: lay it on a branch orders/… where this clone pushes to."
)
@click.option(
    "--blank",
    is_flag=True,
    help="Seal an order that asks for nothing: others cannot tell it from one that does.",
)
@in_folder
@acting_as
@at_time
@json_option
def order_command() -> None:
    """Seal an action for whoever keeps the game's key: nobody else can read what it is, nor whether it succeeded.

    Private actions are done so, and whatever needs the key: dice, and what hangs on a secret. What comes of it, your letter
    tells: `nomicgit letters`. Without --push the sealed order is printed, to be handed in in another way.

    \b
    Examples:
      nomicgit order note street='{action: move, location: H7}' --push
      nomicgit order tell to=dee text='Meet me at the well.' --push
      nomicgit order --blank --push
    """


@command("letters", body="orders.letters")
@click.option(
    "--register",
    is_flag=True,
    help="Make a mailbox in this clone, and say in the game that letters go there.",
)
@click.option(
    "--all", "whole", is_flag=True, help="All of it; else what is new since it was last shown here."
)
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A letter that came in another way.",
)
@playing
def letters_command() -> None:
    """Show what you have been told in private, what you may see of the secrets now, and what became of your orders.

    \b
    Examples:
      nomicgit letters --register
      nomicgit letters
      nomicgit letters --all --json
    """


@command("keep", body="orders.keep")
@click.option(
    "--order", "orders", multiple=True, type=click.File("r"), metavar="FILE",
    help="Take an order that came in another way (- is standard input); may be repeated.",
)  # fmt: skip
@in_folder
@at_time
@json_option
def keep_command() -> None:
    """Make the keeper's round: fetch, let the clock run, take the orders that lie there, push, write letters.

    The key must be in this clone (`nomicgit keys`). Run it by a timer, or by hand when you like; play goes on without, but for
    what needs the key.

    \b
    Examples:
      nomicgit keep
      nomicgit keep --order order.txt
    """
