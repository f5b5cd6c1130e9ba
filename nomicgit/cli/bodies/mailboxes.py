"""Mailboxes: to which key a player's letters go, and those that this clone has, one for each player who made one here."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from nomicgit.cli.bodies.keys import looked
from nomicgit.cli.seat import Seat
from nomicgit.clones.others.vetting import advised
from nomicgit.clones.secret import addresses, leave, ledger, lettering, unread
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import WAIT, begins
from nomicgit.record import keepsakes
from nomicgit.record.game import Game, new_id
from nomicgit.record.seen.strays import Stray
from nomicgit.record.tree import GameTree
from nomicgit.sealing import age

MAILBOX = "nomicgit/mailbox-"  # in the folder of Git, before a player's name: their mailbox in this clone, which nobody else has
ELSEWHERE = "nomicgit/elsewhere"
REGISTER, SYNC = command("nomicgit", "letters", "--register"), command("nomicgit", "sync")
NOT_YOURS = remedy("if it was not you who registered it, say so:", REGISTER, SYNC)


class Box(NamedTuple):
    """A player's mailbox in the game: since when it is registered, from when on letters come there (seconds, UTC; None: the
    keeper has yet to see it), the one to which they go until then ("" where there was none), whether it ever had to
    wait, whether the keeper's next round ends that, and whether it is in the keeper's own name, whose word alone does.
    """

    recipient: str
    since: int
    begins: int | None
    former: str
    waited: bool
    sure: bool
    keepers: bool = False

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
        if self.keepers and not self.sure:
            return "as soon as who keeps the key says that it is theirs"
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
            not former and addresses.waits_for_no_first(game, str(player)),
            addresses.keepers_own(game, str(player)),
        )


def has_key(game: Game) -> bool:
    """Whether the game's key is in this clone: who has it says at once whose a mailbox is."""
    keeping = game.keeping()
    return keeping is not None and keeping.sealer is not None


def at_once(game: Game, player: str, recipient: str) -> str:
    """By which command, as a line of a remedy, the keeper lets a mailbox count at once."""
    return command("nomicgit", "keep", "--confirm", f"{game.tree.called(player)}={recipient}")


def _place(game: Game, player: str) -> Path:
    return Path(game.repository.git_dir, f"{MAILBOX}{player}")


def own(game: Game, player: str | None) -> str | None:
    """A player's mailbox in this clone, by its public key; None where they have none here."""
    if player is None or not (place := _place(game, player)).exists():
        return None
    return age.recipient_of(place.read_text().strip())


def since(game: Game, player: str) -> str:
    """Since when the mailbox that a player has in this clone is registered; "" where it is not."""
    box = Box.of(game, player)
    return clock.text(box.since) if box is not None and box.recipient == own(game, player) else ""


def identity(game: Game, player: str) -> str:
    """What opens what is written to a player's mailbox in this clone."""
    return _place(game, player).read_text().strip()


def register(seat: Seat, game: Game, player: str, elsewhere: str | None) -> int:
    place = _place(game, player)
    new = elsewhere is None and not place.exists()
    if new:
        lettering.lay(place, age.identity(os.urandom(32)))
    try:
        return _registered(seat, game, player, elsewhere)
    except NomicError:  # so that no clone has a mailbox of which the game has never heard
        if new and Box.of(game, player) is None:
            place.unlink(missing_ok=True)
        raise


def _registered(seat: Seat, game: Game, player: str, elsewhere: str | None) -> int:
    place = _place(game, player)
    recipient = age.recipient_of(place.read_text()) if elsewhere is None else elsewhere
    at = seat.moment_of_deed(game)
    deed = Deed(new_id(at), player, Outside.MAILBOX, {"recipient": recipient}, at)
    if seat.dry_run:
        game.tried(deed)
        commit = None
    else:
        if has_key(game):
            looked(game)
        commit = game.act(deed).commit
        if elsewhere is not None:
            keepsakes.keep(game.repository, ELSEWHERE, sorted({*_elsewhere(game), elsewhere}))
        if has_key(game):
            addresses.vouch(game, player, at)
    box = Box.of(game, player)
    when, after = "with the keeper's next round", ""
    if box is not None and box.waited and not box.sure:
        till_then = "to the former mailbox" if box.former else "nowhere"
        when = f"{box.once_seen}, and {till_then} till then"
        after = f"; the keeper can let it count at once:\n{at_once(game, player, recipient)}"
    if seat.as_json:
        click.echo(
            json.dumps(
                {
                    "recipient": recipient,
                    "commit": commit,
                    "file": str(place) if elsewhere is None else None,
                    "letters_come": when,
                    "former": box.former or None if box is not None else None,
                }
            )
        )
        return 0
    where = "in this clone" if elsewhere is None else "known to the game"
    click.echo(
        click.style(f"{game.tree.called(player)}'s mailbox is {where}", fg="green") + f"  ({recipient})"
    )
    lies = f"its key lies in {place}, and nowhere else; " if elsewhere is None else ""
    click.echo(f"{lies}letters come {when}{after}")
    if box is not None and box.former and _shares_lie(game):
        click.echo(
            f"a share of the key that was handed out to {game.tree.called(player)} opens with the former mailbox alone: "
            "ask the keeper for another"
        )
    return 0


def _elsewhere(game: Game) -> list[str]:
    """The mailboxes of another place, such as a browser, that were registered in this clone."""
    known = keepsakes.kept(game.repository, ELSEWHERE)
    return [each for each in known if isinstance(each, str)] if isinstance(known, list) else []


def _shares_lie(game: Game) -> bool:
    """Whether shares of the key lie where this clone pulls from; not where that cannot be looked up."""
    upstream = Upstream.of(game.repository)
    with suppress(Refused):
        return upstream is not None and bool(upstream.heads(leave.SHARES))
    return False


def refuse_other(game: Game, player: str) -> None:
    """Refuse where letters go to another mailbox than this clone's, and will go on to."""
    box, here = Box.of(game, player), own(game, player)
    if here is None:
        raise Refused.of(
            "this clone has no mailbox",
            mend=remedy("make one:", command("nomicgit", "letters", "--register")),
        )
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
            mend=remedy("say so there:", REGISTER, SYNC),
        )


def empty(game: Game, player: str) -> Refused:
    """That no letter lies there for a player, and when one comes."""
    left, box = ledger.left_by(game, player), Box.of(game, player)
    had = lettering.kept(game, player).get(game.terms[-1].number)
    if left is None and box is not None and had is not None:
        return Refused.of(
            f"no letter lies there for you any more, and one of {had['at']} did: somebody has taken it away, or put older ones back",
            mend="the keeper's next round writes it anew",
        )
    if (
        left is None
        and box is not None
        and box.waited
        and not box.former
        and own(game, player) == box.recipient
    ):
        return Refused.of(
            f"no letter lies there for you yet: the first ones come to this mailbox {box.when}",
            mend=remedy("the keeper can let it count at once:", at_once(game, player, box.recipient)),
        )
    if left is None and box is not None and own(game, player) in (box.recipient, box.former):
        return Refused.of("no letter lies there for you", mend="the keeper's next round writes it anew")
    if left is None:
        mend = remedy("register a mailbox, sync, and wait for the keeper:", REGISTER, SYNC)
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
    box, here = Box.of(game, player), own(game, player)
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
        mend=remedy(
            "bring this clone up to date:", SYNC, "the keeper's next round writes a letter to this one"
        ),
    )


def unanswered(game: Game, player: str, now: int) -> str:
    """Why no letter that answers an order comes to a player (by id) yet, and when one does; "" where the next round's comes."""
    box = Box.of(game, player)
    if box is None:
        return "you have none, and no letter comes without: nomicgit letters --register, then nomicgit sync"
    if not box.waits(now):
        return ""
    till_then = (
        "to the former one till then" if box.former else "nowhere till then, and nothing of them is lost"
    )
    return (
        f"yours is new: letters come there {box.when}, and {till_then}; the keeper can let it count at once"
    )


def taken_over(game: Game, player: str | None, now: int) -> str:
    """That a mailbox other than this clone's was registered in a player's name, as long as it waits or lately did, or that theirs
    is in the game no more; else "".
    """
    box = Box.of(game, player) if game.terms else None
    nobodys = box is None and bool(game.terms) and _is_nobodys(game, player)
    theirs = (own(game, player), *_elsewhere(game))
    if not nobodys and (
        box is None or box.recipient in theirs or (not box.waits(now) and now >= box.since + WAIT)
    ):
        return ""
    if (stray := _by_hand(game, player)) is not None:
        return f"your mailbox in the game was changed by hand, by the {stray}{below(stray.mend)}"
    if box is None:
        again = below(remedy("register it again:", REGISTER, SYNC))
        here = own(game, player)
        if not addresses.was_registered(game, str(player), str(here)):
            return f"the game does not know the mailbox of this clone: no letter is written to you{again}"
        return (
            "the mailbox of this clone is not in the game any more, since it was refused, or another that was registered in your "
            f"name was, or you left the game and came back: no letter is written to you{again}"
        )
    another = "another mailbox than this clone's" if box.former else "a mailbox that is not this clone's"
    whom = box.when if box.waits(now) else "now"
    return f"{another} was registered in your name at {clock.text(box.since)}, and gets your letters {whom}{below(NOT_YOURS)}"


def _by_hand(game: Game, player: str | None) -> Stray | None:
    """The commit that has changed a player's mailbox, though no deed of theirs or of the keeper's did."""

    def at(commit: str) -> object:
        tree = GameTree(game.repository, game.repository.commit(commit).tree)
        return (tree.entity(f"players/{player}") or {}).get("mailbox")

    with suppress(NomicError):  # of files that nobody can read, which are named as that
        for stray in advised(game.repository, game.head.oid).strays:
            if at(stray.before) != at(stray.commit):
                return stray
    return None


def _is_nobodys(game: Game, player: str | None) -> bool:
    """Whether this clone has a mailbox, in which a player of now sits who has none in the game, and it is nobody else's there."""
    here = own(game, player)
    if here is None or player is None or player not in game.tree.ids("players"):
        return False
    return all(here not in (kept["recipient"], kept.get("before")) for _, kept in addresses.registered(game))


def standing(game: Game, player: str | None, now: int) -> tuple[str, int]:
    """The same, or that the letter which came to this clone was put back; and how much in it waits to be read."""
    taken = taken_over(game, player, now)
    if player is None or own(game, player) is None:
        return taken, 0
    try:
        return taken, unread.count(game, player, identity(game, player))
    except lettering.PutBack as back:
        said = (f"{each.what}{below(each.mend)}" for each in back.problems)
        return "\n".join(filter(None, [taken, *said])), 0


def lacking(game: Game, player: str | None) -> str:
    """That a player has registered no mailbox, so that no letter is written to them; "" where they have one, are no player, or
    sit where the key lies.
    """
    if player is None or not game.is_keyless() or player not in game.tree.ids("players"):
        return ""
    if any(who == player for who, _ in addresses.registered(game)):
        return ""
    return f"none: what others tell you in private waits{below(remedy('make one:', command('nomicgit', 'letters', '--register')))}"


def synced(game: Game, player: str | None, now: int) -> tuple[str, int]:
    """The same, once the letter is brought that lies where this clone pulls from."""
    if player is not None and own(game, player) is not None:
        unread.bring(game, player)
    return standing(game, player, now)


def in_the_way(game: Game) -> str:
    """That this clone remembers branches of elsewhere beside which Git fetches no letters, shares or orders, and what lets go of
    them; "" where it remembers none.
    """
    upstream = Upstream.of(game.repository) if game.terms else None
    remembered = leave.remembered_in_the_way(upstream) if upstream is not None else []
    if upstream is None or not remembered:
        return ""
    names = f"{upstream.remote}/{f', {upstream.remote}/'.join(remembered)}"
    mend = remedy(
        "the keeper's round takes away what lies so there; then let go of it here:",
        command("git", "remote", "prune", upstream.remote),
    )
    return f"git fetch stops at {names}, which this clone remembers: Git keeps no letters, shares or orders beside it{below(mend)}"
