"""A branch that is not the game's: what is done on it is lost to the game, and so nothing is.

A proposal is written on a branch of its own, and one is soon left standing on it. Which branch is the game's, Git's own
settings tell; where they do not, nothing is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Refused
from nomicgit.record import journal, line


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A branch with the same game as another, on which that is played; ``deeds`` lie on the one alone, oldest first."""

    branch: str
    home: str
    deeds: Sequence[Commit]

    def __str__(self) -> str:
        lost = f", as is what lies on {self.branch} alone: {line.in_words(self.deeds)}" if self.deeds else ""
        return (
            f"the game is played on the branch {self.home}: what is done on {self.branch} is lost to it{lost}"
        )

    @property
    def mend(self) -> str:
        """What to do about it."""
        lost = (
            f"; git log {self.home}..{self.branch} has the words of what was done here" if self.deeds else ""
        )
        return f"go back, and do it there: git switch {self.home}{lost}"


def elsewhere(repository: Repository) -> Elsewhere | None:
    """Where a clone stands on another branch than the game's; None where it does not, or where that cannot be told."""
    if not repository.has_other_branches():
        return None
    from nomicgit.git.upstream import HEADS, home  # here: most clones have no other branch, and need no process of Git's

    branch, there = repository.branch, home(repository)
    here, head = repository.head(), repository.resolve(HEADS + there) if there else None
    if here is None or head is None or branch == HEADS + there:
        return None
    own = [each for each in repository.beyond(head, here) if journal.told(each.message) is not None][::-1]
    if any(journal.is_founding(each.message) for each in own):
        return None  # another game than the one there, if any is
    return Elsewhere(branch.removeprefix(HEADS), there, own)


def refuse_elsewhere(repository: Repository) -> None:
    """Refuse to do anything on a branch that is not the game's."""
    if (stands := elsewhere(repository)) is not None:
        raise Refused.of(str(stands), mend=stands.mend)
