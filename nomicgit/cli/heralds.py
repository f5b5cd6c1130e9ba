"""Heralds: where announcements go. Whatever service the library ``apprise`` knows, named by an address of its own."""

from __future__ import annotations

import logging

import apprise

from nomicgit.ground.problems import Refused


def herald(address: str) -> apprise.Apprise:
    """Who tells what is told at an address. Refused where the address is none."""
    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # what it logs may hold the address, a secret
    one = apprise.Apprise()
    if not one.add(address):
        mend = "see https://appriseit.com for how they are written"
        raise Refused.of("this is no address that apprise knows", mend=mend)
    return one


def call(one: apprise.Apprise, title: str, body: str) -> bool:
    """Have a text told; whether it got there."""
    return bool(one.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT))
