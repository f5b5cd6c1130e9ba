"""Git's index, version 2: a few entries put or taken out, without starting Git.

The form is Git's ``Documentation/gitformat-index``. Optional extensions are caches, and
are left out, as Git allows.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from hashlib import sha1

_HEAD = struct.Struct(">4sII")
_ENTRY = struct.Struct(">10I20sH")
_FIXED = 62  # bytes of an entry before its name
_EXTENDED, _STAGE, _LENGTH = 0x4000, 0x3000, 0x0FFF
_FILE = 0o100644


def put(raw: bytes | None, seconds: int, changes: Mapping[str, bytes | None]) -> bytes | None:
    """The index with entries put (see `entry`) or, for None, taken out; None where only Git should do it.

    ``raw`` is the index as it is, None if there is none; ``seconds`` is when it was last written.
    """
    entries: dict[bytes, bytes] | None = {} if raw is None else _entries(raw, seconds)
    if entries is None:
        return None
    for path, made in changes.items():
        if made is None:
            entries.pop(path.encode(), None)
        else:
            entries[path.encode()] = made
    body = _HEAD.pack(b"DIRC", 2, len(entries)) + b"".join(entries[name] for name in sorted(entries))
    return body + sha1(body, usedforsecurity=False).digest()


def entry(path: str, oid: str, stat: os.stat_result | None) -> bytes:
    """An entry; without ``stat`` (of the file in the work tree) Git compares contents when it next looks."""
    name = path.encode()
    times = (0,) * 6 if stat is None else _times(stat)
    rest = (0, 0, 0) if stat is None else (stat.st_uid, stat.st_gid, stat.st_size)
    numbers = (*times, _FILE, *rest)
    fixed = _ENTRY.pack(*(n & 0xFFFFFFFF for n in numbers), bytes.fromhex(oid), min(len(name), _LENGTH))
    return fixed + name + b"\0" * (8 - (_FIXED + len(name)) % 8)


def _times(stat: os.stat_result) -> tuple[int, ...]:
    changed, modified = divmod(stat.st_ctime_ns, 10**9), divmod(stat.st_mtime_ns, 10**9)
    return (*changed, *modified, stat.st_dev, stat.st_ino)


def _entries(raw: bytes, seconds: int) -> dict[bytes, bytes] | None:
    """The entries by name, in order; None for what is not plain version 2, whole, and without conflicts."""
    body, seal = raw[:-20], raw[-20:]
    if len(body) < _HEAD.size or seal not in (sha1(body, usedforsecurity=False).digest(), bytes(20)):
        return None
    magic, version, count = _HEAD.unpack_from(body)
    if magic != b"DIRC" or version != 2:
        return None
    found: dict[bytes, bytes] = {}
    racy = struct.pack(">I", seconds & 0xFFFFFFFF)
    at = _HEAD.size
    for _ in range(count):
        if at + _FIXED > len(body):
            return None
        flags = body[at + 60] << 8 | body[at + 61]
        length = flags & _LENGTH
        if flags & (_EXTENDED | _STAGE) or length == _LENGTH:
            return None
        end = at + (_FIXED + length + 8) // 8 * 8
        made = body[at:end]
        if made[8:12] >= racy:  # changed in the second the index was written: Git must compare the contents
            made = made[:36] + bytes(4) + made[40:]
        found[made[_FIXED : _FIXED + length]] = made
        at = end
    return found if len(found) == count and _only_caches(body, at) else None


def _only_caches(body: bytes, at: int) -> bool:
    """Whether what follows the entries are whole extensions that Git calls optional."""
    while at < len(body):
        if at + 8 > len(body) or not b"A" <= body[at : at + 1] <= b"Z":
            return False
        at += 8 + int.from_bytes(body[at + 4 : at + 8], "big")
    return at == len(body)
