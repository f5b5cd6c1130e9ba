"""Files laid down beside their places, synced together, then moved into them: one wait for the disk instead of many."""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Thread

_MOST_FILES = 128  # laid down at once: each is open meanwhile
_MOST_THREADS = 4  # more take longer to start than they save on a quick disk


class Laid:
    """New files that are written, and not yet in their places."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[int, str]] = {}  # the open file and where it lies, by its place

    def __contains__(self, place: str) -> bool:
        return place in self._open

    def lay(self, place: str, beside: str, content: bytes) -> None:
        """Write a file beside its place; it is moved there by `settle`."""
        if len(self._open) >= _MOST_FILES:
            self.settle()
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
        self._open[place] = file, beside
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]

    def settle(self) -> None:
        """Have all files on the disk, and then in their places; where that fails none of the rest is left."""
        laid, self._open = self._open, {}
        files = [file for file, _ in laid.values()]
        try:
            _sync(files)
            for place, (_, beside) in laid.items():
                os.rename(beside, place)
        finally:
            for file in files:
                os.close(file)
            for _, beside in laid.values():
                with suppress(FileNotFoundError):
                    os.unlink(beside)

    def forget(self) -> None:
        """Take away what was laid down."""
        laid, self._open = self._open, {}
        for file, beside in laid.values():
            os.close(file)
            os.unlink(beside)


def _sync(files: list[int]) -> None:
    """Wait until these open files are on the disk; waiting for them at the same time, they share its turns."""
    wrong: list[OSError] = []

    def wait(some: list[int]) -> None:
        try:
            for file in some:
                os.fsync(file)
        except OSError as error:
            wrong.append(error)

    threads = [
        Thread(target=wait, args=(files[n::_MOST_THREADS],)) for n in range(1, min(len(files), _MOST_THREADS))
    ]
    for thread in threads:
        thread.start()
    wait(files[0::_MOST_THREADS])
    for thread in threads:
        thread.join()
    if wrong:
        raise wrong[0]
