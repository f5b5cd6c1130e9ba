"""Verify: the whole history replayed, each commit compared with what its deed must have made.

It replays in a process of its own, since whoever could push may have put anything into a history.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from nomicgit.git import Commit, Repository
from nomicgit.git.lacking import the_rest
from nomicgit.ground import deaths, worker
from nomicgit.ground.remedies import remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal, line
from nomicgit.record.seen.faults import CLOCK_FIRST, EARLY
from nomicgit.record.seen.recourse import remedy_of
from nomicgit.record.signers import SIGNERS, Asked
from nomicgit.replay.judging import judged, left_out
from nomicgit.replay.replaying import Replay, Step

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key

DEATHS = 3
HOUR = 3600  # seconds, for what nobody else waits for
SHARE = 250  # commits, at least


class Fault(Struct, frozen=True):
    """A commit that is not what its deed makes; "" for what no commit does, such as to be gone."""

    commit: str
    what: str

    def __str__(self) -> str:
        return f"{self.commit[:12]}: {self.what}" if self.commit else self.what


class Verified(Struct):
    """What verification found. ``doubts`` are what deeds claim of themselves and replay does not confirm.

    ``sealed`` are deeds that the keys at hand do not open, with what everybody can see that they changed; so many are ``opened``.
    ``signed`` and ``unsigned`` count the deeds of players in a game that knows keys of theirs, by whether they have signed them.
    ``mended`` are faults that a mend has set aside, ``aside`` the lawful deeds that one has. ``remedy`` is the command that
    mends the faults, where one can. ``founding`` is the first commit replayed: whose copy of the game has the same one, has the same game.
    """

    founding: str = ""
    deeds: int = 0
    others: int = 0
    faults: list[Fault] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)
    mended: list[Fault] = field(default_factory=list)
    sealed: list[Fault] = field(default_factory=list)
    opened: int = 0
    signed: int = 0
    unsigned: int = 0
    aside: list[Fault] = field(default_factory=list)
    remedy: str = ""

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.faults and not self.doubts


def verify(
    repository: Repository,
    tip: str,
    progress: Callable[[int, int], None] = lambda *_: None,
    *,
    now: int | None = None,
    keys: Sequence[Key] = (),
    since: str | None = None,
    unjudged: bool = False,
) -> Verified:
    """Replay the history of a branch's tip. ``now`` (seconds, UTC): no deed of a live game may be dated after it.

    ``keys``: of the game's terms, as far as they are at hand. ``since``: a commit of the game's line up to which all was
    verified before; what follows it is replayed. ``unjudged``: whether signatures may stay unjudged where the program's extra
    is not installed and the game has never required any; else that is a ModuleNotFoundError.
    """
    whole = list(repository.log(tip))[::-1]
    if repository.entry(whole[-1].tree, SIGNERS) is not None and not (unjudged and _never_required(whole)):
        from nomicgit.sealing import ciphers  # noqa: F401 - here: most games know no keys, and what is missing is told at once
    founded = line.founded(repository, whole)
    commits = whole[founded or 0 :]
    verified = Verified(commits[0].oid)
    start = next((place for place, commit in enumerate(commits, 1) if commit.oid == since), 0)
    verified.faults += _begun(repository, whole[0], founded) if not start else ()

    def replayed(share: range) -> Iterator[Step]:
        return worker.stream(
            lambda given: Replay(repository, commits[: share.stop], now, keys).steps(share.start + given)
        )

    steps = _side_by_side(_shares(start, len(commits)), replayed, lambda done: progress(done, len(commits)))
    for place, (faults, doubts, sealed, by_key) in sorted(steps.items()):
        oid = commits[place].oid
        verified.faults += [Fault(oid, what) for what in faults]
        verified.doubts += [Fault(oid, what) for what in doubts]
        verified.sealed += [] if sealed is None else [Fault(oid, sealed)]
        verified.signed += by_key is True
        verified.unsigned += by_key is False
    verified.faults += [Fault(*each) for each in left_out(repository, whole, since if start else None)]
    _judge(repository, commits, verified, steps)
    verified.deeds = sum(journal.is_deed(commit.message) for commit in commits)
    verified.others = len(commits) - verified.deeds
    veiled = sum(journal.is_sealed(commit.message) for commit in commits)
    verified.opened = veiled - len(verified.sealed)
    progress(len(commits), len(commits))
    return verified


def _side_by_side(
    shares: Sequence[range], replayed: Callable[[range], Iterator[Step]], progress: Callable[[int], None]
) -> dict[int, Step]:
    """What is found of each commit, by its place. The shares are asked in turn: whatever is not asked for what it has found
    stops when its pipe is full, and all the others would wait for the first.
    """
    steps: dict[int, Step] = {}
    under_way = deque((share, replayed(share)) for share in shares if share)
    first, times = shares[0].start, 0
    progress(first)
    while under_way and times < DEATHS:
        share, asked = under_way.popleft()
        try:
            steps[share.start] = next(asked)
        except deaths.Died as died:
            steps[share.start] = [f"it cannot be replayed: {died.problems[0].what}"], [], None, None
            times += 1
            asked = replayed(share[1:]) if share[1:] else iter(())
        progress(first + len(steps))
        if share[1:]:
            under_way.append((share[1:], asked))
    for share, _ in under_way:
        steps[share.start] = ["verification ends here"], [], None, None
    return steps


def holding(repository: Repository, tip: str, newest: int) -> int:
    """How many of the newest so many commits of a branch's tip, from the oldest on, hold what their deeds make, but for what a mend
    among them sets aside; the others are taken as replayed.
    """
    commits = list(repository.log(tip))[::-1]
    start = len(commits) - newest
    try:
        steps = worker.stream(lambda given: Replay(repository, commits).steps(start + given))
        faulty = [
            (each.oid, what) for each, step in zip(commits[start:], steps, strict=False) for what in step[0]
        ]
    except deaths.Died:
        return 0
    wrong = {oid for oid, _ in judged(commits, faulty, ()).faults} if faulty else ()
    return next((place for place, each in enumerate(commits[start:]) if each.oid in wrong), newest)


def messages(
    repository: Repository, tip: str, keys: Sequence[Key]
) -> dict[str, Sequence[tuple[str, str]] | None]:
    """What each deed of a branch has told whom (by id) in private, by the deeds' ids; None where no key at hand opens that."""
    commits = line.since_founding(repository, tip)

    def replayed() -> dict[str, Sequence[tuple[str, str]] | None]:
        replay = Replay(repository, commits, None, keys)
        for _ in replay.steps():
            pass
        return replay.messages

    by_deed: dict[str, Sequence[tuple[str, str]] | None] = worker.run(replayed, processor=HOUR, wall=HOUR)
    return by_deed


def _never_required(whole: Sequence[Commit]) -> bool:
    """Whether no deed of a history has had to be signed, as far as its messages tell."""
    return not any(Outside.SIGNED in each.message and Asked.REQUIRED in each.message for each in whole)


def _judge(
    repository: Repository, commits: Sequence[Commit], verified: Verified, replayed: Collection[int]
) -> None:
    """Part what stands from what a mend has set aside, and say what mends the rest. ``replayed``: places of the line."""
    faults, doubts = (
        [(each.commit, each.what) for each in some] for some in (verified.faults, verified.doubts)
    )
    judgement = judged(commits, faults, replayed)
    verified.faults = [Fault(*each) for each in judgement.faults]
    verified.mended = [Fault(*each) for each in judgement.mended]
    verified.aside = [Fault(*each) for each in judgement.aside]
    verified.doubts = [doubt for doubt in verified.doubts if doubt.commit not in judgement.gone]
    lawful = judged(commits, [*faults, *doubts], ()).lawful
    if not repository.is_whole():
        verified.remedy = "" if verified.sound else remedy("fetch the rest:", the_rest())
    elif not verified.sound:
        early = any(each.what.endswith(EARLY) for each in verified.faults)
        way = remedy_of(repository, commits, lawful, {oid for oid, _ in (*faults, *doubts)}, sure=early)
        verified.remedy = remedy(CLOCK_FIRST, way) if early else way


def _begun(repository: Repository, oldest: Commit, founded: int | None) -> Iterator[Fault]:
    """What is wrong with where a history begins: whatever is cut off before it may have been the game too."""
    if repository.cut_off(oldest):
        yield Fault(oldest.oid, "the clone is shallow: nothing before this commit can be looked at")
    elif founded is None:
        yield Fault(oldest.oid, "no deed founds this game")


def _shares(start: int, end: int) -> list[range]:
    """A stretch of history in shares, one for each processor, where it is long. Each commit is held to the one before it
    as recorded, and that one to the one before: so a share need not wait for those before it.
    """
    many = max(1, min(_processors(), (end - start) // SHARE))
    bounds = [start + (end - start) * n // many for n in range(many + 1)]
    return [range(first, last) for first, last in itertools.pairwise(bounds)]


def _processors() -> int:
    """How many processors this process may use: all there are, where the system binds none of its processes to some."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
