"""The time zones: a table of fixed edition, which is part of physics, and not whatever the machine knows."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from nomicgit.ground.problems import Malformed, Outage, printable

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

EDITION: Final = "2026.6"
"""That of the Python package `tzdata`: under another one the same deeds would fall on other days."""


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The zone of a name of the IANA database. Malformed where there is none, Outage where the table is not ours."""
    from zoneinfo import ZoneInfo  # here: slow to load, and most games keep UTC

    table = _table()
    if name not in _names(table):
        raise Malformed.of(
            f"{printable(name)} is not a time zone", mend="write a name such as Europe/Berlin, or UTC"
        )
    with open(os.path.join(table, "zoneinfo", *name.split("/")), "rb") as file:
        return ZoneInfo.from_file(file, key=name)


@lru_cache(maxsize=1)
def _names(table: str) -> frozenset[str]:
    """The zones' names, with their capitals: the folder that holds them may not tell these apart."""
    with open(os.path.join(table, "zones"), encoding="utf-8") as file:
        return frozenset(file.read().split())


def _table() -> str:
    """Where the table lies."""
    try:
        import tzdata  # here: it may be missing
    except ModuleNotFoundError:
        raise _other("it is not installed") from None
    if tzdata.__version__ != EDITION:
        raise _other(f"{tzdata.__version__} is installed")
    return os.path.dirname(str(tzdata.__file__))


def _other(but: str) -> Outage:
    mend = f"pip install tzdata=={EDITION}"
    return Outage(
        f"this game's clock keeps a time zone as the Python package tzdata {EDITION} tells it, but {but}",
        mend,
    )
