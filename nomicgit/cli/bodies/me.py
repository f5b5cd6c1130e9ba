"""``nomicgit me``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import PLAYER, Seat


def tell(seat: Seat, name: str | None, forget: bool) -> int:
    game = seat.game()
    if name is not None:
        name = game.tree.spelled(name)
    if forget or name is not None:
        game.repository.set_config(PLAYER, name)
    else:
        name = game.repository.config(PLAYER)
    on_roster = (
        name is not None
        and game.repository.file(game.tree.tree, game.tree.path(f"players/{name}")) is not None
    )
    if seat.as_json:
        click.echo(json.dumps({"player": name and game.tree.called(name), "on_roster": on_roster}))
    elif name is None:
        click.echo("nobody in particular plays here; say who: nomicgit me NAME")
    else:
        click.echo(
            f"{game.tree.called(name)} plays here"
            + ("" if on_roster else ", who is not on the roster yet: nomicgit join")
        )
    return 0 if name is not None or forget else 1
