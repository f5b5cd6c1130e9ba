"""The pace of a live game: what is dated so far ahead that a clock may be wrong.

Whoever comes after a deed from the future would be dated there too, so nothing is done upon one until it is mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import as_json, remedy
from nomicgit.record import journal, line
from nomicgit.record.game import AHEAD, Game
from nomicgit.record.seen.faults import CLOCK_FIRST
from nomicgit.record.seen.recourse import Recourse, Whose
from nomicgit.record.tree import GameTree

DAY = 86_400
DEEDS, LEAST = 10, 3
"""How many of the last deeds are looked at, and of how few nothing is to be seen."""
TIMES = 10


class Pause(Struct, frozen=True):
    """A pause longer than a game has had: since its last deed, and the longest between those before it, in seconds."""

    last: int
    now: int
    longest: int

    def __str__(self) -> str:
        hours, longest = (self.now - self.last) // 3600, max(1, -(-self.longest // 3600))
        return (
            f"the clock says {clock.text(self.now)}, {hours} hours after the last deed, and the deeds before that lay no more "
            f"than {longest} apart"
        )


def pause(game: Game, at: int) -> Pause | None:
    """The pause before a deed that is to be dated ``at``, where it is longer than a day and ten times the longest before."""
    if game.settings.time == "given" or at - game.last() <= DAY:
        return None
    entries = (journal.told(each.message) for each in journal.standing(game.repository.log(game.head.oid)))
    times = [entry.deed.at for entry in islice((entry for entry in entries if entry), DEEDS)]
    longest = max((later - earlier for later, earlier in pairwise(times)), default=0)
    return Pause(times[0], at, longest) if len(times) >= LEAST and at - times[0] > TIMES * longest else None


class Future(Struct, frozen=True):
    """A deed that is dated after this clock: its commit, by whom, when, and the command that mends it."""

    commit: str
    by: str
    at: int
    remedy: str

    def __str__(self) -> str:
        return f"commit {self.commit[:12]} {line.in_the_name(self.by)} is dated {clock.text(self.at)}, ahead of this clock"

    @property
    def mend(self) -> str:
        """What is to be done about it."""
        return remedy(CLOCK_FIRST, self.remedy)

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"commit": self.commit, "by": self.by, "at": clock.text(self.at)} | as_json(self.mend)


FOUNDED_AHEAD = "the clock of whoever founded it was ahead; wait until that time has come, or, before anybody plays, found it anew"


def ahead(repository: Repository, tip: str, now: int) -> list[Future]:
    """The deeds of a live game up to a commit that are dated after a clock (seconds, UTC), oldest first."""
    if GameTree(repository, repository.commit(tip).tree).settings.time == "given":
        return []
    early, upon = _early(repository, tip, now)
    if not early:
        return []
    remedy = _remedy(repository, early[0].oid, upon) if upon else FOUNDED_AHEAD
    return [Future(each.oid, each.author, each.author_time, remedy) for each in early]


def is_ahead(repository: Repository, tip: str, at: int, now: int) -> bool:
    """Whether a time is one after a clock (both seconds, UTC), upon a commit of a game that goes by one."""
    given = GameTree(repository, repository.commit(tip).tree).settings.time == "given"
    return at > now + AHEAD and not given


def _remedy(repository: Repository, first: str, upon: str) -> str:
    """What takes back the deeds from ``first`` on, which lies upon a commit."""
    recourse = Recourse(repository, sure=True)
    own = recourse.whose(first) is Whose.OWN
    return recourse.remedy(first, upon) if own else recourse.mended_to(upon)


def _early(repository: Repository, tip: str, now: int) -> tuple[Sequence[Commit], str | None]:
    """The deeds that stand and are dated after a clock, oldest first, and the commit before the first."""
    newest_first: list[Commit] = []
    for commit in journal.standing(repository.log(tip)):
        entry = journal.told(commit.message)
        if entry is None or entry.deed.at != commit.author_time:
            continue
        if entry.deed.at <= now + AHEAD:
            break
        newest_first.append(commit)
    first = newest_first[-1] if newest_first else None
    return newest_first[::-1], next(iter(first.parents), None) if first else None


def refuse_ahead(game: Game, now: int) -> None:
    """Refuse to do anything upon a deed from the future."""
    for future in ahead(game.repository, game.head.oid, now):
        raise Refused.of(f"no deed is done now: {future}", mend=future.mend)
