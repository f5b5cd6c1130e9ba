"""Looking at what is new in the record before anything is decided upon it: strays, what is dated ahead, what is forged.

What came since the commit up to which all is sound is replayed; what the steward has pushed itself is sound, so that in
most passes there is nothing to replay.
"""

from __future__ import annotations

from nomicgit.git import Repository
from nomicgit.ground.remedies import beside
from nomicgit.record import pace
from nomicgit.record.replay import verify
from nomicgit.record.strays import strays


def amiss(repository: Repository, head: str, sound: str, now: int) -> list[str]:
    """What is wrong up to a commit, each with what mends it; ``sound``: all is well up to there ("": nobody has looked)."""
    if astray := strays(repository, head, sound or None):
        return [f"{stray}{beside(stray.mend)}" for stray in astray]
    if early := pace.ahead(repository, head, now):
        return [f"{each}{beside(each.mend)}" for each in early]
    if head == sound:
        return []
    verified = verify(repository, head, since=sound or None)
    mend = verified.remedy or "nomicgit verify tells more"
    return [f"{fault}{beside(mend)}" for fault in verified.faults]
