"""``nomicgit rehouse``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.bodies import place
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.record import entitled


def rehouse(
    seat: Seat, github: str | None, away: bool, accounts: tuple[str, ...], resolves: str | None, site: str | None, by: tuple[str, ...],
) -> int:  # fmt: skip
    if (github is None) != away:
        raise click.UsageError("say either --github OWNER/REPO or --away")
    game = seat.game()
    players = set(game.tree.ids("players"))
    for name in (*(each.partition("=")[0] for each in accounts if "=" in each), resolves):
        if name is not None and name not in players:
            raise Refused.of(f"{printable(name, 60)} is no player", mend="see: nomicgit state players")
    forge = (
        None
        if github is None
        else place.told(github, accounts=accounts, resolves=resolves, site=site, players=players)
    )
    recorded = entitled.rehouse(game, by or (seat.actor(game),), forge, seat.moment_of_deed(game))
    deed = recorded.outcome.deed
    if seat.as_json:
        click.echo(
            json.dumps(
                {"forge": forge, "by": deed.given["by"], "at": clock.text(deed.at), "commit": recorded.commit}
            )
        )
        return 0
    click.echo(f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    if forge:
        click.echo("next: nomicgit doctor --mend, commit, push; then follow SETUP.md")
    return 0
