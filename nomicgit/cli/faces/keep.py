"""Faces of the commands under "Keep": what guards a game, and its pages."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgit.cli.face import (
    KeyOrFile,
    acting_as,
    at_time,
    by_whom,
    command,
    in_folder,
    json_option,
    offering,
    sure_of_a_mend,
    sure_of_restorers,
    sure_of_the_clock,
    trying_out,
)


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
@click.option(
    "--online", is_flag=True, help="Ask the forge again, too, for what deeds came of (GITHUB_TOKEN reads it)."
)
@in_folder
@json_option
def verify_command() -> None:
    """Replay the whole history: does every commit hold what its deed makes?

    What a deed says of work that was ended, such as an event of the clock that spent its fuel, is tried again.
    A fault is a commit that is not what its deed makes; not confirmed is what a second try does not show. Exit code 1
    where there is either.

    A name is that of a branch, here or as it was last fetched, before anything else; where a tag of that name leads
    elsewhere, it is refused, and the full name (refs/remotes/origin/main) says which is meant.

    A clone remembers the deeds that it has seen on the branch that it follows; a branch that lacks them now has been
    rewritten, and that is a fault, too.

    In a game that keeps secrets the key at hand opens sealed deeds, which are replayed like any other. Those that no key
    opens are counted: everybody sees that the keeper has signed them, their form, and what they changed in public.

    A game on a forge is proved without it. With --online the forge is asked again for the comments, reviews and forms of
    which deeds came: which of them are gone, edited or dismissed since, and by whom, and which are not their player's. Only
    the last is a reason for exit code 1.

    \b
    Examples:
      nomicgit verify
      nomicgit verify origin/main
      nomicgit verify --known 1f0c3e2
      nomicgit verify --sealed --without-key
      nomicgit verify --online
      nomicgit verify --json
    """


@command("receive", body="receive.receive")
@click.option(
    "--install",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="BARE",
    help="Let this bare repository ask about each push to it.",
)
@click.option(
    "--check",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="BARE",
    help="Say whether this bare repository asks about each push to it; exit code 1 where it does not.",
)
@click.option(
    "--branches",
    multiple=True,
    metavar="PATTERN",
    help="With --install: let in new branches of such names alone; may be repeated. Else of any.",
)
@in_folder
@json_option
def receive_command() -> None:
    """Let lawful pushes alone into the repository that others push to.

    Git runs this there, as its hook pre-receive.
    On the game's branch, which is the one that HEAD names there, only commits come in that go on from it, and of which
    every deed is what its law makes of it, and dated rightly. Other branches and tags come as they are; in a game with
    keys nobody changes an order, and only the keeper moves letters and takes orders away. A push that is refused has
    changed nothing, and whoever pushes is told which deed it was, why, and what to do.

    Only what is new is replayed. Each push is noted in nomicgit/receive.log in the bare repository.

    \b
    Examples:
      git init --bare --initial-branch main game.git
      nomicgit receive --install game.git
      nomicgit receive --check game.git
      nomicgit receive --install game.git --branches "idea/*" --branches "*/draft-*"
    """


@command("announce", body="announce.announce")
@in_folder
@acting_as
@at_time
@trying_out
@json_option
def announce_command() -> None:
    """Tell what is new where the game is heard of: chats, mailboxes, whatever apprise knows.

    New matters, what was enacted or failed, new dynasties, what may be resolved within a day; and, of who plays here, what
    needs their vote, and what others did to them, said under their posts or told them in public. Addresses stand in
    NOMICGIT_ANNOUNCE, with white space between them, and are never shown. What got there is noted in this clone's .git; what
    did not is told again next time. Run it by a timer, after `nomicgit sync`.

    Ends with 1 where something did not get there.

    \b
    Examples:
      NOMICGIT_ANNOUNCE="discord://ID/TOKEN mailto://NAME:PASSWORD@example.org" nomicgit announce
      nomicgit announce --dry-run
    """


@command("signers", body="signing_keys.signers")
@click.option(
    "--add",
    multiple=True,
    type=KeyOrFile(),
    metavar="FILE",
    help="Let this key sign too, by its file or its own words; may be repeated.",
)
@click.option(
    "--drop", multiple=True, metavar="FINGERPRINT", help="Let this key sign no more; may be repeated."
)
@click.option(
    "--address",
    metavar="ADDRESS",
    help="Let the commits that they sign name this address, as forges ask; an empty one takes it out.",
)
@click.option(
    "--of",
    "whose",
    metavar="NAME",
    shell_complete=offering("players"),
    help="Whose keys they are; else whose acts.",
)
@click.option(
    "--deeds",
    "asked",
    type=click.Choice(["no", "asked", "required"]),
    help="Say whether the game's deeds are signed.",
)
@click.option(
    "--approvals",
    type=click.IntRange(min=1),
    metavar="K",
    help="Say that K admins together name a player's keys.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("players"),
    help="Those who may restore the game; repeat it where several must.",
)
@in_folder
@acting_as
@at_time
@sure_of_the_clock
@json_option
def signers_command() -> None:
    """Show or change by which SSH keys players sign, or say whether deeds are signed.

    Players change their own keys, in a clone that signs with a key that they had (nomicgit me NAME --key FILE); the first
    one by itself. Who has lost all of them gets others by admins who approve the same ones, each in a clone that signs for
    them (--of NAME): more than half of the admins and two at least, or as many as --approvals has said. Or they get them by
    those who may restore the game (--of NAME --by NAME). These say whether deeds are signed, too: with asked, a signature
    that is there must be right; with required, no deed counts that is not signed. What the keeper, the steward or the clock
    does is signed by a key of its own (--of keeper), by the clone at which it is done (nomicgit me keeper --key FILE).
    nomicgit verify tells it, and a repository with nomicgit receive lets nothing else in. Who has no key then, and who is locked
    out for good with the next one that is lost, is named.

    A forge that knows the key shows signed deeds as verified once --address names the account's address. That then stands
    in the record for ever: take one that receives no letters.

    \b
    Examples:
      nomicgit signers
      nomicgit signers --add ~/.ssh/id_ed25519.pub
      nomicgit signers --drop SHA256:mnWbSJoZbbIhFVqd --add new.pub
      nomicgit signers --of cy --add cy.pub
      nomicgit signers --of cy --add cy.pub --by ana --by ben
      nomicgit signers --approvals 3 --by ana
      nomicgit signers --of keeper --add keeper.pub --by ana
      nomicgit signers --address 1234567+cy@users.noreply.github.com
      nomicgit signers --deeds required --by ana
    """


@command("mend", body="mend.mend")
@click.option("--to", required=True, metavar="COMMIT", help="The last commit that shall stand.")
@by_whom
@in_folder
@acting_as
@at_time
@sure_of_a_mend
@trying_out
@json_option
def mend_command() -> None:
    """Put the game back to what lawful deeds had made of it by an earlier commit.

    It is the remedy for what verify or status finds: a commit that is no deed, a merge or rebase by hand, a wrong
    clock. It is for those who may restore the game (nomicgit restorers). Whatever came after the
    commit is set aside, and named one by one; it stays in the history, and verify tells it as mended. Where nothing
    is wrong since then, so that lawful deeds alone would go, it asks for --yes; so it does where the clock may be wrong.

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
    shell_complete=offering("players"),
    help="Who restores it; repeat it where several must. Else who acts.",
)
@in_folder
@at_time
@sure_of_the_clock
@trying_out
@json_option
def restore_command() -> None:
    """Put the ruleset back to that of an earlier commit: the one deed outside the law.

    It is for those who may restore the game (nomicgit restorers), should its law stand
    in its own way. The gamestate stays, and so does every deed: what was no lawful deed is taken back by nomicgit mend.
    Where values that are secret may not fit the law that comes back, it takes the clone in which the game's key lies.

    \b
    Examples:
      nomicgit restore 1f0c3e2 --by ana --dry-run
      nomicgit restore 1f0c3e2 --by ana
      nomicgit restore HEAD~3 --by ana --by ben
    """


@command("restorers", body="restorers.restorers")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--of", type=click.IntRange(min=1), default=1, metavar="K", help="How many of them must do it together."
)
@click.option("--nobody", is_flag=True, help="Nobody may from now on.")
@by_whom
@in_folder
@acting_as
@at_time
@sure_of_restorers
@json_option
def restorers_command() -> None:
    """Say who may restore the game, or who may from now on: each NAME, and nobody else.

    Those whom the game names may put back its law (nomicgit restore) and mend it (nomicgit mend), and say its settings anew,
    together as many as it asks for. They need not play. To name others is a deed outside the law, for those who may now.
    Who loses that by it mends it away: a mend is for those who might at the commit that it goes back to. Where nobody
    would be left who can, it asks for --yes.

    \b
    Examples:
      nomicgit restorers
      nomicgit restorers ana ben --by ana
      nomicgit restorers ana ben cy --of 2 --by ana
      nomicgit restorers --nobody --yes --by ana
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
    """The game's pages, feeds and data, written out; how a site is made, and whether one is so.

    \b
    Examples:
      nomicgit site export pages
      nomicgit site settings
      nomicgit site compare
      nomicgit -C attic site export pages --url https://attic.example/
    """


@command("export", body="site.write")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--url", default="", metavar="URL", help="The address of the site to come, for its feeds.")
@in_folder
@at_time
@json_option
def site_export_command() -> None:
    """Write every page as Markdown under FOLDER, with the style sheet, the script, feeds and data.

    \b
    Examples:
      nomicgit site export pages
      nomicgit site export pages --url https://attic.example/ --json
    """


@command("settings", body="site_settings.show")
@in_folder
def site_settings_command() -> None:
    """Show the mkdocs.yml that a game founded today would have: what an older game's may take over.

    \b
    Examples:
      nomicgit site settings
      nomicgit site settings | diff mkdocs.yml -
    """


@command("compare", body="site_compared.show")
@click.argument("address", metavar="[ADDRESS]", default="")
@click.option("--whole", is_flag=True, help="Every page, not only those that seal and that open letters.")
@in_folder
@json_option
def site_compare_command() -> None:
    """Hold the site that stands at ADDRESS against the one that this clone makes, byte for byte.

    Who serves a site can serve another page, another key or another script. The served site says of which commit and time it was
    made; that is built here, in a folder of its own, and then are asked for, as a browser asks, the pages that seal and that open
    letters, and every script and style. Without ADDRESS it is where the game's place on GitHub has its site. Exit code 1 where
    anything is another.

    \b
    Examples:
      nomicgit site compare
      nomicgit site compare https://attic.example/ --whole
    """


for each in (site_export_command, site_settings_command, site_compare_command):
    site_command.add_command(each)
