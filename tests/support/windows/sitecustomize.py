"""Put its folder first on PYTHONPATH: Python then lacks what it lacks on Windows, as far as a Linux can pretend it."""

from __future__ import annotations

import os
import sys

MODULES = ("fcntl", "resource", "pwd", "grp", "termios")
NAMES = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "fork", "getuid", "geteuid", "pread", "pwrite", "register_at_fork",
    "sched_getaffinity", "wait4",
)  # fmt: skip


class Absent:
    """Finds no module that Windows has not."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Nothing, or that it is not there."""
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return


for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
for name in NAMES:
    delattr(os, name)
