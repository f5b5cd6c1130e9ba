"""Refusals: why a clone's last sync has moved nothing, remembered for whoever looks later.

It counts until a sync goes on.
"""

from __future__ import annotations

from collections.abc import Iterable

from nomicgit.git import Repository
from nomicgit.ground.problems import Problem
from nomicgit.record import keepsakes

FILE = "nomicgit/refused"


def note(repository: Repository, problems: Iterable[Problem]) -> None:
    """Remember why nothing was moved; nothing where all went on."""
    keepsakes.keep(repository, FILE, [{"what": each.what, "mend": each.mend} for each in problems])


def noted(repository: Repository) -> list[Problem]:
    """Why the last sync has moved nothing; empty where it went on."""
    try:
        whys = keepsakes.kept(repository, FILE) or ()
        return [Problem(str(each["what"]), mend=str(each["mend"])) for each in whys]
    except (TypeError, KeyError):
        return []
