"""``nomicgit restorers``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.ground import clock
from nomicgit.record.outside import entitled, restoring


def restorers(seat: Seat, names: tuple[str, ...], of: int, *, nobody: bool, by: tuple[str, ...]) -> int:
    game = seat.game()
    if names and nobody:
        raise click.UsageError("name those who may restore the game, or say --nobody: one of them")
    if not names and not nobody:
        some, many = restoring.named(game.settings.restore)
        called = [game.tree.called(each) for each in some]
        together = f", {many} of them together" if many > 1 else ""
        listed = {"restore": {"by": some, "of": many} if some else None}
        said = clean(f"{', '.join(called) or 'nobody'} may restore the game{together}")
        click.echo(json.dumps(listed) if seat.as_json else said)
        return 0
    who = by or (seat.actor(game),)
    recorded = entitled.restored_by(game, who, names, of, seat.moment_of_deed(game), sure=seat.sure)
    deed = recorded.outcome.deed
    if seat.as_json:
        click.echo(json.dumps({**deed.given, "at": clock.text(deed.at), "commit": recorded.commit}))
        return 0
    click.echo(f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})")
    return 0
