"""Faces of the commands under "Write": rules and scenarios, begun, checked and played through."""

from __future__ import annotations

import click

from nomicgit.cli.face import File, acting_as, at_time, command, in_folder, json_option, offering


@command("new-rule", body="drafting.begin")
@click.argument("title")
@click.option(
    "--section",
    default="dynastic",
    show_default=True,
    metavar="SECTION",
    shell_complete=offering("sections"),
    help="Where in the ruleset it goes.",
)
@in_folder
@json_option
def new_rule_command() -> None:
    """Write the beginning of a rule and of a scenario that shows it, on the branch at hand.

    Both are sound as they are: an action, a variable, a sentence for people, and the function that carries it out.
    On the game's own branch nothing is written: there only deeds change the rules. Nothing is recorded.

    \b
    Examples:
      git switch --create market && nomicgit new-rule "The Market"
      nomicgit new-rule "A Quiet Hour" --section core
    """


@command("check", body="check.find")
@click.argument(
    "revision", required=False, metavar="[BRANCH|A..B|REVISION]", shell_complete=offering("branches")
)
@click.option(
    "--edition",
    "edition",
    metavar="NAME|FOLDER",
    shell_complete=offering("editions"),
    help="Check an edition, or a folder of sections, instead of a game.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag of the proposal; may be repeated.")
@in_folder
@acting_as
@at_time
@json_option
def check_command() -> None:
    """Find everything that is wrong with a game, or with a branch that is to be proposed.

    Without a name it is the game, or the proposal's branch on which you stand. Of a game: rules, their declarations and
    mechanics, names, gamestate, posts. Of a branch, or a range: whether it can become changes, and what their enactment would
    do now. Every action is tried, of a branch those of its new rules. Each problem is told with file, line and what to
    write. Exit code 1 where there is an error.

    \b
    Examples:
      nomicgit check
      nomicgit check more-light
      nomicgit check --json main..more-light
      nomicgit check v1.0
      nomicgit check --edition ./my-edition
    """


@command("rehearse", body="rehearse.play")
@click.argument("files", nargs=-1, required=True, type=File())
@click.option(
    "--edition",
    metavar="NAME|FOLDER",
    shell_complete=offering("editions"),
    help="Play all of them on this edition, whatever they name.",
)
@in_folder
@json_option
def rehearse_command() -> None:
    """Play scenarios in scratch games and say which come out as they must.

    A scenario that names no edition is played on the rules of the game at hand.

    \b
    Examples:
      nomicgit rehearse game/scenarios/*.yml
      nomicgit rehearse --edition ./my-edition tests/*.yml
      nomicgit rehearse --json my-scenario.yml
    """
