"""``nomicgit doctor``."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from nomicgit.cli.seat import Seat, clean, in_folder, json_option, pass_seat

if TYPE_CHECKING:
    from nomicgit.forge.doctor import Here, Report
    from nomicgit.record.forms import Forge
    from nomicgit.record.game import Game


@click.command("doctor")
@click.option(
    "--mend",
    is_flag=True,
    help="Bring what is missing or not current of workflows and forms into the work tree, to be committed.",
)
@pass_seat
@in_folder
@json_option
def doctor_command(seat: Seat, mend: bool) -> int:
    """Look at the game's place on GitHub, and say what is not as the game needs it, and what to do.

    It asks with the token in GITHUB_TOKEN, which needs to read only; an owner's sees everything. Exit code 1
    where something is found.

    \b
    Examples:
      GITHUB_TOKEN=… nomicgit doctor
      nomicgit doctor --json
      nomicgit doctor --mend
    """
    from nomicgit.cli import doorbell
    from nomicgit.forge import doctor
    from nomicgit.ground.problems import Refused
    from nomicgit.record.forms import forge_of
    from nomicgit.record.tree import SETTINGS

    game = seat.game()
    place = forge_of(game.settings.forge)
    if place is None:
        raise Refused.of(
            "the game lives on no forge",
            file=SETTINGS,
            mend="let it move there: nomicgit rehouse --github OWNER/REPO",
        )
    if mend:
        return _mend(seat, game)
    with doorbell.github(place.repository) as github:
        report = doctor.examine(github.settings(), _here(game, place))
    if seat.as_json:
        click.echo(json.dumps({"repository": place.repository} | report.as_json()))
    else:
        _print(place, report)
    return 1 if report.findings else 0


def _here(game: Game, place: Forge) -> Here:
    """What the repository at hand says at its head."""
    from nomicgit.forge import setup
    from nomicgit.forge.doctor import Here

    repository, tree = game.repository, game.head.tree
    workflows = {path: repository.file(tree, path) for path in setup.workflows()}
    requirements = repository.file(tree, setup.REQUIREMENTS)
    return Here(place, workflows, sorted(_stale(game)), requirements, repository.branch, int(time.time()))


def _stale(game: Game) -> dict[str, bytes]:
    """The forms that are not what the rules make, as they are to be."""
    from nomicgit.record.tree import forms_of

    wanted = forms_of(game.law, game.settings.forge)
    return {path: data for path, data in wanted.items() if game.repository.file(game.head.tree, path) != data}


def _mend(seat: Seat, game: Game) -> int:
    from nomicgit.cli import place
    from nomicgit.cli.forms import bring
    from nomicgit.forge import setup

    repository, tree = game.repository, game.head.tree
    wanted = place.files(game.settings.forge or {})
    own = set(setup.workflows())  # all else is written once, and the owners' from then on
    stale = {
        path: data
        for path, data in wanted.items()
        if (repository.file(tree, path) != data if path in own else repository.file(tree, path) is None)
    }
    found = stale | _stale(game)
    bring(game, found)
    if seat.as_json:
        click.echo(json.dumps({"mended": sorted(found)}))
        return 0
    for path in sorted(found):
        click.echo(f"brought: {path}")
    click.echo("look at them and commit: git diff --cached" if found else "all is current")
    return 0


def _print(place: Forge, report: Report) -> None:
    for problem in report.findings:
        click.echo(f"{click.style('wrong', fg='red')}: {clean(str(problem))}")
    for problem in report.unseen:
        click.echo(f"{click.style('not seen', fg='yellow')}: {clean(str(problem))}")
    wrong = len(report.findings)
    said = (
        f"{wrong} things are wrong"
        if wrong > 1
        else "one thing is wrong"
        if wrong
        else "nothing is found to be wrong"
    )
    click.echo(f"{place.repository}: {said}")
