"""Relocation: a deed has let the game live elsewhere, and a clone follows another address still: its own settings say which."""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal, keepsakes
from nomicgit.record.forms import Forge, forge_of
from nomicgit.record.tree import GameTree

FOLLOWED = "nomicgit/followed"
MIRRORS = "nomicgit.mirrors"
"""The setting by which a clone says of which place the address that it follows is a mirror, which sends on there what it is sent."""


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
            "or, where that address is a mirror of it which sends on there what you push, say so:",
            command("git", "config", MIRRORS, place.repository),
        ),
    )


def note(upstream: Upstream) -> None:
    """Remember of an address that a clone has begun to follow how far the branch had come by then: what tells afterwards of a move
    tells it of there. Of the address itself nothing is kept but a hash.
    """
    known, address = upstream.known(), _hashed(upstream)
    if known is not None and _followed(upstream.repository).get("address") != address:
        keepsakes.keep(upstream.repository, FOLLOWED, {"address": address, "since": known})


def is_followed(upstream: Upstream) -> bool:
    """Whether a clone has followed the address before that it follows now, as far as it remembers any."""
    return _followed(upstream.repository).get("address") in (None, _hashed(upstream))


def left_behind(repository: Repository, upstream: Upstream, there: str) -> bool:
    """Whether the branch which a clone follows lies where the game lived until a deed there moved it: what is pushed there now,
    nobody sees who has moved along. An address that tells no place is one where the move came while the clone followed it. Own
    commits by which it lives elsewhere again, as after a slip, are to be heard of where everybody still is.
    """
    with suppress(NomicError):  # what cannot be read there is about to be mended
        if _place(repository, str(repository.head())) != _place(repository, there):
            return False
        if _elsewhere(repository, upstream, there):
            moves = [each for each in journal.standing(repository.log(there)) if _moves(each.message)]
            if any(each.parents and _lies_at(repository, upstream, each.parents[0]) for each in moves):
                return True
            followed = _followed(repository)
            return followed.get("address") == _hashed(upstream) and any(
                not repository.leads_to(each.oid, followed["since"]) for each in moves
            )
    return False


def _followed(repository: Repository) -> dict[str, str]:
    kept = keepsakes.kept(repository, FOLLOWED)
    return kept if isinstance(kept, dict) else {}


def _hashed(upstream: Upstream) -> str:
    return sha256(upstream.address().encode("utf-8", "surrogateescape")).hexdigest()


def _elsewhere(repository: Repository, upstream: Upstream, commit: str) -> bool:
    """Whether the game lives on a forge as of a commit, and a clone follows another address."""
    return _place(repository, commit) is not None and not _lies_at(repository, upstream, commit)


def _lies_at(repository: Repository, upstream: Upstream, commit: str) -> bool:
    """Whether what a clone follows is the place on a forge where the game lived as of a commit, or by its own settings a mirror of
    that; so is what has no address.
    """
    place = _place(repository, commit)
    if place is None:
        return False
    url = upstream.address()
    return (
        not url
        or (repository.config(MIRRORS) or "").casefold() == place.repository.casefold()
        or re.search(rf"[/:]{re.escape(place.repository)}(\.git)?/?\Z", url, re.IGNORECASE) is not None
    )


def _place(repository: Repository, commit: str) -> Forge | None:
    return forge_of(GameTree(repository, repository.commit(commit).tree).settings.forge)


def _moves(message: str) -> bool:
    entry = journal.told(message) if Outside.REHOUSE in message else None
    return entry is not None and entry.deed.action == Outside.REHOUSE
