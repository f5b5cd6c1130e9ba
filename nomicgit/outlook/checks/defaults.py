"""Defaults that name what this game does not have, which the declaration alone does not show."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nomicgit.ground.problems import NomicError, Problem
from nomicgit.law.values import keep
from nomicgit.law.variables import MISSING
from nomicgit.outlook.checks.arguments import ENTITIES
from nomicgit.physics.state.transaction import Transaction


def unfit_defaults(world: Transaction, slugs: Collection[str]) -> Iterator[Problem]:
    """Defaults of some rules that name a player, post or rule which this game does not have."""
    declared, said = world.law.declared, []
    for each in declared.variables.values():
        path = ("collections", each.of, "fields") if each.of in declared.collections else ("variables",)
        said.append((each.rule, (*path, each.name), each.type))
    for action in declared.actions.values():
        said += [
            (action.rule, ("actions", action.name, "with", name), kind)
            for name, kind in action.parameters.items()
        ]
    for rule, path, kind in said:
        if rule not in slugs or kind.default is MISSING or (kind.items or kind).kind not in ENTITIES:
            continue
        try:
            world.refuel()
            keep(world, kind, kind.default)
        except NomicError as wrong:
            place = world.law.declared_at(rule, *path, "default")
            what = f"{'.'.join(path)}.default: {wrong.problems[0].what}"
            mend = "write the name of one that there is, or leave the default out"
            yield Problem(what, place, mend)
