"""From a deed to its outcome. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomicgit.deeds import acting, clockwork, origin, units, ways
from nomicgit.deeds.origin import Origin
from nomicgit.deeds.words.looking import effects
from nomicgit.gamestate.world import FUEL, MORE_FUEL, Chance, Draw, World
from nomicgit.outside import Outside


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody does: who (an id, or None for the clock), which action, with what, when (seconds, UTC).

    ``branch`` is the commit at the head of the branch from which the changes that it brings were written; ``origin``
    tells how it came in from a forge, where it did.
    """

    id: str
    actor: str | None
    action: str
    given: Mapping[str, Any] = field(default_factory=dict)
    at: int = 0
    cast_at: int | None = None
    branch: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a deed has done: what its function returned, lines for the journal, messages, dice, net effects."""

    deed: Deed
    result: Any
    notes: Sequence[str]
    told: Sequence[tuple[str, str]]
    draws: Sequence[Draw]
    effects: Sequence[Mapping[str, Any]]
    touched: Sequence[str]


def decide(world: World, deed: Deed, chance: Chance) -> Outcome:
    """Carry a deed out on a world, or raise Refused and leave it as it was.

    What fell due by the clock happens first, in the same deed.
    """
    begin(world, chance)
    with world.savepoint():
        failed = clockwork.catch_up(world, deed.at)
        come(world, deed)
        law, before = world.ruleset, world.mark()
        actor = f"players/{deed.actor}" if deed.actor else None
        known = deed.action == Outside.ACCOUNT and deed.origin is not None
        result = None if known else acting.perform(world, deed.action, actor, deed.given)
        if deed.origin is not None:
            origin.leave(world, deed.origin, actor, result)
        ways.leave(world, law, before)
        units.forget_transient(world)
        units.keep_no_secret(world)
    return Outcome(
        deed, result, [*failed, *world.notes], list(world.told), list(world.draws), effects(world), world.store.touched()
    )  # fmt: skip


def prepare(world: World, deed: Deed, chance: Chance) -> list[str]:
    """Make a world ready for a deed: its time comes, and with it what falls due."""
    begin(world, chance)
    failed = clockwork.catch_up(world, deed.at)
    come(world, deed)
    return failed


def begin(world: World, chance: Chance) -> None:
    """Clear away what the deed before has left."""
    world.notes, world.told, world.draws, world.off, world.steps = [], [], [], frozenset(), []
    world.chance, world.units, world.evidence = chance, [len(world.store.log)], {}
    world.fuel = FUEL if world.told_evidence is None else FUEL * MORE_FUEL
    world.settled, world.closings, world.branch = len(world.store.log), [], None


def come(world: World, deed: Deed) -> None:
    """Let the time of a deed come."""
    world.now = deed.at
    world.cast_at = deed.at if deed.cast_at is None else deed.cast_at
    world.parent_law, world.branch = world.law, deed.branch
