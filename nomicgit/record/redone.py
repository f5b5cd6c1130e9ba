"""Deeds that are done again after a mend has set them aside: under which id, and which of a line's deeds is one of them.

An id stays used, also where its deed is set aside. So the deed has another when it is done again, the same wherever that is
done: whoever meant what the first one had made finds what the second has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from nomicgit.git import Commit, Repository
from nomicgit.record import journal
from nomicgit.record.game import new_id
from nomicgit.record.strays import told_aside

_TIMED = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{12}")
_LETTERS = 12  # of an id, behind its time


class Around(NamedTuple):
    """What lies on a line since some commit, and before it as far as mends have set it aside: what is aside, oldest first, and what
    stands, by its ids.
    """

    aside: Sequence[Commit]
    stands: Mapping[str, Commit]

    def trail(self, name: str, at: int) -> Iterator[tuple[str, Commit | None]]:
        """The ids under which a deed of a time (``at``, seconds) may stand, with what stands there: its own, and those under which it
        would be done again; up to the first that nothing has used.
        """
        used = {journal.deed_id(each.message) for each in self.aside}
        while name in used or name in self.stands:
            yield name, self.stands.get(name)
            name = once_more(name, at)
        yield name, None


def around(repository: Repository, head: str, since: str | None) -> Around:
    """What lies on the line up to ``head`` since a commit of it (None: all of it)."""
    aside, stands, met = list[Commit](), dict[str, Commit](), False
    for commit, by in told_aside(repository, head):
        met = met or commit.oid == since
        if met and not by:
            break
        if by:
            aside.append(commit)
        elif name := journal.deed_id(commit.message):
            stands[name] = commit
    return Around(aside[::-1], stands)


def mended_by(repository: Repository, head: str, own: Commit, to: str) -> str:
    """The mend of a line that has set aside already all that an own mend to a commit set aside; "" where something of that stands."""
    meant, by_whom = {*repository.ids_beyond(to, own.parents[0])}, ""
    for commit, by in told_aside(repository, head):
        if commit.oid == to:
            break
        if commit.oid in meant:
            if not by:
                return ""
            by_whom = by
    return by_whom


def once_more(name: str, at: int) -> str:
    """The id that a deed has when it is done again, ``at`` its time: the time of its own stays, where that has one."""
    timed = name if _TIMED.fullmatch(name) else new_id(at)
    return f"{timed.partition('-')[0]}-{sha256(name.encode()).hexdigest()[:_LETTERS]}"
