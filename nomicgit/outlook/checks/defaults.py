"""Defaults that name what this game does not have, which the declaration alone does not show."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nomicgit.ground.problems import NomicError, Problem
from nomicgit.law.declaring import asks_nothing
from nomicgit.law.law import Law
from nomicgit.law.values import keep
from nomicgit.law.variables import MISSING, Type
from nomicgit.outlook.checks.arguments import ENTITIES
from nomicgit.outlook.checks.named import near
from nomicgit.physics.state.transaction import Transaction


def unfit_defaults(world: Transaction, slugs: Collection[str], *, of_law: bool) -> Iterator[Problem]:
    """Defaults of some rules that name what a game does not have: ``of_law``: of what its rules declare, else players, posts and
    rules.
    """
    for rule, path, kind in _typed(world.law):
        inner = kind.items or kind
        of_program = inner.kind in ENTITIES
        if rule not in slugs or kind.default is MISSING or kind.default_by or asks_nothing(kind):
            continue
        if of_program == of_law or inner.normal or kind.normal:
            continue
        try:
            world.refuel()
            keep(world, kind, kind.default)
        except NomicError as wrong:
            place = world.law.declared_at(rule, *path, "default")
            what = f"{'.'.join(path)}.default: {wrong.problems[0].what}"
            there = [] if of_program else [*world.store.ids(inner.kind)]
            mend = near(str(kind.default), there) or "write the name of one that there is"
            yield Problem(what, place, f"{mend}, or leave the default out")


def _typed(law: Law) -> Iterator[tuple[str, tuple[str, ...], Type]]:
    """All that has a type, with its rule and the path of its declaration."""
    for each in law.declared.variables.values():
        path = ("collections", each.of, "fields") if each.of in law.declared.collections else ("variables",)
        yield each.rule, (*path, each.name), each.type
    for action in law.declared.actions.values():
        for name, kind in action.parameters.items():
            yield action.rule, ("actions", action.name, "with", name), kind
