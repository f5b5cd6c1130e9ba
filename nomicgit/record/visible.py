"""What everybody can see that a deed has changed of which something is sealed: its words do not tell it."""

from __future__ import annotations

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.wording import in_words
from nomicgit.record import history, journal

SHOWN = 8


def changes(repository: Repository, commit: Commit) -> list[str]:
    """The public changes of a sealed deed, a line each, the first few; none of a deed that is open."""
    effects = history.effects_of(repository, commit) if journal.is_sealed(commit.message) else []
    said = [
        f"{each['ref']} {each['field']}: {_shown(each['old'])} → {_shown(each['new'])}"
        for each in effects[:SHOWN]
    ]
    return said + ([f"{len(effects) - SHOWN} more"] if len(effects) > SHOWN else [])


def lines(repository: Repository, commit: Commit) -> list[str]:
    """The same for whoever looks; of a forged deed whose files nobody can read, that."""
    try:
        return changes(repository, commit)
    except NomicError as error:
        return [f"what cannot be read: {error}"]


def _shown(value: object) -> str:
    return "nothing" if value is None else printable(in_words(value, 40), 60)
