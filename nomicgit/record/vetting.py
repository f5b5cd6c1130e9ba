"""Looking at what is new in the record before anything is decided upon it: strays, what is dated ahead, what is forged.

What came since the commit up to which all is sound is replayed; what is done here is sound, so that mostly there is little
to replay. A steward looks at each pass; a clone before it decides a matter, before it uses the game's key, and before it seals
an order to that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from nomicgit.git import Repository
from nomicgit.ground.problems import Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import faults, pace, replayed
from nomicgit.record.replay import verify
from nomicgit.record.strays import strays

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many commits were replayed, and of how many."""


def unsound(
    repository: Repository,
    head: str,
    since: str,
    *,
    there: str | None = None,
    now: int | None = None,
    progress: Progress = lambda *_: None,
) -> list[Problem]:
    """What is wrong up to a commit, each with what mends it; what a replay finds, the clone remembers.

    ``since``: all is well up to there ("": nobody has looked). ``there``: up to where others have the branch; None: as the
    clone remembers it. ``now`` (seconds, UTC): no deed may be dated after it; None: nobody looks at that.
    """
    if astray := strays(repository, head, since or None, there=there):
        return [Problem(str(each), mend=each.mend) for each in astray]
    if early := pace.ahead(repository, head, now) if now is not None else ():
        return [Problem(str(each), mend=each.mend) for each in early]
    if head == since:
        return []
    verified = verify(repository, head, progress, since=since or None)
    if verified.faults:
        seen = {each.commit: each.what for each in verified.faults if each.commit}
        faults.note(repository, {**faults.noted(repository), **seen})
    mend = verified.remedy or remedy("see more:", command("nomicgit", "verify"))
    return [Problem(str(fault), mend=mend) for fault in verified.faults]


def refuse_unsound(repository: Repository, head: str, progress: Progress = lambda *_: None) -> None:
    """Replay what this clone has not replayed yet, up to a head. Refused where any of it is not what its deed makes."""
    since = replayed.until(repository)
    if since == head:
        return
    if wrong := unsound(repository, head, since, progress=progress):
        raise Refused(*wrong)
    replayed.note(repository, head)
