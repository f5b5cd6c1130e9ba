"""Deeds that are done again after a mend has set them aside: under which id, and which of a line's deeds is one of them.

An id stays used, also where its deed is set aside. So the deed has another when it is done again, the same wherever that is
done: whoever meant what the first one had made finds what the second has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import sha256
from typing import NamedTuple

from nomicgit.git import Commit, Repository
from nomicgit.record import journal
from nomicgit.record.game import new_id
from nomicgit.record.seen.strays import told_aside

_TIMED = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{12}")
_LETTERS = 12  # of an id, behind its time


class Around(NamedTuple):
    """What lies on a line since some commit, and before it as far as mends have set it aside: what is aside, or was left out by a
    merge, oldest first, and what stands, by its ids; with what mends of mends have brought back.
    """

    aside: Sequence[Commit]
    stands: Mapping[str, Commit]

    def trail(self, name: str, at: int) -> Iterator[tuple[str, Commit | None]]:
        """The ids under which a deed of a time (``at``, seconds) may stand, with what stands there: its own, and those under which it
        would be done again; up to the first that nothing has used. Before them, that of a deed which it repeats.
        """
        used = {journal.deed_id(each.message) for each in self.aside}
        for first, commit in self.stands.items() if name in used else ():
            repeat = once_more(first, commit.author_time)
            while repeat in used and repeat != name:
                repeat = once_more(repeat, commit.author_time)
            if repeat == name:
                yield first, commit
        while name in used or name in self.stands:
            yield name, self.stands.get(name)
            name = once_more(name, at)
        yield name, None


def around(repository: Repository, head: str, own: str) -> Around:
    """What lies on the line up to ``head`` since it parted from the one on which an own commit lies."""
    aside, stands = list[Commit](), dict[str, Commit]()
    for commit, stood in since(repository, head, {parted_at(repository, own, head)}):
        if not stood:
            aside.append(commit)
        elif name := journal.deed_id(commit.message):
            stands[name] = commit
    brought_back = {to for each in aside if (to := journal.goes_back_to(each.message))}
    for commit, by in told_aside(repository, head) if brought_back else ():
        brought_back.discard(commit.oid)
        if not brought_back:
            break
        if not by and (name := journal.deed_id(commit.message)):
            stands.setdefault(name, commit)
    return Around(aside[::-1], stands)


def parted_at(repository: Repository, own: str, head: str) -> str | None:
    """The newest commit of the line up to ``head`` that an own one stands upon, or is; None where that stands upon none of it."""
    first = repository.first_after(own, head)
    return head if first is None else next(iter(repository.commit(first).parents), None)


def since(repository: Repository, head: str, parted: Set[str | None]) -> Iterator[tuple[Commit, bool]]:
    """What lies on the line up to ``head`` since all of some commits of it (None: all of it), and before them as far as mends have
    set it aside, newest first: and whether it stands. What a merge by hand has left out lies before the merge.
    """
    unmet = {*parted}
    for commit, by in told_aside(repository, head):
        unmet -= {commit.oid}
        if not unmet and not by:
            return
        yield commit, not by
        if len(commit.parents) > 1:
            left_out = (
                each for other in commit.parents[1:] for each in repository.beyond(commit.parents[0], other)
            )
            yield from ((each, False) for each in left_out)


def mended_by(repository: Repository, head: str, own: Commit, to: str) -> str | None:
    """The mend of a line that has set aside already all that an own mend to a commit set aside; "" where nothing of that lies there,
    None where some stands, be it as it was laid anew.
    """
    beyond, by_whom = [*repository.beyond(to, own.parents[0])], ""
    meant = {each.oid for each in beyond} | {journal.deed_id(each.message) for each in beyond} - {""}
    for commit, by in told_aside(repository, head):
        if commit.oid == to:
            break
        if not meant.isdisjoint((commit.oid, journal.deed_id(commit.message))):
            if not by:
                return None
            by_whom = by
    return by_whom


def once_more(name: str, at: int) -> str:
    """The id that a deed has when it is done again, ``at`` its time: the time of its own stays, where that has one."""
    return f"{timed(name, at)}-{sha256(name.encode()).hexdigest()[:_LETTERS]}"


def timed(name: str, at: int) -> str:
    """When a deed was done first, as its id has that, so that it can be compared: laid anew, it may be dated later. Or ``at``."""
    return (name if _TIMED.fullmatch(name) else new_id(at)).partition("-")[0]
