"""Merging: the declarations of all rules in force, as the tables of one law.

Every table is made of the front matter of active rules alone; nothing of any edition is known.
Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground.clock import Calendar
from nomicgit.ground.kept import Kept, late
from nomicgit.ground.problems import Malformed, Place, Problem
from nomicgit.law import formed, misdeclared, rules
from nomicgit.law.declarations import (
    NAMED_ALREADY,
    Action,
    Collection,
    Count,
    Declaration,
    Declared,
    Limit,
    PostKind,
    Protection,
    overrides,
)
from nomicgit.law.declaring import (
    FIELD,
    SELECTOR,
    TYPE,
    Author,
    Options,
    Spec,
    check_declared,
    check_free,
    options,
    refuse_shapeless,
    refuse_slash,
    underscored,
)
from nomicgit.law.hooks import Filter, Guard, Listener, Settle, View, scheduled  # fmt: skip
from nomicgit.law.misdeclared import Path
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.shaped import FIELD as FIELD_SHAPES
from nomicgit.law.shaped import SHAPES
from nomicgit.law.variables import NONE, Variable

ENTRY = "in the catalogue"
RANGE = (" is above the max ", " is below 0, which is the least ")  # what is wrong between two options
T = TypeVar("T")
Defines: TypeAlias = Callable[[Placed], Iterable[str]]


def declared(ruleset: Ruleset, defines: Defines, declarations: Declarations, physics: int) -> Declared:
    """The tables of a ruleset, as the physics of a number reads it. ``defines`` gives the functions that a rule's mechanics define."""
    tables = Declared()
    active = [
        _Rule(tables, ruleset, placed, physics) for placed in ruleset.rules if placed.status == "active"
    ]
    for rule in active:
        rule.told(("protected",), rule.protect, defines)
    for rule in active:
        for key, spec in rule.placed.front.items():
            if key in declarations:
                rule.told((key,), declarations[key].declare, rule, key, spec)
    for rule in active:
        rule.told(("overrides",), rule.add_parameters)
    for name, collection in tables.collections.items():
        if collection.source:  # its ids are the catalogue's keys, and nothing stores what that holds
            tables.collections[name] = replace(
                collection, grid=tuple(tables.catalogues.get(collection.source, {}))
            )
    for hidden in [f for f in tables.filters.values() if tables.protected(f.variable, f.section)]:
        del tables.filters[hidden.name]
    tables.problems.sort(key=lambda each: (each.where.file, each.where.line))
    return tables


class _Rule:
    """The declarations of one rule, put into the tables."""

    def __init__(self, tables: Declared, ruleset: Ruleset, placed: Placed, physics: int) -> None:
        self.tables, self.ruleset, self.placed = tables, ruleset, placed
        self.author = Author(placed.slug, placed.section, frozenset(ruleset.lineage(placed.slug)), physics)
        self.overrides = overrides(placed.rule)

    def told(self, path: Path, declare: Callable[..., None], *given: Any) -> None:
        """Declare what stands at a path of the front matter; what is wrong becomes a problem of the tables."""
        try:
            declare(*given)
        except Malformed as error:
            for problem in error.problems:
                self.problem(path, problem.what, problem.mend)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self.problem(path, *_formless(path, str(error)))

    def problem(self, path: Path, what: str, mend: str = "") -> None:
        """Tell a problem, with the line on which the front matter holds what it speaks of."""
        exact = misdeclared.place(self.placed.front, path, what)
        wrong = exact[:-1] if any(each in what for each in RANGE) else exact
        self.tables.wrong.setdefault(self.placed.slug, []).append(wrong)
        lines = rules.front_lines(self.ruleset.texts[self.placed.path])
        line = next((lines[exact[:n]] for n in range(len(exact), 0, -1) if exact[:n] in lines), 0)
        self.tables.problems.append(Problem(what, Place(self.placed.file, line, 0, self.placed.title), mend))

    def put(self, table: dict[Any, Any], key: Any, value: Any, what: str, *, last: bool = False) -> None:
        """Put something into its table, if its name may be declared here: it is new, or this rule overrides it.

        What overrides another takes its place, or the ``last`` one.
        """
        of, name = key if isinstance(key, tuple) else ("", key)
        known = self.tables.spelled.setdefault((what, of, underscored(name).lower()), name)
        if known != name and not what.startswith(ENTRY):
            mend = "choose another name"
            raise Malformed.of(f"{what} {name} and {known} differ in capitals or hyphens only", mend=mend)
        if name in self.overrides:
            self.tables.above.add((what, key))
            if last:
                table.pop(key, None)
        elif key in table:
            if (what, key) in self.tables.above:
                return  # the rule that overrides it stands before it in the ruleset
            other = getattr(table[key], "rule", "")
            where = f", here and in the rule {other}" if other else ""
            mend = "leave one of them out and both rules use the other, choose another name, or name it under overrides"
            raise Malformed.of(f"{what} {name} is declared twice{where}", mend=mend)
        table[key] = value

    def protect(self, defines: Defines) -> None:
        """What others cannot reach; without names all that the rule defines."""
        spec = self.placed.front.get("protected")
        if spec is None:
            return
        named = spec if isinstance(spec, Mapping) else {"names": spec}
        names, sections = named.get("names"), named.get("from", ["dynastic"])
        if names is None:
            actions = self.placed.front.get("actions")
            names = [*defines(self.placed), *(actions if isinstance(actions, Mapping) else ())]
        if not isinstance(names, list) or not isinstance(sections, list):
            what = "protected: must be a list of names, or a map with lists under names and from"
            raise Malformed.of(what, mend=formed.declared("protected", spec))
        refuse_slash("protected", *names)
        self.tables.protections.append(Protection(frozenset(map(str, names)), frozenset(map(str, sections))))

    def add_parameters(self) -> None:
        """The parameters that a rule adds to other rules' actions; what it adds to nothing rests."""
        if not isinstance(self.placed.front.get("overrides"), list | Mapping | None):
            what = "overrides: must be a list of names, or a map"
            raise Malformed.of(what, mend=formed.declared("overrides", None))
        refuse_slash("overrides", *self.overrides)
        for name, spec in self.overrides.items():
            if spec is not None and not (
                isinstance(spec, Mapping) and isinstance(spec.get("with", {}), Mapping)
            ):
                what = f"overrides.{name}: is null, or adds parameters under with"
                raise Malformed.of(what, mend=f"write {name}: {{with: {{people: integer}}}}, or {name}: null")
            action = self.tables.actions.get(name)
            if action is None or not spec or self.tables.protected(name, self.placed.section):
                continue
            more = self.author.parameters(spec.get("with"), f"overrides.{name}")
            self.tables.actions[name] = replace(action, parameters={**action.parameters, **more})

    def terms(self, key: str, spec: Spec) -> None:
        self.tables.terms |= {str(role): str(word) for role, word in spec.items()}

    def clock(self, key: str, spec: Spec) -> None:
        refuse_shapeless(key, SHAPES[key], spec)
        zone, week = str(spec.get("zone", self.tables.zone)), str(spec.get("week", self.tables.week))
        Calendar(zone, week)
        self.tables.zone, self.tables.week = zone, week

    def numbers(self, key: str, spec: str) -> None:
        if spec not in ("refuse", "clamp"):
            raise Malformed.of("numbers: must be refuse or clamp", mend="write numbers: refuse")
        self.tables.numbers = spec

    def variable(self, by: Author, name: str, o: Spec) -> None:
        def made() -> Variable:
            of, plain = str(o.get("of", "game")), underscored(name)
            check_free(f"variables.{name}", plain, of)
            return by.variable(plain, of, o, f"variables.{name}")

        variable = _once("variable", by, name, o, made)
        of = "post" if variable.of == "matter" else variable.of
        self.put(self.tables.variables, (of, variable.name), variable, "the variable")

    def collection(self, by: Author, name: str, o: Spec) -> None:
        def made(field: object, spec: object) -> Variable:
            plain, given = underscored(str(field)), spec if isinstance(spec, Mapping) else {"type": spec}
            check_declared(f"collections.{name}.fields", field)
            check_free(f"collections.{name}.fields.{field}", plain, name)
            where = f"collections.{name}.fields.{field}"
            refuse_shapeless(where, FIELD_SHAPES, given)
            return by.variable(plain, name, given, where, outer)

        collection = _once("collection", by, name, o, lambda: Collection.of(by, name, o))
        outer = {k: o[k] for k in ("tracked", "seen_by", "permanent") if k in o}
        for field, spec in (o.get("fields") or {}).items():
            variable = _once(f"field {type(field).__name__} {field}", by, name, o, partial(made, field, spec))
            self.put(self.tables.variables, (name, variable.name), variable, "the field")
        if "key" in o or "from" in o:
            self.put(self.tables.collections, name, collection, "the collection")

    def catalogue(self, by: Author, name: str, entries: Spec) -> None:
        if name in NAMED_ALREADY:
            raise Malformed.of(f"catalogues.{name}: that is the name of a type", mend="choose another name")
        table, what = self.tables.catalogues.setdefault(name, {}), f"{ENTRY} {name} the entry"
        for key, entry in entries.items():
            self.told(("catalogues", name, str(key)), self.put, table, str(key), entry, what)

    def view(self, by: Author, name: str, o: Spec) -> None:
        view = View.of(by, name, o)
        self.put(self.tables.views, (view.whose, view.name), view, "the view")

    def when(self, key: str, spec: Mapping[str, Any]) -> None:
        refuse_slash(key, *spec)
        for event, functions in spec.items():
            for function in functions if isinstance(functions, list) else [functions]:
                if not isinstance(function, str):
                    what = f"{key}.{event}: must be the name of a function, or a list of names"
                    raise Malformed.of(what, mend=f"write {event}: [_hail]")
                listener = Listener(str(event), self.author.slug, self.author.link(function))
                self.tables.listeners.setdefault(str(event), []).append(listener)

    def counts(self, key: str, spec: Iterable[Spec]) -> None:
        if not isinstance(spec, list | None):
            raise Malformed.of(f"{key}: must be a list", mend=formed.declared(key, spec))
        for n, each in enumerate(spec or ()):
            self.told((key, n), self.count, key, each)

    def count(self, key: str, spec: object) -> None:
        if not isinstance(spec, Mapping):
            raise Malformed.of(f"{key}: each must be a map", mend=formed.declared(key, spec))
        refuse_shapeless(key, SHAPES[key], spec)
        self.tables.counts.append(Count.of(spec))


class Kind(Struct, frozen=True):
    """What may be declared under one key of the front matter.

    ``declare`` puts it into the tables; ``options`` are its keys, None where any will do; ``all`` gives those in force.
    ``one`` and ``says`` are what people call one, and what they are told that it does. ``prefix`` begins the names of
    functions that are found by their names alone.
    """

    declare: Callable[[_Rule, str, Any], None]
    options: Options | None
    one: str = ""
    says: str = ""
    prefix: str = ""
    all: Callable[[Declared], Iterable[Declaration]] = lambda _: ()


def _named(
    put: Callable[[_Rule, Author, str, Spec], None], prefix: str = ""
) -> Callable[[_Rule, str, Any], None]:
    """How a map of names is declared: each by itself, so that one that is wrong hides no other."""

    def declare(rule: _Rule, key: str, spec: Any) -> None:
        by = replace(rule.author, prefix=prefix)
        if not isinstance(spec, Mapping | None):
            raise Malformed.of(
                f"{key}: must be a map of names", mend=formed.declared(key, spec, rule.placed.mechanics)
            )
        for name, o in (spec or NONE).items():
            rule.told((key, str(name)), one, rule, by, key, str(name), o)

    def one(rule: _Rule, by: Author, key: str, name: str, o: Any) -> None:
        put(
            rule,
            by,
            name,
            _CHECKED.get((by.physics, key, name, id(o)), lambda: checked(key, name, o)) or NONE,
        )

    def checked(key: str, name: str, o: Any) -> Any:
        refuse_slash(key, name)
        check_declared(key, name)
        if not isinstance(o, Mapping | None):
            raise Malformed.of(f"{key}.{name}: must be a map", mend=f"write {name}: {formed.NAMES[key]}")
        refuse_shapeless(f"{key}.{name}", SHAPES.get(key, {}), o or NONE)
        return o

    return declare


def _kind(
    one: str, make: Callable[[Author, str, Spec], Any], table: Callable[[Declared], dict[Any, Any]], known: Options,
    *, says: str = "", prefix: str = "", last: bool = False,
) -> Kind:  # fmt: skip
    """A kind whose values are made by themselves and stand in a table of their own, by their names."""

    def put(rule: _Rule, by: Author, name: str, o: Spec) -> None:
        value = _once(one, by, name, o, lambda: make(by, name, o))
        rule.put(table(rule.tables), value.name, value, f"the {one}", last=last)

    return Kind(_named(put, prefix), known.of_each, one, says, prefix, lambda tables: table(tables).values())


_KEPT = 4096
_CHECKED = Kept[tuple[int, str, str, int], Any](_KEPT)
_MADE = Kept[tuple[str, Author, str, int], tuple[Spec, Any]](_KEPT)
"""Rules whose texts stay are not read anew: what they declare, which is known by where it lies while it is kept, is not made anew."""


def _once(what: str, by: Author, name: str, o: Spec, make: Callable[[], T]) -> T:
    """What a declaration makes, not made anew while that is kept; it hangs on the physics, the rule, its name and the declaration alone."""
    made: T = _MADE.get((what, by, name, id(o)), lambda: (o, make()))[1]
    return made


VARIABLE = FIELD.more("of")
OF_COLLECTION = options(
    "key called founding from tracked seen_by permanent all label north west", fields=FIELD.of_each, kept=True
)
OF_ACTION = options(
    "summary by idle limit tags private opens cost form answers instead", with_=TYPE.of_each, kept=True
)
OF_GUARD = options("attempt", on=SELECTOR, except_=SELECTOR)
OF_POSTS = options("official votable called", kept=True)

Declarations: TypeAlias = Mapping[str, Kind]
"""What may be declared, by the keys of the front matter."""

DECLARATIONS: Declarations = MappingProxyType({
    "terms": Kind(_Rule.terms, None, "term"),
    "clock": Kind(_Rule.clock, options("zone week")),
    "numbers": Kind(_Rule.numbers, None),
    "limits": _kind("limit", Limit.of, lambda t: t.limits, options("per times gap shared communal")),
    "variables": Kind(_named(_Rule.variable), VARIABLE.of_each, "variable", all=lambda t: t.variables.values()),
    "collections": Kind(_named(_Rule.collection), OF_COLLECTION.of_each, "collection", all=lambda t: t.collections.values()),
    "catalogues": Kind(_named(_Rule.catalogue), None, "catalogue"),
    "actions": _kind("action", Action.of, lambda t: t.actions, OF_ACTION, prefix="do_"),
    "guards": _kind("guard", Guard.of, lambda t: t.guards, OF_GUARD, says="May refuse deeds", prefix="guard_", last=True),
    "filters": _kind(
        "filter", Filter.of, lambda t: t.filters, options("of variable"),
        says="Changes what is written", prefix="filter_", last=True,
    ),
    "settles": _kind(
        "settle", Settle.of, lambda t: t.settles, options("of watches where"), says="After deeds", prefix="settle_", last=True
    ),
    "schedule": _kind(
        "scheduled function", scheduled, lambda t: t.schedule, options("every of at where at_founding"),
        says="By the clock", prefix="schedule_", last=True,
    ),
    "when": Kind(_Rule.when, None, "on", all=lambda t: chain.from_iterable(t.listeners.values())),
    "views": Kind(_named(_Rule.view), options("of").of_each, "view", "To look at", all=lambda t: t.views.values()),
    "counts": Kind(_Rule.counts, options("in except emperor idle").of_each),
    "posts": _kind("kind of post", PostKind.of, lambda t: t.posts, OF_POSTS),
})  # fmt: skip

WHAT_IT_IS = frozenset("title status default_status rare".split())
"""Keys that declare nothing."""


_NO_MAP = late(r"'(\w+)' object has no attribute '(?:items|get|keys|values)'")
_STANDS = {"list": "a list", "str": "a text", "int": "a number", "float": "a number", "bool": "true or false"}


def _formless(path: Path, error: str) -> tuple[str, str]:
    """What is wrong with the form of a declaration, and what to write."""
    shown, key = ".".join(map(str, path)), str(path[0])
    whole = f"{key}: {formed.WHOLE[key]}" if key in formed.WHOLE else ""
    right = formed.PARTS.get(key, "") if len(path) > 1 else whole
    if no_map := _NO_MAP.search(error):
        stands = _STANDS.get(no_map[1], "nothing")
        what = f"{shown}: {stands} stands where a map must, of names and what each is"
        mend = "write name: value, one to a line, each two spaces deeper than the line before them"
        return what, mend + (f", as in {right}" if right else "")
    mend = f"write {right}" if right else "see docs/mechanics.md for its form"
    return f"{shown}: this declaration has the wrong form ({error})", mend
