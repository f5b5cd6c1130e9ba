"""Looking at what is new in the record before anything is done upon it: strays, what is dated ahead, what no clone takes in, what
is forged.

What came since the commit up to which all is sound is replayed; what is done here is sound, so that mostly there is little
to replay. A steward looks at each pass; a clone when it syncs, and before a deed of its own or an order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from nomicgit.git import Repository
from nomicgit.git.lacking import SHALLOW, the_rest
from nomicgit.ground.problems import NomicError, Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import faults, pace, unheld
from nomicgit.record.replay import verify
from nomicgit.record.strays import note_replayed, replayed, strays

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
    unjudged: bool = False,
) -> list[Problem]:
    """What is wrong up to a commit, each with what mends it; what a replay finds, the clone remembers.

    ``since``: all is well up to there ("": nobody has looked). ``there``: up to where others have the branch; None: as the
    clone remembers it. ``now`` (seconds, UTC): no deed may be dated after it; None: nobody looks at that. ``unjudged``: as for `verify`.
    """
    if astray := strays(repository, head, since or None, there=there):
        return [Problem(str(each), mend=each.mend) for each in astray]
    if early := pace.ahead(repository, head, now) if now is not None else ():
        return [Problem(str(each), mend=each.mend) for each in early]
    if head == since:
        return []
    if (brought := unheld.unfit_since(repository, head, since)) is not None:
        return [Problem(str(brought), mend=brought.mend)]
    verified = verify(repository, head, progress, since=since or None, unjudged=unjudged)
    if verified.faults:
        seen = {each.commit: each.what for each in verified.faults if each.commit}
        faults.note(repository, {**faults.noted(repository), **seen})
    mend = verified.remedy or remedy("see more:", command("nomicgit", "verify"))
    return [Problem(str(fault), mend=mend) for fault in verified.faults]


def at_fault(repository: Repository, head: str, progress: Progress = lambda *_: None) -> list[Problem]:
    """What is wrong up to a head, where this clone has not replayed that yet; it remembers where nothing is."""
    since = _sound_before(repository, head)
    if since == head:
        return []
    wrong = unsound(repository, head, since, progress=progress, unjudged=True)
    if not wrong:
        note_replayed(repository, head)
    return wrong


def refuse_unsound(repository: Repository, head: str, progress: Progress = lambda *_: None) -> None:
    """Replay what this clone has not replayed yet, up to a head. Refused where any of it is not what its deed makes, and in a
    shallow clone, which lacks what that would be seen by.
    """
    if not replayed(repository) and not repository.is_whole():
        raise Refused.of(SHALLOW, mend=the_rest())
    if wrong := at_fault(repository, head, progress):
        raise Refused(*wrong)
    note_replayed(repository, head)


def _sound_before(repository: Repository, head: str) -> str:
    """The newest commit on the way to a head up to which this clone has replayed all; "" where there is none."""
    known = replayed(repository)
    if known in ("", head):
        return known
    try:
        common = repository.merge_base(known, head)
    except NomicError:  # nobody has that commit here any more
        return ""
    return common if common and any(each.oid == common for each in repository.log(known)) else ""
