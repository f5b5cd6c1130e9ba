"""Words for steps, refusals, limits, events and functions by name."""

from __future__ import annotations

from typing import Any

from nomicgit.ground.problems import Defect, Refused
from nomicgit.ground.reasons import taken
from nomicgit.law.declaring import underscored
from nomicgit.physics.deeds import acting, limits, units
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.physics.words.blog import amending
from nomicgit.physics.words.drawing import shown_option
from nomicgit.physics.words.looking import text_of


def require(world: Transaction, condition: object, reason: str) -> None:
    """Refuse the unit under way unless a condition holds."""
    if not condition:
        raise Refused.of(taken(text_of(reason)))


def refuse(world: Transaction, why: object) -> None:
    """Refuse the unit under way where there is a reason."""
    if why:
        raise Refused.of(taken(text_of(why)))


def do(world: Transaction, action: str, actor: Any, /, **given: Any) -> object:
    """Another action as a step; of what is done for one player alone it must be theirs."""
    if world.bound and actor != world.bound:
        raise Refused.of(f"what is done for {world.bound} alone does nothing as {shown_option(world, actor)}")
    with world.bound_to(""):
        world.must_write()
        return acting.perform(world, action, actor, given)


def can(world: Transaction, action: str, actor: Any, /, **given: Any) -> str:
    """Nothing, or the refusal that an action would meet; in what is done for one player alone it must be theirs."""
    if world.bound and actor != world.bound:
        raise Refused.of(f"what is done for {world.bound} alone asks nothing as {shown_option(world, actor)}")
    return acting.why_not(world, action, actor, given)


def use(world: Transaction, limit: str, who: Any, *key: Any) -> None:
    """Use a limit once more, or refuse."""
    limits.use(world, limit, who, *_key(world, limit, key))


def may_use(world: Transaction, limit: str, who: Any, *key: Any) -> bool:
    """Whether a limit could be used once more."""
    return limits.why_not(world, limit, who, *_key(world, limit, key)) == ""


def used(world: Transaction, limit: str, who: Any, *key: Any) -> int:
    """How often a limit was used in its period."""
    return limits.used(world, limit, who, *_key(world, limit, key))


def _key(world: Transaction, limit: str, key: tuple[object, ...]) -> tuple[object, ...]:
    if key:
        return key
    world.note_step()
    return (world.steps[-1].action if world.steps else limit,)


def emit(world: Transaction, event: str, *arguments: object) -> None:
    """Let other rules hear of something."""
    world.must_write()
    units.emit(world, event, *arguments)


def settle(world: Transaction) -> None:
    """Run the settles now."""
    world.must_write()
    units.settle(world)


def deed(world: Transaction) -> dict[str, object]:
    """``{actor, action, with, matter}`` of the nearest step, or of the deed."""
    world.note_step()
    if not world.steps:
        return {"actor": None, "action": None, "with": {}, "matter": None}
    step = world.steps[-1]
    return {
        "actor": step.actor,
        "action": f"actions/{step.action}",
        "with": dict(step.given),
        "matter": step.matter,
    }


def asked(world: Transaction, parameter: str, otherwise: object = None) -> object:
    """A parameter of the step or deed under way."""
    world.note_step()
    return world.steps[-1].given.get(underscored(parameter), otherwise) if world.steps else otherwise


def call(world: Transaction, function: str, /, *arguments: object, **named: object) -> object:
    """A function by its name."""
    plain = underscored(function)
    law = world.running if world.running is not None and world.running.has(plain) else world.law
    if not law.has(plain):
        raise Defect.of(f"no rule in force defines {plain}")
    return world.call_under(law, plain, *arguments, **named)


def perform(world: Transaction, code: object, /, **given: object) -> object:
    """Run a value of type mechanics as a function's body, with these parameters."""
    if code is None or code == "":
        return None
    return amending().perform(world, text_of(code), "the mechanics of a value", given)


def perform_as(world: Transaction, player: str, code: object, /, **given: object) -> object:
    """Run such a value with the power of one player: it reads what everybody sees, and writes by actions of theirs alone."""
    if world.store.fields(text_of(player)) is None or kind_of(player) != "players":
        raise Refused.of(f"there is no player {shown_option(world, player)}")
    if world.bound not in ("", player):
        raise Refused.of(
            f"what is done for {world.bound} alone does nothing as {shown_option(world, player)}"
        )
    with world.bound_to(player):
        return perform(world, code, **given)


def reveal(world: Transaction, ref: str, variable: str) -> object:
    """Tell everyone a secret value: a line in the journal; returns it."""
    world.must_write()
    value = reading.get(world, ref, variable)
    world.notes.append(f"Revealed: {variable} of {shown_option(world, ref)} is {shown_option(world, value)}.")
    return value
