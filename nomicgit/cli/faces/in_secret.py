"""Faces of the commands under "In secret": what a game with keys is played by."""

from __future__ import annotations

import click

from nomicgit.cli.face import (
    File,
    acting_as,
    at_time,
    by_whom,
    command,
    in_folder,
    json_option,
    offering,
    playing,
    sure_of_the_clock,
)

meant = click.option("--yes", "sure", is_flag=True, help="It is meant: do not ask.")


@command("order", body="orders.order")
@click.argument("action", required=False, shell_complete=offering("actions"))
@click.argument("given", nargs=-1, metavar="[PARAMETER=VALUE]...", shell_complete=offering("parameters"))
@click.option(
    "--push", is_flag=True, help="Hand it in: lay it on a branch orders/… where this clone pushes to."
)
@click.option(
    "--blank",
    is_flag=True,
    help="Seal an order that asks for nothing: others cannot tell it from one that does.",
)
@click.option(
    "--instead",
    metavar="NONCE",
    help="Take an order back that was handed in from here and not taken yet, and let this one (or nothing: --blank) stand in its place.",
)
@meant
@in_folder
@acting_as
@at_time
@json_option
def order_command() -> None:
    """Seal an action for whoever keeps the game's key: nobody else can read what it is.

    Nor can anybody read whether it succeeded.
    Private actions are done so, and whatever needs the key: dice, and what hangs on a secret. What comes of it, your letter
    tells: `nomicgit letters`. Without --push the sealed order is printed, to be handed in in another way. Where it is known from
    here that the rules would refuse it now, that is told, and you are asked: by the keeper's next round it may be otherwise.
    You are asked as well where the action is not private: its order is sealed, and what comes of it stands in the journal.

    \b
    Examples:
      nomicgit order note street='{action: move, location: H7}' --push
      nomicgit order tell to=dee text='Meet me at the well.' --push
      nomicgit order --blank --push
      nomicgit order --blank --instead 18bd --push
    """


@command("letters", body="letters.letters")
@click.option(
    "--register",
    is_flag=True,
    help="Make a mailbox in this clone, and say in the game that letters go there.",
)
@click.option(
    "--mailbox",
    metavar="RECIPIENT",
    help="Say in the game that letters go to a mailbox elsewhere, such as one that the site has made in a browser: that of --as NAME.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Compare what your letters said with the record; exit code 1 where it says otherwise.",
)
@click.option(
    "--all", "whole", is_flag=True, help="All of it; else what is new since it was last shown here."
)
@click.option(
    "--file",
    "file",
    type=File(),
    help="A letter that came in another way.",
)
@playing
def letters_command() -> None:
    """Show what you were told in private, what secrets you may see, and what your orders did.

    What a letter tells of deeds that the record does not hold is marked, and what an earlier one told and this one does not
    is told. --check compares all that letters told in this clone with the record, in full once the key of their term is
    opened (or at hand).

    \b
    Examples:
      nomicgit letters --register
      nomicgit letters --mailbox age1… --as dee
      nomicgit letters
      nomicgit letters --all --json
      nomicgit letters --check
    """


@command("keep", body="kept_round.keep")
@click.option(
    "--order", "orders", multiple=True, type=click.File("r"), metavar="FILE",
    help="Take an order that came in another way (- is standard input); may be repeated.",
)  # fmt: skip
@click.option(
    "--confirm",
    multiple=True,
    metavar="NAME=RECIPIENT",
    help="Say that a mailbox which waits is that player's: letters go there at once.",
)
@click.option(
    "--refuse",
    multiple=True,
    metavar="NAME=RECIPIENT",
    help="Say that a mailbox which waits is not that player's: their former one counts, or none.",
)
@click.option(
    "--resolve",
    "admin",
    metavar="NAME",
    shell_complete=offering("players"),
    help="Resolve what the law lets be resolved, in this admin's name.",
)
@in_folder
@acting_as
@at_time
@json_option
def keep_command() -> None:
    """Make the keeper's round: let the clock run, take orders, resolve, push, write letters.

    With --resolve what may be enacted or failed by the law is, in an admin's name, as soon as a round comes by; an admin who does
    not want that leaves it to themselves. Where deeds must be signed, this clone signs for them, or with the steward's key. A game
    that keeps no secrets has no orders and no letters; all else is the same. What is new is told where NOMICGIT_ANNOUNCE says.

    What this clone had not pushed comes after what others have; what became of it is told as nomicgit sync tells it.

    Mailboxes that are new are named. One that need not be its player's waits 72 hours from the round that names it, so that its
    player, or you, can say no; where you know whose it is, say so: --confirm, --refuse. One in your own name waits for that.

    The key of a game that keeps secrets must be in this clone (`nomicgit keys`). Run it by a timer, or by hand when you like; play
    goes on without, but for what needs the key.

    \b
    Examples:
      nomicgit keep
      nomicgit keep --resolve ben
      nomicgit keep --order order.txt
      nomicgit keep --confirm cy=age1…
    """


key_file = click.argument("file", default="-", metavar="[FILE]")


@click.group("keys")
def keys_command() -> None:
    """Show who keeps the game's secrets, and keep their key in this clone.

    The key lies in .git/nomicgit/key, and goes nowhere with push or fetch; the environment variable NOMICGIT_KEY works
    as well. Without it all can be looked at and verified but what is secret, and what needs a secret is an order.

    \b
    Examples:
      nomicgit keys show
      nomicgit keys show --secret --yes > key-to-keep-elsewhere
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


@command("share", body="sharing.share")
@click.argument("needed", type=int, required=False)
@click.argument("count", type=int, required=False)
@click.option(
    "--to",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("players"),
    help="Hand a share out to this player's mailbox; repeat it for each.",
)
@click.option("--mine", is_flag=True, help="Read the share that was handed out to you.")
@click.option(
    "--anew",
    is_flag=True,
    help="Hand out once more what this clone handed out last: of the key of now, to the mailboxes of now.",
)
@meant
@in_folder
@acting_as
@at_time
@json_option
def keys_share_command() -> None:
    """Write the key as COUNT shares of 59 words each, any NEEDED of which are the key (SLIP-39).

    With --to they are handed out: each is sealed to its player's mailbox, and lies on the branch shares where this clone pushes
    to, in place of those that lay there. Only those that were written together make a key. When one of them registers another
    mailbox, or the term is another, the keeper's round says so: --anew writes all of them anew.

    \b
    Examples:
      nomicgit keys share 3 5
      nomicgit keys share 2 3 --yes --json
      nomicgit keys share 2 --to cy --to dee --to eli
      nomicgit keys share --anew
      nomicgit keys share --mine
    """


@command("join", body="sharing.join")
@key_file
@in_folder
@json_option
def keys_join_command() -> None:
    """Lay the key down in this clone that shares of it make; they come in a line each, from FILE, or what comes in.

    At a terminal you are asked for one after the other, until they are enough. What is wrong with one is told by its number.

    \b
    Examples:
      nomicgit keys join
      nomicgit keys join three-shares
      cat share-1 share-4 share-5 | nomicgit keys join
    """


@command("move", body="moving.move")
@click.option(
    "--keeper",
    metavar="NAME",
    shell_complete=offering("players"),
    help="Who keeps the secrets from now on; else who did.",
)
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


@command("open", body="moving.publish")
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
