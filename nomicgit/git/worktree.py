"""The files that people see beside the record: looked at for local edits, and brought along after a deed, with Git's index.

Every path is opened folder by folder, and no symbolic link is followed. What is no part of a game may be a link, a
program or a submodule: it lies as Git lays it.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha1
from io import FileIO

from nomicgit.git import trees
from nomicgit.git.branch import Lock
from nomicgit.git.index import LINK, MODULE, PROGRAM, index_entry, index_file, index_with, mode_of
from nomicgit.git.layout import Layout
from nomicgit.git.objects import Entry, Objects, fill, oid_of
from nomicgit.git.process import TooLarge, command, run, try_run
from nomicgit.git.trees import unfit
from nomicgit.ground.problems import Refused

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_FILTERS = r"^filter\..*\.(clean|process|required)$"
_NO_FILE = "neither file nor link"  # stands for the id of what lies there
_LINKED = "link "  # stands before the id of what a link says
_FOLDER = "a folder"  # stands for the id of a folder, or of a submodule's
_CHUNK = 1 << 20
_NOT_HELD = frozenset(
    {"EEXIST", "EILSEQ", "EINVAL", "EISDIR", "ENAMETOOLONG", "ENOENT", "ENOTDIR", "ENOTEMPTY"}
)

_Found = tuple[str | None, os.stat_result | None]


class WorkTree:
    """The work tree of a repository that has one."""

    def __init__(self, layout: Layout, objects: Objects, lock: Lock) -> None:
        assert layout.root is not None
        self._layout = layout
        self._root = layout.root
        self._objects = objects
        self._lock = lock
        inside = layout.git_dir == os.path.join(layout.root, ".git")
        self._beside = f"{layout.git_dir}/nomicgit.tmp" if inside else f"{self._root}/.nomicgit.tmp"

    def edits(self, paths: Iterable[str], tree: str | None) -> list[str]:
        """Which of these files differ from the tree, by content."""
        stored = {path: self._stored(tree, path) for path in paths if not unfit(path)}
        return [
            path for path, entry in stored.items() if self._differs(path, entry) and not _below(path, stored)
        ]

    def bring(self, old: str | None, new: str, paths: Iterable[str]) -> list[str]:
        """Write what ``new`` has where that of ``old`` lies, and the index; gives the paths left alone.

        What no file system holds is left out. `Refused` before anything is written where a folder on the way is a
        symbolic link.
        """
        some = [path for path in paths if not unfit(path)]
        was, wanted = ({path: self._stored(tree, path) for path in some} for tree in (old, new))
        looks: dict[str, _Found] = {
            path: (None, None) if _below(path, was) else self._look(path) for path in some
        }
        left: list[str] = []
        entries: dict[str, bytes | None] = {}
        for path in sorted(
            some, key=lambda path: _lies_as(wanted[path])
        ):  # what goes makes room for the rest
            lies, seen = looks[path]
            entry = wanted[path] if _lies_as(wanted[path]) else None
            if not _is(lies, entry) and not _is(lies, was[path]):
                left.append(path)
                seen = None
            elif entry is None:
                self._take_out(path, lies)
            elif lies != _known(entry) or not _runs_as(entry, seen):
                if lies == _FOLDER:
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

    def _stored(self, tree: str | None, path: str) -> Entry | None:
        return trees.entry(self._objects, tree, path) if tree else None

    def _differs(self, path: str, entry: Entry | None) -> bool:
        try:
            return not _is(self._look(path)[0], entry)
        except (Refused, OSError):
            return True

    def _look(self, path: str) -> _Found:
        """What lies at a path, as `_known` tells it, and its state; None twice if nothing is there."""
        name = path.rpartition("/")[2]
        try:
            with self._folder(path) as folder:
                file = os.open(name, _LOOK, dir_fd=folder)
        except FileNotFoundError:
            return None, None
        except OSError:  # a symbolic link, a socket, a file that may not be read
            return self._look_at_link(path)
        try:
            seen = os.fstat(file)
            if stat.S_ISREG(seen.st_mode):
                with open(file, "rb", buffering=0, closefd=False) as opened:
                    return _oid_of_file(opened, seen.st_size), seen
            return (_FOLDER if stat.S_ISDIR(seen.st_mode) else _NO_FILE), seen
        finally:
            os.close(file)

    def _look_at_link(self, path: str) -> _Found:
        name = path.rpartition("/")[2]
        try:
            with self._folder(path) as folder:
                target = os.fsencode(os.readlink(name, dir_fd=folder))
                return _LINKED + oid_of("blob", target), os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return _NO_FILE, None

    def _lies(self, path: str, oid: str) -> os.stat_result | None:
        """The state of a file, or of a link, that is as the index has it; None where it is not."""
        try:
            lies, seen = self._look(path)
        except (Refused, OSError):
            return None
        return seen if lies in (oid, _LINKED + oid) else None

    def _put(self, path: str, entry: Entry) -> os.stat_result | None:
        """Put what the repository has in its place, whole or not at all; None if it was changed at once."""
        mode, oid = entry
        if mode == MODULE:
            with self._folder(f"{path}/", make=True):
                return None
        with suppress(FileNotFoundError):
            os.unlink(self._beside)
        if mode == LINK:
            os.symlink(self._objects.blob(oid), os.fsencode(self._beside))
        else:
            fill(os.open(self._beside, _MAKE, _bits(mode)), self._bytes(oid), sync=False)
        made = os.stat(self._beside, follow_symlinks=False)
        name = path.rpartition("/")[2]
        with self._folder(path, make=True) as folder:
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
        if lies == _FOLDER:
            with suppress(OSError), self._folder(path) as folder:
                os.rmdir(name, dir_fd=folder)
        elif lies is not None:
            with self._folder(path) as folder:
                os.unlink(name, dir_fd=folder)
        parts = path.split("/")[:-1]
        with suppress(OSError):  # a folder that is not empty stays, and so do those above it
            while parts:
                with self._folder("/".join(parts)) as folder:
                    os.rmdir(parts.pop(), dir_fd=folder)

    @contextmanager
    def _folder(self, path: str, *, make: bool = False) -> Iterator[int]:
        """The folder in which a path lies, opened; `Refused` where a link or a file is on the way."""
        folder = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in path.split("/")[:-1]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=folder)
                below = os.open(name, _DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = below
        except FileNotFoundError:
            os.close(folder)
            raise
        except OSError:
            os.close(folder)
            raise Refused.of(
                "a symbolic link or a file stands where a folder is needed",
                file=path,
                mend="move it away: files of a game are not reached through links",
            ) from None
        try:
            yield folder
        finally:
            os.close(folder)

    def _set_index(self, entries: Mapping[str, bytes | None], wanted: Mapping[str, Entry | None]) -> None:
        """Put entries into the index under Git's own lock; by Git where the index is of another form."""
        path = f"{self._layout.git_dir}/index"
        fresh = f"{path}.lock"
        file = self._lock.take_git_lock(fresh)
        try:
            made = index_with(*index_file(path), entries, self._lies)
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
            if entry and _lies_as(entry)
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


# ---- what lies, and what is to lie


def _lies_as(entry: Entry | None) -> bool:
    """Whether an entry of a tree lies at its own path: a folder does not, but what is in it."""
    return entry is not None and entry[0] != trees.FOLDER


def _known(entry: Entry | None) -> str | None:
    """How what a tree has at a path is known when it lies there: a file by its id, a link by its target's."""
    if entry is None:
        return None
    if entry[0] in (trees.FOLDER, MODULE):
        return _FOLDER
    return (_LINKED if entry[0] == LINK else "") + entry[1]


def _is(lies: str | None, entry: Entry | None) -> bool:
    """Whether what lies at a path is what a tree has there; the folder of a submodule, or an empty one, may be missing."""
    known = _known(entry)
    return lies == known or (lies is None and known == _FOLDER)


def _below(path: str, stored: Mapping[str, Entry | None]) -> bool:
    """Whether a path lies below one at which a tree has no folder: then nothing of the tree lies there."""
    parts = path.split("/")
    return any(_lies_as(stored.get("/".join(parts[:n]))) for n in range(1, len(parts)))


def _bits(mode: str) -> int:
    return 0o777 if mode == PROGRAM else 0o666


def _runs_as(entry: Entry, seen: os.stat_result | None) -> bool:
    """Whether a file that lies there can be run where it is to be, and only there."""
    if entry[0] in (LINK, MODULE) or seen is None:
        return True
    return bool(seen.st_mode & stat.S_IXUSR) == (entry[0] == PROGRAM)


def _oid_of_file(file: FileIO, size: int) -> str:
    """The id that a file would have, however large it is."""
    seal = sha1(b"blob %d\0" % size, usedforsecurity=False)
    while part := file.read(_CHUNK):
        seal.update(part)
    return seal.hexdigest()
