"""Orders that were made in this clone, and those of them that were handed in and that no letter has answered yet."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.secret import lettering

PLACE = "nomicgit/orders"
"""In the folder of Git: the orders that are awaited."""
MADE = "nomicgit/orders-made"
"""There: what makes each order good once that was made here. Of any other a letter tells that somebody made it elsewhere."""


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


def made(game: Game) -> frozenset[str]:
    """The nonces of the orders that were made in this clone, be it that they were only printed."""
    place = Path(game.repository.git_dir, MADE)
    return frozenset(place.read_text().split() if place.exists() else ())


def made_here(game: Game, nonce: str) -> None:
    """Keep in mind that an order was made in this clone."""
    lettering.lay(Path(game.repository.git_dir, MADE), "\n".join(sorted({*made(game), nonce})))


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


def sealed_since(game: Game, order: Awaited, tip: str) -> int:
    """At how many times the keeper has sealed deeds since an order was handed in, up to a commit; the orders of one round share
    its time. 0 where that does not lead to where the game stood then.
    """
    times = set[int]()
    for commit in game.repository.log(tip):
        if commit.oid == order.stood:
            return len(times)
        times |= {commit.author_time} if journal.is_sealed(commit.message) else set()
    return 0
