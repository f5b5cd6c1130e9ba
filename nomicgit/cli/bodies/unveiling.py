"""What sealed deeds of a game were, for whoever has its key and asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.record.game import Game
from nomicgit.record.journal import Entry
from nomicgit.record.secret import veil
from nomicgit.record.secret.keyring import LAY_DOWN, key_at
from nomicgit.record.secret.turning import all_keys
from nomicgit.sealing.keys import Key, Sealer


def at_hand(repository: Repository, tree: str, key: Key | None) -> list[Key]:
    """The keys of a game's terms that somebody has: with the one that is given or lies in this clone, and those that are open."""
    return all_keys(repository, tree, key or key_at(repository))


class Unveiling(Struct, frozen=True):
    """What opens deeds of a game: the keys at hand, one for each term that they are of."""

    sealers: Sequence[Sealer]

    @classmethod
    def of(cls, game: Game) -> Self:
        """With the keys that are at hand, or opened. Refused where there are none."""
        keys = at_hand(game.repository, game.head.tree, game.key) if game.terms else []
        if not keys:
            raise Refused.of("no key of this game is at hand, so nothing sealed can be opened", mend=LAY_DOWN)
        return cls([Sealer(key, game.terms[0].since) for key in keys])

    def behind(self, entry: Entry, called: Callable[[str], str]) -> dict[str, Any] | None:
        """What stands behind the veil of a deed, as plain data; None where no key at hand opens it."""
        for sealer in self.sealers:
            try:
                behind = veil.behind(entry, sealer)
            except Refused:
                continue  # it was sealed under the key of another term
            if behind is not None:
                deed = behind.deed
                return {
                    "by": deed.actor and called(deed.actor), "action": deed.action, "with": dict(deed.given),
                    "refused": behind.refusal,
                    "told": [{"player": called(who), "text": text} for who, text in behind.messages],
                }  # fmt: skip
        return None


def unveiling(game: Game) -> Unveiling:
    """What opens deeds of a game. Refused where no key is at hand."""
    return Unveiling.of(game)
