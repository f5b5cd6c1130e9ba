"""What an action takes of whoever does it: amounts of their variables, charged before its function runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from nomicgit.ground.problems import Defect, Refused
from nomicgit.law.declarations import Action
from nomicgit.law.linking import written
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction


def charge(world: Transaction, action: Action, actor: str | None, given: Mapping[str, object]) -> None:
    """Take what an action costs. Refused where its actor has too little, or is nobody who has anything."""
    if actor is None or world.store.fields(actor) is None:
        raise Refused.of("that costs something, and only a player can pay")
    due = {variable: _asked(world, action, variable, actor, given) for variable in action.takes}
    for variable, n in due.items():
        try:
            if isinstance(n, int | float) and n < 0:
                what = f"{written(str(action.takes[variable]))} tells that {action.name} costs {n} {variable}"
                raise Defect.of(what, mend="let it tell 0 or more: what an action gives, its function gains")
            writing.spend(world, actor, variable, n)
        except Defect as error:
            raise _placed(world, action, variable, error) from None


def why_not(world: Transaction, action: Action, actor: str) -> str:
    """Nothing, or that an actor has too little, as far as that is known before the parameters are."""
    plain = {variable: n for variable, n in action.takes.items() if not isinstance(n, str)}
    refusal = world.refused(partial(charge, world, replace(action, takes=plain), actor, {}))
    return refusal.problems[0].what if refusal is not None else ""


def _asked(
    world: Transaction, action: Action, variable: str, actor: str, given: Mapping[str, object]
) -> object:
    """How much of a variable is taken: a number as it is said, or what a function tells."""
    said = action.takes[variable]
    if not isinstance(said, str):
        return said
    if not world.law.has(said):
        error = Defect.of(f"nobody defines {written(said)}, which tells what {action.name} costs")
        raise _placed(world, action, variable, error)
    return world.ask(said, actor, dict(given))


def _placed(world: Transaction, action: Action, variable: str, error: Defect) -> Defect:
    """A defect with its place: the function that tells a cost, or else the line that declares it."""
    error = world.law.placed(error, str(action.takes[variable]))
    first, *others = error.problems
    if first.where.file:
        return error
    where = world.law.declared_at(action.rule, "actions", action.name, "cost", variable)
    return Defect(replace(first, where=where), *others)
