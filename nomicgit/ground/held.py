"""What a process holds of memory, seen from outside: where the system takes no bound on it, whoever waits for it looks, and ends it."""

from __future__ import annotations

import os
import subprocess


class Held:
    """A process that may hold so many bytes more than the one that has begun it."""

    def __init__(self, pid: int, memory: int) -> None:
        self._pid, self._most = pid, _resident(os.getpid()) + memory

    def too_much(self) -> bool:
        """Whether it holds more now."""
        return _resident(self._pid) > self._most


def _resident(pid: int) -> int:
    """The bytes that a process has in memory; 0 where there is none."""
    said = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return 1024 * int(said.stdout.strip() or 0)
