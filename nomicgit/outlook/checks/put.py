"""The values that a change sets: what stands at their paths before it and after it, which need not be what the change says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nomicgit.ground.problems import NomicError, Problem
from nomicgit.ground.wording import in_words
from nomicgit.law import paths
from nomicgit.outlook import doings
from nomicgit.outlook.checks.remarks import given
from nomicgit.physics.deeds import setting
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import SINGLE, kind_of
from nomicgit.physics.state.transaction import Transaction


class Put(NamedTuple):
    """One value that a change sets, as the change says it, and where it stands."""

    path: str
    said: object
    ref: str
    field: str
    keys: Sequence[str]  # within a map

    def stands(self, world: Transaction) -> object:
        """What stands there; None where nothing does."""
        value = reading.get(world, self.ref, self.field) if reading.exists(world, self.ref) else None
        for key in self.keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value


def put(world: Transaction, change: Mapping[str, Any]) -> list[Put]:
    """The public values that a change sets, as it was written."""
    return [each for values in given(change, "set") for each in _put(world, values)]


def _put(world: Transaction, values: Mapping[str, object]) -> Iterator[Put]:
    for path, said in values.items():
        try:
            head, *rest = paths.segments(str(path))
            ref = head if head in SINGLE else f"{head}/{setting.entity(world, head, rest.pop(0))}"
        except (NomicError, IndexError):
            continue  # such a change is not made
        whole = said if not rest and isinstance(said, Mapping) else {}
        yield from (
            Put(f"{path}.{field}", of, ref, field, ())
            for field, of in whole.items()
            if _public(world, ref, field)
        )
        if rest and _public(world, ref, rest[0]):
            yield Put(path, said, ref, rest[0], rest[1:])


def _public(world: Transaction, ref: str, field: str) -> bool:
    declared = world.law.variable(kind_of(ref), field)
    return declared is not None and declared.tracked == "public"


def otherwise(world: Transaction, some: Sequence[Put]) -> Iterator[Problem]:
    """The numbers that are others than a change says, once it is made: where the law stops them, or turns them."""
    for each in some:
        yield from _otherwise(world, each, each.path, each.said, each.stands(world))


def _otherwise(world: Transaction, value: Put, path: str, said: object, stands: object) -> Iterator[Problem]:
    if isinstance(said, Mapping) and isinstance(stands, Mapping):
        for key, inner in said.items():
            yield from _otherwise(world, value, f"{path}.{key}", inner, stands.get(key))
    elif _number(said) and _number(stands) and said != stands:
        bound = (
            doings.stops(world, value.ref, value.field, stands)
            if path == value.path and not value.keys
            else ""
        )
        yield Problem(f"{path} comes to {in_words(stands)}{bound}, and not to {in_words(said)}")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
