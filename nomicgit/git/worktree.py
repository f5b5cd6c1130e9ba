"""The files that people see beside the record: looked at for local edits, and brought along after a deed, with Git's index.

Every path is opened folder by folder, and no symbolic link is followed. What is no part of a game may be a link, a
program or a submodule: it lies as Git lays it. The index, version 2, is written without starting Git: a few entries put
or taken out. Its form is that of Git's ``Documentation/gitformat-index``; optional extensions are caches, and are left
out, as Git allows. A file that was written in the same second as the index is looked at before the index is written
again, as Git does it: its state would say no more whether it has changed.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha1

from nomicgit.git import trees
from nomicgit.git.branch import Lock
from nomicgit.git.layout import Layout
from nomicgit.git.objects import Entry, Objects, fill, oid_of, oid_of_file
from nomicgit.git.process import TooLarge, command, run, try_run
from nomicgit.git.trees import below, known_as, lies_as, lies_so, mode_of
from nomicgit.ground.problems import Refused

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_FILTERS = r"^filter\..*\.(clean|process|required)$"
_OPEN = 64  # folders that are open at once, at most
_NO_FILE = "neither file nor link"  # stands for the id of what lies there
_NOT_HELD = frozenset(
    {"EEXIST", "EILSEQ", "EINVAL", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOTDIR", "ENOTEMPTY"}
)

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

_Found = tuple[str | None, os.stat_result | None]


class WorkTree:
    """The work tree of a repository that has one."""

    def __init__(self, layout: Layout, objects: Objects, lock: Lock, *, folds: bool) -> None:
        assert layout.root is not None
        self._layout = layout
        self._root = layout.root
        self._objects = objects
        self._lock = lock
        self._folds = folds  # whether capitals do not count
        inside = layout.git_dir == os.path.join(layout.root, ".git")
        self._beside = f"{layout.git_dir}/nomicgit.tmp" if inside else f"{self._root}/.nomicgit.tmp"
        self._opened: dict[str, int] = {}

    def edits(self, paths: Iterable[str], tree: str | None) -> list[str]:
        """Which of these files differ from the tree, by content."""
        stored = {path: self._stored(tree, path) for path in paths if not self._misfits(tree, path)}
        with self._opening():
            return [
                path
                for path, entry in stored.items()
                if self._differs(path, entry) and not below(path, stored)
            ]

    def bring(self, old: str | None, new: str, paths: Iterable[str]) -> list[str]:
        """Write what ``new`` has where that of ``old`` lies, and the index; gives the paths left alone.

        What no file system holds is left out. `Refused` before anything is written where a folder on the way is a
        symbolic link.
        """
        some = [path for path in paths if not (self._misfits(old, path) or self._misfits(new, path))]
        was, wanted = ({path: self._stored(tree, path) for path in some} for tree in (old, new))
        with self._opening():
            return self._brought(some, was, wanted)

    def _brought(
        self, some: Sequence[str], was: Mapping[str, Entry | None], wanted: Mapping[str, Entry | None]
    ) -> list[str]:
        """Write what is wanted where what was lies, and the index; the paths left alone."""
        looks: dict[str, _Found] = {
            path: (None, None) if below(path, was) else self._look(path) for path in some
        }
        left: list[str] = []
        entries: dict[str, bytes | None] = {}
        for path in sorted(some, key=lambda path: lies_as(wanted[path])):  # what goes makes room for the rest
            lies, seen = looks[path]
            entry = wanted[path] if lies_as(wanted[path]) else None
            if not lies_so(lies, entry) and not lies_so(lies, was[path]):
                left.append(path)
                seen = None
            elif entry is None:
                self._take_out(path, lies)
            elif lies != known_as(entry) or not _runs_as(entry, seen):
                if lies == trees.A_FOLDER:
                    self._take_out(path, lies)
                try:
                    seen = self._put(path, entry)
                except (OSError, ValueError) as error:
                    if isinstance(error, OSError) and errno.errorcode.get(error.errno or 0) not in _NOT_HELD:
                        raise
                    left.append(path)
                    seen = None
            entries[path] = None if entry is None else index_entry(path, entry, seen)
        self._set_index(entries, wanted)
        return left

    def _misfits(self, tree: str | None, path: str) -> bool:
        return bool(trees.misfit(self._objects, tree, path, folds=self._folds))

    def _stored(self, tree: str | None, path: str) -> Entry | None:
        return trees.entry(self._objects, tree, path) if tree else None

    def _differs(self, path: str, entry: Entry | None) -> bool:
        try:
            return not lies_so(self._look(path)[0], entry)
        except (Refused, OSError):
            return True

    def _look(self, path: str) -> _Found:
        """What lies at a path, as `_known` tells it, and its state; None twice if nothing is there."""
        name = path.rpartition("/")[2]
        try:
            file = os.open(name, _LOOK, dir_fd=self._folder(path))
        except FileNotFoundError:
            return None, None
        except OSError:  # a symbolic link, a socket, a file that may not be read
            return self._look_at_link(path)
        try:
            seen = os.fstat(file)
            if stat.S_ISREG(seen.st_mode):
                with open(file, "rb", buffering=0, closefd=False) as opened:
                    return oid_of_file(opened, seen.st_size), seen
            return (trees.A_FOLDER if stat.S_ISDIR(seen.st_mode) else _NO_FILE), seen
        finally:
            os.close(file)

    def _look_at_link(self, path: str) -> _Found:
        name = path.rpartition("/")[2]
        try:
            folder = self._folder(path)
            target = os.fsencode(os.readlink(name, dir_fd=folder))
            return trees.LINKED + oid_of("blob", target), os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return _NO_FILE, None

    def _lies(self, path: str, oid: str) -> os.stat_result | None:
        """The state of a file, or of a link, that is as the index has it; None where it is not."""
        try:
            lies, seen = self._look(path)
        except (Refused, OSError):
            return None
        return seen if lies in (oid, trees.LINKED + oid) else None

    def _put(self, path: str, entry: Entry) -> os.stat_result | None:
        """Put what the repository has in its place, whole or not at all; None if it was changed at once."""
        mode, oid = entry
        if mode == trees.MODULE:
            self._folder(f"{path}/", make=True)
            return None
        with suppress(FileNotFoundError):
            os.unlink(self._beside)
        if mode == trees.LINK:
            os.symlink(self._objects.blob(oid), os.fsencode(self._beside))
        else:
            fill(os.open(self._beside, _MAKE, _bits(mode)), self._bytes(oid), sync=False)
        made = os.stat(self._beside, follow_symlinks=False)
        name = path.rpartition("/")[2]
        folder = self._folder(path, make=True)
        os.replace(self._beside, name, dst_dir_fd=folder)
        seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
        same = (made.st_ino, made.st_mtime_ns, made.st_size) == (seen.st_ino, seen.st_mtime_ns, seen.st_size)
        return seen if same else None

    def _bytes(self, oid: str) -> bytes:
        """The bytes of a file, however many: what Git holds, and is no part of a game, may be large."""
        try:
            return self._objects.blob(oid)
        except TooLarge:
            return run(command(self._layout, "cat-file", "blob", oid))

    def _take_out(self, path: str, lies: str | None) -> None:
        """Take away what lies there, and the folders that are empty then; of a submodule's folder what is in it stays."""
        name = path.rpartition("/")[2]
        if lies == trees.A_FOLDER:
            with suppress(OSError):
                os.rmdir(name, dir_fd=self._folder(path))
        elif lies is not None:
            os.unlink(name, dir_fd=self._folder(path))
        parts = path.split("/")[:-1]
        with suppress(OSError):  # a folder that is not empty stays, and so do those above it
            while parts:
                os.rmdir(parts[-1], dir_fd=self._folder("/".join(parts)))
                del parts[-1]
        self._close()  # what is gone is not written into

    def _folder(self, path: str, *, make: bool = False) -> int:
        """The folder in which a path lies, open until `_opening` ends; `Refused` where a link or a file is on the way."""
        place, folder = "", self._opened.get("")
        if folder is None:
            folder = self._opened[""] = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in path.split("/")[:-1]:
                if len(self._opened) >= _OPEN:
                    self._close(place)
                place += f"/{name}"
                below = self._opened.get(place)
                if below is None:
                    if make:
                        with suppress(FileExistsError):
                            os.mkdir(name, dir_fd=folder)
                    below = self._opened[place] = os.open(name, _DIRECTORY, dir_fd=folder)
                folder = below
        except FileNotFoundError:
            raise
        except OSError:
            raise Refused.of(
                "a symbolic link or a file stands where a folder is needed",
                file=path,
                mend="move it away: files of a game are not reached through links",
            ) from None
        return folder

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Each folder on the way to many paths is opened once meanwhile."""
        try:
            yield
        finally:
            self._close()

    def _close(self, but: str | None = None) -> None:
        """Close the folders that are open, but for one."""
        for place in [place for place in self._opened if place != but]:
            os.close(self._opened.pop(place))

    def _set_index(self, entries: Mapping[str, bytes | None], wanted: Mapping[str, Entry | None]) -> None:
        """Put entries into the index under Git's own lock; by Git where the index is of another form."""
        path = f"{self._layout.git_dir}/index"
        fresh = f"{path}.lock"
        file = self._lock.take_git_lock(fresh)
        try:
            made = index_with(*_index_file(path), entries, self._lies)
            fill(file, made or b"")
            if made is not None:
                os.rename(fresh, path)
                return
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(fresh)
            raise
        os.unlink(fresh)
        self._set_index_by_git(wanted)

    def _set_index_by_git(self, wanted: Mapping[str, Entry | None]) -> None:
        lines = [
            f"{mode_of(entry):o} {entry[1]}\t{path}\0"
            if entry and lies_as(entry)
            else f"0 {'0' * 40}\t{path}\0"
            for path, entry in wanted.items()
        ]
        given = "".join(lines).encode("utf-8", "surrogateescape")
        run(command(self._layout, "update-index", "-z", "--index-info"), given=given)
        try_run(command(self._layout, *self._without_filters(), "update-index", "-q", "--refresh"))

    def _without_filters(self) -> list[str]:
        """What bars the programs that a repository's settings name for its files."""
        line = command(self._layout, "config", "--null", "--name-only", "--get-regexp", _FILTERS)
        named = try_run(line).stdout.decode("utf-8", "surrogateescape")
        return [word for key in named.split("\0")[:-1] for word in ("-c", f"{key}=")]


def _bits(mode: str) -> int:
    return 0o777 if mode == trees.PROGRAM else 0o666


def _runs_as(entry: Entry, seen: os.stat_result | None) -> bool:
    """Whether a file that lies there can be run where it is to be, and only there."""
    if entry[0] in (trees.LINK, trees.MODULE) or seen is None:
        return True
    return bool(seen.st_mode & stat.S_IXUSR) == (entry[0] == trees.PROGRAM)


# ---- the index, version 2


def _index_file(path: str) -> tuple[bytes | None, int]:
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
