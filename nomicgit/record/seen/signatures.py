"""Whether the deeds of a line are signed as the game asks, seen without replaying them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError
from nomicgit.law.outside import Outside
from nomicgit.record import journal, line
from nomicgit.record.tree import GameTree

if TYPE_CHECKING:
    from nomicgit.record.outside.counting import Followed


class Signatures:
    """Whether the deeds of a line are signed as the game asks, one after the other from the oldest on: by the keys that count,
    which nobody changes by hand.
    """

    def __init__(self, repository: Repository, sound: Commit | None) -> None:
        """``sound``: up to this commit nothing is wrong, so that its files tell the keys; None: they are followed from the founding."""
        self.repository = repository
        self._passed = [sound] if sound is not None else None
        self._followed: Followed | None = None
        self._doubtful = sound is None

    def take(self, commit: Commit, *, sound: bool) -> None:
        """Go one commit on; ``sound``: nothing is wrong with it."""
        self._doubtful = self._doubtful or not sound
        if self._followed is not None:
            self._followed.take(commit)
        elif self._passed is not None:
            self._passed.append(commit)

    def wrong(self, before: Commit, entry: journal.Entry, commit: Commit) -> str:
        """What is wrong with how the commit after the last one is signed; "" where nothing is. A mend's is seen with the rest of it."""
        action = entry.deed.action
        if action in (Outside.FOUND, Outside.MEND) or not (
            action in (Outside.SIGNERS, Outside.RESTORERS) or self._doubtful or self._asked(before)
        ):
            return ""
        from nomicgit.record import signers  # here: most games ask for no signatures
        from nomicgit.record.outside import counting  # here: most games ask for no signatures

        if self._followed is None:
            passed = (
                self._passed if self._passed is not None else line.since_founding(self.repository, before.oid)
            )
            self._followed = counting.Followed.along(self.repository, passed)
        now = self._followed.now

        def stored() -> bytes:
            return self.repository.read(commit.oid)[1]

        return signers.standing_of(self.repository, before.tree, entry, stored, now.asked, now.keys).wrong

    def _asked(self, before: Commit) -> bool:
        with suppress(NomicError):  # settings that nobody can read are told of by what follows
            return GameTree(self.repository, before.tree).settings.signed != "no"
        return True
