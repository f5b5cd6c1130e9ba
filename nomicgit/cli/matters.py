"""``nomicgit propose``, ``cfj``, ``resolve``, ``dov``, ``ascend``: the life of votable matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from nomicgit.cli import completing
from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat, from_source, playing


def _worded(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a matter that brings changes."""
    for option in (
        click.option(
            "--changes",
            "file",
            metavar="FILE",
            help="A YAML list of changes, from a file (- is standard input).",
        ),
        click.option(
            "--change",
            "changes",
            multiple=True,
            metavar="YAML",
            help="One change in YAML's flow form; may be repeated.",
        ),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; may be repeated."),
        click.option(
            "--body", default="", metavar="TEXT", help="What it says: a text, @FILE, or - for standard input."
        ),
        click.option(
            "--title", metavar="TEXT", help="Its title; else the subject of the branch's first commit."
        ),
        click.option(
            "--update",
            metavar="MATTER",
            help="Bring a pending matter up to its branch; nothing else is said.",
        ),
        click.option(
            "--branch", metavar="BRANCH", help="The changes are what this branch does to rules and scenarios."
        ),
    ):
        command = option(command)
    return command


def _submitted(seat: Seat, action: str, *, branch: str | None, update: str | None, **words: Any) -> int:
    """Submit a matter, or bring one up to its branch."""
    if update is not None:
        if branch is None or any(words.values()):
            raise click.UsageError("--update takes --branch, and nothing else")
        from nomicgit.cli import branched

        return branched.update(seat, update, branch)
    given = _matter(**words)
    if branch is not None:
        from nomicgit.cli import branched

        return branched.submit(seat, action, given, branch)
    if "title" not in given:
        raise click.UsageError("a matter needs a --title, or a --branch with a commit's subject")
    return act(seat, action, given)


def _matter(
    title: str | None, body: str, tags: tuple[str, ...], changes: tuple[str, ...], file: str | None
) -> dict[str, Any]:
    given: dict[str, Any] = {"title": title} if title else {}
    if body:
        given["body"] = from_source(body)
    if tags:
        given["tags"] = list(tags)
    listed = _listed(changes, file)
    return given | ({"changes": listed} if listed else {})


def _listed(changes: tuple[str, ...], file: str | None) -> list[Any]:
    """The changes of a file, then those of the command line."""
    if not changes and file is None:
        return []
    from nomicgit.ground import files

    found: list[Any] = []
    if file is not None:
        read = files.read(from_source("-" if file == "-" else f"@{file}"), file)
        if not isinstance(read, list):
            raise click.UsageError(f"{file} must hold a list of changes")
        found += read
    for number, text in enumerate(changes, 1):
        change = files.read(from_source(text), f"--change {number}")
        if not isinstance(change, dict):
            raise click.UsageError(f"--change {number} must be a map, such as '{{repeal: Moonlight}}'")
        found.append(change)
    return found


@click.command("propose")
@_worded
@playing
def propose_command(seat: Seat, **given: Any) -> int:
    """Submit a proposal.

    \b
    Examples:
      nomicgit propose --title Moonlight --change '{add-rule: {title: Moonlight, text: The moon shines.}}'
      nomicgit propose --title "[Core] Haste" --body @haste.md --changes haste.yml
      nomicgit --dry-run propose --title Less --change '{repeal: Moonlight}'
      nomicgit propose --branch more-light
      nomicgit propose --update 12 --branch more-light
    """
    return _submitted(seat, "propose", **given)


@click.command("cfj")
@_worded
@playing
def cfj_command(seat: Seat, **given: Any) -> int:
    """Raise a Call for Judgement.

    \b
    Examples:
      nomicgit cfj --title "Whose turn?" --body "Two players disagree." --change '{uphold: it was cy}'
      nomicgit cfj --title "An illegal roll" --change '{undo: 20210607T010000Z-3f2a91c0b7de}'
    """
    return _submitted(seat, "cfj", **given)


@click.command("resolve")
@click.argument("matter", shell_complete=completing.pending)
@click.option("--outcome", type=click.Choice(["enacted", "failed"]), help="Ask for this outcome alone.")
@click.option(
    "--branch", metavar="BRANCH", help="Its branch, moved but saying the same: shown as merged where enacted."
)
@playing
def resolve_command(seat: Seat, matter: str, outcome: str | None, branch: str | None) -> int:
    """Enact a matter if it may be enacted, else fail it if it may be failed.

    \b
    Examples:
      nomicgit resolve 12
      nomicgit resolve 12 --outcome failed
      nomicgit resolve 12 --branch origin/more-light
    """
    from nomicgit.cli import branched

    return branched.resolve(seat, matter, {"matter": matter} | ({"as": outcome} if outcome else {}), branch)


@click.command("dov")
@click.option("--title", required=True, metavar="TEXT", help="Its title.")
@click.option(
    "--body", default="", metavar="TEXT", help="How you won: a text, @FILE, or - for standard input."
)
@playing
def dov_command(seat: Seat, title: str, body: str) -> int:
    """Declare that you have achieved victory.

    \b
    Examples:
      nomicgit dov --title "I have won" --body @how.md
    """
    return act(seat, "dov", {"title": title} | ({"body": from_source(body)} if body else {}))


@click.command("ascend")
@click.argument("theme", required=False)
@click.argument("more", nargs=-1, metavar="[KEY=VALUE]…")
@playing
def ascend_command(seat: Seat, theme: str | None, more: tuple[str, ...]) -> int:
    """Begin a new dynasty: its theme, and whatever else the rules let an address decide.

    \b
    Examples:
      nomicgit ascend "Among the clouds" terms='{player: Aeronaut, emperor: Wind}'
      nomicgit ascend @address.md keep='[Moonlight]'
    """
    from nomicgit.cli.given import typed

    game = seat.game()
    pairs = (theme, *more) if theme is not None and _is_pair(theme) else more
    said = {"theme": from_source(theme)} if theme is not None and not _is_pair(theme) else {}
    return act(seat, "ascend", said | typed(game, "ascend", pairs), game=game)


def _is_pair(text: str) -> bool:
    key, equals, _ = text.partition("=")
    return bool(equals) and key.replace("-", "").replace("_", "").isalnum() and " " not in key
