"""``nomicgit site``: the pages of a game, for any generator of sites."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nomicgit.cli.seat import Seat, at_time, in_folder, json_option, many, pass_seat


@click.group("site")
def site_command() -> None:
    """The game's pages, feeds and data, written out.

    \b
    Examples:
      nomicgit site export pages
      nomicgit -C attic site export pages --url https://attic.example/
    """


@site_command.command("export")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--url", default="", metavar="URL", help="The address of the site to come, for its feeds.")
@pass_seat
@in_folder
@at_time
@json_option
def export_command(seat: Seat, folder: Path, url: str) -> int:
    """Write every page as Markdown under FOLDER, with the style sheet, the script, feeds and data.

    \b
    Examples:
      nomicgit site export pages
      nomicgit site export pages --url https://attic.example/ --json
    """
    from nomicgit.site.export import export

    game = seat.game()
    with game.repository:
        written = export(game, folder, seat.moment(game), f"{url.rstrip('/')}/" if url else "")
    if seat.as_json:
        click.echo(json.dumps({"folder": str(folder), "files": written}))
        return 0
    click.echo(f"{many(written, 'file')} in {folder}")
    return 0
