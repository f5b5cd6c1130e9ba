"""Orders: what a player hands in that nobody but the keeper may read, as canonical JSON in age's armour.

An order names game and term, so that it is good nowhere else, and a nonce, so that it is good once; who keeps it looks at them.
Nothing of its content stands in an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Self

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.files.grammar import Value
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.sealing import age
from nomicgit.sealing.canonical import canonical
from nomicgit.sealing.padding import padded, unpadded

STEP = 512  # bytes
MAX_PLAIN = 64 << 10  # bytes, padded
MAX_ARMOUR = 128 << 10  # bytes of the form: the largest plain text in armour takes 90 KiB
_NONCE = re.compile("[A-Za-z0-9_-]{1,64}")
_TEXTS = ("game", "by", "action", "nonce", "at")
SIGNED, INSTEAD = "signed", "instead"
NAMESPACE = "nomicgit-order"
"""For what an order is signed, so that the signature is good for nothing else."""
_NAMES = {*_TEXTS, "term", "with"}


class Order(Struct, frozen=True):
    """Who does what, with what, in which game and term; at: when it was made (seconds, UTC). It shows game and term alone."""

    game: str
    term: int
    by: str
    action: str
    with_: Mapping[str, Value]
    nonce: str
    at: int
    signature: str = ""
    """By an SSH key of the player, over all else of it; "" where there is none."""
    instead: str = ""
    """What makes the order good once that its player takes back by this one; "" where it takes none back."""

    def __repr__(self) -> str:
        return f"Order(game={self.game!r}, term={self.term!r})"

    @property
    def text(self) -> bytes:
        """What a player signs of it. Refused where it cannot be written."""
        try:
            return canonical(self._unsigned())
        except Malformed:
            raise _unfit("it holds what JSON cannot say") from None

    def armoured(self, recipient: str) -> str:
        """The order as it is handed in: encrypted, in armour. Raises Refused where it is too large or cannot be written."""
        plain = None
        with suppress(Malformed):
            plain = padded(canonical(self._plain()), STEP)
        if plain is None or len(plain) > MAX_PLAIN:
            raise _unfit("it holds what JSON cannot say" if plain is None else "it is larger than 64 KiB")
        return age.encrypted(plain, [recipient], armour=True).decode()

    def _plain(self) -> dict[str, object]:
        return self._unsigned() | ({SIGNED: self.signature} if self.signature else {})

    def _unsigned(self) -> dict[str, object]:
        more: dict[str, object] = {INSTEAD: self.instead} if self.instead else {}
        return more | {
            "game": self.game,
            "term": self.term,
            "by": self.by,
            "action": self.action,
            "with": self.with_,
            "nonce": self.nonce,
            "at": clock.text(self.at),
        }

    @classmethod
    def read(cls, armour: str, identity: str) -> Self:
        """The order that a form holds, prose and fences around it or not. Raises Refused, without its content."""
        if len(armour) > MAX_ARMOUR:
            raise _unfit("it is larger than 128 KiB")
        padding = age.decrypted(armour.encode(errors="replace"), identity)
        if len(padding) > MAX_PLAIN:
            raise _unfit("it is larger than 64 KiB")
        members = _members(padding)
        if members.keys() - {SIGNED, INSTEAD} != _NAMES:
            raise _unfit(
                "it must hold game, term, by, action, with, nonce and at, perhaps instead and signed, and nothing else"
            )
        return cls._of(members)

    @classmethod
    def _of(cls, members: Mapping[str, object]) -> Self:
        """The order of these members, each of its type."""
        texts = {name: text for name in _TEXTS if isinstance(text := members[name], str) and text}
        term, given, signature = members["term"], members["with"], members.get(SIGNED, "")
        instead = members.get(INSTEAD, "")
        if len(texts) < len(_TEXTS) or not _NONCE.fullmatch(texts["nonce"]):
            raise _unfit(
                "game, by, action, nonce and at must be texts, the nonce of up to 64 letters and digits"
            )
        if not isinstance(term, int) or isinstance(term, bool) or term < 0:
            raise _unfit("term must be a whole number")
        if not isinstance(signature, str):
            raise _unfit("signed must be a text")
        if not isinstance(instead, str) or (INSTEAD in members and not _NONCE.fullmatch(instead)):
            raise _unfit("instead must be the nonce of an order")
        if not isinstance(given, dict):
            raise _unfit("with must be a map")
        at = None
        with suppress(Malformed):
            at = clock.instant(texts["at"])
        if at is None:
            raise _unfit("at must be a time such as 2021-06-07T00:00:00Z")
        own = texts["game"], term, texts["by"], texts["action"], given, texts["nonce"]
        return cls(*own, at, signature, instead)


def _members(padding: bytes) -> dict[str, object]:
    """The members of the one JSON object within a padding, all of which canonical JSON can say."""
    with suppress(Malformed, ValueError, RecursionError):
        members = json.loads(unpadded(padding).decode(), object_pairs_hook=_once)
        members = json.loads(
            canonical(members)
        )  # so that it is the same when it is read again from the record
        if isinstance(members, dict):
            return members
    raise _unfit("it is no padded JSON as orders are")


def _once(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """A map of pairs, no name of which comes twice."""
    listed = list(pairs)
    members = dict(listed)
    if len(members) < len(listed):
        raise ValueError
    return members


def _unfit(why: str) -> Refused:
    return Refused.of(
        f"this is no order: {why}",
        mend=remedy("make it anew, with the page of the action or by:", command("nomicgit", "order")),
    )
