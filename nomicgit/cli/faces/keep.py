"""Faces of the commands under "Keep": what guards a game, and its pages."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgit.cli.face import (
    acting_as,
    at_time,
    by_whom,
    command,
    in_folder,
    json_option,
    playing,
    sure_of_the_clock,
)


@command("check", body="check.find")
@click.argument("revision", required=False, metavar="[BRANCH|A..B|REVISION]")
@click.option(
    "--edition",
    "edition",
    metavar="NAME|FOLDER",
    help="Check an edition, or a folder of sections, instead of a game.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag of the proposal; may be repeated.")
@in_folder
@acting_as
@at_time
@json_option
def check_command() -> None:
    """Find everything that is wrong with a game as it stands, or with a branch that is to become a proposal.

    Of a game: rules, their declarations and mechanics, names, gamestate, posts. Of a branch, or a range: whether
    it can become changes, and what their enactment would do now; every action of its new rules is tried. Each problem
    is told with file, line and what to write. Exit code 1 where there is an error.

    \b
    Examples:
      nomicgit check
      nomicgit check more-light
      nomicgit check --json main..more-light
      nomicgit check v1.0
      nomicgit check --edition ./my-edition
    """


@command("rehearse", body="rehearse.play")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--edition", metavar="NAME|FOLDER", help="Play all of them on this edition, whatever they name."
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


@command("verify", body="verify.replay")
@click.argument("revision", required=False)
@click.option(
    "--known",
    metavar="COMMIT",
    help="Ask, too, whether the history holds every deed up to COMMIT, be it anybody's.",
)
@click.option(
    "--accept", is_flag=True, help="Let go of deeds that this clone has seen and what it follows lacks now."
)
@click.option(
    "--sealed",
    is_flag=True,
    help="List the deeds that no key at hand opens, with what everybody sees of them.",
)
@click.option("--without-key", is_flag=True, help="Do as though the game's key were not at hand.")
@in_folder
@json_option
def verify_command() -> None:
    """Replay the whole history: does every commit hold what its deed makes?

    What a deed says of work that was ended, such as an event of the clock that spent its fuel, is tried again.
    A fault is a commit that is not what its deed makes; not confirmed is what a second try does not show. Exit code 1
    where there is either.

    A clone remembers the deeds that it has seen on the branch that it follows; a branch that lacks them now has been
    rewritten, and that is a fault, too.

    In a game that keeps secrets the key at hand opens sealed deeds, which are replayed like any other. Those that no key
    opens are counted: everybody sees that the keeper has signed them, their form, and what they changed in public.

    \b
    Examples:
      nomicgit verify
      nomicgit verify origin/main
      nomicgit verify --known 1f0c3e2
      nomicgit verify --sealed --without-key
      nomicgit verify --json
    """


@command("mend", body="mend.mend")
@click.option("--to", required=True, metavar="COMMIT", help="The last commit that shall stand.")
@by_whom
@playing
def mend_command() -> None:
    """Put rules, posts and gamestate back to what lawful deeds had made of them by an earlier commit.

    It is the remedy for what verify or status finds: a commit that is no deed, a merge or rebase by hand, a wrong
    clock. It is for those whom the game names at its founding (nomicgit new --restore NAME). Whatever came after the
    commit is set aside, and named one by one; it stays in the history, and verify tells it as mended.

    \b
    Examples:
      nomicgit mend --to 1f0c3e2 --dry-run
      nomicgit mend --to 1f0c3e2
      nomicgit mend --to HEAD~3 --by ana --by ben
    """


@command("restore", body="restore.restore")
@click.argument("commit")
@click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    help="Who restores it; repeat it where several must. Else who acts.",
)
@in_folder
@at_time
@sure_of_the_clock
@json_option
def restore_command() -> None:
    """Put the ruleset back to that of an earlier commit: the one deed outside the law.

    It is for those whom the game names at its founding (nomicgit new --restore NAME), should its law stand
    in its own way. The gamestate stays, and so does every deed: what was no lawful deed is taken back by nomicgit mend.

    \b
    Examples:
      nomicgit restore 1f0c3e2 --by ana
      nomicgit restore HEAD~3 --by ana --by ben
    """


@command("physics", body="physics.move")
@click.argument("number", type=int, required=False)
@by_whom
@in_folder
@at_time
@sure_of_the_clock
@json_option
def physics_command() -> None:
    """Say under which physics the game is played, or play under another NUMBER from now on.

    A physics is all that the program does with a deed: its words, what rules may declare, its bounds. What a number
    means never changes. To play under a newer one is a deed outside the law, for those who may restore the game; it is
    refused where the law has problems under it. There is no way back.

    \b
    Examples:
      nomicgit physics
      nomicgit physics 2 --by ana
    """


@click.group("site")
def site_command() -> None:
    """The game's pages, feeds and data, written out.

    \b
    Examples:
      nomicgit site export pages
      nomicgit -C attic site export pages --url https://attic.example/
    """


@command("export", body="site.write")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--url", default="", metavar="URL", help="The address of the site to come, for its feeds.")
@in_folder
@at_time
@json_option
def export_command() -> None:
    """Write every page as Markdown under FOLDER, with the style sheet, the script, feeds and data.

    \b
    Examples:
      nomicgit site export pages
      nomicgit site export pages --url https://attic.example/ --json
    """


site_command.add_command(export_command)


meant = click.option("--yes", "sure", is_flag=True, help="It is meant: do not ask.")
key_file = click.argument("file", default="-", metavar="[FILE]")


@click.group("keys")
def keys_command() -> None:
    """Show who keeps the game's secrets, and keep their key in this clone.

    The key lies in .git/nomicgit/key, and goes nowhere with push or fetch; the environment variable NOMICGIT_KEY works
    as well. Without it all can be looked at and verified but what is secret, and what needs a secret is an order.

    \b
    Examples:
      nomicgit keys show
      nomicgit keys show --secret > key-to-keep-elsewhere
      nomicgit keys set key-to-keep-elsewhere
    """


@command("show", body="keys.show")
@click.option("--secret", is_flag=True, help="The key itself, so that it can be kept elsewhere.")
@meant
@in_folder
@json_option
def keys_show_command() -> None:
    """Tell each term's keeper, since when, and whether its key is opened; or show the key that is at hand.

    \b
    Examples:
      nomicgit keys show
      nomicgit keys show --json
      nomicgit keys show --secret --yes > key-to-keep-elsewhere
    """


@command("set", body="keys.lay_down")
@key_file
@in_folder
@json_option
def keys_set_command() -> None:
    """Lay the key of the present term down in this clone; from FILE, or what comes in.

    \b
    Examples:
      nomicgit keys set
      nomicgit keys set key-to-keep-elsewhere
      printenv NOMICGIT_KEY | nomicgit keys set
    """


@command("forget", body="keys.forget")
@meant
@in_folder
@json_option
def keys_forget_command() -> None:
    """Take the key out of this clone.

    \b
    Examples:
      nomicgit keys forget
      nomicgit -C attic keys forget --yes
    """


@command("share", body="keys.share")
@click.argument("needed", type=int)
@click.argument("count", type=int)
@meant
@in_folder
@json_option
def keys_share_command() -> None:
    """Write the key as COUNT shares of 59 words each, any NEEDED of which are the key (SLIP-39).

    \b
    Examples:
      nomicgit keys share 3 5
      nomicgit keys share 2 3 --yes --json
    """


@command("join", body="keys.join")
@key_file
@in_folder
@json_option
def keys_join_command() -> None:
    """Lay the key down in this clone that shares of it make; they come in a line each, from FILE, or what comes in.

    \b
    Examples:
      nomicgit keys join three-shares
      cat share-1 share-4 share-5 | nomicgit keys join
    """


@command("move", body="terms.move")
@click.option("--keeper", metavar="NAME", help="Who keeps the secrets from now on; else who did.")
@click.option("--steward", is_flag=True, help="The steward of a game on a forge keeps them from now on.")
@click.option(
    "--lost",
    is_flag=True,
    help="The key is lost: begin without any secret, by those who may restore the game.",
)
@by_whom
@in_folder
@acting_as
@at_time
@sure_of_the_clock
@json_option
def keys_move_command() -> None:
    """Begin a new term: another key, under which all that is secret is sealed anew.

    A term begins with a dynasty, or when somebody else keeps the secrets. Orders and letters go by the new key.

    \b
    Examples:
      nomicgit keys move
      nomicgit keys move --keeper dee
      nomicgit keys move --lost --by ana --by dee
    """


@command("open", body="terms.publish")
@click.argument("number", type=click.IntRange(min=1), metavar="TERM")
@in_folder
@acting_as
@at_time
@sure_of_the_clock
@json_option
def keys_open_command() -> None:
    """Publish the key of a term that is over, so that everybody can read and verify what it sealed.

    What is never opened stays sealed: private messages, and what the rules say so of. It is refused while a secret of that
    term is a secret still.

    \b
    Examples:
      nomicgit keys open 1
    """


for each in (
    keys_show_command, keys_set_command, keys_forget_command, keys_share_command, keys_join_command, keys_move_command,
    keys_open_command,
):  # fmt: skip
    keys_command.add_command(each)
