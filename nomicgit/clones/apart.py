"""How a clone and the branch that it follows lie apart: own commits that are not there, and what others have there more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.clones.others.vetting import advised
from nomicgit.clones.own import fallen, put_aside
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.record import journal
from nomicgit.record.seen import arrivals
from nomicgit.record.seen.known import had, merged_away, stood


class Parted(Struct, frozen=True):
    """A clone and what it follows, apart: the head there, own commits that it lacks, how many others it has more.

    ``gone`` are the heads that were there, and are there no more. ``first`` are the commits that own deeds had before Git
    carried them elsewhere, by the ids of the deeds.
    """

    head: str
    own: tuple[Commit, ...]
    others: tuple[Commit, ...]
    gone: tuple[str, ...] = ()
    first: Mapping[str, Commit] = {}


class Standing(NamedTuple):
    """A clone beside what it follows ("" for nothing), as of the last fetch: commits on one side only, deeds set aside; and
    whether it has all of the history.
    """

    upstream: str
    unpushed: int
    unfetched: int
    aside: int
    whole: bool


def standing(repository: Repository) -> Standing:
    """How a clone stands; nothing is fetched."""
    kept, whole = len(repository.references(put_aside.ASIDE)), repository.is_whole()
    upstream = Upstream.of(repository)
    known, here = upstream.known() if upstream else None, repository.head()
    if upstream is None or known is None or here is None or known == here:
        return Standing(upstream.name if upstream else "", 0, 0, kept, whole)
    try:
        apart = parted(repository, known)
        own = _never_fetched(repository, upstream, apart.own)
    except Malformed:
        arrivals.refuse_unfit(upstream, here, known)
        raise
    return Standing(upstream.name, own, len(apart.others), kept, whole)


def _never_fetched(repository: Repository, upstream: Upstream, own: Sequence[Commit]) -> int:
    """How many of these commits, oldest first, come after the last one at which the branch has stood elsewhere."""
    heads = {*stood(repository, upstream)} if own else ()
    fetched = (place for place, commit in enumerate(own, 1) if commit.oid in heads)
    return len(own) - max(fetched, default=0)


def parted(repository: Repository, there: str) -> Parted:
    """How this clone and the head that it follows lie apart. Refused where own commits are none that can be laid anew."""
    here = repository.head()
    assert here is not None
    first = repository.first_after(there, here)
    own: list[Commit] = []
    for commit in repository.log(here) if first else ():
        own.append(commit)
        if commit.oid == first:
            break
    first = repository.first_after(here, there)
    others: list[Commit] = []
    for commit in repository.log(there) if first else ():
        others.append(commit)
        if commit.oid == first:
            break
    return Parted(there, tuple(own[::-1]), tuple(others[::-1]))


def apart_from(
    repository: Repository, upstream: Upstream, there: str, taken_out: Sequence[str] = ()
) -> Parted:
    """How this clone lies apart from a head that it follows. What was there and is gone is nobody's own, ``taken_out`` too; but
    deeds are that this clone has brought there by a merge which was taken back.

    Refused where own commits cannot be laid anew.
    """
    apart, leads = parted(repository, there), repository.leads_to
    gone = tuple(each for each in had(repository, upstream) if not leads(each, there))
    gone = tuple(each for each in gone if any(leads(own.oid, each) for own in apart.own))  # of this line
    gone = tuple(dict.fromkeys((*gone, *taken_out)))
    heads, mine = list[str](), dict[str, Commit]()
    if gone or any(len(each.parents) > 1 for each in apart.own):
        heads, mine = merged_away(repository, upstream, there)
    was_there = dict.fromkeys((*gone, *heads))
    own = [
        each
        for each in apart.own
        if each.oid in mine or not any(repository.leads_to(each.oid, was) for was in was_there)
    ]
    beside = _beside(repository, mine.values(), own, there)
    apart = replace(apart, own=(*beside, *own), gone=gone)
    refuse_strays(repository, apart)
    return apart


def _beside(
    repository: Repository, mine: Iterable[Commit], own: Sequence[Commit], there: str
) -> list[Commit]:
    """Those of this clone's own deeds that its line has left beside it, as where it went on upon somebody else's merge, and that
    stand nowhere.
    """
    seen = {journal.deed_id(each.message) for each in own} | put_aside.settled(repository)
    return fallen.lacking(
        repository, [each for each in mine if journal.deed_id(each.message) not in seen], there
    )


def refuse_strays(repository: Repository, apart: Parted) -> None:
    """Refuse own commits that change the game and are no deeds: they cannot be done again.

    A deed that is not as it should be, as after a rebase by hand, can.
    """
    own = {commit.oid for commit in apart.own}
    for stray in advised(repository, apart.own[-1].oid).strays if own else ():
        if stray.commit in own and not stray.again:
            raise Refused.of(f"own deeds cannot be laid anew: {stray}", mend=stray.mend)
