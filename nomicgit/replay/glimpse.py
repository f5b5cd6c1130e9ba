"""A glimpse of a deed: what later ones are held to of one that was replayed before."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed
from nomicgit.record import journal


class Glimpse(NamedTuple):
    """The id of a deed, its time (seconds, UTC), and the events of a forge that it answers."""

    id: str
    at: int
    events: Sequence[str]


def glimpse(text: str, *, sound: bool) -> Glimpse | None:
    """The same of a message; None where it tells of no deed. Of a ``sound`` one, which stands, the parameters are not read, which
    would take most of the time; what a mend has set aside may only pretend to be one.
    """
    lines = dict(line.split(": ", 1) for line in journal.trailers(text) if ": " in line)
    if sound and "Nomic-Id" in lines and "Nomic-Evidence" not in lines:
        with suppress(KeyError, Malformed):
            return Glimpse(lines["Nomic-Id"], clock.instant(lines["Nomic-At"]), ())
    entry = journal.told(text)
    if entry is None:
        return None
    origin = entry.deed.origin
    return Glimpse(entry.deed.id, entry.deed.at, origin.events if origin else ())
