"""Founding a game: an edition's ruleset, the first players, and everything at its start."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.law.declarations import grid
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deeds import clockwork, units
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import writing
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Source, Store
from nomicgit.physics.state.transaction import Transaction


class Founding(Struct, frozen=True):
    """Who founds a game, in order of joining: players, idle ones, the emperor (None: a metadynasty), admins."""

    at: int
    players: Sequence[str]
    emperor: str | None = None
    admins: Sequence[str] = ()
    idle: Sequence[str] = ()
    dynasty: str = ""
    number: int = 1


def found(
    ruleset: Ruleset, founding: Founding, chance: Chance, context: Context, physics: Physics
) -> Transaction:
    """A transaction in which the game has just begun; what the clock does at that instant has happened."""
    world = Transaction(Position(Store(Source()), ruleset, physics, now=founding.at), context, chance)
    if world.law.problems:
        raise Refused(*world.law.problems)
    world.parent_law = world.law
    _check(founding)
    _lay(world, founding)
    units.begin(world, [p.slug for p in world.law.active])
    world.settled = len(world.store.log)
    units.run_all(world)
    units.settle(world)
    units.start_clocks(world, founding=True)
    world.notes += clockwork.catch_up(world, founding.at)
    units.forget_transient(world)
    return world


def _check(founding: Founding) -> None:
    everyone = [*founding.players, *founding.idle]
    if len({name.casefold() for name in everyone}) < len(everyone):
        raise Refused.of("two founding players have one name")
    for name in [founding.emperor, *founding.admins]:
        if name is not None and name not in everyone:
            raise Refused.of(f"{name} is none of the founding players")


def _lay(world: Transaction, founding: Founding) -> None:
    dynasty: dict[str, Value] = {"number": founding.number, "name": founding.dynasty, "emperor": None}
    for field, value in (dynasty | {"began": clock.text(founding.at), "interregnum": False}).items():
        world.store.put("dynasty", field, value)
    world.store.put("game", "barred", [])
    world.store.put("open", "next", 1)
    for name in [*founding.players, *founding.idle]:
        writing.create(world, "players", name, idle=name in founding.idle, admin=name in founding.admins)
    world.store.put("dynasty", "emperor", founding.emperor)
    for single in ("game", "dynasty"):
        writing.start_all(world, single)
    for name, collection in world.law.declared.collections.items():
        for entity, fields in collection.founding.items():
            if not grid(collection.key) and not collection.source:
                writing.create(world, name, entity, **fields)
