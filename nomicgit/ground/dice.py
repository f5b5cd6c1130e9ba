"""Dice that anybody can roll again: faces follow from a seed and the name of the draw alone.

The stream of a draw is SHAKE-256 over the domain, the seed and the draw's names, each behind its length
in 8 bytes, then the number of the block in 8 bytes; a block is 136 bytes, the rate of SHAKE-256, and is
read as 17 words of 8 bytes. All numbers are big-endian. A face is 1 + word mod sides; words from the
greatest multiple of the sides upwards are thrown away, so that all faces are equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import shake_256
from struct import unpack

from nomicgit.ground.problems import Malformed

_DOMAIN = b"nomicgit/dice/v1"
_BLOCK = 136
_WORDS = 1 << 64


class Stream:
    """An endless stream of draws; equal seeds and names give equal streams."""

    def __init__(self, seed: bytes, *parts: str) -> None:
        named = (_DOMAIN, seed, *(part.encode() for part in parts))
        self._words = _words(b"".join(_number(len(part)) + part for part in named))

    def below(self, n: int) -> int:
        """A number from 0 to ``n`` - 1. Raises Malformed unless ``n`` is from 1 to 2**64."""
        if not 1 <= n <= _WORDS:
            raise Malformed.of(f"a draw among {n}", mend="draw among 1 to 2**64")
        end = _WORDS - _WORDS % n
        return next(word for word in self._words if word < end) % n

    def die(self, sides: int) -> int:
        """A face from 1 to ``sides``. Raises Malformed for less than one side."""
        return 1 + self.below(sides)


def draw(seed: bytes, deed: str, number: int, sides: int) -> int:
    """The face of one draw of a deed, from a stream of its own: it hangs on no other draw."""
    return Stream(seed, deed, str(number)).die(sides)


def _words(prefix: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from unpack(">17Q", shake_256(prefix + _number(block)).digest(_BLOCK))
        block += 1


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big")
