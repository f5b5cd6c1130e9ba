"""Merging: the declarations of all rules in force, as the tables of one law.

Every table is made of the front matter of active rules alone; nothing of any edition is known.
Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from nomicgit.ground.clock import Calendar
from nomicgit.ground.problems import Malformed, Place, Problem
from nomicgit.law import outside, rules
from nomicgit.law.declarations import (
    Action,
    Collection,
    Count,
    Declared,
    Hook,
    Limit,
    PostKind,
    Protection,
    grid,
    overrides,
    underscored,
)
from nomicgit.law.declaring import by_function, check_recurring, check_span, key_is_sound, type_of
from nomicgit.law.linking import linked
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.variables import KINDS, Type, Variable

APART = frozenset("title status default_status rare overrides protected".split())
"""Keys of the front matter that are no tables: what a rule is, and what it does to others."""


NAMED_ALREADY = KINDS | frozenset(
    "game dynasty players posts rules variables collections actions kinds deeds open settings scenarios".split()
)


COLLECTION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,38}", re.ASCII)  # it names a folder of the state


def declared(
    ruleset: Ruleset, defines: Callable[[Placed], Iterable[str]], declarations: Declarations
) -> Declared:
    """The tables of a ruleset. ``defines`` gives the functions that a rule's mechanics define."""
    tables = Declared()
    active = [placed for placed in ruleset.rules if placed.status == "active"]
    rules = [_Rule(tables, ruleset, placed) for placed in active]
    for rule in rules:
        rule.told("protected", partial(_protections, tables, rule.placed, defines))
    for rule in rules:
        rule.declare(declarations)
    for rule in rules:
        rule.told("overrides", partial(_additions, tables, rule.placed))
    _static_rows(tables)
    tables.filters = [h for h in tables.filters if not tables.protected(h.variable, h.section)]
    return tables


def _protections(tables: Declared, placed: Placed, defines: Callable[[Placed], Iterable[str]]) -> None:
    spec = placed.front.get("protected")
    if spec is None:
        return
    named = spec if isinstance(spec, Mapping) else {"names": spec}
    names, sections = named.get("names"), named.get("from", ["dynastic"])
    if names is None:
        actions = placed.front.get("actions")
        names = [*defines(placed), *(actions if isinstance(actions, Mapping) else ())]
    if not isinstance(names, list) or not isinstance(sections, list):
        raise Malformed.of("protected: must be a list of names, or a map with lists under names and from")
    tables.protections.append(Protection(frozenset(map(str, names)), frozenset(map(str, sections))))


class _Rule:
    """The declarations of one rule, put into the tables."""

    def __init__(self, tables: Declared, ruleset: Ruleset, placed: Placed) -> None:
        self.tables, self.ruleset, self.placed = tables, ruleset, placed
        self.slug, self.section, self.front = placed.slug, placed.section, placed.front
        self.overrides = overrides(placed.rule)

    def declare(self, declarations: Declarations) -> None:
        """All keys of the front matter; what is wrong becomes a problem of the tables."""
        for key in self.front:
            if key in declarations:
                self.told(key, partial(declarations[key], self, self.front[key]))

    def told(self, key: str, declare: Callable[[], None]) -> None:
        """Declare what stands under a key; what is wrong becomes a problem of the tables."""
        try:
            declare()
        except Malformed as error:
            self.tables.problems.extend(self._placed(problem) for problem in error.problems)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._problem(f"{key}: this declaration has the wrong form ({error})")

    def _placed(self, problem: Problem) -> Problem:
        return Problem(problem.what, Place(self.placed.path, 0, 0, self.placed.title), problem.mend)

    def _problem(self, what: str, mend: str = "", *, at: Sequence[str] = ()) -> None:
        """Tell a problem, with the line on which the front matter holds what lies at a path of keys."""
        line = rules.front_lines(self.ruleset.texts[self.placed.path]).get(tuple(at), 0) if at else 0
        self.tables.problems.append(Problem(what, Place(self.placed.path, line, 0, self.placed.title), mend))

    def _link(self, name: str) -> str:
        return linked(str(name), self.slug)

    def _named(self, spec: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        if spec is None:
            return
        if not isinstance(spec, Mapping):
            self._problem(f"{key}: must be a map of names")
            return
        for name, options in spec.items():
            if options is not None and not isinstance(options, Mapping):
                self._problem(f"{key}.{name}: must be a map")
            else:
                yield str(name), options or {}

    def _free(self, table: Mapping[Any, Any], key: Any, what: str) -> bool:
        """Whether a name may be declared here: it is new, or this rule overrides it."""
        name = key[1] if isinstance(key, tuple) else key
        if name in self.overrides:
            self.tables.above.add((what, key))
        elif key in table:
            if (what, key) in self.tables.above:
                return False  # the rule that overrides it stands before it in the ruleset
            self._problem(
                f"{what} {name} is declared twice", "name it under overrides, or choose another name"
            )
            return False
        return True

    def terms(self, spec: Mapping[str, str]) -> None:
        self.tables.terms, self.tables.terms_rule = {str(k): str(v) for k, v in spec.items()}, self.slug

    def clock(self, spec: Mapping[str, str]) -> None:
        zone, week = str(spec.get("zone", "UTC")), str(spec.get("week", "monday"))
        Calendar(zone, week)
        self.tables.zone, self.tables.week = zone, week

    def numbers(self, spec: str) -> None:
        if spec not in ("refuse", "clamp"):
            self._problem("numbers: must be refuse or clamp")
        self.tables.numbers = spec

    def limits(self, spec: Any) -> None:
        for name, o in self._named(spec, "limits"):
            if not self._free(self.tables.limits, name, "the limit"):
                continue
            if o.get("per") not in ("day", "week", "month", "dynasty", "game"):
                self._problem(f"limits.{name}.per: must be day, week, month, dynasty or game")
                continue
            times, gap = o.get("times", 1), o.get("gap", "")
            if not by_function(times) and (isinstance(times, bool) or not isinstance(times, int)):
                self._problem(f"limits.{name}.times: must be a whole number, or by a function")
                continue
            if gap and not by_function(gap):
                self.told(f"limits.{name}.gap", partial(check_span, f"limits.{name}.gap", gap))
            self.tables.limits[name] = Limit(
                name, self.slug, o["per"],
                times=times if isinstance(times, int) else 1,
                times_by=self._link(times["by"]) if isinstance(times, Mapping) else "",
                gap=gap if isinstance(gap, str) else "",
                gap_by=self._link(gap["by"]) if isinstance(gap, Mapping) else "",
                shared=bool(o.get("shared")), communal=bool(o.get("communal")),
            )  # fmt: skip

    def _variable(self, name: str, of: str, o: Mapping[str, Any], outer: Mapping[str, Any]) -> Variable:
        kind = type_of(o, self.slug, self._link, f"variables.{name}")
        seen = o.get("seen_by", outer.get("seen_by", ()))
        if o.get("tracked", "public") not in ("public", "secret", "nowhere"):
            raise Malformed.of(f"variables.{name}.tracked: must be public, secret or nowhere")

        def function(key: str) -> str:
            return self._link(o[key]) if o.get(key) else ""

        return Variable(
            name, of, self.slug, kind,
            derived=function("derived"), legal=function("legal"), invalid=function("invalid"),
            tracked=o.get("tracked", outer.get("tracked", "public")),
            seen_by=tuple(seen if isinstance(seen, list) else [seen]) if seen else (),
            by_hand=bool(o.get("by_hand")), transient=bool(o.get("transient")),
            permanent=bool(o.get("permanent", outer.get("permanent"))), attributes=dict(o),
        )  # fmt: skip

    def variables(self, spec: Any) -> None:
        for name, o in self._named(spec, "variables"):
            of, plain = str(o.get("of", "game")), underscored(name)
            kind = "post" if of == "matter" else of
            if self._free(self.tables.variables, (kind, plain), "the variable"):
                self.tables.variables[kind, plain] = self._variable(plain, of, o, {})

    def collections(self, spec: Any) -> None:
        for name, o in self._named(spec, "collections"):
            if name in NAMED_ALREADY:
                self._problem(f"collections.{name}: that is the name of a type", "choose another name")
                continue
            if COLLECTION_NAME.fullmatch(name) is None:
                self._problem(
                    f"collections.{name}: a collection's name is of letters, digits and hyphens, and begins with a letter",
                    "choose another name",
                )
                continue
            if "key" in o and not key_is_sound(o["key"]):
                forms = (
                    "a field, {prefix: r}, {slug: FIELD}, {of: [FIELD, FIELD]} or {columns: […], rows: […]}"
                )
                self._problem(f"collections.{name}.key: it is of none of the forms", f"write {forms}")
                continue
            fields = {
                underscored(f): (s if isinstance(s, Mapping) else {"type": s})
                for f, s in (o.get("fields") or {}).items()
            }
            outer = {k: o[k] for k in ("tracked", "seen_by", "permanent") if k in o}
            for plain, options in fields.items():
                if self._free(self.tables.variables, (name, plain), "the field"):
                    self.tables.variables[name, plain] = self._variable(plain, name, options, outer)
            if ("key" in o or "from" in o) and self._free(self.tables.collections, name, "the collection"):
                self.tables.collections[name] = Collection(
                    name, self.slug, o.get("key"), tuple(fields),
                    called=str(o.get("called", "")), founding=o.get("founding") or {}, source=str(o.get("from", "")),
                    grid=grid(o.get("key")), tracked=str(o.get("tracked", "public")), attributes=dict(o),
                )  # fmt: skip

    def catalogues(self, spec: Any) -> None:
        for name, entries in (spec or {}).items():
            if name in NAMED_ALREADY:
                self._problem(f"catalogues.{name}: that is the name of a type", "choose another name")
                continue
            table = self.tables.catalogues.setdefault(str(name), {})
            self.tables.catalogue_rules.setdefault(str(name), self.slug)
            if not isinstance(entries, Mapping):
                self._problem(f"catalogues.{name}: must be a map of entries")
                continue
            for key, entry in entries.items():
                if self._free(table, str(key), f"in the catalogue {name} the entry"):
                    table[str(key)] = entry

    def actions(self, spec: Any) -> None:
        lineage = frozenset(p.slug for p in _lineage(self.ruleset, self.placed))
        for name, o in self._named(spec, "actions"):
            if name in outside.NAMES:
                what = f"actions.{name}: that is the name of a deed of the program's own"
                self._problem(what, "choose another name", at=("actions", name))
                continue
            if not self._free(self.tables.actions, name, "the action"):
                continue
            by = o.get("by", "player")
            parameters = self._parameters(o.get("with"), f"actions.{name}.with")
            private = o.get("private", False)
            self.tables.actions[name] = Action(
                name, self.slug, self.section, lineage, str(o.get("summary", "")),
                by=tuple(self._by(b) for b in (by if isinstance(by, list) else [by])),
                idle=bool(o.get("idle")), parameters=parameters, own=frozenset(parameters),
                limit=str(o.get("limit") or ""), tags=tuple(o.get("tags") or ()),
                private=tuple(private) if isinstance(private, list) else bool(private), attributes=dict(o),
            )  # fmt: skip

    def _by(self, who: str) -> str:
        return who if who in ("player", "emperor", "admin", "anyone") else self._link(who)

    def _parameters(self, spec: Any, where: str) -> dict[str, Type]:
        return {
            underscored(str(name)): type_of(kind, self.slug, self._link, f"{where}.{name}")
            for name, kind in (spec or {}).items()
        }

    def _hook(self, name: str, prefix: str, **more: Any) -> Hook:
        return Hook(name, self.slug, self.section, self._link(prefix + underscored(name)), **more)

    def guards(self, spec: Any) -> None:
        for name, o in self._named(spec, "guards"):
            if "on" not in o:
                self._problem(
                    f"guards.{name}.on: it does not say what it stands before",
                    "write on: all, or a list of actions",
                )
            if self._unused(self.tables.guards, name, "guard"):
                self.tables.guards.append(
                    self._hook(
                        name,
                        "guard_",
                        on=o.get("on", ()),
                        besides=o.get("except", ()),
                        attempt=bool(o.get("attempt")),
                    )
                )

    def _unused(self, hooks: list[Hook], name: str, what: str) -> bool:
        if name in self.overrides:
            self.tables.above.add((what, name))
        if any(hook.name == name for hook in hooks):
            if name not in self.overrides:
                if (what, name) in self.tables.above:
                    return False
                self._problem(f"the {what} {name} is declared twice", "choose another name")
                return False
            hooks[:] = [hook for hook in hooks if hook.name != name]
        return True

    def filters(self, spec: Any) -> None:
        for name, o in self._named(spec, "filters"):
            if self._unused(self.tables.filters, name, "filter"):
                self.tables.filters.append(
                    self._hook(name, "filter_", of=str(o["of"]), variable=underscored(str(o["variable"])))
                )

    def settles(self, spec: Any) -> None:
        for name, o in self._named(spec, "settles"):
            if self._unused(self.tables.settles, name, "settle"):
                watches = tuple(underscored(str(w)) for w in o.get("watches") or ())
                self.tables.settles.append(self._hook(name, "settle_", of=str(o["of"]), watches=watches))

    def schedule(self, spec: Any) -> None:
        for name, o in self._named(spec, "schedule"):
            if "every" in o:
                self.told("schedule", partial(check_recurring, f"schedule.{name}.every", str(o["every"])))
            elif "of" not in o or "at" not in o:
                self._problem(
                    f"schedule.{name}: it does not say when", "write every: day 06:00, or of and at"
                )
            if self._unused(self.tables.schedule, name, "scheduled function"):
                self.tables.schedule.append(
                    self._hook(
                        name,
                        "schedule_",
                        of=str(o.get("of", "")),
                        at=underscored(str(o.get("at", ""))),
                        where=underscored(str(o.get("where", ""))),
                        every=str(o.get("every", "")),
                        at_founding=bool(o.get("at_founding", True)),
                    )
                )

    def when(self, spec: Any) -> None:
        for event, functions in (spec or {}).items():
            for function in functions if isinstance(functions, list) else [functions]:
                hook = Hook(str(event), self.slug, self.section, self._link(function))
                self.tables.listeners.setdefault(str(event), []).append(hook)

    def views(self, spec: Any) -> None:
        for name, o in self._named(spec, "views"):
            of, plain = str(o.get("of", "game")), underscored(name)
            if self._free(self.tables.views, (of, plain), "the view"):
                self.tables.views[of, plain] = Hook(plain, self.slug, self.section, self._link(plain), of=of)

    def counts(self, spec: Any) -> None:
        for o in spec or ():
            if not isinstance(o.get("in"), list) or not isinstance(o.get("except", []), list):
                self._problem("counts: in and except are lists of sections and rules")
                continue
            self.tables.counts.append(
                Count(
                    tuple(map(str, o.get("in") or ())),
                    tuple(map(str, o.get("except") or ())),
                    bool(o.get("emperor", True)),
                    bool(o.get("idle", False)),
                )
            )

    def posts(self, spec: Any) -> None:
        for name, o in self._named(spec, "posts"):
            if self._free(self.tables.posts, name, "the kind of post"):
                self.tables.posts[name] = PostKind(
                    name, self.slug, bool(o.get("official")), bool(o.get("votable")), dict(o)
                )


Declarations = Mapping[str, Callable[[_Rule, Any], None]]
"""What may be declared: for each key of the front matter how what stands under it is put into the tables."""

DECLARATIONS: Declarations = MappingProxyType(
    {
        "terms": _Rule.terms,
        "clock": _Rule.clock,
        "numbers": _Rule.numbers,
        "limits": _Rule.limits,
        "variables": _Rule.variables,
        "collections": _Rule.collections,
        "catalogues": _Rule.catalogues,
        "actions": _Rule.actions,
        "guards": _Rule.guards,
        "filters": _Rule.filters,
        "settles": _Rule.settles,
        "schedule": _Rule.schedule,
        "when": _Rule.when,
        "views": _Rule.views,
        "counts": _Rule.counts,
        "posts": _Rule.posts,
    }
)
KEYS = APART | frozenset(DECLARATIONS)


def _lineage(ruleset: Ruleset, placed: Placed) -> Iterator[Placed]:
    at: Placed | None = placed
    while at is not None:
        yield at
        at = ruleset.by_slug.get(at.parent) if at.parent else None


def _additions(tables: Declared, placed: Placed) -> None:
    """The parameters that a rule adds to other rules' actions; what it adds to nothing rests."""
    told = placed.front.get("overrides")
    if not isinstance(told, list | Mapping | None):
        raise Malformed.of("overrides: must be a list of names, or a map")
    for name, spec in overrides(placed.rule).items():
        action = tables.actions.get(name)
        if spec is not None and not (isinstance(spec, Mapping) and isinstance(spec.get("with", {}), Mapping)):
            raise Malformed.of(f"overrides.{name}: is null, or adds parameters under with")
        if action is None or not isinstance(spec, Mapping) or tables.protected(name, placed.section):
            continue
        link = lambda function: linked(function, placed.slug)  # noqa: E731
        more = {
            underscored(str(k)): type_of(v, placed.slug, link, f"overrides.{name}.with.{k}")
            for k, v in (spec.get("with") or {}).items()
        }
        tables.actions[name] = action._replace(parameters={**action.parameters, **more})


def _static_rows(tables: Declared) -> None:
    """Fields of a collection taken from a catalogue that its rows hold are static: nothing stores them."""
    for name, collection in list(tables.collections.items()):
        if collection.source:
            ids = tuple(tables.catalogues.get(collection.source, {}))
            tables.collections[name] = collection._replace(grid=ids)
