"""Orders that were made in this clone, and those of them that were handed in and that no letter has answered yet."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nomicgit.clones.secret import ledger, lettering
from nomicgit.ground import clock
from nomicgit.physics.deeds.keyed import A_DAY
from nomicgit.record import journal
from nomicgit.record.game import Game

PLACE = "nomicgit/orders"
"""In the folder of Git: the orders that are awaited."""
MADE = "nomicgit/orders-made"
"""There: what makes each order good once that was made here, and a digest of what it asks for. Of any other order a
letter tells that somebody made it elsewhere, and of one that asks for something else that it was altered.
"""


class Awaited(NamedTuple):
    """An order that was handed in: by whom (by id), what it asks for, when it was made, the branch on which it was laid down,
    the term for whose key it was sealed, what makes it good once, and the commits of the letters that lay there then ("": none)
    and at which the game stood there.
    """

    player: str
    action: str
    at: str
    ref: str
    term: int
    nonce: str
    letters: str
    stood: str


def made(game: Game) -> dict[str, str]:
    """The nonces of the orders that were made in this clone, be it that they were only printed, with what they ask for (digests)."""
    place = Path(game.repository.git_dir, MADE)
    kept: dict[str, str] = json.loads(place.read_text()) if place.exists() else {}
    return kept


def made_here(game: Game, nonce: str, action: str, given: Mapping[str, Any]) -> None:
    """Keep in mind that an order was made in this clone, and what it asks for."""
    orders = made(game) | {nonce: _digest(action, ledger.shown(given))}
    lettering.lay(Path(game.repository.git_dir, MADE), json.dumps(orders))


def altered(here: Mapping[str, str], order: Mapping[str, Any]) -> bool:
    """Whether a letter tells of an order that was made here (``here``: `made`) that it asked for something else."""
    return order["nonce"] in here and here[order["nonce"]] != _digest(order["action"], order["with"])


def _digest(action: str, given: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([action, given], sort_keys=True).encode()).hexdigest()


def all_of(game: Game) -> list[Awaited]:
    """The orders of this clone that no letter has answered yet, as far as it knows."""
    place = Path(game.repository.git_dir, PLACE)
    return [Awaited(*each) for each in json.loads(place.read_text())] if place.exists() else []


def remember(game: Game, order: Awaited) -> None:
    """Keep in mind that an order was handed in."""
    _keep(game, [*all_of(game), order])


def forget(game: Game, orders: Collection[Awaited]) -> None:
    """Let go of orders of which all is told that there is to tell."""
    if orders:
        _keep(game, [each for each in all_of(game) if each not in orders])


def _keep(game: Game, orders: list[Awaited]) -> None:
    lettering.lay(Path(game.repository.git_dir, PLACE), json.dumps(orders))


def unanswered(game: Game, letter: Mapping[str, Any]) -> list[Awaited]:
    """The orders of a letter's player that it does not answer; those that it answers are forgotten."""
    own = [each for each in all_of(game) if each.player == letter["player"]]
    answered = {each["nonce"] for each in letter["orders"]}
    forget(game, [each for each in own if each.nonce in answered])
    return [each for each in own if each.nonce not in answered]


def sealed_since(game: Game, order: Awaited, tip: str) -> list[int]:
    """At which times (seconds, UTC) the keeper has sealed deeds since an order was handed in, up to a commit; the orders of one round
    share its time. None where that does not lead to where the game stood then.
    """
    times = set[int]()
    for commit in game.repository.log(tip):
        if commit.oid == order.stood:
            return sorted(times)
        times |= {commit.author_time} if journal.is_sealed(commit.message) else set()
    return []


def full_days(game: Game, letter: Mapping[str, Any]) -> list[str]:
    """The days on which, as a letter tells, as many orders of its player's were taken as are taken in a day."""
    calendar = game.world().calendar
    days = Counter(calendar.date(clock.instant(each["at"])) for each in letter["orders"] if each["nonce"])
    return [day for day, count in days.items() if count >= A_DAY]


def in_room(game: Game, times: Sequence[int], full: Collection[str]) -> list[int]:
    """Those of some times on whose days more orders were taken still."""
    calendar = game.world().calendar
    return [at for at in times if calendar.date(at) not in full]
