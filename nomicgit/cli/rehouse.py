"""``nomicgit rehouse``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat, at_time, clean, in_folder, json_option, pass_seat


@click.command("rehouse")
@click.option("--github", metavar="OWNER/REPO", help="Where the game lives from now on.")
@click.option("--away", is_flag=True, help="On no forge any more.")
@click.option(
    "--account",
    "accounts",
    multiple=True,
    metavar="NAME=ID",
    help="The numeric id of a player's account; may be repeated.",
)
@click.option(
    "--resolves",
    metavar="NAME",
    help="The admin in whose name the steward resolves; without it, admins say so.",
)
@click.option("--site", metavar="ADDRESS", help="Where the site stands; else where GitHub Pages puts it.")
@click.option(
    "--by", multiple=True, metavar="NAME", help="Who does it; repeat it where several must. Else who acts."
)
@pass_seat
@in_folder
@at_time
@json_option
def rehouse_command(
    seat: Seat, github: str | None, away: bool, accounts: tuple[str, ...], resolves: str | None, site: str | None, by: tuple[str, ...],
) -> int:  # fmt: skip
    """Say anew where the game lives on GitHub, and how it is played there: a deed outside the law.

    It is for those who may restore the game (nomicgit new --restore NAME). All of it is said anew; what is left
    out is gone. The forms follow in the same commit; then: nomicgit doctor --mend.

    \b
    Examples:
      nomicgit rehouse --github my-nomic/court --resolves ben --by ana
      nomicgit rehouse --github my-nomic/court --account ana=1001 --by ana --by ben
      nomicgit rehouse --away --by ana
    """
    from nomicgit.cli import place
    from nomicgit.ground import clock

    if (github is None) != away:
        raise click.UsageError("say either --github OWNER/REPO or --away")
    game = seat.game()
    players = set(game.tree.ids("players"))
    if resolves is not None and resolves not in players:
        raise click.UsageError(f"--resolves {resolves} is no player")
    told = (
        None
        if github is None
        else place.told(github, accounts=accounts, resolves=resolves, site=site, players=players)
    )
    recorded = game.rehouse(by or (seat.actor(game),), told, seat.moment(game))
    deed = recorded.outcome.deed
    if seat.as_json:
        click.echo(
            json.dumps(
                {"forge": told, "by": deed.given["by"], "at": clock.text(deed.at), "commit": recorded.commit}
            )
        )
        return 0
    click.echo(f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    if told:
        click.echo("next: nomicgit doctor --mend, commit, push; then follow SETUP.md")
    return 0
