"""Deeds that are set aside: own ones that were refused where they were laid anew, or that Git has let fall.

Each is kept under ``refs/nomicgit/aside/ID``, so that ``sync --again`` may try it once more. Where that was refused since a
matter has become another, it is remembered when that was told. What somebody has let go of is remembered by its id, and
told no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nomicgit.clones.own import order
from nomicgit.git import Commit, Repository
from nomicgit.record import journal, keepsakes

ASIDE = "refs/nomicgit/aside/"
WAITS = "refs/nomicgit/waits/"
"""The last of the own commits that are no deeds and wait with a deed that is set aside, by its id."""
FILE = "nomicgit/forgotten"  # the ids of the deeds that were let go of
TOLD = "nomicgit/told-unread"  # the commit at which somebody was told that what a deed means has become another, by its id
REDONE = "nomicgit/redone"  # the commits of own deeds that were done again under another id
MOST = 1000  # of those that are remembered, the newest


def keep(repository: Repository, commits: Iterable[Commit]) -> None:
    """Keep deeds, so that they may be tried once more."""
    for each in commits:
        repository.point(ASIDE + journal.deed_id(each.message), each.oid)


def tell(repository: Repository, unread: Mapping[str, str]) -> None:
    """Remember the commits at which somebody was told that they have not read what deeds mean now, by the deeds' ids."""
    names = {ref.removeprefix(ASIDE) for ref in repository.references(ASIDE)}
    every = {**told(repository), **unread}
    keepsakes.keep(repository, TOLD, {name: oid for name, oid in every.items() if name in names})


def told(repository: Repository) -> dict[str, str]:
    """These commits, by the ids of the deeds that are set aside."""
    kept = keepsakes.kept(repository, TOLD) or {}
    return {str(name): str(oid) for name, oid in kept.items() if repository.resolve(str(oid)) is not None}


def keep_no_longer(repository: Repository, names: Iterable[str]) -> None:
    """Keep deeds aside no longer, by their ids: they stand, or somebody has let go of them."""
    for name in names:
        repository.point(ASIDE + name, None)
        repository.point(WAITS + name, None)


def waiting(repository: Repository) -> dict[str, Sequence[Commit]]:
    """The own commits upon deeds that are set aside, up to the last that waits with each, oldest first, by the deeds' ids."""
    aside = repository.references(ASIDE)
    last = {ref.removeprefix(WAITS): oid for ref, oid in repository.references(WAITS).items()}
    return {
        name: [*repository.beyond(aside[ASIDE + name], oid)][::-1]
        for name, oid in last.items()
        if ASIDE + name in aside
    }


def note_redone(repository: Repository, commits: Iterable[str]) -> None:
    """Remember own deeds that were done again under another id: Git's log of where this clone has stood has only the first ones."""
    every = [*dict.fromkeys((*map(str, keepsakes.kept(repository, REDONE) or ()), *commits))]
    keepsakes.keep(repository, REDONE, every[-MOST:])


def redone(repository: Repository) -> list[Commit]:
    """These, oldest first, as far as this clone has them still."""
    kept = (str(oid) for oid in keepsakes.kept(repository, REDONE) or ())
    return [repository.commit(oid) for oid in kept if repository.resolve(oid) is not None]


def let_go(repository: Repository, names: Iterable[str]) -> None:
    """Tell no more of deeds, by their ids, that they stand nowhere."""
    keepsakes.keep(repository, FILE, [*dict.fromkeys((*forgotten(repository), *names))][-MOST:])


def forgotten(repository: Repository) -> list[str]:
    """The ids of the deeds that were let go of."""
    return [str(each) for each in keepsakes.kept(repository, FILE) or ()]


def deeds(repository: Repository) -> list[Commit]:
    """The commits of the deeds that are set aside."""
    return [repository.commit(oid) for oid in repository.references(ASIDE).values()]


def in_order(repository: Repository) -> list[Commit]:
    """The same, in the order in which they were done, each by the commit that is kept: by that one sync names it too."""
    head, aside = repository.head(), deeds(repository)
    assert head is not None
    names = {journal.deed_id(each.message): each for each in aside}
    lie = order.in_order(repository, head, aside) if aside else []
    return [names.get(journal.deed_id(each.message), each) for each in lie]


def settled(repository: Repository) -> set[str]:
    """The ids of the deeds that are set aside, or were let go of: they are not looked for."""
    return {*forgotten(repository), *(ref.removeprefix(ASIDE) for ref in repository.references(ASIDE))}
