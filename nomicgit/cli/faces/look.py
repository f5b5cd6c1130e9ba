"""Faces of the commands under "Look": what stands, and what may be done."""

from __future__ import annotations

import click

from nomicgit.cli.face import command, in_folder, json_option, looking, offering, said_name

limited = click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="How many; 0: all.",
)


@command("status", body="status.tell")
@click.option(
    "--votes/--no-votes",
    default=None,
    help="Show every vote and why it counts or not (so where no more than 20 matters are pending).",
)
@looking
def status_command() -> None:
    """Show the dynasty, what is pending, why, until when, and what needs your vote.

    Ends with 1 where a commit changes the game and is no deed, or founds another game over it, which it names first;
    where deeds are lost, this is another branch than the game's, or the last sync was stopped and has moved nothing.

    \b
    Examples:
      nomicgit status
      nomicgit --as cy status --votes
      nomicgit status --json
    """


@command("actions", body="actions.tell")
@click.argument("name", required=False, shell_complete=offering("actions"))
@click.option(
    "--player",
    type=said_name,
    metavar="NAME",
    shell_complete=offering("players"),
    help="Whose actions; else those of who plays here.",
)
@looking
def actions_command() -> None:
    """Show what may be done now, with what and at what cost; and what not, why, and from when.

    \b
    Examples:
      nomicgit actions
      nomicgit actions --player cy
      nomicgit actions explore
    """


@command("rules", body="rules.tell")
@click.argument("name", required=False, shell_complete=offering("rules"))
@click.option("--mechanics", is_flag=True, help="With a rule: show its mechanics too.")
@looking
def rules_command() -> None:
    """List the rules, or show one, named by its title, number or slug.

    \b
    Examples:
      nomicgit rules
      nomicgit rules 2.3.1
      nomicgit rules "Imperial Deferentials" --mechanics
    """


@command("state", body="state.tell")
@click.argument("path", required=False, shell_complete=offering("paths"))
@looking
def state_command() -> None:
    """Show the gamestate: the players, or what stands at a path.

    \b
    Examples:
      nomicgit state
      nomicgit state players.cy.idle
      nomicgit state rooms.C3 --json
    """


@command("log", body="log.tell")
@limited
@click.option("--by", metavar="NAME", shell_complete=offering("players"), help="Only what this player did.")
@click.option("--action", metavar="NAME", shell_complete=offering("actions"), help="Only this action.")
@click.option(
    "--open", "opened", is_flag=True, help="With the game's key: tell, too, what sealed deeds were."
)
@in_folder
@json_option
def log_command() -> None:
    """Show the journal, newest first: when, who, what, with which dice.

    What was done in secret stands there as sealed.

    \b
    Examples:
      nomicgit log
      nomicgit log --limit 0 --by cy
      nomicgit log --action resolve --json
      nomicgit log --open
    """


@command("posts", body="posts.tell")
@click.argument("number", required=False, shell_complete=offering("posts"))
@limited
@click.option("--kind", metavar="KIND", shell_complete=offering("kinds"), help="Only posts of this kind.")
@click.option("--pending", is_flag=True, help="Only what is pending.")
@looking
def posts_command() -> None:
    """List the posts, newest first; or show one with its comments, tally and changes.

    \b
    Examples:
      nomicgit posts
      nomicgit posts --pending
      nomicgit posts 12
    """


@command("try", body="attempt.tell")
@click.argument("matter", shell_complete=offering("pending"))
@looking
def try_command() -> None:
    """Try a pending matter: what its enactment would change now, and what stands against it.

    Rules are told as differences, then values, actions and views; then what would be skipped and why, what check
    would find, scenarios that would fail, and the pending matters with which it collides. Nothing is recorded.

    Ends with 1 where not all of it would be done, or could be tried.

    \b
    Examples:
      nomicgit try 12
      nomicgit try 12 --json
    """
