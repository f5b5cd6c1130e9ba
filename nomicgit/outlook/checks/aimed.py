"""Checks of what declarations aim at: kinds, actions, events, rules and sections that nobody has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from nomicgit.law.declarations import overrides
from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import code, definitions, text_of
from nomicgit.law.hooks import Timed
from nomicgit.law.law import RUN_FUNCTION, Law
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, in_front, misspelt, warning
from nomicgit.outlook.checks.handed import names_under
from nomicgit.outlook.checks.law import OWN_EVENTS
from nomicgit.outlook.checks.named import near

SHOWN = 12  # names that are told, where none is like the one that is written
OF = ("player", "game", "dynasty", "post", "matter")
_EMITTED = re.compile(r"""\bemit\(\s*(?:(['"])([\w-]+)\1)?""")
Path = tuple[str, ...]
_CHARGED = re.compile(r"(?:(\d+)\s+)?([\w-]+)")


def kinds(law: Law) -> Iterator[Finding]:
    """Kinds of which something is declared, and that nobody declares."""
    tables = law.declared
    known = list(dict.fromkeys([*OF, *tables.collections, *sorted(names_under(law, "collections"))]))
    said: list[tuple[str, Path, str]] = [
        (each.rule, ("variables", each.name), each.of)
        for each in tables.variables.values()
        if each.of not in tables.collections
    ]
    said += [(each.rule, ("settles", each.name), each.whose) for each in tables.settles.values()]
    said += [(each.rule, ("filters", each.name), each.whose) for each in tables.filters.values()]
    said += [(each.rule, ("views", each.name), each.whose) for each in tables.views.values()]
    said += [
        (each.rule, ("schedule", each.name), each.whose)
        for each in tables.schedule.values()
        if isinstance(each, Timed)
    ]
    for rule, path, of in said:
        if of not in known:
            what = f"{'.'.join(path)} is of {of}, which no rule in force declares: it is of nothing"
            meant = near(of, known)
            mend = meant or f"write one of {', '.join(known[:SHOWN])}, or declare {of} under collections"
            yield misspelt(in_front(law, rule, (*path, "of"), what, mend), meant)


def guards(law: Law) -> Iterator[Finding]:
    """What guards stand before, and spare: actions, rules, sections, tags, limits that nobody has."""
    actions = law.declared.actions.values()
    known: dict[str, Set[str]] = {
        "action": {*law.declared.actions, *names_under(law, "actions")}, "rule": {*law.ruleset.by_slug}, "limit": {*law.declared.limits},
        "section": {name for _, name in law.ruleset.sections}, "tag": {tag for each in actions for tag in each.tags},
        "by": {who for each in actions for who in each.by},
    }  # fmt: skip
    for guard in law.declared.guards.values():
        for key, selectors in (("on", guard.on), ("except", guard.besides)):
            for what, name in _selected(selectors):
                nearest = near(str(name), sorted(known.get(what, ())))
                if what not in known or name in known[what] or (what == "tag" and not nearest):
                    continue  # a tag that no action has may be for rules to come
                lacking = f"the guard {guard.name} names the {what} {name}, which nobody has: it stands before nothing there"
                path = ("guards", guard.name, key)
                yield misspelt(
                    in_front(law, guard.rule, path, lacking, nearest or _one_of(known[what])), nearest
                )


def _selected(selectors: object) -> Iterator[tuple[str, object]]:
    for selector in selectors if isinstance(selectors, list | tuple) else [selectors]:
        if isinstance(selector, Mapping):
            yield from ((str(what), name) for what, name in selector.items())
        elif selector != "all" and selector:
            yield "action", selector


def emitted(law: Law) -> set[str]:
    """The events that rules emit; "" for one whose name is made up."""
    return {name for placed in law.ruleset.rules for _, name in _EMITTED.findall(placed.mechanics)}


def emitting(law: Law) -> Iterator[tuple[str, str]]:
    """The functions that emit events by name, each with the event."""
    for placed in law.active:
        for each in definitions(placed.mechanics) if "emit" in placed.mechanics else ():
            tokens = code(text_of(placed.mechanics, each.name) or "")
            for (_, word, _), (_, opens, _), (kind, event, _) in zip(
                tokens, tokens[1:], tokens[2:], strict=False
            ):
                if (word, opens, kind) == ("emit", "(", "STRING"):
                    yield each.name, event.strip("\"'")


def events(law: Law) -> Iterator[Finding]:
    """Events that rules listen to and none emits, as far as none is made up."""
    made = emitted(law)
    if "" in made:
        return
    known = made | OWN_EVENTS
    for event, listeners in law.declared.listeners.items():
        for each in listeners if event not in known else ():
            what = f"no rule emits the event {event}: {each.function.partition('__')[0]} never hears of it"
            meant = near(event, known)
            mend = meant or f'write emit("{event}") where it happens'
            yield misspelt(in_front(law, each.rule, ("when", event), what, mend), meant)


def _named_in(front: Mapping[str, object]) -> Iterator[Mapping[object, object]]:
    """The tables of names that a rule declares, and not what it overrides."""
    return (table for key, table in front.items() if isinstance(table, Mapping) and key != "overrides")


def _adds(names: object, name: object) -> bool:
    """Whether a rule adds parameters to the action that it names there."""
    return isinstance(names, Mapping) and isinstance(names[name], Mapping)


def overridden(law: Law) -> Iterator[Finding]:
    """Names that a rule overrides and that no other rule has, and places where nobody is counted."""
    has = {
        each.slug: {
            *law.scanned(each).functions,
            *(str(name) for table in _named_in(each.front) for name in table),
            *(str(key) for table in _tables(each.front.get("catalogues")) for key in table),
        }
        for each in law.ruleset.rules
    }
    for placed in law.active:
        names, own = placed.front.get("overrides"), has[placed.slug]
        known = set[str]().union(*(theirs for slug, theirs in has.items() if names and slug != placed.slug))
        for name in names if isinstance(names, list | Mapping) else ():
            if not {str(name), underscored(str(name))} & known:
                what = f"no other rule has {name}, which this one overrides"
                meant = near(str(name), known)
                mend = meant or "take it out: what no other rule has needs no override"
                yield misspelt(in_front(law, placed.slug, ("overrides", str(name)), what, mend), meant)
            elif not {str(name), underscored(str(name))} & own and not _adds(names, name):
                what = f"this rule overrides {name}, and has none of its own: it stays as it is"
                mend = (
                    f"write a function {name}, or what it is to be, into this rule, or take the override out"
                )
                yield warning(in_front(law, placed.slug, ("overrides", str(name)), what, mend))
        places = {*law.ruleset.by_slug, *(name for _, name in law.ruleset.sections), RUN_FUNCTION}
        counts = placed.front.get("counts")
        for n, count in enumerate(counts if isinstance(counts, list) else ()):
            for key in ("in", "except"):
                for name in count.get(key) or () if isinstance(count, Mapping) else ():
                    if str(name) not in places:
                        what = f"counts names {name}, which is no section and no rule: nobody is counted otherwise there"
                        meant, path = near(str(name), places), ("counts", str(n), key)
                        problem = in_front(law, placed.slug, path, what, meant or _one_of(places))
                        yield misspelt(problem, meant)


def _tables(catalogues: object) -> list[Mapping[str, object]]:
    return (
        [table for table in catalogues.values() if isinstance(table, Mapping)]
        if isinstance(catalogues, Mapping)
        else []
    )


def costs(law: Law) -> Iterator[Finding]:
    """Costs that nobody can pay, for they are of what no player has."""
    known = [each.name for each in law.by_kind.get("players", ())]
    by_slug = law.ruleset.by_slug
    for action in law.declared.actions.values():
        path = ("actions", action.name, "cost")
        said = action.attributes.get("cost")
        if isinstance(said, str) and (action.rule in by_slug and said in _defined(law, by_slug[action.rule])):
            what = f"actions.{action.name}.cost is a text, and charges nothing, though there is a function {said}"
            mend = f"write cost: {{coins: {said}}}, with the variable that is charged in place of coins"
            yield warning(in_front(law, action.rule, path, what, mend))
        elif isinstance(said, str) and (charged := _CHARGED.fullmatch(said)) and charged[2] in known:
            what = f"actions.{action.name}.cost is a text, which people read, and charges nothing"
            mend = f"write cost: {{{charged[2]}: {charged[1] or 1}}}"
            yield warning(in_front(law, action.rule, path, what, mend))
        for variable in action.takes:
            head = variable.partition(".")[0]
            if head not in known:
                what = f"no rule in force declares the variable {head} of player, which {action.name} costs: nobody can pay it"
                meant = near(head, known)
                mend = meant or f"declare {head} under variables"
                yield misspelt(in_front(law, action.rule, (*path, variable), what, mend), meant)


def _defined(law: Law, placed: Placed) -> set[str]:
    """The functions that the mechanics of a rule can call by their names: its own, and those that all rules share."""
    return {*law.scanned(placed).private, *law.linked.functions}


def protected(law: Law) -> Iterator[Finding]:
    """Names that a rule protects and that nobody has."""
    known = {name for each in law.ruleset.rules for name in law.scanned(each).functions}
    known |= {
        str(name)
        for each in law.ruleset.rules
        for table in each.front.values()
        if isinstance(table, Mapping)
        for name in table
    }
    known |= {name for _, name in law.declared.variables}
    for placed in law.active:
        spec = placed.front.get("protected")
        names = spec.get("names") if isinstance(spec, Mapping) else spec
        for name in names if isinstance(names, list) else ():
            if (
                not {str(name), underscored(str(name)), str(name).partition("_")[0]} & known
            ):  # or what may come of it
                what = f"protected names {name}, which no rule has: it protects nothing"
                meant = near(str(name), known)
                mend = meant or "take it out, or write the name of a function or of what is declared"
                yield misspelt(in_front(law, placed.slug, ("protected",), what, mend), meant)


def shielded(law: Law) -> Iterator[Finding]:
    """What a rule overrides, filters or guards by name, though another protects that from rules where it stands."""
    for placed in law.active:
        aims: list[tuple[Path, str]] = [
            (("overrides", str(name)), str(name)) for name in overrides(placed.rule)
        ]
        filters = placed.front.get("filters")
        aims += [
            (("filters", str(name), "variable"), str(spec.get("variable")))
            for name, spec in (filters.items() if isinstance(filters, Mapping) else ())
            if isinstance(spec, Mapping)
        ]
        aims += [
            (("guards", guard.name, "on"), str(name))
            for guard in law.declared.guards.values()
            if guard.rule == placed.slug
            for what, name in _selected(guard.on)
            if what == "action"
        ]
        for path, name in aims:
            if law.declared.protected(underscored(name), placed.section):
                what = f"{'.'.join(path[:2])} does nothing: {name} is protected from rules of the section {placed.section}"
                mend = "take it out, or put the rule into a section from which that is not protected"
                yield warning(in_front(law, placed.slug, path, what, mend))


def _one_of(known: Iterable[str]) -> str:
    names = sorted({*known} - {underscored(each) for each in known if each != underscored(each)})
    return f"write one of {', '.join(names[:SHOWN])}" + (", …" if len(names) > SHOWN else "")
