"""``nomicgit propose --sign-only``: the text of a pull request that proves itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from nomicgit.cli.bodies.given import action_of
from nomicgit.cli.seat import Seat
from nomicgit.ground import clock, files
from nomicgit.ground.problems import Refused, printable
from nomicgit.outlook import branches
from nomicgit.record import proven
from nomicgit.steward import proposing


def show(seat: Seat, given: Mapping[str, Any], branch: str) -> int:
    """Sign a proposal as the steward will read it, and print what its pull request must say. Nothing is done."""
    game = seat.game()
    by, at, action = seat.actor(game), seat.moment(game), action_of(game, "propose")
    base, head = branches.ends(game.repository, branch, game.head.oid)
    title, body = branches.first_words(game.repository, base, head)
    title, body = given.get("title", title), given.get("body", body)
    if not title:
        raise Refused.of(f"the branch {printable(branch, 60)} gives no title", mend="say one: --title TEXT")
    written = given.get("changes", ())
    block = f"```changes\n{files.write([*written])}```\n" if written else ""
    text = "\n\n".join(part.strip("\n") for part in (body, block) if part.strip("\n"))
    words = proposing.words_in(title, text, [f"[{tag}]" for tag in given.get("tags", ())])
    changes = proposing.Branches(game.repository).changes(game.head.oid, head, words.block)
    matter = words.matter(changes, action.parameters)
    proof = proven.proof_of(game.repository, game.head, by, action.name, matter, at)
    text = "\n\n".join(part for part in (text, proposing.signed_block(proof)) if part)
    labels = [f"[{tag}]" for tag in words.tags]
    if seat.as_json:
        said = {"title": words.title, "text": text, "labels": labels, "by": by, "at": clock.text(at)}
        click.echo(json.dumps(said))
        return 0
    click.echo(f"its title must be: {words.title}", err=True)
    if labels:
        click.echo(f"it must have, when it is opened, the labels: {' '.join(labels)}", err=True)
    click.echo("its text must be:", err=True)
    click.echo(text, nl=False)
    return 0
