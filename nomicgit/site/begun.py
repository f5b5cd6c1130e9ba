"""With what things began of which no file had a value yet: a cell of a map is what the law makes of it, until a deed changes it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from nomicgit.ground.problems import NomicError
from nomicgit.law.law import Law, law_of
from nomicgit.physics.state import reading
from nomicgit.physics.state.reading import SINGLE_KINDS
from nomicgit.record.annals import Annals, Moved


def told(annals: Annals, moved: Sequence[Moved], newest: Law) -> Iterator[Moved]:
    """Every change of a stored value, in order; where none was stored before it, or is after it, with what the law gave."""
    laws = _Laws(annals, moved, newest)
    for each in moved:
        if not _is_bare(each):
            yield each
            continue
        old = _given(laws.after(each.done.place - 1), each) if each.old is None else each.old
        new = _given(laws.after(each.done.place), each) if each.new is None else each.new
        if old != new:
            yield replace(each, old=old, new=new)


def _is_bare(each: Moved) -> bool:
    """Whether nothing was stored before or after a change, of what may be there by a declaration."""
    return None in (each.old, each.new) and each.ref.partition("/")[0] not in {"players", *SINGLE_KINDS}


class _Laws:
    """The law after each deed on which hangs what was there. It is asked for those of one deed after another, so two are kept."""

    def __init__(self, annals: Annals, moved: Sequence[Moved], newest: Law) -> None:
        bare = {each.done.place for each in moved if _is_bare(each)}
        self._changed = sorted(
            {each.done.place for history in annals.amendments.values() for each in history}
        )
        self._newest, self._kept = newest, dict[int, Law]()
        wanted = {self._since(at) for place in bare for at in (place - 1, place)}
        self._rulesets = annals.rulesets(done for done in annals.deeds if done.place in wanted)

    def after(self, place: int) -> Law | None:
        """The law after a deed; None before there was any."""
        since = self._since(place)
        while since and since not in self._kept:
            done, ruleset = next(self._rulesets)
            law = law_of(ruleset, self._newest.language, self._newest.declarations)
            self._kept = {**dict([*self._kept.items()][-1:]), done.place: law}
        return self._kept.get(since)

    def _since(self, place: int) -> int:
        """The deed that made the law that stood after another one, by its place; 0 before there was any."""
        nth = bisect_right(self._changed, place)
        return self._changed[nth - 1] if nth else 0


def _given(law: Law | None, each: Moved) -> object:
    """What a law gives an entity that is there by a declaration; None where it is not, or nothing of it can be read."""
    if law is None:
        return None
    kind = each.ref.partition("/")[0]
    try:
        collection, variable = law.declared.collections.get(kind), law.variable(kind, each.field)
        if collection is None or variable is None or not (collection.grid or collection.source):
            return None
        return (
            None if variable.type.default_by or variable.derived else reading.given(law, each.ref, variable)
        )
    except NomicError:
        return None
