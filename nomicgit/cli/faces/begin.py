"""Faces of the commands under "Begin": a game, who plays at this clone, completion."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgit.cli.face import command, in_folder, json_option, offering, trying_out


@command("new", body="new.found")
@click.argument("path", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--edition",
    required=True,
    metavar="NAME|FOLDER",
    shell_complete=offering("editions"),
    help="The ruleset to begin with; see: nomicgit editions.",
)
@click.option("--name", default="", metavar="TEXT", help="What the game is called; else as its folder.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME",
    help="A founding player, in order of joining; repeat it.",
)
@click.option(
    "--idle",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("founders"),
    help="A founding player who is idle; may be repeated.",
)
@click.option(
    "--emperor",
    metavar="NAME",
    shell_complete=offering("founders"),
    help="Who heads the first dynasty; without it, a metadynasty.",
)
@click.option(
    "--admin",
    "admins",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("founders"),
    help="A founding player who is an admin; may be repeated.",
)
@click.option(
    "--practice", is_flag=True, help="A practice game: its deeds take the times that they are told (--at)."
)
@click.option(
    "--start", metavar="TIME", help="When a practice game begins, such as 2021-06-07T00:00:00Z; else now."
)
@click.option(
    "--restore",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("founders"),
    help="Who may put the ruleset back to an earlier one, should the law stand in its own way; may be repeated. Else a terminal asks.",
)
@click.option(
    "--restore-of",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="How many of them must do it together.",
)
@click.option(
    "--github",
    metavar="OWNER/REPO",
    help="Where the game will live on GitHub: forms, workflows and SETUP.md are written.",
)
@click.option(
    "--account",
    "accounts",
    multiple=True,
    metavar="NAME=ID",
    help="The numeric id of a founding player's account on GitHub; may be repeated.",
)
@click.option(
    "--resolves",
    metavar="NAME",
    shell_complete=offering("founders"),
    help="The admin in whose name the steward resolves what may be resolved; without it, admins say so.",
)
@click.option(
    "--keys/--no-keys",
    default=None,
    help="Whether the game has a key of its own, under which it keeps secrets; else as its rules need one.",
)
@click.option(
    "--keeper",
    metavar="NAME",
    shell_complete=offering("founders"),
    help="The founding player who keeps the key, and can read all secrets; else the emperor, or the first admin.",
)
@click.option(
    "--orders",
    metavar="'every SPAN'",
    help="When the keeper's rounds take orders, so that more come together, such as 'every 6h'; else each round does.",
)
@trying_out
@json_option
def new_command() -> None:
    """Found a game: its folder, its repository, its rules and players, in one commit.

    A game whose rules need secrets gets a key of its own, which lies in this clone's .git/nomicgit/key and nowhere else:
    whoever keeps it can read all secrets, and without it nobody can. So keep it elsewhere too (nomicgit keys show --secret --yes).

    \b
    Examples:
      nomicgit new attic --edition NAME --name "The Attic" --player ana --player ben --emperor ana --admin ben
      nomicgit new attic --edition NAME --player ana --admin ana --dry-run
      nomicgit new drill --edition NAME --player ana --admin ana --practice --start 2021-06-07T00:00:00Z
      nomicgit new hall --edition NAME --player ana --player ben --admin ben --restore ana --restore ben --restore-of 2
      nomicgit new night --edition NAME --player ana --player ben --admin ben --keeper ben
      nomicgit new court --edition NAME --player ana --admin ana --github my-nomic/court --account ana=1001 --resolves ana
    """


@command("editions", body="editions.tell")
@json_option
def editions_command() -> None:
    """List the rulesets that a game can begin with.

    \b
    Examples:
      nomicgit editions
      nomicgit editions --json
    """


@command("me", body="me.tell")
@click.argument("name", required=False, shell_complete=offering("players"))
@click.option("--forget", is_flag=True, help="Nobody in particular plays at this clone any more.")
@click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The SSH key, or the public half of one that an agent holds, with which this clone signs their deeds.",
)
@in_folder
@json_option
def me_command() -> None:
    """Say who plays at this clone, once for all; without a name, tell it.

    It is kept in the clone's own Git configuration, and goes nowhere else.

    \b
    Examples:
      nomicgit me cy
      nomicgit me
      nomicgit me --forget
    """


@command("completion", body="completion.script")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command() -> None:
    """Print a script that completes commands and options in a shell.

    \b
    Examples:
      eval "$(nomicgit completion bash)"       in ~/.bashrc
      eval "$(nomicgit completion zsh)"        in ~/.zshrc
      nomicgit completion fish > ~/.config/fish/completions/nomicgit.fish
    """
