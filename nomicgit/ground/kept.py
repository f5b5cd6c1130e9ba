"""What is worked out when it is asked for, and kept: values by what they hang on alone, the last few, so that nothing grows
with a game; patterns, for a command is over soon and needs few of those that it loads; and small files of a clone's.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, AnyStr, Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """At most so many values by their keys; the one that was asked for longest ago goes first. Nobody changes a value."""

    __slots__ = ("_most", "_values")

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made where it is not there."""
        if key not in self._values:
            return self.put(key, make())
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: K, value: V) -> V:
        """Keep a value, the newest one."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)
        return value

    @property
    def newest(self) -> V | None:
        """The value that was asked for last; None where nothing is kept."""
        return next(reversed(self._values.values()), None)

    def clear(self) -> None:
        """Forget all of it."""
        self._values.clear()


def write_over(path: str, data: bytes, *, secret: bool = False) -> None:
    """Write a file beside, then in its place: there is the former one or this one, whatever happens, and nothing besides.

    ``secret``: nobody else may read it, and it outlives a power failure. OSError where it cannot be written.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "wb", opener=_opened_for_oneself if secret else as_it_lies) as file:
            file.write(data)
            if secret:
                file.flush()
                os.fsync(file)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def as_it_lies(path: str, flags: int) -> int:
    """Open a plain file, as ``opener`` of ``open``: no link is followed, and nobody waits for another program. OSError where it is
    none."""
    file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "is no plain file", path)
    return file


def _opened_for_oneself(path: str, flags: int) -> int:
    file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    os.fchmod(file, 0o600)  # where one was left by who died
    return file


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As ``re.compile``, later: the first use of it compiles. Raises ``re.error`` then, so only for patterns in the program."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))


class _Late:
    """It becomes what it stands for: attributes once asked for are its own."""

    def __init__(self, pattern: object, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        value: object = getattr(re.compile(cast("Any", self.pattern), self._flags), name)
        setattr(self, name, value)
        return value
