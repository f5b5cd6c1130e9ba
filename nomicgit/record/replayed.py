"""Replayed: up to which commit this clone has replayed the game, and found every commit to be what its deed makes.

Nothing is decided or sealed with the game's key beyond it: whoever can push may have laid a law there that tells them secrets.
No matter is decided beyond it either: they may have laid votes there that nobody has cast.
What this clone records upon it itself is sound, too. The file may be deleted at any time.
"""

from __future__ import annotations

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import keepsakes

FILE = "nomicgit/replayed"


def until(repository: Repository) -> str:
    """The commit up to which all was replayed; "" where nothing was, or that is forgotten."""
    known = keepsakes.kept(repository, FILE)
    return known if isinstance(known, str) else ""


def note(repository: Repository, commit: str) -> None:
    """Remember that all was replayed up to a commit."""
    keepsakes.keep(repository, FILE, commit)


def follow(repository: Repository, before: str, commit: str) -> None:
    """Remember a commit that this clone has just made itself, where all before it was replayed."""
    if until(repository) == before:
        note(repository, commit)


def refuse_beyond(repository: Repository, head: str) -> None:
    """Refuse to use the game's key upon a head that this clone has not replayed."""
    if until(repository) != head:
        raise Refused.of(
            "nothing is sealed or opened upon what this clone has not verified",
            mend=remedy("let it look:", command("nomicgit", "verify")),
        )
