"""Faces of the commands under "On GitHub": a game's place there."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgit.cli.face import (
    at_time,
    by_whom,
    command,
    in_folder,
    json_option,
    offering,
    sure_of_the_clock,
    trying_out,
)


@command("steward", body="steward.carry")
@click.option(
    "--know",
    "known",
    multiple=True,
    metavar="NAME=ID[:LOGIN]",
    help="Record whose account on the forge this is, by its numeric id, and do nothing else; may be repeated.",
)
@click.option(
    "--accounts", is_flag=True, help="Tell whose account each is, by what is recorded, and do nothing else."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Append moved=true or moved=false to it: whether deeds were pushed. So GitHub's workflows take it.",
)
@click.option(
    "--summary",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add what is in the way to this file, as a workflow's summary.",
)
@in_folder
@trying_out
@json_option
def steward_command() -> None:
    """Let deeds come of what people did on GitHub, push them, and tell what became of it.

    One pass over all that is new; run it as often as you like. The token stands in GITHUB_TOKEN. The clone needs the
    whole history; nothing is written into it, and nothing in it is read but what is pushed.

    \b
    Examples:
      GITHUB_TOKEN=… nomicgit steward
      GITHUB_TOKEN=… nomicgit steward --dry-run --json
      nomicgit steward --know ana=1001 --know ben=1002:Ben-B
      nomicgit steward --accounts
    """


@command("rehouse", body="rehouse.rehouse")
@click.option("--github", metavar="OWNER/REPO", help="Where the game lives from now on.")
@click.option("--away", is_flag=True, help="On no forge any more.")
@click.option(
    "--account",
    "accounts",
    multiple=True,
    metavar="NAME=ID",
    help="The numeric id of a player's account; may be repeated.",
)
@click.option(
    "--resolves",
    metavar="NAME",
    shell_complete=offering("players"),
    help="The admin in whose name the steward resolves.",
)
@click.option("--no-resolves", is_flag=True, help="Admins resolve from now on, and not the steward.")
@click.option(
    "--forget",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("players"),
    help="The settings tell this player's account no more; may be repeated.",
)
@click.option("--site", metavar="ADDRESS", help="Where the site stands.")
@click.option("--no-site", is_flag=True, help="The site stands where GitHub Pages puts it.")
@by_whom
@in_folder
@at_time
@sure_of_the_clock
@trying_out
@json_option
def rehouse_command() -> None:
    """Say anew where the game lives on GitHub, and how it is played there.

    It is a deed outside the law, for those who may restore the game (nomicgit new --restore NAME). What is not named stays as it was; what
    goes is asked for by name, and told. The forms follow in the same commit; then: nomicgit doctor --mend.

    \b
    Examples:
      nomicgit rehouse --github my-nomic/court --resolves ben --by ana
      nomicgit rehouse --github my-nomic/court --account ana=1001 --by ana --by ben
      nomicgit rehouse --github my-nomic/court --forget cy --no-resolves --by ana --dry-run
      nomicgit rehouse --away --by ana
    """


@command("forms", body="forms.tell")
@click.argument("action", required=False, shell_complete=offering("actions"))
@click.option(
    "--check", "only_check", is_flag=True, help="Say whether the forms at the head are current; else exit 1."
)
@click.option(
    "--write", is_flag=True, help="Bring those that are not current into the work tree, to be committed."
)
@click.option("--github", metavar="OWNER/REPO", help="For this place, whatever the game's settings say.")
@in_folder
@json_option
def forms_command() -> None:
    """Show the issue forms by which people act on GitHub, one for each action.

    They are written from the rules. Every deed that changes a rule writes the forms that change with it, so there is nothing to do by hand.
    With an ACTION, its form is printed.

    \b
    Examples:
      nomicgit forms
      nomicgit forms explore
      nomicgit forms --check
      nomicgit forms --github attic-nomic/attic propose
    """


@command("preview", body="preview.judge")
@click.argument("number", type=click.IntRange(1), shell_complete=offering("pending"))
@click.option(
    "--comment",
    "say",
    is_flag=True,
    help="Say it on the pull request, in one comment that is kept up to date.",
)
@click.option(
    "--summary",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add what was found to this file, as a workflow's summary.",
)
@in_folder
@json_option
def preview_command() -> None:
    """Judge a pull request of the game's place on GitHub, and say what its enactment would do.

    It is fetched as data: nothing of it is checked out, and its mechanics run in a worker only. The token
    stands in the environment, as GITHUB_TOKEN. Exit code 1 where it cannot be enacted as it stands.
    What is new in the game since the steward's last pass is verified first; the summary tells what came of both.

    \b
    Examples:
      nomicgit preview 12
      nomicgit preview 12 --comment
    """


@command("setup", body="barring.bar")
@click.option(
    "--key",
    is_flag=True,
    help="Show the game's key too, as its steward is given it, as long as GitHub has none.",
)
@in_folder
@trying_out
@json_option
def setup_command() -> None:
    """Bar the game's branch on GitHub, and make the place of the steward's secrets.

    The branch is barred by the ruleset .github/ruleset.json, which the steward's App passes by; or, where there is no App, by
    .github/ruleset-without-app.json.
    The place is an environment, whose secrets workflows of the game's branch alone are given.
    It asks with the token in GITHUB_TOKEN, which needs to write Administration and to read Actions and Variables, and for
    --key Environments. Where the token may not, the file is printed as it is to be imported in GitHub's settings, and the
    exit code is 1. What is laid is laid anew, not twice.

    \b
    Examples:
      GITHUB_TOKEN=… nomicgit setup
      nomicgit setup --dry-run
      nomicgit setup --key | gh secret set NOMICGIT_KEY --env nomicgit
    """


@command("doctor", body="doctor.examine")
@click.option(
    "--mend",
    is_flag=True,
    help="Bring what is missing or not current of workflows, their program and forms into the work tree, and README.md, mkdocs.yml "
    "and SETUP.md where they are missing or tell of another place; to be committed. Never back to an older program.",
)
@in_folder
@json_option
def doctor_command() -> None:
    """Find what is not as the game needs it at its place on GitHub, and say what to do.

    It asks with the token in GITHUB_TOKEN, which needs to read only; an owner's sees everything. Without one it looks at the
    files at hand alone, and says so. Exit code 1 where something is found, or GitHub was not asked. Whether an App pushes for
    the steward it learns from what is there: the variable NOMICGIT_APP, what is installed, whose the token is. What bars the
    branch is held against .github/ruleset.json, or, without an App, against .github/ruleset-without-app.json; what stays open
    whatever is set is told, too. In a game with keys the site is held against the one that this clone makes, as by: nomicgit
    site compare. Workflows that are none of the game's are named with the commit that brought them.

    \b
    Examples:
      GITHUB_TOKEN=… nomicgit doctor
      nomicgit doctor --json
      nomicgit doctor --mend
    """
