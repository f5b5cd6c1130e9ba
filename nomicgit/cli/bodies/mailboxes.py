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
from nomicgit.physics.deeds.keyed import WAIT, begins
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret import addresses, ledger, lettering, unread
from nomicgit.sealing import age

MAILBOX = "nomicgit/mailbox"  # in the folder of Git: this clone's mailbox, which nobody else has
NOT_YOURS = "if it was not you who registered it, say so: nomicgit letters --register, then nomicgit sync"


class Box(NamedTuple):
    """A player's mailbox in the game: since when it is registered, from when on letters come there (seconds, UTC; None: the
    keeper has yet to see it), the one to which they go until then ("" where there was none), whether it ever had to
    wait, and whether the keeper's next round ends that.
    """

    recipient: str
    since: int
    begins: int | None
    former: str
    waited: bool
    sure: bool

    def waits(self, now: int) -> bool:
        """Whether no letter goes there yet at a time (seconds, UTC)."""
        return self.begins is None or now < self.begins

    @property
    def when(self) -> str:
        """From when on letters go there, where they do not yet."""
        return f"from {clock.text(self.begins)} on" if self.begins is not None else self.once_seen

    @property
    def once_seen(self) -> str:
        """From when on letters go there, where the keeper has yet to see it."""
        return "from the keeper's next round on" if self.sure else "72 hours after the keeper's next round"

    @classmethod
    def of(cls, game: Game, player: str | None) -> Box | None:
        """A player's (by id); None where they have none."""
        kept = (game.tree.entity(f"players/{player}") or {}).get("mailbox") if player else None
        if not isinstance(kept, Mapping):
            return None
        since, former = clock.instant(str(kept["since"])), str(kept.get("before", ""))
        return cls(
            str(kept["recipient"]),
            since,
            begins(kept),
            former,
            "before" in kept,
            not former and addresses.waits_for_no_first(game),
        )


def has_key(game: Game) -> bool:
    """Whether the game's key is in this clone: who has it says at once whose a mailbox is."""
    keeping = game.keeping()
    return keeping is not None and keeping.sealer is not None


def at_once(player: str, recipient: str) -> str:
    """By which command the keeper lets a mailbox count at once."""
    return f"nomicgit keep --confirm {player}={recipient}"


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
        if has_key(game):
            addresses.vouch(game, player, at)
    if seat.as_json:
        click.echo(json.dumps({"recipient": recipient, "commit": commit}))
        return 0
    where = "in this clone" if elsewhere is None else "known to the game"
    click.echo(
        click.style(f"{game.tree.called(player)}'s mailbox is {where}", fg="green") + f"  ({recipient})"
    )
    box = Box.of(game, player)
    when = "with the keeper's next round"
    if box is not None and box.waited and not box.sure:
        till_then = "to the former mailbox" if box.former else "nowhere"
        when = f"{box.once_seen}, and {till_then} till then; the keeper can let it count at once ({at_once(player, recipient)})"
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
    left, box = ledger.left_by(game, player), Box.of(game, player)
    if left is None and box is not None and box.waited and not box.former and own(game) == box.recipient:
        return Refused.of(
            f"no letter lies there for you yet: the first ones come to this mailbox {box.when}",
            mend=f"the keeper can let it count at once: {at_once(player, box.recipient)}",
        )
    if left is None:
        mend = "register a mailbox (nomicgit letters --register), sync, and wait for the keeper"
        return Refused.of("no letter lies there for you", mend=mend)
    if left.recipient:
        if left.begins:
            mend = f"your mailbox waits until {clock.text(left.begins)}: then the keeper's next round writes your last one"
            return Refused.of("no letter lies there for you yet", mend=mend)
        mend = f"you left at {left.at} ({left.what}): the keeper's next round writes your last one"
        return Refused.of("no letter lies there for you yet", mend=mend)
    return Refused.of(
        f"no letter is written to you: you left the game at {left.at} ({left.what}), and had no mailbox then"
    )


def unreadable(game: Game, player: str, now: int) -> Refused:
    """That this clone's mailbox does not open the letter that lies there, and when one comes that it opens."""
    box, here = Box.of(game, player), own(game)
    if box is not None and here == box.recipient and box.waits(now):
        return Refused.of(
            f"letters go to your former mailbox, and to this one {box.when}",
            mend="read them till then where that one lies; if it never was yours, tell the others that somebody reads your "
            "letters",
        )
    if box is not None and here == box.former and box.begins is not None and now >= box.begins:
        return Refused.of(
            f"letters go to another mailbox than this clone's since {clock.text(box.begins)}", mend=NOT_YOURS
        )
    return Refused.of(
        "the letter that lies there is broken, or was written to another mailbox than this clone's",
        mend="bring this clone up to date: nomicgit sync; the keeper's next round writes a letter to this one",
    )


def taken_over(game: Game, player: str | None, now: int) -> str:
    """That a mailbox other than this clone's was registered in a player's name, as long as it waits or lately did; else ""."""
    box = Box.of(game, player) if game.terms else None
    if box is None or own(game) == box.recipient or (not box.waits(now) and now >= box.since + WAIT):
        return ""
    another = "another mailbox than this clone's" if box.former else "a mailbox that is not this clone's"
    whom = box.when if box.waits(now) else "now"
    return f"{another} was registered in your name at {clock.text(box.since)}, and gets your letters {whom}\n  {NOT_YOURS}"


def standing(game: Game, player: str | None, now: int) -> tuple[str, int]:
    """The same, and how much in the letter that came to this clone waits to be read."""
    waits = player is not None and own(game) is not None
    return taken_over(game, player, now), unread.count(game, str(player), identity(game)) if waits else 0


def synced(game: Game, player: str | None, now: int) -> tuple[str, int]:
    """The same, once the letter is brought that lies where this clone pulls from."""
    if player is not None and own(game) is not None:
        unread.bring(game, player)
    return standing(game, player, now)
