"""Announcing: what each address does not know yet of a game is told there, and known there once it got there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from nomicgit.outlook import concerns, tidings
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

MOST = 20  # lines of one announcement
Noted = Mapping[str, Mapping[str, Any]]
"""How far each address knows the game, by its key: ``commit``, and the keys of what was ``near``."""


class Address(Protocol):
    """Where a game is heard of. Nobody learns the address from its key."""

    @property
    def key(self) -> str:
        """By which it is known again."""

    @property
    def wrong(self) -> str:
        """Why nothing can be told there, or ""."""

    def send(self, title: str, body: str) -> str:
        """Tell a text there; why it did not get there, or ""."""


class Announced(NamedTuple):
    """What was to be told at one address, and why it did not get there, or ""."""

    lines: tuple[str, ...]
    why_not: str

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"news": list(self.lines), "why_not": self.why_not}


class Owed(Struct, frozen=True):
    """What one address is owed, and what is noted of it once that got there."""

    game: str
    address: Address
    key: str
    lines: tuple[str, ...]
    known: Mapping[str, Any]

    def tell(self) -> Announced:
        """Tell it, if there is anything."""
        if self.address.wrong or not self.lines:
            return Announced(self.lines, self.address.wrong)
        more = [f"and {len(self.lines) - MOST} more"] if len(self.lines) > MOST else []
        body = "\n".join(_plain(line) for line in (*self.lines[:MOST], *more))
        return Announced(self.lines, self.address.send(_plain(self.game), body))


def owed(
    game: Game, at: int, player: str | None, addresses: Sequence[Address], noted: Noted
) -> Iterator[Owed]:
    """What each address is owed at a time; ``player``: who is told, too, what concerns them.

    Of what was before an address heard of the game nothing is new there.
    """
    near = list(tidings.coming(game, at, player))
    called = game.tree.called(player) if player else ""
    for key, address in _told_apart(addresses):
        known = noted.get(key)
        commit = known and game.repository.resolve(str(known["commit"]))
        before = GameTree(game.repository, game.repository.commit(commit).tree) if commit else game.tree
        heard = set(known["near"]) if known else set()
        mine = concerns.since(game, commit, player) if commit and player else []
        news = [*tidings.since(game, before), *(each for each in near if each.key not in heard)]
        knows = {"commit": game.head.oid, "near": sorted({each.key for each in near})}
        yield Owed(
            game.settings.name,
            address,
            key,
            (*(each.line for each in news), *(f"{called}, {each}" for each in mine)),
            knows,
        )


def _told_apart(addresses: Sequence[Address]) -> Iterator[tuple[str, Address]]:
    """Addresses by their keys, which are short: of two with one key the second has another."""
    times: dict[str, int] = {}
    for address in addresses:
        times[address.key] = times.get(address.key, 0) + 1
        number = times[address.key]
        yield (address.key if number == 1 else f"{address.key}-{number}"), address


def _plain(line: str) -> str:
    """A line in which no service takes a player's words for a call of everybody, or for a link that hides where it leads."""
    return re.sub(r"[@<\]]", "\\g<0>\u200b", line)
