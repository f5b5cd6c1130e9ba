"""What is in a collection from the start: its founding entities, which may name one another. Source: ``docs/mechanics.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from nomicgit.ground.problems import Refused
from nomicgit.law.declarations import Collection
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction


def furnish(world: Transaction, collections: Iterable[Collection]) -> None:
    """Make the founding entities of some collections: first all of them, then what each holds. Refused with the place of the one
    that cannot be.
    """
    coming = [each for each in collections if not each.grid and not each.source]
    for collection in coming:
        for entity in collection.founding:
            with _told(world, collection, entity):
                writing.bare(world, collection.name, entity)
    held = {}
    for collection in coming:
        for entity, fields in collection.founding.items():
            with _told(world, collection, entity):
                ref = f"{collection.name}/{entity}"
                held[ref] = writing.given(world, collection.name, collection.key, fields)
                for field, value in held[ref].items():
                    world.store.put(ref, field, value)
    for collection in coming:
        for entity in collection.founding:
            with _told(world, collection, entity):
                ref = f"{collection.name}/{entity}"
                writing.fill(world, ref, held[ref])


@contextmanager
def _told(world: Transaction, collection: Collection, entity: str) -> Iterator[None]:
    """A refusal of what is done within says where the entity is declared."""
    try:
        yield
    except Refused as refusal:
        first = refusal.problems[0]
        if first.where.file:
            raise
        where = world.law.declared_at(collection.rule, "collections", collection.name, "founding", entity)
        raise type(refusal)(replace(first, where=where)) from refusal
