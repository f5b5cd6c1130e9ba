"""With what things began of which no file had a value yet: a cell of a map is what the law makes of it, until a deed changes it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from nomicgit.ground.problems import NomicError
from nomicgit.law.law import Law, law_of
from nomicgit.physics.state import reading
from nomicgit.record.annals import Annals, Moved


def told(annals: Annals, newest: Law) -> Iterator[Moved]:
    """Every change of a stored value, in order; where none was stored before it, or is after it, with what the law gave."""
    places = {
        each.done.place - before
        for each in annals.moved
        for before, value in ((1, each.old), (0, each.new))
        if value is None
    }
    laws = {
        done.place: law_of(ruleset, newest.language, newest.declarations)
        for done, ruleset in annals.rulesets(done for done in annals.deeds if done.place in places)
    }
    for each in annals.moved:
        old = _given(laws.get(each.done.place - 1), each) if each.old is None else each.old
        new = _given(laws.get(each.done.place), each) if each.new is None else each.new
        if old != new:
            yield replace(each, old=old, new=new)


def _given(law: Law | None, each: Moved) -> object:
    """What a law gives an entity that is there by a declaration; None where it is not, or nothing of it can be read."""
    kind = each.ref.partition("/")[0]
    try:
        collection = law.declared.collections.get(kind) if law else None
        variable = law.variable(kind, each.field) if law else None
        if (
            law is None
            or collection is None
            or variable is None
            or not (collection.grid or collection.source)
        ):
            return None
        return (
            None if variable.type.default_by or variable.derived else reading.given(law, each.ref, variable)
        )
    except NomicError:
        return None
