"""``nomicgit keep``: the round of who keeps a game, by a timer or by hand."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

import click

from nomicgit.cli.bodies.became import came, missed, not_sent, plain_of_own, told_where_stopped
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.clones import resolving, tending
from nomicgit.clones.others import pace
from nomicgit.clones.resolving import Resolved
from nomicgit.clones.synced import Synced
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.outlook.announcing import Announced
from nomicgit.record.game import Game


def keep(
    seat: Seat, orders: Sequence[TextIO], confirm: Sequence[str], refuse: Sequence[str], admin: str | None
) -> int:
    game = seat.game()
    if game.terms and seat.player is not None and game.tree.spelled(seat.player) != game.terms[-1].keeper:
        keeper = game.terms[-1].keeper
        keeper = "the steward" if keeper is None else game.tree.called(keeper)
        raise Refused.of(f"{keeper} keeps this game, and a round is theirs", mend="leave --as out")
    if game.terms:
        return int(loaded("orders.keep")(seat, orders, confirm, refuse, admin))
    if orders or confirm or refuse:
        raise Refused.of(
            "this game keeps no secrets, and takes no orders", mend="leave out what is about them"
        )
    with told_where_stopped(seat):
        done = tending.tend(game.repository, Upstream.of(game.repository), moment(seat), admin)
    bars, announced = barred(seat, admin, done.resolved, done.at), announce(seat)
    if seat.as_json:
        plain = {"came": len(done.synced.others), "clock": done.clock, "at": clock.text(done.at)}
        resolved = [each.as_json() for each in done.resolved]
        click.echo(
            json.dumps(
                plain
                | plain_of_own(done.synced)
                | {
                    "resolved": resolved,
                    "barred": bars or None,
                    "announced": [a.as_json() for a in announced],
                }
            )
        )
    else:
        lines = (
            *came(done.synced),
            *told(done.resolved, bars),
            *ran(done.clock),
            *pushed(done.synced),
            *(loaded("announce.lines")(announced) if announced else ()),
        )
        for line in lines or ("nothing was to be done",):
            click.echo(line)
    return ended(done.synced, done.resolved, announced, bars)


def barred(seat: Seat, admin: str | None, resolved: Sequence[Resolved], at: int) -> str:
    """Why nothing can be resolved in the name that a round was told; "" where it can, or what was due tells it."""
    if admin is None or resolved:
        return ""
    game = seat.game()
    why = resolving.barred(game, admin, at)
    return (
        f"in the name of {game.tree.called(game.tree.spelled(admin))} nothing is resolved: {why}"
        if why
        else ""
    )


def moment(seat: Seat) -> Callable[[Game], int]:
    """The time of a round. Refused upon a deed from the future: by its date others would have waited."""

    def at(game: Game) -> int:
        pace.refuse_ahead(game, int(time.time()))
        return seat.moment(game)

    return at


def announce(seat: Seat) -> Sequence[Announced]:
    """Tell what is new where the game is heard of, if anybody says where that is."""
    done: Sequence[Announced] = (
        loaded("announce.tell_all")(seat) if os.environ.get("NOMICGIT_ANNOUNCE") else ()
    )
    return done


def ended(
    synced: Synced, resolved: Iterable[Resolved], announced: Iterable[Announced], bars: str = ""
) -> int:
    """The exit code of a round: 1 where something that was due, or an own deed, is not done, not pushed or not told."""
    whys = (*(each.why_not for each in resolved), *(each.why_not for each in announced), bars)
    return 1 if missed(synced) or any(whys) else 0


def ran(commit: str | None) -> Iterator[str]:
    """A line of what the clock has done."""
    if commit:
        yield f"what waited for the clock has happened  (commit {commit[:10]})"


def pushed(synced: Synced) -> Iterator[str]:
    """A line of what the others have now, or not."""
    if synced.unsent:
        yield not_sent(synced)
    elif synced.pushed:
        yield click.style(f"pushed {many(synced.pushed, 'commit')}", fg="green")


def told(resolved: Iterable[Resolved], bars: str = "") -> Iterator[str]:
    """A line for each matter that was resolved, or could not be; or that none can be."""
    if bars:
        yield click.style(inline(bars), fg="red")
    for each in resolved:
        if each.commit:
            yield f"post {each.matter} is {each.outcome}  (commit {each.commit[:10]})"
        else:
            yield click.style(f"post {each.matter}: ", fg="red") + clean(
                f"it could be {each.outcome}, but not in that name: {each.why_not}"
            )
