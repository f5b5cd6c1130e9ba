"""What a machine may lack: with this folder first on PYTHONPATH, Python lacks what WITHOUT names, as far as a Linux can pretend it.

``make test WITHOUT=macos`` runs all tests so, and ``make quick WITHOUT=syncing`` the quick ones; without the others nobody
could play, or the tests themselves would not run: tests/house/test_absences.py tries those.
"""

from __future__ import annotations

import builtins
import errno
import os
import stat
import sys
import threading
import types
from typing import Any, NoReturn

MODULES_OF_POSIX = ("fcntl", "resource", "pwd", "grp", "termios")
NAMES_OF_POSIX = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "fork", "getuid", "geteuid", "pread", "pwrite", "register_at_fork",
    "sched_getaffinity", "wait4",
)  # fmt: skip


def proc() -> None:
    """There is no /proc."""
    opened = builtins.open

    def open_there(file: Any, *more: Any, **named: Any) -> Any:
        if isinstance(file, str) and file.startswith("/proc/"):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
        return opened(file, *more, **named)

    builtins.open = open_there


def macos() -> None:
    """What is not there on macOS; the limit of the address space is there by name, and is refused."""
    import resource
    import sysconfig

    proc()
    sysconfig.get_config_vars()  # what they were built with stays
    sys.platform = "darwin"
    for name in ("sched_getaffinity", "posix_fadvise"):
        delattr(os, name)
    proxies = types.ModuleType("_scproxy")  # what the standard library asks for the system's proxies there
    proxies._get_proxy_settings = dict  # type: ignore[attr-defined]
    proxies._get_proxies = dict  # type: ignore[attr-defined]
    sys.modules["_scproxy"] = proxies
    limited = resource.setrlimit

    def limited_there(what: int, limits: tuple[int, int]) -> None:
        if what == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        limited(what, limits)

    resource.setrlimit = limited_there


class Absent:
    """Finds no module of POSIX."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Nothing, or that it is not there."""
        if name in MODULES_OF_POSIX:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def windows() -> None:
    """What is not there on Windows."""
    for name in MODULES_OF_POSIX:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent())
    for name in NAMES_OF_POSIX:
        delattr(os, name)


def threads() -> None:
    """No further thread is lent."""

    def start(self: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    threading.Thread.start = start  # type: ignore[method-assign]


def syncing() -> None:
    """A file system that waits for no folder, as some in a network."""
    synced = os.fsync

    def synced_there(file: Any) -> None:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        synced(file)

    os.fsync = synced_there  # type: ignore[assignment]


def processes() -> None:
    """No further process is lent."""

    def fork() -> NoReturn:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    os.fork = fork


def limits() -> None:
    """No limit is taken."""
    import resource

    def limited(what: int, limits: tuple[int, int]) -> NoReturn:
        raise ValueError("not allowed to raise maximum limit")

    resource.setrlimit = limited


def locks() -> None:
    """A file system that knows no locks."""
    import fcntl

    def locked(file: Any, how: int) -> NoReturn:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    fcntl.flock = locked


ABSENCES = {
    each.__name__: each for each in (macos, windows, proc, threads, syncing, processes, limits, locks)
}

for _name in os.environ.get("WITHOUT", "").split():
    ABSENCES[_name]()
