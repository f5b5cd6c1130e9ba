"""``nomicgit vote``: done most often, and so in a module of its own, that nothing else is loaded with it."""

from __future__ import annotations

import click

from nomicgit.cli import completing
from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat, from_source, playing


@click.command("vote")
@click.argument("matter", shell_complete=completing.pending)
@click.argument("icon")
@click.argument("text", nargs=-1)
@playing
def vote_command(seat: Seat, matter: str, icon: str, text: tuple[str, ...]) -> int:
    """Vote on a pending matter: its number, an icon (for, against, …), and what you have to say.

    \b
    Examples:
      nomicgit vote 12 for
      nomicgit vote 12 against "It is too dear."
      nomicgit --as ben vote 12 deferential
    """
    said = from_source(" ".join(text))
    return act(seat, "vote", {"matter": matter, "icon": icon.lower()} | ({"text": said} if said else {}))
