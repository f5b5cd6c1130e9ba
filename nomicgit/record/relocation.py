"""Relocation: a deed has let the game live elsewhere, and a clone follows another address still: its own settings say which."""

from __future__ import annotations

import re

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.forms import forge_of
from nomicgit.record.tree import GameTree


def moved(repository: Repository) -> Problem | None:
    """That a clone does not follow its game to where a deed has let it live; None where it does, or the game has not moved.

    The address is not told, for it may hold a password.
    """
    head, upstream = repository.head(), Upstream.of(repository)
    url = repository.config(f"remote.{upstream.remote}.url") if upstream else None
    if head is None or upstream is None or not url:
        return None
    place = forge_of(GameTree(repository, repository.commit(head).tree).settings.forge)
    if place is None or re.search(rf"[/:]{re.escape(place.repository)}(\.git)?/?\Z", url, re.IGNORECASE):
        return None
    if not any(_moves(commit.message) for commit in journal.standing(repository.log(head))):
        return None
    return Problem(
        f"the game lives at {place.address} now, and this clone follows another address",
        mend=remedy(
            "to follow it there:",
            command("git", "remote", "set-url", upstream.remote, f"{place.address}.git"),
        ),
    )


def _moves(message: str) -> bool:
    entry = journal.told(message) if Outside.REHOUSE in message else None
    return entry is not None and entry.deed.action == Outside.REHOUSE
