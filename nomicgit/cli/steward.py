"""``nomicgit steward``: one pass between the game and the forge where it is played."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from nomicgit.cli.seat import Seat, in_folder, json_option, many, pass_seat, trying_out

if TYPE_CHECKING:
    from nomicgit.record.game import Game
    from nomicgit.steward.passing import Passed


@click.command("steward")
@click.option(
    "--know",
    "known",
    multiple=True,
    metavar="NAME=ID[:LOGIN]",
    help="Record whose account on the forge this is, by its numeric id, and do nothing else; may be repeated.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Append moved=true or moved=false to it: whether deeds were pushed. So GitHub's workflows take it.",
)
@pass_seat
@in_folder
@trying_out
@json_option
def steward_command(seat: Seat, known: tuple[str, ...], output: str | None) -> int:
    """Let deeds come of what people did on GitHub, push them, and tell what became of it.

    One pass over all that is new; run it as often as you like. The token stands in GITHUB_TOKEN. The clone needs the
    whole history; nothing is written into it, and nothing in it is read but what is pushed.

    \b
    Examples:
      GITHUB_TOKEN=… nomicgit steward
      GITHUB_TOKEN=… nomicgit steward --dry-run --json
      nomicgit steward --know ana=1001 --know ben=1002:Ben-B
    """
    game = seat.game()
    if known:
        return _know(seat, game, known)
    from nomicgit.cli import doorbell as bell
    from nomicgit.steward.passing import Steward
    from nomicgit.steward.settings import doorbell

    name = doorbell(game.settings.forge).repository
    with bell.github(name) as forge:
        steward = Steward(
            game.repository, bell.address(name), forge, lambda: int(time.time()), bell.token(), seat.dry_run
        )
        passed = steward.run()
    if output is not None:
        with open(output, "a", encoding="utf-8") as file:
            file.write(f"moved={'true' if passed.deeds and not seat.dry_run else 'false'}\n")
    return _said(seat, passed)


def _said(seat: Seat, passed: Passed) -> int:
    """What a pass did, in a log that obeys no command in it. 1 where something was in the way."""
    from nomicgit.ground.escaping import logged

    if seat.as_json:
        click.echo(json.dumps(passed.as_json(), ensure_ascii=True))
        return 1 if passed.problems else 0
    for deed in passed.deeds:
        what = deed.event or f"resolve post {deed.resolve}"
        click.echo(logged(f"{what}: {deed.by} {deed.action}, commit {deed.deed[:10]}"))
    for told in passed.told:
        click.echo(logged(f"{told.event or ''}: told: {told.text}"))
    for problem in passed.problems:
        click.echo(logged(f"in the way: {problem}"), err=True)
    news = "nothing new" if passed.nothing_new else "read what is new"
    if passed.busy:
        news = "another steward is at work"
    if passed.stopped:
        news = "the game was changed by what is no deed, so nothing is decided"
    click.echo(
        f"{news}; {many(len(passed.deeds), 'deed')}, {many(passed.written, 'writing')}"
        + (", dry run" if seat.dry_run else "")
    )
    return 1 if passed.problems else 0


def _know(seat: Seat, game: Game, known: tuple[str, ...]) -> int:
    """Record accounts, a deed each; they reach the forge with the next push."""
    from nomicgit.cli.seat import spelled
    from nomicgit.ground.problems import Refused
    from nomicgit.law.outside import Outside
    from nomicgit.physics.deed import Deed
    from nomicgit.physics.origin import Account, Origin
    from nomicgit.record.game import new_id
    from nomicgit.steward.settings import FORGE

    for told in known:
        name, _, rest = told.partition("=")
        number, _, login = rest.partition(":")
        if not number.isascii() or not number.isdigit() or int(number) < 1:
            raise click.UsageError(f"{told!r} is no NAME=ID[:LOGIN]; the id is a number")
        player = spelled(game, name)
        if game.tree.entity(f"players/{player}") is None:
            raise Refused.of(f"there is no player {player}", mend="see: nomicgit status")
        at = seat.moment(game)
        deed = Deed(
            new_id(at),
            player,
            Outside.ACCOUNT,
            {},
            at,
            origin=Origin(account=Account(FORGE, int(number), login)),
        )
        if not seat.dry_run:
            game.act(deed)
        click.echo(
            f"{player}'s account on the forge is number {int(number)}"
            + (" (dry run)" if seat.dry_run else "")
        )
    return 0
