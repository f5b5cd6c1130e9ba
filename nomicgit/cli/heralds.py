"""Heralds: where announcements go. Whatever service the library ``apprise`` knows, named by an address of its own."""

from __future__ import annotations

import hashlib
import logging
import os

import apprise

ADDRESSES = "NOMICGIT_ANNOUNCE"  # in the environment: addresses, with white space between them
_WRITTEN = "see https://appriseit.com for how they are written"
_KEY = 3  # hexadecimal digits: they tell a few addresses apart, and one that holds a password is not guessed by them


class Herald:
    """Who tells what is told at an address, which holds passwords, and which nothing that is written or said names.

    ``key``: by which it is known again. ``wrong``: why nothing can be told there, or "".
    """

    def __init__(self, address: str) -> None:
        logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # what it logs may hold the address
        self._service = apprise.Apprise()
        known = self._service.add(address)
        self.wrong = "" if known else f"this is no address that apprise knows ({_WRITTEN})"
        self.key = hashlib.scrypt(address.encode(), salt=b"nomicgit announced", n=2**14, r=8, p=1).hex()[
            :_KEY
        ]

    def send(self, title: str, body: str) -> str:
        """Tell a text there; why it did not get there, or ""."""
        if self._service.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT):
            return ""
        return "it did not get there; it is told again next time"


def heralds() -> list[Herald]:
    """Those of the addresses where the environment says that a game is heard of."""
    return [Herald(address) for address in os.environ.get(ADDRESSES, "").split()]
