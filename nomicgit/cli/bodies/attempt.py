"""``nomicgit try``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.bodies.check import enactment
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import TRYING, inline, waited
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import meant
from nomicgit.outlook.beforehand import attempt
from nomicgit.physics.state import reading

SAID = {
    "whole": ("green", "enacted now, it would do all of this"),
    "part": ("yellow", "enacted now, it would do a part of what it says"),
    "nothing": ("red", "enacted now, it would make none of its changes"),
    "sealed": ("yellow", "what all of it would do hangs on what is secret"),
    "undone": ("red", "it would not be enacted"),
    "untried": ("red", "its changes cannot be tried"),
}


def tell(seat: Seat, matter: str) -> int:
    game = seat.game_to_look_at()
    at = seat.moment(game)
    world = game.looked_at(at)
    ref = f"posts/{meant.numbered(world, matter)}"
    if reading.get(world, ref, "status") != "pending":
        raise Refused.of(
            f"post {matter} is not pending",
            mend=remedy("see what is:", command("nomicgit", "posts", "--pending")),
        )
    if not (reading.get(world, ref, "changes") or reading.get(world, ref, "votable")):
        raise Refused.of(
            f"post {matter} brings no changes, and nobody votes on it",
            mend=remedy("see what it says:", command("nomicgit", "posts", matter)),
        )
    with waited(TRYING):
        tried = attempt(game, ref, at, seat.named(game))
    code = 0 if tried.verdict == "whole" and not tried.fates["untried"] else 1
    if seat.as_json:
        click.echo(json.dumps(tried.as_json()))
        return code
    click.echo(click.style(f"{tried.number}  {inline(tried.title)}", bold=True))
    for line in enactment(tried.rules, tried.enactment):
        click.echo(inline(line))
    for name in tried.brings:
        click.echo(inline(f"brings the scenario {name}"))
    for line in tried.warnings():
        click.echo(click.style(inline(line), fg="yellow"))
    colour, said = SAID[tried.verdict]
    if tried.verdict in ("whole", "part") and any(each["level"] == "error" for each in tried.fates["checks"]):
        colour, said = "yellow", f"{said}, but not all of it works: see the errors"
    if tried.fates["untried"]:
        colour, said = "yellow", f"it takes too long to be tried whole; as far as it was, {said}"
    click.echo(click.style(said, fg=colour))
    return code
