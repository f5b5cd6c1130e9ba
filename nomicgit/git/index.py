"""Git's index, version 2: a few entries put or taken out, without starting Git.

The form is Git's ``Documentation/gitformat-index``. Optional extensions are caches, and
are left out, as Git allows.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Mapping
from hashlib import sha1

_HEAD = struct.Struct(">4sII")
_EMPTY = _HEAD.pack(b"DIRC", 2, 0)
_LOOK = struct.Struct(">8xI48xH")  # of an entry: the second of its file's last change, and its flags
_ENTRY = struct.Struct(">10I20sH")
_FIXED = 62  # bytes of an entry before its name
_LENGTH = 0x0FFF  # of the flags; above it stand Git's marks
_FILE = 0o100644


def put(raw: bytes | None, seconds: int, changes: Mapping[str, bytes | None]) -> bytes | None:
    """The index with entries put (see `entry`) or, for None, taken out; None where only Git should do it.

    ``raw`` is the index as it is, None if there is none; ``seconds`` is when it was last written.
    """
    found = ([], bytearray(), len(_EMPTY)) if raw is None else _entries(raw, seconds)
    if found is None:
        return None
    starts, body, end = found
    body = body or bytearray(_EMPTY)
    del body[end:]
    edits = sorted(
        (_place(body, starts, path.encode()), path.encode(), made) for path, made in changes.items()
    )
    count = len(starts)
    for (start, stop), _, made in reversed(edits):  # from the end on, so that what is before keeps its place
        count += (made is not None) - (stop > start)
        body[start:stop] = made or b""
    body[: _HEAD.size] = _HEAD.pack(b"DIRC", 2, count)
    return bytes(body + sha1(body, usedforsecurity=False).digest())


def _place(body: bytearray, starts: list[int], name: bytes) -> tuple[int, int]:
    """From where to where the entry of a name stands; the place at which it would, where there is none."""
    at = bisect_left(starts, name, key=lambda start: _name(body, start))
    start = starts[at] if at < len(starts) else len(body)
    there = at < len(starts) and _name(body, start) == name
    return start, start + _size(len(name)) if there else start


def _name(body: bytearray, start: int) -> bytes:
    length = (body[start + 60] << 8 | body[start + 61]) & _LENGTH
    return bytes(body[start + _FIXED : start + _FIXED + length])


def _size(length: int) -> int:
    """The bytes of an entry whose name has so many."""
    return (_FIXED + length + 8) // 8 * 8


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


def _entries(raw: bytes, seconds: int) -> tuple[list[int], bytearray, int] | None:
    """Where each entry begins, the index itself, and where its entries end.

    None for what is not plain version 2, whole, and without conflicts.
    """
    seal = raw[-20:]
    body = bytearray(raw[:-20])
    if len(body) < _HEAD.size or seal not in (sha1(body, usedforsecurity=False).digest(), bytes(20)):
        return None
    magic, version, count = _HEAD.unpack_from(body)
    if magic != b"DIRC" or version != 2:
        return None
    starts: list[int] = []
    racy, at, look = seconds & 0xFFFFFFFF, _HEAD.size, _LOOK.unpack_from
    try:
        for _ in range(count):  # the one loop that grows with the game, hence its terse arithmetic
            changed, flags = look(body, at)
            if (
                flags >= _LENGTH
            ):  # a conflict, an extension, a mark that Git keeps for itself, or a name too long
                return None
            if changed >= racy:  # in the second the index was written: Git must compare the contents
                body[at + 36 : at + 40] = bytes(4)
            starts.append(at)
            at += (flags + _FIXED + 8) & -8
    except struct.error:  # the file ends within an entry
        return None
    return (starts, body, at) if at <= len(body) and _only_caches(body, at) else None


def _only_caches(body: bytearray, at: int) -> bool:
    """Whether what follows the entries are whole extensions that Git calls optional."""
    while at < len(body):
        if at + 8 > len(body) or not b"A" <= body[at : at + 1] <= b"Z":
            return False
        at += 8 + int.from_bytes(body[at + 4 : at + 8], "big")
    return at == len(body)
