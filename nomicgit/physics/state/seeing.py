"""What a player may see of what is secret. Source: Variables, in ``docs/mechanics.md`` (``seen_by``)."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.ground.files import Value
from nomicgit.ground.problems import NomicError
from nomicgit.law.linking import linked
from nomicgit.law.variables import MISSING, Variable
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction


def seen(world: Transaction, player: str) -> Iterator[tuple[str, str, Value]]:
    """Every secret variable that a player (a ref) may see now: entity, variable, value as files keep it, None for none yet."""
    for kind, variables in world.law.by_kind.items():
        secret = [each for each in variables if each.tracked == "secret" and not each.transient]
        for ref in _stored(world, kind) if secret else ():
            for variable in secret:
                if _sees(world, player, ref, variable):
                    value = world.store.value(ref, variable.name)
                    yield ref, variable.name, None if value is MISSING else value


def _stored(world: Transaction, kind: str) -> list[str]:
    if kind in reading.SINGLE_KINDS:
        return [kind]
    return [ref for ref in reading.find(world, kind) if world.store.fields(ref) is not None]


def _sees(world: Transaction, player: str, ref: str, variable: Variable) -> bool:
    return any(_is_one(world, player, ref, variable, who) for who in variable.seen_by)


def _is_one(world: Transaction, player: str, ref: str, variable: Variable, who: str) -> bool:
    """Whether a player is one of those whom a word of ``seen_by`` means."""
    try:
        match who:
            case "emperor":
                return player == reading.emperor(world)
            case "owner":
                return player == ref
            case "value":
                held = reading.get(world, ref, variable.name)
                return player in held if isinstance(held, list) else player == held
        function = linked(who, variable.rule)
        if world.law.variable(ref.partition("/")[0], who) is None and world.law.has(function):
            return bool(world.ask(function, player))
        return bool(reading.get(world, ref, who, None) == player)
    except NomicError:
        return False
