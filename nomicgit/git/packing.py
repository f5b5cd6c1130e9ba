"""Packs: what a scratch clone stores is held in memory, and written as one, when Git's program is asked for more than an
object by its id, or it is much.

A file for each object, as a game's own repository gets them, costs more there than the deeds that make them. The objects are
those that would lie loose, to the byte.
"""

from __future__ import annotations

import itertools
import os
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha1

Stored = tuple[str, bytes]  # kind and bytes

MOST = 16 * 1024 * 1024
"""Bytes of objects that are held, and of those written last that are still read from memory."""
_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}


class Held:
    """What one process has stored in a scratch clone, as far as it lies in no pack yet."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._process = os.getpid()
        self._laid: dict[str, Stored] = {}
        self._held: dict[str, Stored] = {}
        self._written: dict[str, Stored] = {}
        self._size = 0
        self.whole = 0
        """How many objects were written whole."""

    @property
    def here(self) -> bool:
        """Whether this is the process that holds; what a child of it stores would be gone with it, so that lies loose."""
        return self._process == os.getpid()

    def __contains__(self, oid: str) -> bool:
        return self.get(oid) is not None

    def get(self, oid: str) -> Stored | None:
        """An object that is held, or was written last."""
        return self._laid.get(oid) or self._held.get(oid) or self._written.get(oid)

    def lay(self, oid: str, stored: Stored) -> None:
        """Take an object, which counts once it is settled."""
        self._laid[oid] = stored

    def settle(self) -> None:
        """Hold what was laid."""
        self._held |= self._laid
        self._size += sum(len(body) for _, body in self._laid.values())
        self._laid = {}
        if self._size > MOST:
            self.write()

    def forget(self) -> None:
        """Let go of what was laid and not settled."""
        self._laid = {}

    def write(self) -> None:
        """Write what is held as a pack, so that Git sees it."""
        if not self._held:
            return
        pack, index = packed(self._held)
        path = f"{self._folder}/pack-{pack[-20:].hex()}"
        os.makedirs(self._folder, exist_ok=True)
        for end, content in ((".pack", pack), (".idx", index)):
            with open(f"{path}{end}.{os.getpid()}", "wb") as file:
                file.write(content)
            os.replace(file.name, path + end)
        self.whole += len(self._held)
        self._written, self._held, self._size = self._held, {}, 0


def packed(objects: Mapping[str, Stored]) -> tuple[bytes, bytes]:
    """A pack of objects, given by their ids, and its index, each of Git's version 2."""
    parts, rows = [b"PACK" + struct.pack(">II", 2, len(objects))], list[tuple[bytes, int, int]]()
    at = len(parts[0])
    for oid, (kind, body) in objects.items():
        entry = bytes(_head(_KINDS[kind], len(body))) + zlib.compress(body, 1)
        rows.append((bytes.fromhex(oid), zlib.crc32(entry), at))
        parts.append(entry)
        at += len(entry)
    pack = b"".join(parts)
    pack += sha1(pack, usedforsecurity=False).digest()
    rows.sort()
    many = Counter(oid[0] for oid, _, _ in rows)
    until = itertools.accumulate(many[byte] for byte in range(256))
    index = b"".join((
        b"\377tOc", struct.pack(">I256I", 2, *until), *(oid for oid, _, _ in rows),
        *(struct.pack(">I", sums) for _, sums, _ in rows), *(struct.pack(">I", at) for _, _, at in rows), pack[-20:],
    ))  # fmt: skip
    return pack, index + sha1(index, usedforsecurity=False).digest()


def _head(kind: int, size: int) -> Iterator[int]:
    """An entry's kind and size: four bits of it, then seven a byte, the lowest first."""
    byte, size = kind << 4 | size & 15, size >> 4
    while size:
        yield byte | 128
        byte, size = size & 127, size >> 7
    yield byte
