"""``nomicgit forms``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

import click

from nomicgit.cli.bodies.given import action_of
from nomicgit.cli.seat import Seat
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.forms import FOLDER, file_of, forge_of, sealed
from nomicgit.record.game import Game
from nomicgit.record.seen import attributes
from nomicgit.record.tree import SETTINGS, forms_of


def tell(seat: Seat, action: str | None, only_check: bool, write: bool, github: str | None) -> int:
    game = seat.game()
    wanted = _wanted(game, github)
    if action is not None:
        path = FOLDER + file_of(action)
        text = _form(game, action, wanted.get(path)).decode()
        click.echo(json.dumps({"path": path, "text": text}) if seat.as_json else text, nl=seat.as_json)
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
    place = {"github": github} if github else game.settings.forge
    if forge_of(place) is None:
        what = f"{github!r} is no repository" if github else "the game lives on no forge, so it has no forms"
        raise Refused.of(
            what,
            file="" if github else SETTINGS,
            mend=remedy("see them anyway:", command("nomicgit", "forms", "--github", "OWNER/REPO")),
        )
    return forms_at(game, place)


def forms_at(game: Game, place: Mapping[str, object] | None) -> dict[str, bytes]:
    """The forms of a game at a place, with those by which secrets are handed in where it keeps some."""
    there = forge_of(place)
    of_secrets = sealed.texts(there) if there is not None and game.tree.has_keys else {}
    return forms_of(game.law, place) | of_secrets


def _form(game: Game, action: str, data: bytes | None) -> bytes:
    """The form of an action. Refused where it has none."""
    declared = action_of(game, action)
    if data is None:
        why = (
            "it is private, and a form is public"
            if declared.always_private
            else "it is done where its matter stands, or its rule wants none"
        )
        raise Refused.of(
            f"{action} has no form: {why}",
            mend=remedy("see those that there are:", command("nomicgit", "forms")),
        )
    return data


def bring(game: Game, files: Mapping[str, bytes | None]) -> None:
    """Bring files into the work tree and the index, and out of them (None). Refused where one of them was edited;
    one that somebody took out of the folder comes back.
    """
    repository, tree = game.repository, game.head.tree
    with repository.locked():
        missing = [
            path for path in files if repository.root and not os.path.lexists(f"{repository.root}/{path}")
        ]
        attributes.refuse_edited(repository, [path for path in files if path not in missing], game.head.oid)
        there = repository.tree_with(tree, dict.fromkeys(missing))
        repository.bring_along(there, repository.tree_with(tree, files), files)


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
