"""Faces of the commands under "Play": deeds."""

from __future__ import annotations

import click

from nomicgit.cli.face import (
    command,
    in_folder,
    json_option,
    offering,
    playing,
    said_name,
    trying_out,
    worded,
)


@command("join", body="deeds.join")
@click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="The SSH key with which you sign: from here on, and this deed first.",
)
@playing
def join_command() -> None:
    """Join the game, or ask to: where the rules say so, an admin then adds you.

    With --key you bring the SSH key with which you sign your deeds; this clone signs with it from then on. A game that takes
    signed deeds alone (nomicgit signers) lets nobody join without one.

    \b
    Examples:
      nomicgit me fay && nomicgit join --key ~/.ssh/id_ed25519
      nomicgit --as fay join
      nomicgit me fay && nomicgit join
      nomicgit --as ben act admit newcomer=fay
    """


@command("propose", body="matters.propose")
@worded
@click.option(
    "--sign-only", is_flag=True, help="Print the text of a pull request that proves itself, and do nothing."
)
@playing
def propose_command() -> None:
    """Submit a proposal.

    In a game on a forge a proposal is a pull request. With --sign-only its player signs it beforehand, with the key with which this
    clone signs for them: what is printed is its text. The steward records the signature with the deed, and nomicgit verify judges
    it, so that nobody needs to believe the steward or the forge.

    \b
    Examples:
      nomicgit propose --title Moonlight --change '{add-rule: {title: Moonlight, text: The moon shines.}}'
      nomicgit propose --title "[Core] Haste" --body @haste.md --changes haste.yml
      nomicgit --dry-run propose --title Less --change '{repeal: Moonlight}'
      nomicgit propose --branch more-light
      nomicgit propose --update 12 --branch more-light
      nomicgit propose --branch more-light --sign-only
    """


@command("cfj", body="matters.cfj")
@worded
@playing
def cfj_command() -> None:
    """Raise a Call for Judgement.

    \b
    Examples:
      nomicgit cfj --title "Whose turn?" --body "Two players disagree." --change '{uphold: it was cy}'
      nomicgit cfj --title "An illegal roll" --change '{undo: 3f2a91c0b7}'
    """


@command("vote", body="deeds.vote")
@click.argument("matter", shell_complete=offering("pending"))
@click.argument("icon", shell_complete=offering("icons"))
@click.argument("text", nargs=-1)
@playing
def vote_command() -> None:
    """Vote on a pending matter: its number, an icon (for, against, …), and what you have to say.

    \b
    Examples:
      nomicgit vote 12 for
      nomicgit vote 12 against "It is too dear."
      nomicgit --as ben vote 12 deferential
    """


@command("resolve", body="branched.resolve")
@click.argument("matter", shell_complete=offering("pending"))
@click.option("--outcome", type=click.Choice(["enacted", "failed"]), help="Ask for this outcome alone.")
@click.option(
    "--branch",
    metavar="BRANCH",
    shell_complete=offering("branches"),
    help="Its branch, moved but saying the same: shown as merged where enacted.",
)
@playing
def resolve_command() -> None:
    """Enact a matter if it may be enacted, else fail it if it may be failed.

    \b
    Examples:
      nomicgit resolve 12
      nomicgit resolve 12 --outcome failed
      nomicgit resolve 12 --branch origin/more-light
    """


@command("dov", body="deeds.dov")
@click.option("--title", required=True, metavar="TEXT", help="Its title.")
@click.option(
    "--body", default="", metavar="TEXT", help="How you won: a text, @FILE, or - for standard input."
)
@playing
def dov_command() -> None:
    """Declare that you have achieved victory.

    \b
    Examples:
      nomicgit dov --title "I have won" --body @how.md
    """


@command("ascend", body="given.ascend")
@click.argument("theme", required=False)
@click.argument("more", nargs=-1, metavar="[KEY=VALUE]…", shell_complete=offering("ascending"))
@playing
def ascend_command() -> None:
    """Begin a new dynasty: its theme, and whatever else the rules let an address decide.

    \b
    Examples:
      nomicgit ascend "Among the clouds" terms='{player: Aeronaut, emperor: Wind}'
      nomicgit ascend @address.md keep='[Moonlight]'
    """


@command("post", body="deeds.post")
@click.argument("words", metavar="[TITLE]", required=False)
@click.option("--title", metavar="TEXT", help="Its title, as other commands take it; else it is named first.")
@click.option(
    "--kind",
    metavar="KIND",
    shell_complete=offering("kinds"),
    help="A category that the rules have, such as story; without it, none.",
)
@click.option(
    "--body", default="", metavar="TEXT", help="What it says: a text, @FILE, or - for standard input."
)
@playing
def post_command() -> None:
    """Make an entry in the game's blog.

    \b
    Examples:
      nomicgit post "Away until Monday"
      nomicgit post "The night in the attic" --kind story --body @night.md
    """


@command("comment", body="deeds.comment")
@click.argument("post", shell_complete=offering("posts"))
@click.argument("text", nargs=-1, required=True)
@playing
def comment_command() -> None:
    """Comment on a post.

    \b
    Examples:
      nomicgit comment 12 "I am not so sure."
      nomicgit comment 12 @long.md
    """


@command("roll", body="deeds.roll")
@click.argument("dice")
@playing
def roll_command() -> None:
    """Roll dice in the open: DICE6, 2DICE6, or what else the rules know.

    \b
    Examples:
      nomicgit roll 2DICE6
      nomicgit roll '{ana, ben, cy}'
    """


@command("idle", body="deeds.idle")
@click.argument("player", required=False, type=said_name, shell_complete=offering("players"))
@click.option("--reason", metavar="REASON", help="On which grounds, such as asked or inactive.")
@playing
def idle_command() -> None:
    """Make somebody idle; yourself, where nobody is named.

    \b
    Examples:
      nomicgit idle
      nomicgit --as ben idle cy --reason asked
    """


@command("unidle", body="deeds.unidle")
@click.argument("player", required=False, type=said_name, shell_complete=offering("players"))
@click.option("--reason", metavar="REASON", help="On which grounds, such as asked.")
@playing
def unidle_command() -> None:
    """Make somebody active again; yourself, where nobody is named.

    \b
    Examples:
      nomicgit unidle
      nomicgit --as ben unidle cy
    """


@command("set", body="given.set_variable")
@click.argument("path", shell_complete=offering("paths"))
@click.argument("value", shell_complete=offering("values"))
@playing
def set_command() -> None:
    """Set a variable that the rules give into people's hands.

    Where the rules declare a text, the words stand as they are; everything else is read as YAML. @FILE reads a file.

    \b
    Examples:
      nomicgit set players.cy.hats 3
      nomicgit set game.weather "light rain # for now"
      nomicgit set game.chronicle @chronicle.md
    """


@command("undo", body="deeds.undo")
@click.argument("deed", shell_complete=offering("deeds"))
@playing
def undo_command() -> None:
    """Take back an alteration that broke the rules, by the commit of its deed.

    \b
    Examples:
      nomicgit undo 3f2a91c0b7
    """


@command("act", body="given.do")
@click.argument("name", required=False, shell_complete=offering("actions"))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]…", shell_complete=offering("parameters"))
@playing
def act_command() -> None:
    """Do an action that the rules declare, with its parameters.

    Texts stand as they are, and so does what is put at the path of a text; everything else is read as YAML's flow
    form; KEY=@FILE reads a file. What there is to do, and what it takes, is told by `nomicgit actions`.

    \b
    Examples:
      nomicgit act explore room=C3 name=Hall 'features=[glyph, x]'
      nomicgit act ascend theme="Among the clouds" 'terms={player: Aeronaut}'
      nomicgit act offer amount=3 terms=@terms.md
    """


@command("sync", body="sync.sync")
@click.option(
    "--again",
    is_flag=True,
    help="Try once more the deeds that were set aside before, or those of them that are named.",
)
@click.option(
    "--forget",
    is_flag=True,
    help="Let go of the deeds that are set aside, or of those that are named; nothing else is done.",
)
@click.argument("which", nargs=-1, metavar="[COMMIT]...")
@click.option(
    "--accept",
    is_flag=True,
    help="Let go of what was there and is not any more, since the branch was rewritten.",
)
@in_folder
@trying_out
@json_option
def sync_command() -> None:
    """Bring this clone and the others together: fetch, lay own deeds anew, push.

    What others have pushed stands. Own deeds that were not pushed are done again after it, in their order: each keeps
    its id and its words, its time unless others were later, and gets new dice. Where a post or an entity that they
    made gets another number, own deeds that mean it follow. A deed that is refused now is told and set aside,
    and so is a vote, or an edit, that a newer one of the same player's has replaced.
    Exit code 1 where one was not done again; then the rest is done and pushed all the same.

    \b
    Examples:
      nomicgit sync
      nomicgit sync --dry-run
      nomicgit sync --again
      nomicgit sync --again c6ef816a8075
      nomicgit sync --forget 4957ccee4b29
    """
