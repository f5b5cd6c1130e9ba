"""What was worked out lately, kept by what it hangs on alone; the last few, so that nothing grows with a game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

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

    def clear(self) -> None:
        """Forget all of it."""
        self._values.clear()
