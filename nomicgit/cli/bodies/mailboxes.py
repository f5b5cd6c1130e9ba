"""Mailboxes: to which key a player's letters go, and the one that this clone has."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import click

from nomicgit.cli.seat import Seat
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import WAIT
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret import lettering
from nomicgit.sealing import age

MAILBOX = "nomicgit/mailbox"  # in the folder of Git: this clone's mailbox, which nobody else has


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
    click.echo(click.style(f"your mailbox is {where}", fg="green") + f"  ({recipient})")
    former = "before" in dict((game.tree.entity(f"players/{player}") or {}).get("mailbox") or {})
    when = (
        "72 hours from now, and to the former mailbox till then" if former else "with the keeper's next round"
    )
    lies = f"its key lies in {place}, and nowhere else; " if elsewhere is None else ""
    click.echo(f"{lies}letters come {when}")
    return 0


def refuse_other(game: Game, player: str, own: str) -> None:
    """Refuse where letters go to another mailbox than this clone's, for now or for good."""
    kept: Any = (game.tree.entity(f"players/{player}") or {}).get("mailbox")
    if kept is None or own not in (kept["recipient"], kept.get("before")):
        raise Refused.of(
            "the mailbox of this clone is not yours in the game",
            mend="say so there: nomicgit letters --register, then nomicgit sync",
        )
    until = clock.instant(kept["since"]) + WAIT
    if "before" in kept and own == kept["recipient"] and game.last() < until and time.time() < until:
        raise Refused.of(
            f"letters go to your former mailbox until {clock.text(until)}, so that nobody takes it over unseen"
        )
