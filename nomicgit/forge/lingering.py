"""The end of an exchange with a forge that has none: the HTTP client bounds each of its reads, and what trickles in outlasts that."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

LONGEST = 150
"""Seconds for a whole exchange; a body that comes in time has its own bound within (``body``)."""
_CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")


class Exchanges:
    """Shuts the connections of a client where an exchange takes too long. ``over``: the last one did."""

    def __init__(self) -> None:
        self.over = False
        self._connections: list[Any] = []  # streams of the client's own kind

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The client's hook, by which it tells of its connections."""
        if event in _CONNECTED:
            self._connections.append(info["return_value"])

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Lend an exchange so much time as it may take."""
        self.over = False
        timer = threading.Timer(LONGEST, self._shut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _shut(self) -> None:
        self.over = True
        for connection in self._connections:
            with suppress(OSError):  # it has ended before
                socket.socket.shutdown(connection.get_extra_info("socket"), socket.SHUT_RDWR)
        self._connections.clear()
