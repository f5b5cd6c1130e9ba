"""``nomicgit verify --online``: the forge is asked again."""

from __future__ import annotations

import click

from nomicgit.cli.bodies import bell
from nomicgit.cli.terminal import clean, many, tty
from nomicgit.git import Repository
from nomicgit.record.tree import GameTree
from nomicgit.steward.asked_again import AskedAgain, compare
from nomicgit.steward.doorbell import doorbell


def ask(repository: Repository, tip: str) -> AskedAgain:
    """Ask the forge where the game lives again for the evidence of its deeds."""
    place = doorbell(GameTree(repository, repository.commit(tip).tree).settings.forge)
    with bell.github(place.repository) as forge:
        return compare(repository, tip, place, forge.whole(_progress))


def tell(asked: AskedAgain) -> None:
    """Say what is otherwise now."""
    for each in asked.otherwise:
        label = (
            click.style("not theirs", fg="red") if each.others else click.style("no longer so", fg="yellow")
        )
        click.echo(f"{label}  {clean(str(each))}")
    if asked.unread:
        numbers = ", ".join(map(str, asked.unread))
        click.echo(
            click.style("not read", fg="yellow") + f"  the forge did not give these threads: {numbers}"
        )
    click.echo(
        f"asked the forge again: {many(asked.deeds, 'deed')} of it, {len(asked.otherwise)} otherwise now"
    )


def _progress(done: int, of: int) -> None:
    if tty():
        click.echo(f"\r\033[K{done} of {of} threads" if done < of else "\r\033[K", nl=False, err=True)
