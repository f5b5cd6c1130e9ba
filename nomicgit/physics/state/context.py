"""In what a deed is decided: chance, what came before it, and what may be done in it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct, field

from nomicgit.ground import dice


class Chance(Protocol):
    """Where random results come from.

    ``drawn``: how many have been drawn, which may be put back. ``seeds``: those on which something hung that everybody may
    know, be it that it was taken back; they stand in the record.
    """

    drawn: int
    seeds: list[bytes]

    def die(self, sides: int, *, secret: bool, turn: str) -> int:
        """A face from 1 to ``sides`` (2 or more, or 1). ``turn``: what draws, and how often it has drawn in this term."""

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of one of these options (two or more)."""

    def scratch(self) -> Chance:
        """Chance of its own, for what is only tried."""

    def mark(self) -> Callable[[], None]:
        """What takes back that anything hung on what is drawn from now on."""


class Seeded(Struct):
    """Chance from a seed, so that anyone recomputes it: keyed by the deed and the number of the draw.

    ``whole`` is the chance of which this one is a scratch: what it shows hangs on the same seed.
    """

    seed: bytes
    deed: str
    drawn: int = 0
    whole: Seeded | None = None
    seeds: list[bytes] = field(default_factory=list)

    def die(self, sides: int, *, secret: bool, turn: str) -> int:
        """The face of the next draw."""
        self.drawn += 1
        whole = self.whole or self
        whole.seeds = [whole.seed]
        return dice.draw(self.seed, self.deed, self.drawn, sides)

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of the option that the next draw gives."""
        return self.die(len(options), secret=secret, turn=turn) - 1

    def scratch(self) -> Seeded:
        """Chance of its own: trying something foretells nothing."""
        seed = hashlib.sha256(b"scratch" + self.seed).digest()
        return Seeded(seed, self.deed, whole=self.whole or self)

    def mark(self) -> Callable[[], None]:
        """What takes back that anything hung on the seed from now on."""
        whole = self.whole or self
        return partial(setattr, whole, "seeds", [*whole.seeds])


class Alike(Struct):
    """Chance of which every die shows one face, counted on from 1 where it has fewer; -1: its last."""

    face: int
    drawn: int = 0
    seeds: list[bytes] = field(default_factory=list)

    def die(self, sides: int, *, secret: bool, turn: str) -> int:
        """That face."""
        return (self.face - (self.face > 0)) % sides + 1

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of that face."""
        return self.die(len(options), secret=secret, turn=turn) - 1

    def scratch(self) -> Alike:
        """The same."""
        return self

    def mark(self) -> Callable[[], None]:
        """Nothing hangs on it."""
        return lambda: None


FACES, SEEDS = 6, 5


def several() -> Iterator[Chance]:
    """Some ways in which dice may fall, to see whether anything hangs on them."""
    yield from (Alike(face) for face in (*range(1, FACES + 1), -1))
    yield from (Seeded(bytes([n]) * 32, "several") for n in range(SEEDS))


class History(Struct, frozen=True):
    """What earlier deeds of the game were; there are none, where nobody says otherwise."""

    def deed(self, name: str) -> Mapping[str, object] | None:
        """``{actor, action, with, at}`` of a deed, or None."""
        return None

    def sealed(self, name: str) -> bool:
        """Whether more stands behind a deed than everybody sees."""
        return False

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """The net effects of a deed: ``[{ref, field, old, new}]``, or None where they are not known."""
        return None

    def mark(self) -> Callable[[], None]:
        """What takes back that anybody has asked from now on."""
        return lambda: None


class Context(Struct, frozen=True):
    """In what deeds are decided. Looking, rehearsing, trying and replaying differ in this alone.

    ``secrets``: something can be kept secret. ``keys``: by a key, which not everybody has. ``trusted``: nothing that the
    law does is tried in a worker first, as in a trial. ``tried``: the share of a deed's time that each act of a trial has, and each
    event of the clock in it; 0: it is none, and what is trusted has the time of its worker. ``looking``: somebody only looks, and
    where the game's key is needed the clock halts, and refuses nothing. ``surmising``: somebody without the key tries what they
    would do in private.
    ``claims``: what a recorded deed says of itself, and replay takes as given; None where a deed is decided for the first
    time. ``again`` is handed each of them with the work of which it is made; None: that is not tried again.
    """

    history: History = field(default_factory=History)
    secrets: bool = False
    keys: bool = False
    trusted: bool = False
    tried: float = 0
    looking: bool = False
    surmising: bool = False
    claims: Mapping[str, Sequence[str]] | None = None
    again: Callable[..., None] | None = None
