"""``nomicgit me``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.git.signing import HANDS, KEY, PLAYER
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import meant
from nomicgit.physics.deeds import petitions
from nomicgit.record.game import Game
from nomicgit.sealing import ssh


def tell(seat: Seat, name: str | None, forget: bool, key: Path | None) -> int:
    if key is not None:
        ssh.needed()
    if forget and name is not None:
        raise click.UsageError("--forget says that nobody in particular plays here: leave the name out")
    game = seat.game()
    if name in HANDS and key is not None:
        return _lend_a_hand(seat, game, name, key)
    if name is not None:
        name = game.tree.spelled(name)
        _refuse_slip(game, name)
    if key is not None and name is None:
        raise click.UsageError("--key says with which key somebody signs: name them too")
    if forget or name is not None:
        if key is not None or name != game.repository.config(PLAYER):
            game.repository.set_config(KEY, None if key is None else str(key.resolve()))
        game.repository.set_config(PLAYER, name)
    else:
        name = game.repository.config(PLAYER)
    on_roster = name is not None and _on_roster(game, name)
    if seat.as_json:
        click.echo(
            json.dumps(
                {
                    "player": name and game.tree.called(name),
                    "on_roster": on_roster,
                    "key": game.repository.config(KEY),
                }
            )
        )
    elif name is None:
        click.echo("nobody in particular plays here; say who: nomicgit me NAME")
    else:
        signs = game.repository.config(KEY)
        click.echo(
            f"{game.tree.called(name)} plays here"
            + (clean(f", and signs with {signs}") if signs else "")
            + ("" if on_roster else f", who is not on the roster yet{_how_to_be(game, name)}")
        )
    return 0 if name is not None or forget else 1


def _lend_a_hand(seat: Seat, game: Game, name: str, key: Path) -> int:
    """From now on this clone signs what the keeper, the steward or the clock does, whoever plays here."""
    game.repository.set_config(HANDS[name], str(key.resolve()))
    if seat.as_json:
        click.echo(json.dumps({"signs_for": name, "key": str(key.resolve())}))
    else:
        click.echo(clean(f"what the {name} does is signed here with {key.resolve()}"))
    return 0


def _refuse_slip(game: Game, name: str) -> None:
    """Refuse a name that nobody bears, and nobody waits for, where it may be a slip of one that stands on the roster."""
    if _on_roster(game, name) or _waits(game, name) or not (near := meant.player(game.world(), name)):
        return
    new = remedy("who is new asks first:", command("nomicgit", "join", "--as", name))
    raise Refused.of(f"nobody is called {printable(name)}: {near}", mend=new)


def _on_roster(game: Game, name: str) -> bool:
    return game.repository.file(game.tree.tree, game.tree.path(f"players/{name}")) is not None


def _waits(game: Game, name: str) -> bool:
    """Whether somebody of this name has asked to join."""
    return any(each.who.casefold() == name.casefold() for each in petitions.waiting(game.world()))


def _how_to_be(game: Game, name: str) -> str:
    """How somebody comes on the roster, or that they wait for it."""
    return ", and waits for an answer" if _waits(game, name) else ": nomicgit join"
