"""Relocation: a deed has let the game live elsewhere, and a clone follows another address still: its own settings say which."""

from __future__ import annotations

import re
from contextlib import suppress

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.forms import Forge, forge_of
from nomicgit.record.tree import GameTree


def moved(repository: Repository) -> Problem | None:
    """That a clone does not follow its game to where a deed has let it live; None where it does, or the game has not moved.

    The address is not told, for it may hold a password.
    """
    head, upstream = repository.head(), Upstream.of(repository)
    if head is None or upstream is None or not _elsewhere(repository, upstream, head):
        return None
    move = next((each for each in journal.standing(repository.log(head)) if _moves(each.message)), None)
    if move is None:
        return None
    place, there = _place(repository, head), upstream.known()
    assert place is not None
    unsent = there is not None and not repository.leads_to(move.oid, there)
    first = ["first send that out, so that all hear of it where they are:", command("nomicgit", "sync")]
    return Problem(
        f"the game lives at {place.address} now, and this clone follows another address",
        mend=remedy(
            *(first if unsent else ()),
            "then follow it there:" if unsent else "to follow it there:",
            command("git", "remote", "set-url", upstream.remote, f"{place.address}.git"),
        ),
    )


def left_behind(repository: Repository, upstream: Upstream, there: str) -> bool:
    """Whether the branch which a clone follows lies where the game lived until a deed there moved it: what is pushed there now,
    nobody sees who has moved along.
    """
    with suppress(NomicError):  # what cannot be read there is about to be mended
        if _elsewhere(repository, upstream, there):
            moves = (each for each in journal.standing(repository.log(there)) if _moves(each.message))
            return any(each.parents and _lies_at(repository, upstream, each.parents[0]) for each in moves)
    return False


def _elsewhere(repository: Repository, upstream: Upstream, commit: str) -> bool:
    """Whether the game lives on a forge as of a commit, and a clone follows another address."""
    return _place(repository, commit) is not None and not _lies_at(repository, upstream, commit)


def _lies_at(repository: Repository, upstream: Upstream, commit: str) -> bool:
    """Whether what a clone follows is the place on a forge where the game lived as of a commit; so is what has no address."""
    place, url = _place(repository, commit), repository.config(f"remote.{upstream.remote}.url")
    if place is None:
        return False
    return (
        not url
        or re.search(rf"[/:]{re.escape(place.repository)}(\.git)?/?\Z", url, re.IGNORECASE) is not None
    )


def _place(repository: Repository, commit: str) -> Forge | None:
    return forge_of(GameTree(repository, repository.commit(commit).tree).settings.forge)


def _moves(message: str) -> bool:
    entry = journal.told(message) if Outside.REHOUSE in message else None
    return entry is not None and entry.deed.action == Outside.REHOUSE
