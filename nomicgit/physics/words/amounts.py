"""Words for amounts, members of lists and maps, entities, and numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from nomicgit.ground import fraction
from nomicgit.ground.problems import Defect
from nomicgit.law.variables import MISSING
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.physics.words.looking import text_of


def gain(world: Transaction, ref: str, variable: str, n: object) -> None:
    """Add to a number."""
    more = writing.positive(n)
    writing.set_amount(world, ref, variable, writing.amount(world, ref, variable) + more)


def lose(world: Transaction, ref: str, variable: str, n: object) -> int | float:
    """Take from a number as far as it goes; returns what was taken."""
    most = writing.positive(n)
    has, least = writing.amount(world, ref, variable), writing.minimum(world, ref, variable)
    gone = most if least is None else max(0, min(most, has - least))
    writing.set_amount(world, ref, variable, has - gone)
    return gone


def transfer(world: Transaction, giver: str, taker: str, variable: str, n: object) -> int | float:
    """Take from one as far as it goes and add it to another; returns what moved."""
    moved = lose(world, giver, variable, n)
    gain(world, taker, variable, moved)
    return moved


def add(world: Transaction, ref: str, variable: str, x: object) -> None:
    """Put something into a list or set; what is there already changes nothing in a set or a list without repeats."""
    members = writing.members(world, ref, variable)
    declared = world.law.variable(kind_of(ref), variable)
    single = declared is not None and (declared.type.kind == "set" or declared.type.unique)
    if not (single and x in members):
        writing.put(world, ref, **{variable: [*members, x]})


def remove(world: Transaction, ref: str, variable: str, x: object) -> None:
    """Take something out of a list, set or map, once; what is not there changes nothing."""
    if isinstance(reading.get(world, ref, variable), Mapping):
        entries = writing.entries(world, ref, variable)
        writing.put(world, ref, **{variable: {k: v for k, v in entries.items() if k != _key(x)}})
    elif x in (members := writing.members(world, ref, variable)):
        members.remove(x)
        writing.put(world, ref, **{variable: members})


def mark(world: Transaction, ref: str, variable: str, key: object, value: object) -> None:
    """Set a key of a map; None takes it out."""
    entries = writing.entries(world, ref, variable)
    name = _key(key)
    if value is None:
        entries.pop(name, None)
    else:
        entries[name] = value
    writing.put(world, ref, **{variable: entries})


def _key(given: object) -> str:
    """A key of a map as the map holds it: a text, also of a whole number."""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    if not isinstance(given, str):
        raise Defect.of("the key of a map is a text, or a whole number where its keys are numbers")
    return given


def create(world: Transaction, collection: str, /, id: object = None, **fields: object) -> str:
    """Make an entity; returns its ref."""
    name_ = fields.pop("name_", MISSING)
    if name_ is not MISSING:
        fields["name"] = name_
    given = str(id).rpartition("/")[2] if id is not None else None
    return writing.create(world, collection, given, **fields)


def divide(world: Transaction, a: object, b: object) -> int:
    """A quotient, rounded towards zero."""
    if not isinstance(a, int) or not isinstance(b, int) or b == 0:
        raise Defect.of(f"{a!a} cannot be divided by {b!a}")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def reaches(world: Transaction, part: object, whole: object, share: str, more: bool = False) -> bool:
    """Whether a part is at least (with ``more``, more than) such a share of a whole: ``"2/3"``, ``"60%"``; no part of 0 is."""
    return fraction.reaches(writing.positive(part), writing.positive(whole), text_of(share), more=more)


def digest(world: Transaction, text: object) -> str:
    """What a text is known by again, without telling it: its SHA-256, in 64 digits."""
    return hashlib.sha256(text_of(text).encode()).hexdigest()


def total(world: Transaction, numbers: object) -> int | float:
    """A sum."""
    if not isinstance(numbers, Sequence) or not all(
        isinstance(n, int | float) and not isinstance(n, bool) for n in numbers
    ):
        raise Defect.of("total takes a list of numbers")
    return sum(numbers)
