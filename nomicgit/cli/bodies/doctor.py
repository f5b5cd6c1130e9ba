"""``nomicgit doctor``."""

from __future__ import annotations

import json
import time

import click

from nomicgit.cli.bodies import bell, place
from nomicgit.cli.bodies.barring import barriers
from nomicgit.cli.bodies.forms import bring, forms_at
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.forge import doctor, setup
from nomicgit.forge.doctor import Here, Report
from nomicgit.record.forms import Forge
from nomicgit.record.game import Game


def examine(seat: Seat, mend: bool) -> int:
    game = seat.game()
    there = bell.place_of(game)
    if mend:
        return _mend(seat, game)
    with bell.github(there.repository) as github:
        report = doctor.examine(github.settings(), _here(game, there))
    if seat.as_json:
        click.echo(json.dumps({"repository": there.repository} | report.as_json()))
    else:
        _print(there, report)
    return 1 if report.findings else 0


def _here(game: Game, there: Forge) -> Here:
    """What the repository at hand says at its head."""
    repository, tree = game.repository, game.head.tree
    owned = {path: repository.file(tree, path) for path in setup.owned()}
    return Here(
        there,
        owned,
        _left(game),
        sorted(_stale(game)),
        repository.branch,
        int(time.time()),
        game.tree.has_keys,
        barriers(game),
    )


def _left(game: Game) -> list[str]:
    """The programs that the workflows ran before."""
    there = (path for path, _ in game.repository.walk(game.head.tree, setup.PROGRAMS.rstrip("/")))
    return [path for path in there if path not in setup.program()]


def _stale(game: Game) -> dict[str, bytes]:
    """The forms that are not what the rules make, as they are to be."""
    wanted = forms_at(game, game.settings.forge)
    return {path: data for path, data in wanted.items() if game.repository.file(game.head.tree, path) != data}


def _mend(seat: Seat, game: Game) -> int:
    repository, tree = game.repository, game.head.tree
    wanted = place.files(game.settings.forge or {})
    own = setup.owned()  # all else is written once, and the owners' from then on
    stale: dict[str, bytes | None] = {
        path: data
        for path, data in wanted.items()
        if (repository.file(tree, path) != data if path in own else repository.file(tree, path) is None)
    }
    mended = stale | _stale(game) | dict.fromkeys(_left(game))
    bring(game, mended)
    if seat.as_json:
        click.echo(json.dumps({"mended": sorted(mended)}))
        return 0
    for path in sorted(mended):
        click.echo(f"{'taken out' if mended[path] is None else 'brought'}: {path}")
    click.echo("look at them and commit: git diff --cached" if mended else "all is current")
    return 0


def _print(there: Forge, report: Report) -> None:
    for problem in report.findings:
        click.echo(f"{click.style('wrong', fg='red')}: {clean(str(problem))}")
    for problem in report.unseen:
        click.echo(f"{click.style('not seen', fg='yellow')}: {clean(str(problem))}")
    for problem in report.left_open:
        click.echo(f"open: {clean(str(problem))}")
    wrong = len(report.findings)
    said = (
        f"{wrong} things are wrong"
        if wrong > 1
        else "one thing is wrong"
        if wrong
        else "nothing is found to be wrong"
    )
    click.echo(f"{there.repository}: {said}")
