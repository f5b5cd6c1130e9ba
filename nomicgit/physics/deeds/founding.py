"""Founding a game: an edition's ruleset, the first players, and everything at its start."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deeds import clockwork, furnishing, units
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import writing
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Source, Store
from nomicgit.physics.state.transaction import SECONDS, Transaction


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
    """A transaction in which the game has just begun; what the clock does at that instant has happened.

    Refused where the law takes more than a deed has, be it to compile it: nobody founds what others could hardly verify.
    """
    world = Transaction(Position(Store(Source()), ruleset, physics, now=founding.at), context, chance)
    if world.law.problems:
        raise Refused(*world.law.problems)
    world.parent_law = world.law
    _check(founding)
    if world.until is not None:
        refuse_heavy(world.law, world.until)
    _lay(world, founding)
    units.begin(world, [p.slug for p in world.law.active])
    world.settled = len(world.store.log)
    units.run_all(world)
    units.settle(world)
    units.start_clocks(world, founding=True)
    world.notes += clockwork.catch_up(world, founding.at)
    units.forget_transient(world)
    if world.claims:
        name = next(iter(next(iter(world.claims.values()))))
        raise Refused.of(f"the law takes more than a deed has, at the founding: {name}")
    return world


def refuse_heavy(law: Law, until: float | None = None) -> None:
    """Refuse a law that is not compiled until which processor time (None: as long as a deed has), or within a deed's memory."""
    with suppress(Malformed):  # what does not load is told of where it is called
        law.compile(time.process_time() + SECONDS if until is None else until)


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
    furnishing.furnish(world, world.law.declared.collections.values())
