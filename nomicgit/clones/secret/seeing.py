"""What a player may see of what is secret. Source: Variables, in ``docs/mechanics.md`` (``seen_by``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nomicgit.ground.files import Value
from nomicgit.ground.problems import NomicError
from nomicgit.law.linking import linked
from nomicgit.law.variables import MISSING, Variable, kind_of_all
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction


class Seen(NamedTuple):
    """A secret variable of an entity, its value as files keep it (None for none yet), and who may see it now (refs)."""

    ref: str
    name: str
    value: Value
    viewers: frozenset[str]


def seen(world: Transaction) -> Iterator[Seen]:
    """All that is secret and that somebody may see."""
    players = reading.roster(world, idle=True)
    for kind, variables in world.law.by_kind.items():
        secret = [each for each in variables if each.tracked == "secret" and not each.transient]
        of_functions = {who: _chosen(world, who, each, players) for each in secret for who in each.seen_by}
        for ref in _stored(world, kind) if secret else ():
            for variable in secret:
                viewers = set[str]()
                for who in variable.seen_by:
                    chosen = of_functions[who]
                    viewers |= _meant(world, ref, variable, who) if chosen is None else chosen
                if viewers:
                    value = world.store.value(ref, variable.name)
                    yield Seen(ref, variable.name, None if value is MISSING else value, frozenset(viewers))


def _stored(world: Transaction, kind: str) -> list[str]:
    if kind in reading.SINGLE_KINDS:
        return [kind]
    return [ref for ref in reading.find(world, kind) if world.store.fields(ref) is not None]


def _chosen(world: Transaction, who: str, variable: Variable, players: Sequence[str]) -> set[str] | None:
    """Whom a word of ``seen_by`` means whatever the entity is; None where it depends on that."""
    if who == "emperor":
        lead = reading.emperor(world)
        return {lead} if lead is not None else set()
    function = linked(who, variable.rule)
    if (
        who in ("owner", "value")
        or world.law.variable(kind_of_all(variable.of), who) is not None
        or not world.law.has(function)
    ):
        return None
    return {player for player in players if _asked(world, function, player)}


def _asked(world: Transaction, function: str, player: str) -> bool:
    try:
        return bool(world.ask(function, player))
    except NomicError:
        return False


def _meant(world: Transaction, ref: str, variable: Variable, who: str) -> set[str]:
    """Whom a word of ``seen_by`` means for an entity: its owner, whom its value names, or whom a field of it does."""
    if who == "owner":
        return {ref}
    try:
        held = reading.get(world, ref, variable.name if who == "value" else who, None)
    except NomicError:
        return set()
    return {each for each in (held if isinstance(held, list) else [held]) if isinstance(each, str)}
