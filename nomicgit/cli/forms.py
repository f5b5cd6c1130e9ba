"""``nomicgit forms``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from nomicgit.cli.seat import Seat, in_folder, json_option, pass_seat

if TYPE_CHECKING:
    from nomicgit.record.game import Game


@click.command("forms")
@click.argument("action", required=False)
@click.option(
    "--check", "only_check", is_flag=True, help="Say whether the forms at the head are current; else exit 1."
)
@click.option(
    "--write", is_flag=True, help="Bring those that are not current into the work tree, to be committed."
)
@click.option("--github", metavar="OWNER/REPO", help="For this place, whatever the game's settings say.")
@pass_seat
@in_folder
@json_option
def forms_command(seat: Seat, action: str | None, only_check: bool, write: bool, github: str | None) -> int:
    """Show the issue forms by which people act on GitHub: one for each action, written from the rules.

    Every deed that changes a rule writes the forms that change with it, so there is nothing to do by hand.
    With an ACTION, its form is printed.

    \b
    Examples:
      nomicgit forms
      nomicgit forms explore
      nomicgit forms --check
      nomicgit forms --github attic-nomic/attic propose
    """
    from nomicgit.record.forms import FOLDER, file_of

    game = seat.game()
    wanted = _wanted(game, github)
    if action is not None:
        click.echo(_form(game, action, wanted.get(FOLDER + file_of(action))).decode(), nl=False)
        return 0
    there = {path: game.repository.file(game.head.tree, path) for path in wanted}
    stale = sorted(path for path, data in wanted.items() if there[path] != data)
    if write:
        bring(game, {path: wanted[path] for path in stale})
    if seat.as_json:
        rows = [{"path": path, "current": path not in stale} for path in sorted(wanted)]
        click.echo(json.dumps({"forms": rows, "current": not stale}))
    else:
        _list(sorted(wanted), stale)
    return 1 if only_check and stale else 0


def _wanted(game: Game, github: str | None) -> dict[str, bytes]:
    """All forms of a game's law. Refused where it lives on no forge."""
    from nomicgit.ground.problems import Refused
    from nomicgit.record.forms import forge_of
    from nomicgit.record.tree import SETTINGS, forms_of

    told = {"github": github} if github else game.settings.forge
    if forge_of(told) is None:
        what = f"{github!r} is no repository" if github else "the game lives on no forge, so it has no forms"
        raise Refused.of(
            what, file="" if github else SETTINGS, mend="see them anyway: nomicgit forms --github OWNER/REPO"
        )
    return forms_of(game.law, told)


def _form(game: Game, action: str, data: bytes | None) -> bytes:
    """The form of an action. Refused where it has none."""
    from nomicgit.cli.given import action_of
    from nomicgit.ground.problems import Refused

    found = action_of(game, action)
    if data is None:
        why = (
            "it is private, and a form is public"
            if found.private
            else "it is done where its matter stands, or its rule wants none"
        )
        raise Refused.of(f"{action} has no form: {why}", mend="see those that there are: nomicgit forms")
    return data


def bring(game: Game, files: Mapping[str, bytes]) -> None:
    """Bring files into the work tree and the index. Refused where one of them was edited."""
    from nomicgit.ground.problems import Refused
    from nomicgit.record.game import ASIDE

    repository, tree = game.repository, game.head.tree
    with repository.locked():
        edited = repository.local_edits(files, tree)
        if edited:
            raise Refused.of("these files have local edits: " + ", ".join(edited), mend=ASIDE)
        repository.bring_along(tree, repository.tree_with(tree, files), files)


def _list(paths: list[str], stale: list[str]) -> None:
    for path in paths:
        mark = (
            click.style("not current", fg="yellow") if path in stale else click.style("current", fg="green")
        )
        click.echo(f"{mark}  {path}")
    if stale:
        click.echo(
            f"{len(stale)} of {len(paths)} are not what the rules make: nomicgit forms --write, and commit them"
        )
