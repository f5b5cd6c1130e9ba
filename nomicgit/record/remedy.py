"""Carrying a mend out: what the game is to go back to is replayed first, and must be lawful."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self, TypeAlias

from nomicgit.git import Commit, Repository
from nomicgit.git.trees import check_path
from nomicgit.ground.problems import Refused, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal, line, mending, restoring
from nomicgit.record.game import Game, Recorded, new_id, record
from nomicgit.record.mending import MOST_PATHS, Mended
from nomicgit.record.replay import verify

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Remedy:
    """A mend that can be carried out: the line of the game, and the game as it was at the commit that it goes back to."""

    commits: Sequence[Commit]
    game: Game

    @classmethod
    def to(cls, repository: Repository, name: str, now: int, progress: Progress = lambda *_: None) -> Self:
        """The mend to a commit. Refused where that is not on the line, or not lawful; ``now``: seconds, UTC."""
        head, to = repository.head(), repository.resolve(name)
        if to is None or head is None:
            raise Refused.of(f"there is no commit {printable(name, 60)}", mend="see: git log --first-parent")
        whole = list(repository.log(head))[::-1]
        commits = whole[line.founded(repository, whole) or 0 :]
        if all(commit.oid != to for commit in commits):
            raise Refused.of(
                f"the commit {to[:12]} is not on the line of this game",
                mend="choose one that git log --first-parent lists",
            )
        verified = verify(repository, to, progress, now=now)
        if verified.faults:
            first = verified.faults[0]
            raise Refused.of(f"the game up to {to[:12]} is not lawful: {first}", mend=verified.remedy)
        return cls(commits, Game(repository, repository.commit(to)))

    def tried(self, by: Sequence[str], at: int) -> Mended:
        """What the mend would do; nothing is recorded."""
        return mending.mend(self.game.repository, self.commits, self._deed(by, at), write=False)

    def record(self, by: Sequence[str], at: int) -> Recorded:
        """Carry the mend out and record it as one commit. Raced where the branch has moved since."""
        repository, head, deed = self.game.repository, self.commits[-1], self._deed(by, at)
        mended = mending.mend(repository, self.commits, deed, write=False)
        changed = islice(repository.changed(head.tree, mended.tree), MOST_PATHS)
        paths = [path for path, _, _ in changed]
        plain = [path for path in paths if _is_plain(path)]
        text = journal.message(mended.outcome, Store(self.game.tree), evidence={})
        return record(
            repository,
            head,
            lambda: mending.mend(repository, self.commits, deed, write=True).tree,
            plain,
            lambda _: text,
            mended.outcome,
        )

    def _deed(self, by: Sequence[str], at: int) -> Deed:
        names = restoring.spelled(self.game.settings.restore, by)
        given = {"to": self.game.head.oid, "by": names}
        return Deed(new_id(at), next(iter(names), None), Outside.MEND, given, max(at, self.game.last()))


def _is_plain(path: str) -> bool:
    """Whether a path is one that the program writes to: others are gone from the record, and stay in the folder."""
    try:
        check_path(path)
    except Refused:
        return False
    return True
