"""``nomicgit announce``: what is new in the game, told where it is heard of; noted in this clone once it got there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from nomicgit.cli import heralds
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many
from nomicgit.ground.problems import Refused
from nomicgit.outlook import tidings
from nomicgit.outlook.tidings import News
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

ADDRESSES = "NOMICGIT_ANNOUNCE"  # in the environment: addresses, with white space between them
NOTED = (
    "nomicgit/announced.json"  # in .git: how far each address knows the game, by the digest of the address
)
MOST = 20  # lines of one announcement


class Announced(NamedTuple):
    """What was to be told at one address, and why it did not get there, or ""."""

    lines: tuple[str, ...]
    why_not: str

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"news": list(self.lines), "why_not": self.why_not}


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


def addresses() -> list[str]:
    """Where the environment says that the game is heard of."""
    return os.environ.get(ADDRESSES, "").split()


def lines(done: list[Announced]) -> Iterator[str]:
    """What was told where, for people: an address is a secret, and is known by its place alone."""
    for place, each in enumerate(done, 1):
        yield from (f"  {clean(line)}" for line in each.lines)
        if each.why_not:
            yield click.style(f"address {place}: ", fg="red") + clean(each.why_not)
        else:
            yield f"address {place}: {many(len(each.lines), 'line') if each.lines else 'nothing new'}"


def tell_all(seat: Seat) -> list[Announced]:
    """Tell every address what it does not know yet; a dry run tells nobody."""
    game, done = seat.game(), []
    for address in addresses() or [""]:
        done.append(_tell(seat, game, address))
    return done


def _tell(seat: Seat, game: Game, address: str) -> Announced:
    """Tell one address, and note that it knows it: a crash in between tells it once more, and never not at all."""
    key = hashlib.sha256(address.encode()).hexdigest()[:16]
    place = Path(game.repository.git_dir, NOTED)
    noted = json.loads(place.read_text("utf-8")) if place.exists() else {}
    fresh, near = _unheard(seat, game, noted.get(key))
    said = tuple(each.line for each in fresh)
    why = "" if seat.dry_run else _sent(game, address, said)
    if not (seat.dry_run or why):
        _note(place, noted | {key: {"commit": game.head.oid, "near": sorted(near)}})
    return Announced(said, why)


def _unheard(seat: Seat, game: Game, known: Mapping[str, Any] | None) -> tuple[list[News], set[str]]:
    """What an address has not heard of, and all that comes near; of what was before it heard of the game nothing is new."""
    at = seat.moment(game)
    near = list(tidings.coming(game, at, seat.named(game)))
    commit = known and game.repository.resolve(str(known["commit"]))
    before = GameTree(game.repository, game.repository.commit(commit).tree) if commit else game.tree
    heard = set(known["near"]) if known else set()
    fresh = [*tidings.since(game, before), *(each for each in near if each.key not in heard)]
    return fresh, {each.key for each in near}


def _sent(game: Game, address: str, said: tuple[str, ...]) -> str:
    """Send some lines, if there are any; why they did not or would not get there, or ""."""
    more = [f"and {len(said) - MOST} more"] if len(said) > MOST else []
    body = "\n".join(_plain(line) for line in (*said[:MOST], *more))
    try:
        one = heralds.herald(address)
    except Refused as error:
        return str(error.problems[0])
    if not said or heralds.call(one, _plain(game.settings.name), body):
        return ""
    return "it did not get there; it is told again next time"


def _plain(line: str) -> str:
    """A line in which no service takes a player's words for a call of everybody."""
    return line.replace("@", "@\u200b")


def _note(place: Path, noted: Mapping[str, Any]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_suffix(".new")
    beside.write_text(json.dumps(noted, sort_keys=True), "utf-8")
    beside.replace(place)
