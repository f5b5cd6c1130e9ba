"""The files that people see beside the record: looked at for local edits, and brought along after a deed.

Every path is opened folder by folder, and no symbolic link is followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from nomicgit.git import index
from nomicgit.git.branch import Lock
from nomicgit.git.layout import Layout
from nomicgit.git.objects import Objects, fill, oid_of
from nomicgit.git.process import MOST_BYTES, command, run
from nomicgit.git.trees import check_path, file_oid
from nomicgit.ground.problems import Refused

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_FILE = "no ordinary file"  # stands for the id of what cannot be read as a file

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
        return [path for path in paths if self._differs(path, self._stored(tree, path))]

    def bring(self, old: str | None, new: str, paths: Iterable[str]) -> list[str]:
        """Write the files of ``new`` where those of ``old`` lie, and the index; gives the paths left alone.

        `Refused` before anything is written where a folder on the way is a symbolic link.
        """
        wanted = {path: self._stored(new, path) for path in paths}
        found: dict[str, _Found] = {}
        for path in wanted:
            check_path(path)
            found[path] = self._look(path)
        left: list[str] = []
        entries: dict[str, bytes | None] = {}
        for path, oid in wanted.items():
            lies, seen = found[path]
            if lies != oid and lies != self._stored(old, path):
                left.append(path)
                seen = None
            elif lies != oid:
                seen = self._put(path, oid) if oid is not None else None
                if oid is None:
                    self._take_out(path)
            entries[path] = None if oid is None else index.entry(path, oid, seen)
        self._set_index(entries, wanted)
        return left

    def _stored(self, tree: str | None, path: str) -> str | None:
        return file_oid(self._objects, tree, path) if tree else None

    def _differs(self, path: str, oid: str | None) -> bool:
        try:
            return self._look(path)[0] != oid
        except (Refused, OSError):
            return True

    def _look(self, path: str) -> _Found:
        """The id that the file at a path would have, and its state; None twice if nothing is there."""
        name = path.rpartition("/")[2]
        try:
            with self._folder(path) as folder:
                file = os.open(name, _LOOK, dir_fd=folder)
        except FileNotFoundError:
            return None, None
        except OSError:  # a symbolic link, a socket, a file that may not be read
            return _NO_FILE, None
        try:
            seen = os.fstat(file)
            if not stat.S_ISREG(seen.st_mode) or seen.st_size > MOST_BYTES:
                return _NO_FILE, None
            with open(file, "rb", buffering=0, closefd=False) as opened:
                return oid_of("blob", opened.readall()), seen
        finally:
            os.close(file)

    def _put(self, path: str, oid: str) -> os.stat_result | None:
        """Put a file of the repository in its place, whole or not at all; None if it was changed at once."""
        name = path.rpartition("/")[2]
        fill(os.open(self._beside, _MAKE, 0o666), self._objects.blob(oid), sync=False)
        made = os.stat(self._beside)
        with self._folder(path, make=True) as folder:
            os.replace(self._beside, name, dst_dir_fd=folder)
            seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
        same = (made.st_ino, made.st_mtime_ns, made.st_size) == (seen.st_ino, seen.st_mtime_ns, seen.st_size)
        return seen if same else None

    def _take_out(self, path: str) -> None:
        """Take a file away, and the folders that are empty then."""
        name = path.rpartition("/")[2]
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

    def _set_index(self, entries: Mapping[str, bytes | None], oids: Mapping[str, str | None]) -> None:
        """Put entries into the index under Git's own lock; by Git where the index is of another form."""
        path = f"{self._layout.git_dir}/index"
        fresh = f"{path}.lock"
        file = self._lock.take_git_lock(fresh)
        try:
            made = index.put(*_index_file(path), entries)
            fill(file, made or b"")
            if made is not None:
                os.rename(fresh, path)
                return
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(fresh)
            raise
        os.unlink(fresh)
        self._set_index_by_git(oids)

    def _set_index_by_git(self, oids: Mapping[str, str | None]) -> None:
        lines = [
            f"100644 {oid}\t{path}\0" if oid else f"0 {'0' * 40}\t{path}\0" for path, oid in oids.items()
        ]
        run(command(self._layout, "update-index", "-z", "--index-info"), given="".join(lines).encode())


def _index_file(path: str) -> tuple[bytes | None, int]:
    """The bytes of the index, None if there is none, and the second in which it was written."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall(), int(os.fstat(file.fileno()).st_mtime)
    except FileNotFoundError:
        return None, 0
