"""``nomicgit rehouse``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from nomicgit.cli.bodies import place
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.state.store import Store
from nomicgit.record import entitled, whose
from nomicgit.record.game import Game

GONE = {"by": "who resolves", "site": "where the site stands", "comments": "which comments count"}


def rehouse(
    seat: Seat, github: str | None, away: bool, accounts: tuple[str, ...], resolves: str | None, no_resolves: bool,
    forget: tuple[str, ...], site: str | None, no_site: bool, by: tuple[str, ...],
) -> int:  # fmt: skip
    if (github is None) != away:
        raise click.UsageError("say either --github OWNER/REPO or --away")
    for said, no, option in ((resolves, no_resolves, "resolves"), (site, no_site, "site")):
        if said is not None and no:
            raise click.UsageError(f"say either --{option} or --no-{option}")
    game = seat.game()
    players = {game.tree.called(name) for name in game.tree.ids("players")} | {*game.tree.ids("players")}
    for name in (*(each.partition("=")[0] for each in accounts if "=" in each), resolves):
        if name is not None and name not in players:
            raise Refused.of(
                f"{printable(name, 60)} is no player",
                mend=remedy("see:", command("nomicgit", "state", "players")),
            )
    before = game.settings.forge or {}
    forge = None
    if github is not None:
        _refuse_known(game, accounts)
        kept = _kept(before, forget, resolver=not no_resolves, site=not no_site)
        forge = place.told(
            github, accounts=accounts, resolves=resolves, site=site, players=players, kept=kept
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
    for line in _gone(before, forge or {}):
        click.echo(clean(line))
    if not forge:
        click.echo(
            "what README.md, mkdocs.yml and SETUP.md say of GitHub, and all of .github, is yours to take out"
        )
    else:
        click.echo("next: nomicgit doctor --mend, commit, nomicgit sync; then follow SETUP.md")
    return 0


def _kept(
    before: Mapping[str, Any], forget: tuple[str, ...], *, resolver: bool, site: bool
) -> dict[str, Any]:
    """What stays of how the game lived, where nothing else is said of it. Refused where somebody's account is not there."""
    accounts = whose.told_in(before)
    for name in forget:
        if name not in accounts:
            raise Refused.of(
                f"the settings tell no account of {printable(name, 60)}",
                mend=remedy("see:", command("nomicgit", "steward", "--accounts")),
            )
    goes = {"players"} | (set() if site else {"site"}) | (set() if resolver else {"by", "resolve"})
    left = {name: number for name, number in accounts.items() if name not in forget}
    return {key: value for key, value in before.items() if key not in goes} | (
        {"players": left} if left else {}
    )


def _refuse_known(game: Game, accounts: tuple[str, ...]) -> None:
    """Refuse an account of whose another is known by a deed: the settings would tell it in vain."""
    known = {each.player for each in whose.everybody(Store(game.tree), game.settings.forge) if each.by_deed}
    for name, _, number in (each.partition("=") for each in accounts):
        if game.tree.called(game.tree.spelled(name)) in known:
            raise Refused.of(
                f"{printable(name, 60)}'s account is known by a deed, which goes before the settings",
                mend=remedy(
                    "say another by a deed:",
                    command(
                        "nomicgit", "steward", "--know", f"{printable(name, 60)}={printable(number, 20)}"
                    ),
                ),
            )


def _gone(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What the settings do not tell any more."""
    accounts, left = whose.told_in(before), whose.told_in(after)
    yield from (f"gone: {name}'s account, {number}" for name, number in accounts.items() if name not in left)
    for key, what in GONE.items():
        if key in before and key not in after:
            yield f"gone: {what}, {printable(str(before[key]), 100)}"
