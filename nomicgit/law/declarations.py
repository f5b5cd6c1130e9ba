"""Declarations: what rules can declare, and the tables of all that a ruleset declares.

They are named tuples, which are made ten times as fast as dataclasses: every command waits for that.
Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from nomicgit.ground.problems import Problem
from nomicgit.law.rules import Rule
from nomicgit.law.variables import Type, Variable

NONE: Mapping[str, Any] = MappingProxyType({})


class Limit(NamedTuple):
    """How often: ``times`` in each ``per`` (day, week, month, dynasty, game), at least ``gap`` apart."""

    name: str
    rule: str
    per: str
    times: int = 1
    times_by: str = ""
    gap: str = ""
    gap_by: str = ""
    shared: bool = False
    communal: bool = False

    @property
    def often(self) -> str:
        """The limit in words."""
        gap = f", {self.gap} apart" if self.gap else ""
        return f"{'as often as the rule says' if self.times_by else self.times} in each {self.per}{gap}"


class Action(NamedTuple):
    """A verb: who (``by``), with what, under which limit. ``own`` are the parameters that its function takes."""

    name: str
    rule: str
    section: str
    rules: frozenset[str]
    summary: str
    by: tuple[str, ...]
    idle: bool
    parameters: Mapping[str, Type]
    own: frozenset[str]
    limit: str
    tags: tuple[str, ...]
    private: bool | tuple[str, ...]
    attributes: Mapping[str, Any]

    @property
    def function(self) -> str:
        """The function that carries it out."""
        return "do_" + underscored(self.name)

    @property
    def opening(self) -> str:
        """The function that says why it is not open to an actor."""
        return "can_" + underscored(self.name)


class Collection(NamedTuple):
    """A set of entities; ``ids`` where its keys are fixed (a grid, or a catalogue's keys under ``source``)."""

    name: str
    rule: str
    key: Any
    fields: tuple[str, ...]
    called: str = ""
    founding: Mapping[str, Mapping[str, Any]] = NONE
    source: str = ""
    grid: tuple[str, ...] = ()
    tracked: str = "public"
    attributes: Mapping[str, Any] = NONE


class Hook(NamedTuple):
    """A guard, filter, settle, scheduled function, listener or view: a function and what it is tied to."""

    name: str
    rule: str
    section: str
    function: str
    of: str = ""
    variable: str = ""
    on: Any = ()
    besides: Any = ()
    watches: tuple[str, ...] = ()
    every: str = ""
    at: str = ""
    at_founding: bool = True
    attempt: bool = False
    where: str = ""


class PostKind(NamedTuple):
    """A category of posts."""

    name: str
    rule: str
    official: bool
    votable: bool
    attributes: Mapping[str, Any]


class Count(NamedTuple):
    """Who counts as a player in the rules named by ``places`` (sections, slugs with subrules, ``run``)."""

    places: tuple[str, ...]
    besides: tuple[str, ...]
    emperor: bool
    idle: bool


class Protection(NamedTuple):
    """What no override, guard or filter of these sections reaches."""

    names: frozenset[str]
    sections: frozenset[str]


@dataclass(slots=True)
class Declared:
    """Everything declared by the rules in force, in ruleset order."""

    terms: dict[str, str] = field(default_factory=dict)
    terms_rule: str = ""
    zone: str = "UTC"
    week: str = "monday"
    numbers: str = "refuse"
    limits: dict[str, Limit] = field(default_factory=dict)
    variables: dict[tuple[str, str], Variable] = field(default_factory=dict)
    collections: dict[str, Collection] = field(default_factory=dict)
    catalogues: dict[str, dict[str, Any]] = field(default_factory=dict)
    catalogue_rules: dict[str, str] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    guards: list[Hook] = field(default_factory=list)
    filters: list[Hook] = field(default_factory=list)
    settles: list[Hook] = field(default_factory=list)
    schedule: list[Hook] = field(default_factory=list)
    listeners: dict[str, list[Hook]] = field(default_factory=dict)
    views: dict[tuple[str, str], Hook] = field(default_factory=dict)
    counts: list[Count] = field(default_factory=list)
    protections: list[Protection] = field(default_factory=list)
    posts: dict[str, PostKind] = field(default_factory=dict)
    above: set[tuple[str, Any]] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)

    def protected(self, name: str, section: str) -> bool:
        """Whether a name is out of reach of hooks and overrides of a section."""
        return any(name in p.names and section in p.sections for p in self.protections)


def underscored(name: str) -> str:
    """A name as the mechanics write it."""
    return name.replace("-", "_")


def called(who: str, terms: Mapping[str, str]) -> str:
    """Who may do something, in the words of the dynasty: a role, or a function that tells it."""
    if who in ("player", "emperor"):
        return terms.get(who) or who
    return who.rpartition("__")[2].strip("_").replace("_", " ")


def overrides(rule: Rule) -> dict[str, Any]:
    """What a rule overrides: name → null, or the parameters that it adds to an action."""
    found = rule.front.get("overrides") or {}
    if isinstance(found, list):
        return {str(name): None for name in found}
    return dict(found) if isinstance(found, Mapping) else {}


def grid(key: Any) -> tuple[str, ...]:
    """All ids of a grid, row by row, the id joining its axes in the order in which the key names them."""
    if not isinstance(key, Mapping) or "columns" not in key or "rows" not in key:
        return ()
    first = next(k for k in key if k in ("columns", "rows"))
    cells = itertools.product(key["rows"], key["columns"])
    return tuple(f"{c}{r}" if first == "columns" else f"{r}{c}" for r, c in cells)
