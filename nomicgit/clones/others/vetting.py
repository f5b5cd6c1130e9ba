"""Looking at what is new in the record before anything is done upon it: strays, what is dated ahead, what no clone takes in, what
is forged.

What came since the commit up to which all is sound is replayed; what is done here is sound, so that mostly there is little
to replay. A steward looks at each pass; a clone when it syncs, and before a deed of its own or an order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from nomicgit.clones.others import pace, unheld
from nomicgit.clones.others.pace import Future
from nomicgit.git import Commit, Repository
from nomicgit.git.lacking import SHALLOW, the_rest
from nomicgit.ground.problems import NomicError, Problem, Refused
from nomicgit.ground.remedies import command, commands, remedy
from nomicgit.record.seen import faults
from nomicgit.record.seen.faults import CLOCK_FIRST
from nomicgit.record.seen.recourse import Recourse
from nomicgit.record.seen.strays import Looked, Stray, looked_through, note_replayed, replayed, strays
from nomicgit.replay.verifying import verify

_MEND = command("nomicgit", "mend").strip()
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
        upto = astray[0].before
        wrong = (
            _replayed(repository, upto, since, progress, unjudged=unjudged) if repository.is_whole() else []
        )
        mend = wrong[0].mend if wrong else ""
        return [*wrong, *(Problem(str(each), mend=mend or each.mend) for each in astray)]
    if early := pace.ahead(repository, head, now) if now is not None else ():
        return [Problem(str(each), mend=each.mend) for each in early]
    if head == since:
        return []
    if (brought := unheld.unfit_since(repository, head, since)) is not None:
        return [Problem(str(brought), mend=brought.mend)]
    return _replayed(repository, head, since, progress, unjudged=unjudged)


def _replayed(
    repository: Repository, head: str, since: str, progress: Progress, *, unjudged: bool
) -> list[Problem]:
    """What a replay finds at fault up to a commit, of what came after another; the clone remembers it."""
    if head == since or (since and repository.leads_to(head, since)):
        return []
    verified = verify(repository, head, progress, since=since or None, unjudged=unjudged)
    if verified.faults:
        seen = {each.commit: each.what for each in verified.faults if each.commit}
        faults.note(repository, {**faults.noted(repository), **seen})
    mend = verified.remedy or remedy("see more:", command("nomicgit", "verify"))
    return [Problem(str(fault), mend=mend) for fault in verified.faults]


class Advised(NamedTuple):
    """What a clone sees of its game: strays and mends, and deeds that are dated ahead of its clock, all oldest first. No mend that is
    advised about any goes back to another, nor to what a replay finds at fault.
    """

    strays: Sequence[Stray]
    mends: Sequence[Commit]
    early: Sequence[Future] = ()


def advised(
    repository: Repository, head: str, now: int | None = None, progress: Progress = lambda *_: None
) -> Advised:
    """What is seen up to a head; what lies before the first that is wrong is replayed, where this clone has not done so yet.

    ``now`` (seconds, UTC): what is dated after it is dated ahead; None: nobody looks at that.
    """
    looked = looked_through(repository, head)
    early = pace.ahead(repository, head, now) if now is not None else []
    first = _first(repository, head, looked, early)
    if first is None:
        return Advised(looked.strays, looked.mends)
    if first.before and repository.is_whole() and (wrong := at_fault(repository, first.before, progress)):
        looked = looked_through(repository, head)
        now_first = _first(repository, head, looked, early) or first
        first = now_first if now_first != first else first._replace(remedy=wrong[0].mend)
    return Advised(
        [first.rather(each) for each in looked.strays],
        looked.mends,
        [replace(each, remedy=first.remedy) for each in early],
    )


class _First(NamedTuple):
    """The commit before the first that is wrong, and what takes that back; ``clock``: what comes before that, where the clock may be
    what is wrong.
    """

    before: str
    remedy: str
    clock: str = ""

    def rather(self, stray: Stray) -> Stray:
        """A stray with this mend, where one is advised about it."""
        mend = remedy(self.clock, self.remedy) if self.clock else self.remedy
        return replace(stray, mend=mend) if _mends(stray.mend) else stray


def _mends(mend: str) -> bool:
    return any(_MEND in line for line in commands(mend))


def _first(repository: Repository, head: str, looked: Looked, early: Sequence[Future]) -> _First | None:
    stray = looked.strays[0] if looked.strays else None
    if early and (stray is None or not repository.leads_to(stray.commit, early[0].commit)):
        parents = repository.commit(early[0].commit).parents
        return _First(next(iter(parents), ""), early[0].remedy, CLOCK_FIRST)
    if early and stray is not None and _mends(stray.mend):
        mend = Recourse(repository, sure=True).remedy(stray.commit, stray.before, stray.merged)
        return _First(stray.before, mend, CLOCK_FIRST)
    return _First(stray.before, stray.mend) if stray is not None else None


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
