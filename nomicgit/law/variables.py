"""Types and declared variables: what values a piece of gamestate may have.

Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from nomicgit.ground.files import Value

NONE: Mapping[str, Any] = MappingProxyType({})
PLAIN = frozenset({"text", "integer", "number", "boolean", "choice", "datetime", "date", "any", "mechanics"})
ENTITIES: Mapping[str, str] = MappingProxyType(
    {"player": "players", "post": "posts", "matter": "posts", "rule": "rules", "deed": "deeds"}
)
_KIND_OF = {"player": "players", "post": "posts", "matter": "posts"}
CONTAINERS = frozenset({"list", "set", "map", "record", "entry"})
KINDS = PLAIN | frozenset(ENTITIES) | CONTAINERS


class Missing:
    """The value that is not there (null is one that is)."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Type(Struct, frozen=True):
    """A declared type. ``rule`` is the slug of the rule that declares it; functions are named as linked."""

    kind: str
    rule: str = ""
    items: Type | None = None
    keys: Type | None = None
    values: Type | None = None
    fields: Mapping[str, Type] = NONE
    choices: tuple[Any, ...] = ()
    catalogue: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: float | None = None
    unique: bool = False
    ordered: bool = False
    active: bool = False
    default: Value | Missing = MISSING
    default_by: str = ""
    normal: str = ""
    which: str = ""
    below_zero: str = ""
    where: Mapping[str, Any] = NONE

    @property
    def required(self) -> bool:
        """Whether a parameter of this type must be given."""
        return isinstance(self.default, Missing) and not self.default_by

    @property
    def nullable(self) -> bool:
        """Whether null is a value of a variable of this type."""
        return self.empty() is None

    def empty(self) -> Value:
        """The value of a variable without a default of its own."""
        if not isinstance(self.default, Missing):
            return self.default
        match self.kind:
            case "integer" | "number":
                return self.minimum if self.minimum is not None and self.minimum > 0 else 0
            case "text":
                return ""
            case "boolean":
                return False
            case "list" | "set":
                return []
            case "map":
                return {}
            case _:
                return None

    @property
    def plain(self) -> bool:
        """Whether values look the same to the law as in files."""
        if self.kind in CONTAINERS:
            parts = [self.items, self.keys, self.values, *self.fields.values()]
            return self.kind != "entry" and all(part is None or part.plain for part in parts)
        return self.kind in PLAIN


class Variable(Struct, frozen=True):
    """One declared variable: ``of`` player, game, dynasty, post, matter or a collection."""

    name: str
    of: str
    rule: str
    type: Type
    derived: str = ""
    legal: str = ""
    invalid: str = ""
    tracked: str = "public"
    seen_by: tuple[str, ...] = ()
    by_hand: bool = False
    transient: bool = False
    permanent: bool = False
    attributes: Mapping[str, Any] = NONE


ANY = Type("any")


def kind_of_all(of: str) -> str:
    """The kind of entity whose members ``of`` names: ``players`` of ``player``, ``posts`` of ``post`` and of ``matter``."""
    return _KIND_OF.get(of, of)
