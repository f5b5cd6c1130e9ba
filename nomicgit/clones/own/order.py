"""The order in which own deeds were done that are to be done again, be it that mends or merges have set them aside since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomicgit.clones.own import carried
from nomicgit.clones.own.redone import parted_at, since
from nomicgit.git import Commit, Repository
from nomicgit.record import journal


def in_order(
    repository: Repository, upon: str, aside: Iterable[Commit], own: Sequence[Commit] = ()
) -> list[Commit]:
    """Deeds that are set aside, each as it stood last on the line up to a commit, and own ones that come after that: in the order in
    which they stood there. One that stood nowhere comes behind what it was done upon, by its time.
    """
    deeds = [*aside, *own]
    firsts = carried.as_first_done(repository, deeds)
    done = {each: firsts.get(journal.deed_id(each.message), each) for each in deeds}
    parted = {parted_at(repository, first.oid, upon) for first in done.values()}
    line = [*own[::-1], *(each for each, _ in since(repository, upon, parted))][::-1]
    places = {name: place for place, each in enumerate(line) for name in (each.oid, _name(each))}

    def key(each: Commit) -> tuple[int, int, int]:
        if (place := places.get(_name(each))) is not None:
            return place, 0, 0
        way = [*repository.beyond(upon, done[each].oid)]
        last = repository.merge_base(done[each].oid, upon) or ""  # a merge by hand may have left that out
        behind = (places.get(name, -1) for name in (last, *map(_name, way)))
        return max(behind), max((other.author_time for other in way), default=0), len(way)

    ordered = sorted(deeds, key=key)
    return [line[places[_name(each)]] if _name(each) in places else each for each in ordered]


def _name(commit: Commit) -> str:
    return journal.deed_id(commit.message) or commit.oid
