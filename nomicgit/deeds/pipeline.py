"""From a deed to its outcome. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomicgit.deeds import acting, clockwork, units, words
from nomicgit.gamestate.world import FUEL, MORE_FUEL, Chance, Draw, World
from nomicgit.problems import Refused
from nomicgit.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody does: who (an id, or None for the clock), which action, with what, when (seconds, UTC).

    ``branch`` is the commit at the head of the branch from which the changes that it brings were written.
    """

    id: str
    actor: str | None
    action: str
    given: Mapping[str, Any] = field(default_factory=dict)
    at: int = 0
    cast_at: int | None = None
    branch: str | None = None


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
    law, mark, now = world.ruleset, len(world.store.log), world.now
    try:
        failed = prepare(world, deed, chance)
        result = acting.perform(
            world, deed.action, f"players/{deed.actor}" if deed.actor else None, deed.given
        )
        _leave_a_way(world, law)
        units.forget_transient(world)
        units.keep_no_secret(world)
    except BaseException:
        world.store.rollback(mark)
        world.set_law(law)
        world.now = world.cast_at = now
        raise
    return Outcome(
        deed, result, [*failed, *world.notes], list(world.told), list(world.draws), words.effects(world), world.store.touched()
    )  # fmt: skip


def prepare(world: World, deed: Deed, chance: Chance) -> list[str]:
    """Make a world ready for a deed: its time comes, and with it what falls due."""
    world.notes, world.told, world.draws, world.off, world.steps = [], [], [], set(), []
    world.chance, world.units, world.evidence = chance, [len(world.store.log)], {}
    world.fuel = FUEL if world.told_evidence is None else FUEL * MORE_FUEL
    world.settled, world.closings, world.branch = len(world.store.log), [], None
    failed = clockwork.catch_up(world, deed.at)
    world.now = deed.at
    world.cast_at = deed.at if deed.cast_at is None else deed.cast_at
    world.parent_law, world.branch = world.law, deed.branch
    return failed


def _leave_a_way(world: World, before: Ruleset) -> None:
    """Undo the enactment of what leaves no way to change the law; any other deed that does so is refused.

    The finding is evidence of the deed; replay takes it as given.
    """
    if world.ruleset is before:
        return
    from nomicgit.deeds import trial  # here: most deeds change no law, and a trial takes long to load

    if not trial.changed(before, world.ruleset):
        return
    name = trial.name_of(world.ruleset)
    told = world.told_evidence
    if not (trial.bricks(world, before) if told is None else name in told.get("bricked", ())):
        return
    world.evidence.setdefault("bricked", []).append(name)
    if not world.closings:
        raise Refused.of(trial.BRICKED)
    trial.undo_enactment(world, world.closings)
