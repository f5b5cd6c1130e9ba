"""Faults that verify has found: a clone remembers them, since nobody replays the game whenever they look at it.

They are kept until verify finds the game otherwise; what a mend has set aside since, or what lies on no line of the game any
more, counts no more.
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.git import Repository
from nomicgit.git.layout import forget
from nomicgit.ground.problems import NomicError
from nomicgit.record import keepsakes

FILE = "nomicgit/faults"
LOOKED_THROUGH = "nomicgit/strays"
"""What was seen without replaying, and taken for mended by what may be at fault: it is looked at anew."""
EARLY = "ahead of this clock"
"""How a fault ends that passes by itself: it is looked at whenever it is asked for, and not remembered."""
CLOCK_FIRST = "set the clock right; if it is right:"
"""What comes before all else that is to be done about one: a clock that is behind makes honest deeds look so."""


def note(repository: Repository, faults: Mapping[str, str]) -> None:
    """Remember what is wrong with commits, by their ids, in place of what was known of any."""
    lasting = {commit: what for commit, what in faults.items() if not what.endswith(EARLY)}
    if lasting != noted(repository):
        forget(repository.git_dir, LOOKED_THROUGH)
    keepsakes.keep(repository, FILE, lasting)


def noted(repository: Repository) -> Mapping[str, str]:
    """What is wrong with commits, by their ids, as verify has found last."""
    known = keepsakes.kept(repository, FILE)
    return known if isinstance(known, dict) else {}


def note_up_to(repository: Repository, tip: str, faults: Mapping[str, str]) -> None:
    """Remember what verify has found up to a commit, in place of what was known there: what is wrong elsewhere, as with deeds
    that were fetched and not taken in, it has not looked at.
    """
    beyond = {each: what for each, what in noted(repository).items() if not _leads_to(repository, each, tip)}
    note(repository, {**beyond, **faults})


def _leads_to(repository: Repository, commit: str, tip: str) -> bool:
    try:
        return repository.leads_to(commit, tip)
    except NomicError:  # nobody has it here any more
        return True
