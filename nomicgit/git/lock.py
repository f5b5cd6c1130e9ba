"""The lock around every change: one at a time, and what a crashed holder left behind is put in order.

The lock is a `flock` of one file. While it is held the file holds a note; a note that is found on taking the
lock tells that the last holder died, and what it was moving.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from nomicgit.ground.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BUSY = "busy"
_TURNS = 100  # of waiting for another Git command,
_TURN = 0.01  # of so many seconds each: Git holds these locks for milliseconds


class Lock:
    """The lock of one repository; taking it again while holding it is free."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = -1
        self._depth = 0
        self._since = 0  # when the lock was taken, in nanoseconds, by the file system's clock
        self._crashed = False
        self._note: list[str] = []

    @contextmanager
    def held(self, recover: Callable[[list[str]], None]) -> Iterator[None]:
        """Hold the lock; ``recover`` is called with the note of a holder that died."""
        if self._depth == 0:
            self._take(recover)
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0:
                self._give(clean=not self._note)
            raise
        self._depth -= 1
        if self._depth == 0:
            self._give(clean=True)

    def note(self, old: str, new: str) -> None:
        """Write into the note what is about to be moved; it stays until `done`.

        A move that fails may have happened all the same (the disk is full, and says so late); then whoever
        holds the lock next puts the work tree in order.
        """
        self._note = [*(self._note or [old]), new]
        self._write_note()

    def done(self) -> None:
        """All that the note tells is done."""
        self._note = []
        self._write_note()

    def take_git_lock(self, path: str) -> int:
        """Make Git's own lock file and open it; a stale one is taken away, a live one waited for."""
        for turn in range(_TURNS + 1):
            try:
                return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:
                if self._crashed or turn == _TURNS - 1:
                    self.clear_stale(path)
                if not self._crashed or turn:
                    time.sleep(_TURN)
        raise Refused.of(
            "another Git command holds this lock", file=path, mend="let it end; if none runs, delete the file"
        )

    def clear_stale(self, path: str) -> None:
        """Delete a lock file of Git that is older than our holding of the lock."""
        with suppress(FileNotFoundError):
            age = self._since - os.stat(path).st_mtime_ns
            if age > 0 or (age == 0 and self._crashed):
                os.unlink(path)

    def _take(self, recover: Callable[[list[str]], None]) -> None:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            left = os.pread(file, 65536, 0).decode("ascii", "replace").split()
            self._file, self._note, self._crashed = file, left[1:], bool(left)
            self._write_note()  # the same note, so that a crash while recovering is recovered from too
            self._since = os.fstat(file).st_mtime_ns
            if left:
                self._depth = 1
                recover(left[1:])
                self.done()
        except BaseException:
            self._file = -1
            os.close(file)
            raise
        finally:
            self._depth = 0

    def _give(self, *, clean: bool) -> None:
        file, self._file = self._file, -1
        try:
            if clean:
                os.ftruncate(file, 0)
        finally:
            os.close(file)

    def _write_note(self) -> None:
        note = " ".join([_BUSY, *self._note]).encode("ascii")
        size = os.pwrite(self._file, note, 0)
        os.ftruncate(self._file, size)
