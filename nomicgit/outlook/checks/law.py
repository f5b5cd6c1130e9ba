"""Checks of what the rules declare."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgit.ground.problems import Place, Problem, Refused
from nomicgit.law import paths
from nomicgit.law.law import Law
from nomicgit.law.variables import KINDS, Type, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning

QUOTE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
ARTICLE = re.compile(r"\b(an?)\s+\{\{\s*terms\.", re.IGNORECASE)
OWN_EVENTS = frozenset({"begins"})
ROSTER_WATCHES = frozenset(
    {
        "created",
        "destroyed",
        "active",
        "admin",
        "emperor",
        "comments",
        "status",
        "kind",
        "title",
        "body",
        "tags",
    }
)


def declarations(law: Law) -> Iterator[Finding]:
    """Forms of declarations, and names declared twice."""
    for problem in law.declared.problems:
        yield error(problem)


def types(law: Law) -> Iterator[Finding]:
    """Types that are neither the language's own, nor a collection or catalogue in force: they read as any."""
    for variable in law.declared.variables.values():
        for unknown in _unknown(law, variable.type):
            yield warning(
                in_rule(
                    law,
                    variable.rule,
                    f"{variable.name}: no type, collection or catalogue is called {unknown}",
                )
            )
    for action in law.declared.actions.values():
        for name, kind in action.parameters.items():
            for unknown in _unknown(law, kind):
                yield warning(
                    in_rule(law, action.rule, f"{action.name}, {name}: no type is called {unknown}")
                )
    for name in (*law.declared.collections, *law.declared.catalogues):
        if name in KINDS:
            yield error(Problem(f"a collection or catalogue cannot be called {name}, like a type", Place()))


def _unknown(law: Law, kind: Type) -> Iterator[str]:
    if (
        kind.kind not in KINDS
        and kind.kind not in law.declared.collections
        and kind.kind not in law.declared.catalogues
    ):
        yield kind.kind
    for part in (kind.items, kind.keys, kind.values, *kind.fields.values()):
        if part is not None:
            yield from _unknown(law, part)


def hooks(law: Law) -> Iterator[Finding]:
    """What settles watch and filters filter: it must be there, and some of it costs."""
    for settle in law.declared.settles.values():
        for name in settle.watches:
            variable, where = law.variable(settle.kind, name), f"settles.{settle.name} watches {name},"
            if variable is None and name not in ROSTER_WATCHES:
                yield warning(in_rule(law, settle.rule, f"{where} which no rule in force declares"))
            elif variable is not None and variable.derived and settle.kind == "players":
                what = f"{where} derived for each player: every deed looks at all of them"
                yield warning(in_rule(law, settle.rule, what))
    for each in law.declared.filters.values():
        if law.variable(kind_of_all(each.whose), each.variable) is None:
            what = f"filters.{each.name}: no rule in force declares {each.variable}"
            yield warning(in_rule(law, each.rule, what))


def quotes(law: Law) -> Iterator[Finding]:
    """Quotes in prose that quote nothing, and articles before a quoted term."""
    for placed in law.active:
        for match in QUOTE.finditer(placed.prose):
            head, _, rest = match[1].partition(".")
            if head == "terms" or (head == "game" and law.variable("game", rest) is not None):
                continue
            try:
                there = paths.at(dict(placed.front), paths.segments(match[1])) is not paths.MISSING
            except Refused:
                there = False
            if not there:
                yield warning(
                    in_rule(
                        law, placed.slug, f"the prose quotes {match[0]}, and the rule declares no such thing"
                    )
                )
        for match in ARTICLE.finditer(placed.prose):
            yield warning(
                in_rule(
                    law,
                    placed.slug,
                    f"no article stands before a quoted term: {match[0]}…",
                    "write any, each, no, or the plural",
                )
            )


def orphans(law: Law) -> Iterator[Finding]:
    """Dynastic variables that are tracked nowhere and cannot be told from others."""
    for variable in law.declared.variables.values():
        placed = law.ruleset.by_slug.get(variable.rule)
        if (
            variable.tracked == "nowhere"
            and not variable.derived
            and placed is not None
            and placed.section == "dynastic"
        ):
            yield warning(
                in_rule(
                    law,
                    variable.rule,
                    f"{variable.name} is an orphan variable: tracked nowhere, and derived from nothing",
                )
            )
