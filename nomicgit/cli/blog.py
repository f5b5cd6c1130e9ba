"""``nomicgit post`` and ``nomicgit comment``."""

from __future__ import annotations

import click

from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat, from_source, playing


@click.command("post")
@click.argument("title")
@click.option(
    "--kind", metavar="KIND", help="A category that the rules have, such as story; without it, none."
)
@click.option(
    "--body", default="", metavar="TEXT", help="What it says: a text, @FILE, or - for standard input."
)
@playing
def post_command(seat: Seat, title: str, kind: str | None, body: str) -> int:
    """Make an entry in the game's blog.

    \b
    Examples:
      nomicgit post "Away until Monday"
      nomicgit post "The night in the attic" --kind story --body @night.md
    """
    given = {"kind": kind or "none", "title": title}
    return act(seat, "post", given | ({"body": from_source(body)} if body else {}))


@click.command("comment")
@click.argument("post")
@click.argument("text", nargs=-1, required=True)
@playing
def comment_command(seat: Seat, post: str, text: tuple[str, ...]) -> int:
    """Comment on a post.

    \b
    Examples:
      nomicgit comment 12 "I am not so sure."
      nomicgit comment 12 @long.md
    """
    return act(seat, "comment", {"post": post, "text": from_source(" ".join(text))})
