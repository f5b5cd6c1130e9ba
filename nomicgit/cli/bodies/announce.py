"""``nomicgit announce``: what is new in the game, told where it is heard of; noted in this clone once it got there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from nomicgit.cli.heralds import ADDRESSES, Herald, heralds
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.ground.problems import Refused
from nomicgit.outlook import announcing
from nomicgit.outlook.announcing import Announced, Noted

NOTED = "nomicgit/announced.json"  # in .git: how far each address knows the game


class Nobody:
    """Who hears of the game where nobody says who does: a dry run shows what they would."""

    key = wrong = ""

    def send(self, title: str, body: str) -> str:
        """Nobody is told."""
        return ""


def announce(seat: Seat) -> int:
    if not addresses() and not seat.dry_run:
        raise Refused.of(
            "nobody says where this game is heard of",
            mend=f"put addresses, as apprise writes them, into the environment: {ADDRESSES}='ADDRESS …'",
        )
    done = tell_all(seat)
    if seat.as_json:
        click.echo(json.dumps([each.as_json() for each in done]))
    for line in () if seat.as_json else lines(done):
        click.echo(line)
    return 1 if any(each.why_not for each in done) else 0


def addresses() -> list[Herald]:
    """Where the environment says that the game is heard of."""
    return heralds()


def lines(done: Sequence[Announced]) -> Iterator[str]:
    """What was told where, for people: an address is a secret, and is known by its place alone."""
    for place, each in enumerate(done, 1):
        yield from (f"  {inline(line)}" for line in each.lines)
        if each.why_not:
            yield click.style(f"address {place}: ", fg="red") + clean(each.why_not)
        else:
            yield f"address {place}: {many(len(each.lines), 'line') if each.lines else 'nothing new'}"


def tell_all(seat: Seat) -> list[Announced]:
    """Tell every address what it does not know yet, and note that it knows it: a crash in between tells it once more, and
    never not at all. A dry run tells nobody."""
    game = seat.game_to_look_at(law=False)
    place = Path(game.repository.git_dir, NOTED)
    noted: Noted = json.loads(place.read_text("utf-8")) if place.exists() else {}
    owed = announcing.owed(game, seat.moment(game), seat.named(game), addresses() or [Nobody()], noted)
    done = []
    for each in owed:
        done.append(Announced(each.lines, "") if seat.dry_run else each.tell())
        if not (seat.dry_run or done[-1].why_not):
            noted = {**noted, each.key: each.known}
            _note(place, noted)
    return done


def _note(place: Path, noted: Noted) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_suffix(".new")
    beside.write_text(json.dumps(noted, sort_keys=True), "utf-8")
    beside.replace(place)
