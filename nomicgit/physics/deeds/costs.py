"""What an action takes of whoever does it: amounts of their variables, charged before its function runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgit.ground.problems import NomicError, Refused
from nomicgit.law.declarations import Action
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction


def charge(world: Transaction, action: Action, actor: str | None, given: Mapping[str, object]) -> None:
    """Take what an action costs. Refused where its actor has too little, or is nobody who has anything."""
    if actor is None or world.store.fields(actor) is None:
        raise Refused.of("that costs something, and only a player can pay")
    for variable, n in list(_due(world, action, actor, given)):
        writing.spend(world, actor, variable, n)


def why_not(world: Transaction, action: Action, actor: str) -> str:
    """Nothing, or that an actor has too little, as far as that is known before the parameters are."""
    plain = {variable: n for variable, n in action.takes.items() if not isinstance(n, str)}
    with world.asking():
        try:
            charge(world, action._replace(takes=plain), actor, {})
        except NomicError as error:
            return error.problems[0].what
    return ""


def _due(
    world: Transaction, action: Action, actor: str, given: Mapping[str, object]
) -> Iterator[tuple[str, object]]:
    """Each variable of the actor with what is taken of it."""
    for variable, n in action.takes.items():
        yield variable, world.ask(n, actor, dict(given)) if isinstance(n, str) else n
