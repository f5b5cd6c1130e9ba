"""Declarations: what rules can declare, each kind a value of its own, and the tables of all that a ruleset declares.

Each is made from the front matter by its own ``of``; Malformed says what is wrong.
Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field

from nomicgit.ground.clock import short_span, span
from nomicgit.ground.kept import late
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, Problem, printable
from nomicgit.law.declaring import (
    Author,
    Spec,
    by_function,
    flag,
    key_is_sound,
    refuse_slash,
    underscored,
    why_no_id,
)
from nomicgit.law.hooks import Filter, Guard, Hook, Listener, Scheduled, Settle, View
from nomicgit.law.misdeclared import Path
from nomicgit.law.rules import Rule
from nomicgit.law.variables import KINDS, NONE, Type, Variable

COLLECTION_NAME = late(r"[A-Za-z][A-Za-z0-9_-]{0,38}", re.ASCII)  # it names a folder of the state
NAMED_ALREADY = KINDS | frozenset(
    "game dynasty players posts rules variables collections actions kinds deeds open used settings scenarios".split()
)
KEY_FORMS = "a field, {prefix: r}, {slug: FIELD}, {of: [FIELD, FIELD]} or {columns: […], rows: […]}"


PER = ("day", "week", "month", "dynasty", "game")


class Limit(Struct, frozen=True):
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

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Limit:
        where, times, gap = f"limits.{name}", o.get("times", 1), o.get("gap", "")
        if wrong := list(_wrong_limit(where, o.get("per"), times, gap)):
            raise Malformed(*wrong)
        return cls(
            name, by.slug, o["per"], times if isinstance(times, int) else 1, by.by(times),
            gap if isinstance(gap, str) else "", by.by(gap), flag(o, "shared", where), flag(o, "communal", where),
        )  # fmt: skip


def _wrong_limit(where: str, per: object, times: object, gap: object) -> Iterator[Problem]:
    """All that a limit cannot be as it is declared."""
    if per not in PER:
        near = nearest(str(per), PER) or PER
        yield Problem(
            f"{where}.per: must be {', '.join(PER[:-1])} or {PER[-1]}", mend=f"write per: {near[0]}"
        )
    if not by_function(times) and (isinstance(times, bool) or not isinstance(times, int)):
        yield Problem(f"{where}.times: must be a whole number, or by a function", mend="write times: 2")
    elif isinstance(times, int) and times < 0:
        yield Problem(f"{where}.times: {times} is below 0", mend="write how often, or 0 for never")
    if gap and not by_function(gap) and not _lies_between(gap):
        what = f"{where}.gap: {printable(str(gap), 60)} is no time that can lie between"
        meant = short_span(str(gap))
        yield Problem(what, mend=f"write gap: {meant}" if meant else "write gap: 10h, or gap: 2d4h")


def _lies_between(gap: object) -> bool:
    """Whether a time can lie between two deeds as a gap says it."""
    try:
        return isinstance(gap, str) and not gap.startswith("-") and bool(span(gap))
    except (Malformed, ValueError):
        return False


Hidden: TypeAlias = bool | frozenset[str]
"""What of a deed nobody else may see: all, parameters by their names, or nothing."""


class Action(Struct, frozen=True):
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
    private: bool | str | tuple[str, ...]
    attributes: Mapping[str, Any]
    takes: Mapping[str, int | str] = NONE

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Action:
        who, private = o.get("by", "player"), o.get("private", False)
        whoever = who if isinstance(who, list) else [who]
        if not all(isinstance(each, str) for each in whoever):
            what = f"actions.{name}.by: must be a name, or a list of names"
            raise Malformed.of(what, mend="write by: player, or by: [emperor, admin]")
        refuse_slash(f"actions.{name}", o.get("limit"), *whoever)
        parameters = by.parameters(o.get("with"), f"actions.{name}")
        return cls(
            name, by.slug, by.section, by.rules, str(o.get("summary", "")),
            tuple(w if w in WHO else by.link(w) for w in (who if isinstance(who, list) else [who])),
            flag(o, "idle", f"actions.{name}"), parameters, frozenset(parameters), str(o.get("limit") or ""), tuple(o.get("tags") or ()),
            _private(name, private, parameters), dict(o), _takes(by, name, o.get("cost")),
        )  # fmt: skip

    @property
    def function(self) -> str:
        """The function that carries it out."""
        return "do_" + underscored(self.name)

    def hidden(self, given: Mapping[str, object]) -> Hidden:
        """What of a deed of it nobody else may see: all, parameters by their names, or nothing."""
        match self.private:
            case bool(all_of_it):
                return all_of_it
            case str(condition):
                said = given.get(condition)
                return bool(self.parameters[condition].default if said is None else said)
            case names:
                return frozenset(name for name in names if name in given)

    @property
    def always_private(self) -> bool:
        """Whether something is private of every deed of it."""
        return bool(self.private) and not isinstance(self.private, str)

    @property
    def never(self) -> bool:
        """Whether what is private of it stays so when the term is over."""
        return self.attributes.get("opens") == "never"

    @property
    def answers(self) -> str:
        """The action by which somebody asks for this one; "" where it answers none."""
        return str(self.attributes.get("answers") or "")

    @property
    def instead(self) -> str:
        """What whoever may not do it can do instead; "" where the law says nothing of that."""
        return str(self.attributes.get("instead") or "")

    @property
    def opening(self) -> str:
        """The function that says why it is not open to an actor."""
        return "can_" + underscored(self.name)


def _takes(by: Author, action: str, cost: object) -> Mapping[str, int | str]:
    """What an action takes of its actor's variables: a number, or what a function says; of a cost that is a text, nothing."""
    takes: dict[str, int | str] = {}
    for variable, n in cost.items() if isinstance(cost, Mapping) else ():
        if isinstance(n, bool) or not isinstance(n, int | str) or (isinstance(n, int) and n < 0):
            what = f"actions.{action}.cost.{variable}: must be a whole number from 0 on, or the name of a function"
            raise Malformed.of(what, mend=_of_a_key(action, str(variable), n) or "write cost: {coins: 3}")
        refuse_slash(f"actions.{action}.cost", n)
        head, dot, key = str(variable).partition(".")
        takes[underscored(head) + dot + key] = by.link(n) if isinstance(n, str) else n
    return takes


def _of_a_key(action: str, variable: str, said: object) -> str:
    """How a cost is written that is of one key of a map, where a path has parted the key from its map; else nothing."""
    [(key, n)] = said.items() if isinstance(said, Mapping) and len(said) == 1 else [("", said)]
    if not key or not isinstance(n, int | str):
        return ""
    whole = f"{{{variable}.{key}: {n}}}"
    return f"write cost: {whole}, or in a change set: {{actions.{action}.cost: {whole}}}"


def _private(action: str, said: object, parameters: Mapping[str, Type]) -> bool | str | tuple[str, ...]:
    """What of an action is private: all of it, all where a parameter says so, some parameters, or nothing."""
    names = said if isinstance(said, list) else [said] if isinstance(said, str) else []
    for name in names:
        if underscored(str(name)) not in parameters:
            raise Malformed.of(
                f"actions.{action}.private: there is no parameter {name}",
                mend="write true, or names under with",
            )
    if isinstance(said, list):
        return tuple(underscored(str(name)) for name in said)
    return underscored(said) if isinstance(said, str) else bool(said)


WHO = ("player", "emperor", "admin", "anyone")
"""Whom an action may be open to without asking a function."""


class Collection(Struct, frozen=True):
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

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Collection:
        """A collection as a rule declares it; what has neither a key nor a source adds fields to another rule's."""
        if name in NAMED_ALREADY:
            raise Malformed.of(f"collections.{name}: that is the name of a type", mend="choose another name")
        if COLLECTION_NAME.fullmatch(name) is None:
            what = "a collection's name is of letters, digits and hyphens, and begins with a letter"
            raise Malformed.of(f"collections.{name}: {what}", mend="choose another name")
        for cell in grid(o.get("key")):
            if why := why_no_id(name, cell):
                raise Malformed.of(f"collections.{name}.key: {why}", mend="choose other columns and rows")
        if "key" in o and not key_is_sound(o["key"]):
            raise Malformed.of(
                f"collections.{name}.key: it is of none of the forms", mend=f"write {KEY_FORMS}"
            )
        return cls(
            name, by.slug, o.get("key"), tuple(map(underscored, o.get("fields") or ())), str(o.get("called", "")),
            o.get("founding") or {}, str(o.get("from", "")), grid(o.get("key")), str(o.get("tracked", "public")), dict(o),
        )  # fmt: skip


class PostKind(Struct, frozen=True):
    """A category of posts."""

    name: str
    rule: str
    official: bool
    votable: bool
    attributes: Mapping[str, Any]

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> PostKind:
        where = f"posts.{name}"
        return cls(name, by.slug, flag(o, "official", where), flag(o, "votable", where), dict(o))

    @property
    def called(self) -> str:
        """What people call such a post: ``call for judgement``."""
        return str(self.attributes.get("called") or self.name)


class Count(Struct, frozen=True):
    """Who counts as a player in the rules named by ``places`` (sections, slugs with subrules, ``run``)."""

    places: tuple[str, ...]
    besides: tuple[str, ...]
    emperor: bool
    idle: bool

    @classmethod
    def of(cls, o: Spec) -> Count:
        count = cls(
            tuple(o.get("in") or ()), tuple(o.get("except") or ()), flag(o, "emperor", "counts", True), flag(o, "idle", "counts")
        )  # fmt: skip
        if o.get("in") is None:
            raise Malformed.of("counts.in: it is missing", mend="write in: [dynastic]")
        return count

    def holds_in(self, places: Sequence[str]) -> bool:
        """Whether it says how players are counted in what has all these names."""
        return any(each in self.places for each in places) and not any(
            each in self.besides for each in places
        )


class Protection(Struct, frozen=True):
    """What no override, guard or filter of these sections reaches."""

    names: frozenset[str]
    sections: frozenset[str]


Declaration: TypeAlias = Limit | Variable | Collection | Action | PostKind | Hook
"""What stands in a table under a name."""


class Declared(Struct):
    """Everything declared by the rules in force, in ruleset order."""

    terms: dict[str, str] = field(default_factory=dict)
    zone: str = "UTC"
    week: str = "monday"
    numbers: str = "refuse"
    limits: dict[str, Limit] = field(default_factory=dict)
    variables: dict[tuple[str, str], Variable] = field(default_factory=dict)
    collections: dict[str, Collection] = field(default_factory=dict)
    catalogues: dict[str, dict[str, Any]] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    guards: dict[str, Guard] = field(default_factory=dict)
    filters: dict[str, Filter] = field(default_factory=dict)
    settles: dict[str, Settle] = field(default_factory=dict)
    schedule: dict[str, Scheduled] = field(default_factory=dict)
    listeners: dict[str, list[Listener]] = field(default_factory=dict)
    views: dict[tuple[str, str], View] = field(default_factory=dict)
    counts: list[Count] = field(default_factory=list)
    protections: list[Protection] = field(default_factory=list)
    posts: dict[str, PostKind] = field(default_factory=dict)
    above: set[tuple[str, Any]] = field(default_factory=set)
    spelled: dict[tuple[str, ...], str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    wrong: dict[str, list[Path]] = field(default_factory=dict)
    """Where in their front matter rules, by their slugs, declare something wrongly."""

    def action(self, name: str) -> Action | None:
        """The action of a name, which may be written ``actions/NAME``; None where there is none."""
        return self.actions.get(name.removeprefix("actions/"))

    def post_called(self, kind: str) -> str:
        """What people call a post of a kind; one of none that is declared as it is written."""
        declared = self.posts.get(kind)
        return declared.called if declared else kind

    def knows(self, kind: str) -> bool:
        """Whether there can be several entities of a kind: players, posts, and those of a collection in force."""
        return kind in ("players", "posts") or kind in self.collections

    def cells(self, kind: str) -> tuple[str, ...]:
        """The ids of a grid, whose cells come into being when something is first written to them; none of another kind."""
        collection = self.collections.get(kind)
        return () if collection is None else collection.grid

    def protected(self, name: str, section: str) -> bool:
        """Whether a name is out of reach of hooks and overrides of a section."""
        return any(name in p.names and section in p.sections for p in self.protections)


# ---- what rules say in passing


def overrides(rule: Rule) -> dict[str, Any]:
    """What a rule overrides: name → null, or the parameters that it adds to an action."""
    declared = rule.front.get("overrides") or {}
    if isinstance(declared, list):
        return {str(name): None for name in declared}
    return dict(declared) if isinstance(declared, Mapping) else {}


def grid(key: Any) -> tuple[str, ...]:
    """All ids of a grid, row by row, the id joining its axes in the order in which the key names them."""
    if not isinstance(key, Mapping) or "columns" not in key or "rows" not in key:
        return ()
    first = next(k for k in key if k in ("columns", "rows"))
    cells = itertools.product(key["rows"], key["columns"])
    return tuple(f"{c}{r}" if first == "columns" else f"{r}{c}" for r, c in cells)
