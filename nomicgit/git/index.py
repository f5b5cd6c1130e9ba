"""The index of a work tree, version 2, read and written without starting Git.

Its form is that of Git's ``Documentation/gitformat-index``; optional extensions are caches, and are left out, as Git allows.
A file that was written in the same second as the index is looked at before the index is written again, as Git does it: its
state would say no more whether it has changed.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Callable, Mapping
from hashlib import sha1

from nomicgit.git.objects import Entry

LINK, MODULE, PROGRAM, PLAIN = "120000", "160000", "100755", "100644"
"""The modes of what lies at a path, as the index knows them."""

_HEAD = struct.Struct(">4sII")
_EMPTY = _HEAD.pack(b"DIRC", 2, 0)
_INDEX_LOOK = struct.Struct(">8xI48xH")  # of an entry: the second of its file's last change, and its flags
_STATE, _REST = (
    struct.Struct(">6I"),
    struct.Struct(">3I"),
)  # of an entry, before its file's kind and behind it
_ENTRY = struct.Struct(">10I20sH")
_FIXED = 62  # bytes of an entry before its name
_LENGTH = 0x0FFF  # of the flags; above it stand Git's marks
_Lies = Callable[[str, str], os.stat_result | None]
"""Whether the blob of an id lies at a path: the state of its file; None where something else does."""


def mode_of(entry: Entry) -> int:
    """The mode of an entry as the index has it, which knows four."""
    return int(entry[0] if entry[0] in (LINK, MODULE, PROGRAM) else PLAIN, 8)


def index_file(path: str) -> tuple[bytes | None, int]:
    """The bytes of the index, None if there is none, and the second in which it was written."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall(), int(os.fstat(file.fileno()).st_mtime)
    except FileNotFoundError:
        return None, 0


def index_with(
    raw: bytes | None, seconds: int, changes: Mapping[str, bytes | None], lies: _Lies = lambda *_: None
) -> bytes | None:
    """The index with entries put (see `index_entry`) or, for None, taken out; None where only Git should do it.

    ``raw`` is the index as it is, None if there is none; ``seconds`` is when it was last written. ``lies`` looks at the
    files that were changed then, or later; without it Git compares their contents when it next looks.
    """
    parts = ([], [], bytearray(), len(_EMPTY)) if raw is None else _index_entries(raw, seconds)
    if parts is None:
        return None
    starts, unsure, body, end = parts
    body = body or bytearray(_EMPTY)
    del body[end:]
    for start in unsure:
        _settle(body, start, changes, lies)
    edits = sorted(
        (_place(body, starts, name), name, made)
        for name, made in ((os.fsencode(path), made) for path, made in changes.items())
    )
    count = len(starts)
    for (start, stop), _, made in reversed(edits):  # from the end on, so that what is before keeps its place
        count += (made is not None) - (stop > start)
        body[start:stop] = made or b""
    body[: _HEAD.size] = _HEAD.pack(b"DIRC", 2, count)
    return bytes(body + sha1(body, usedforsecurity=False).digest())


def _settle(body: bytearray, start: int, changes: Mapping[str, bytes | None], lies: _Lies) -> None:
    """Note the state of a file as it is now where it is what its entry says; else Git compares the contents."""
    path = os.fsdecode(_name(body, start))
    if path in changes:
        return
    seen = lies(path, body[start + 40 : start + 60].hex())
    if seen is None:
        body[start + 36 : start + 40] = bytes(4)
        return
    _note_state(body, start, seen)


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


def index_entry(path: str, entry: Entry, stat: os.stat_result | None) -> bytes:
    """An entry; without ``stat`` (of the file in the work tree) Git compares contents when it next looks."""
    name, oid = path.encode("utf-8", "surrogateescape"), bytes.fromhex(entry[1])
    fixed = bytearray(_ENTRY.pack(*(0,) * 6, mode_of(entry), *(0,) * 3, oid, min(len(name), _LENGTH)))
    if stat is not None:
        _note_state(fixed, 0, stat)
    return bytes(fixed) + name + b"\0" * (8 - (_FIXED + len(name)) % 8)


def _note_state(body: bytearray, start: int, stat: os.stat_result) -> None:
    """Write the state of a file into the entry that begins there."""
    changed, modified = divmod(stat.st_ctime_ns, 10**9), divmod(stat.st_mtime_ns, 10**9)
    state, rest = (*changed, *modified, stat.st_dev, stat.st_ino), (stat.st_uid, stat.st_gid, stat.st_size)
    _STATE.pack_into(body, start, *(number & 0xFFFFFFFF for number in state))
    body[start + 28 : start + 40] = _REST.pack(*(number & 0xFFFFFFFF for number in rest))


def _index_entries(raw: bytes, seconds: int) -> tuple[list[int], list[int], bytearray, int] | None:
    """Where each entry begins, those whose file was changed in the second of the index or later, the index itself, and
    where its entries end.

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
    unsure: list[int] = []
    racy, at, look = seconds & 0xFFFFFFFF, _HEAD.size, _INDEX_LOOK.unpack_from
    try:
        for _ in range(count):  # the one loop that grows with the game, hence its terse arithmetic
            changed, flags = look(body, at)
            if (
                flags >= _LENGTH
            ):  # a conflict, an extension, a mark that Git keeps for itself, or a name too long
                return None
            if changed >= racy:
                unsure.append(at)
            starts.append(at)
            at += (flags + _FIXED + 8) & -8
    except struct.error:  # the file ends within an entry
        return None
    return (starts, unsure, body, at) if at <= len(body) and _only_caches(body, at) else None


def _only_caches(body: bytearray, at: int) -> bool:
    """Whether what follows the entries are whole extensions that Git calls optional."""
    while at < len(body):
        if at + 8 > len(body) or not b"A" <= body[at : at + 1] <= b"Z":
            return False
        at += 8 + int.from_bytes(body[at + 4 : at + 8], "big")
    return at == len(body)
