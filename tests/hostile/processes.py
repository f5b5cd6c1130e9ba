"""Processes of a test: started, crashed at any call that could change the disk, waited for."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

CALLS = (
    "open", "write", "pwrite", "fsync", "rename", "replace", "link", "unlink", "mkdir", "makedirs", "rmdir", "utime",
    "ftruncate",
)  # fmt: skip
CRASHED = 7


def forked(act: Callable[[], None]) -> int:
    """Start a child that does this and exits with 0, or with 1 on an error; gives its process id."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return child
    try:
        act()
        os._exit(0)
    finally:
        os._exit(1)


def exit_code(child: int) -> int:
    """Wait for a child, and how it ended."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def crash_at(turn: int) -> None:
    """End this process at the n-th call that could change the disk; a write is torn in two."""
    _count(turn, _die)


def full_at(turn: int) -> None:
    """From the n-th call on that writes bytes, the disk is full; a write may be torn in two before that."""

    def refuse(name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> NoReturn:
        if name in ("write", "pwrite"):
            call(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    _count(turn, refuse, only=("write", "pwrite", "fsync", "mkdir"), onwards=True)


def _die(name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> NoReturn:
    if name in ("write", "pwrite"):
        call(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
    os._exit(CRASHED)


def _count(
    turn: int,
    happen: Callable[[str, Callable[..., Any], tuple[Any, ...]], NoReturn],
    *,
    only: tuple[str, ...] = CALLS,
    onwards: bool = False,
) -> None:
    count, mine = 0, os.getpid()

    def patched(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **named: Any) -> Any:
            nonlocal count
            if os.getpid() == mine:  # a worker of this process is another process
                count += 1
                if count == turn or (onwards and count > turn):
                    happen(name, call, args)
            return call(*args, **named)

        return counting

    for name in only:
        setattr(os, name, patched(name, getattr(os, name)))
