"""Mailboxes: to which key a player's letters go, and the one that this clone has."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from nomicgit.cli.seat import Seat
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import WAIT
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret import ledger, lettering
from nomicgit.sealing import age

MAILBOX = "nomicgit/mailbox"  # in the folder of Git: this clone's mailbox, which nobody else has
NOT_YOURS = "if it was not you who registered it, say so: nomicgit letters --register, then nomicgit sync"


class Box(NamedTuple):
    """A player's mailbox in the game: since when it is registered, from when on letters come there (seconds, UTC), the one to
    which they go until then; "" where there was none.
    """

    recipient: str
    since: int
    begins: int
    former: str

    @classmethod
    def of(cls, game: Game, player: str | None) -> Box | None:
        """A player's (by id); None where they have none."""
        kept = (game.tree.entity(f"players/{player}") or {}).get("mailbox") if player else None
        if not isinstance(kept, Mapping):
            return None
        since, former = clock.instant(str(kept["since"])), str(kept.get("before", ""))
        return cls(str(kept["recipient"]), since, since + WAIT if former else since, former)


def own(game: Game) -> str | None:
    """This clone's mailbox, by its public key; None where it has none."""
    place = Path(game.repository.git_dir, MAILBOX)
    return age.recipient_of(place.read_text().strip()) if place.exists() else None


def identity(game: Game) -> str:
    """What opens what is written to this clone's mailbox."""
    return Path(game.repository.git_dir, MAILBOX).read_text().strip()


def register(seat: Seat, game: Game, player: str, elsewhere: str | None) -> int:
    place = Path(game.repository.git_dir, MAILBOX)
    if elsewhere is None and not place.exists():
        lettering.lay(place, age.identity(os.urandom(32)))
    recipient = age.recipient_of(place.read_text()) if elsewhere is None else elsewhere
    at = seat.moment_of_deed(game)
    deed = Deed(new_id(at), player, Outside.MAILBOX, {"recipient": recipient}, at)
    if seat.dry_run:
        game.tried(deed)
        commit = None
    else:
        commit = game.act(deed).commit
    if seat.as_json:
        click.echo(json.dumps({"recipient": recipient, "commit": commit}))
        return 0
    where = "in this clone" if elsewhere is None else "known to the game"
    click.echo(
        click.style(f"{game.tree.called(player)}'s mailbox is {where}", fg="green") + f"  ({recipient})"
    )
    box = Box.of(game, player)
    when = (
        "72 hours from now, and to the former mailbox till then"
        if box is not None and box.former
        else "with the keeper's next round"
    )
    lies = f"its key lies in {place}, and nowhere else; " if elsewhere is None else ""
    click.echo(f"{lies}letters come {when}")
    return 0


def refuse_other(game: Game, player: str) -> None:
    """Refuse where letters go to another mailbox than this clone's, and will go on to."""
    box, here = Box.of(game, player), own(game)
    if here is None:
        raise Refused.of("this clone has no mailbox", mend="make one: nomicgit letters --register")
    left = ledger.left_by(game, player)
    if left is not None and here == left.recipient:
        return
    if left is not None:
        raise Refused.of(
            f"your last letter is written to another mailbox than this clone's, the one that was yours when you left the game "
            f"at {left.at} ({left.what})",
            mend="read it where that one lies",
        )
    if box is None or here not in (box.recipient, box.former):
        raise Refused.of(
            "the mailbox of this clone is not yours in the game",
            mend="say so there: nomicgit letters --register, then nomicgit sync",
        )


def empty(game: Game, player: str) -> Refused:
    """That no letter lies there for a player, and when one comes."""
    left = ledger.left_by(game, player)
    if left is None:
        mend = "register a mailbox (nomicgit letters --register), sync, and wait for the keeper"
        return Refused.of("no letter lies there for you", mend=mend)
    if left.recipient:
        mend = f"you left at {left.at} ({left.what}): the keeper's next round writes your last one"
        return Refused.of("no letter lies there for you yet", mend=mend)
    return Refused.of(
        f"no letter is written to you: you left the game at {left.at} ({left.what}), and had no mailbox then"
    )


def unreadable(game: Game, player: str, now: int) -> Refused:
    """That this clone's mailbox does not open the letter that lies there, and when one comes that it opens."""
    box, here = Box.of(game, player), own(game)
    if box is not None and here == box.recipient and now < box.begins:
        return Refused.of(
            f"letters go to your former mailbox until {clock.text(box.begins)}, 72 hours after this one was registered, and "
            "then here",
            mend="read them till then where that one lies; if it never was yours, tell the others that somebody reads your "
            "letters",
        )
    if box is not None and here == box.former and now >= box.begins:
        return Refused.of(
            f"letters go to another mailbox than this clone's since {clock.text(box.begins)}", mend=NOT_YOURS
        )
    return Refused.of(
        "the letter that lies there is broken, or was written to another mailbox than this clone's",
        mend="bring this clone up to date: nomicgit sync; the keeper's next round writes a letter to this one",
    )


def taken_over(game: Game, player: str | None, now: int) -> str:
    """That a mailbox other than this clone's was registered in a player's name lately, and what to do; else "".

    A first one gets letters at once, another waits.
    """
    box = Box.of(game, player) if game.terms else None
    if box is None or now >= box.since + WAIT or own(game) == box.recipient:
        return ""
    if not box.former:
        return (
            f"a mailbox was registered in your name at {clock.text(box.since)} that is not this clone's: whoever has it reads "
            f"your letters since\n  {NOT_YOURS}"
        )
    return (
        f"another mailbox than this clone's was registered in your name at {clock.text(box.since)}, and gets your letters "
        f"from {clock.text(box.begins)} on\n  {NOT_YOURS}"
    )
