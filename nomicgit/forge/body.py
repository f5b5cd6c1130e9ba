"""The body of an answer, taken within bounds: what has no end, or swells without end, is broken off."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable

MOST = 128 * 1024 * 1024
"""Bytes of a body: one long thread, each text in it as long as GitHub lets it be, takes less than half of that."""
LONGEST = 120
"""Seconds from the request on until a body is there."""
CODING = "gzip"
"""The one way to pack a body that we ask for."""
_OF_GZIP = 16 + zlib.MAX_WBITS


class Boundless(Exception):
    """A body that is not taken: too large, too slow, or packed as we did not ask for."""


def whole(pieces: Iterable[bytes], coding: str, spent: Callable[[], float]) -> bytes:
    """The pieces of a body as one, unpacked. ``spent`` tells the seconds since it was asked for. Raises Boundless."""
    if coding not in ("", "identity", CODING):
        raise Boundless("its body is packed otherwise than asked for")
    unpacking = zlib.decompressobj(_OF_GZIP) if coding == CODING else None
    taken = bytearray()
    for piece in pieces:
        try:
            taken += unpacking.decompress(piece, MOST + 1 - len(taken)) if unpacking is not None else piece
        except zlib.error:
            raise Boundless("its body cannot be unpacked") from None
        if len(taken) > MOST:
            raise Boundless(f"its body has more than {MOST // 1024 // 1024} MiB")
        if spent() > LONGEST:
            raise Boundless(f"its body was not there within {LONGEST} seconds")
    return bytes(taken)
