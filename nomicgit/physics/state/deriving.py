"""What the law works out where somebody looks: derived values and views, remembered until something is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.ground.problems import Defect, Problem
from nomicgit.law.values import lawful
from nomicgit.law.variables import MISSING, Variable
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction

RESOLVED = ("enacted", "failed")
MAPS = frozenset({"tally", "verdict", "reasons"})
"""The views of a matter in whose answers the program looks further."""


def derived(world: Transaction, ref: str, variable: Variable) -> object:
    """A derived value: computed on reading, remembered until the next write."""
    frozen = _frozen(world, ref, variable.name)
    if frozen is not MISSING:
        return lawful(world, variable.type, frozen)
    return remembered(world, (ref, variable.name), lambda: world.ask(variable.derived, ref))


def remembered(world: Transaction, key: tuple[str, str], compute: Callable[[], object]) -> object:
    """What a reading function answers, remembered with what it looked at until something is written, or time moves."""
    stamp = (world.store.version << 41) + (world.now << 1) + bool(world.counting)  # one number of three
    known = world.memories.answers.get(key)
    if (
        known is not None
        and known[0] == stamp
        and not ((known[2].never and world.timing) or (known[2].secret and world.bound))
    ):
        world.note_frame(known[2])
        world.store.looked |= known[2].secret
        world.store.met |= known[2].met
        world.store.never |= known[2].never
        return known[1]
    if key in world.computing:
        raise Defect.of(f"{key[1]} of {key[0]} is derived from itself")
    world.computing.add(key)
    looked, never, met = world.store.looked, world.store.never, world.store.met
    world.store.looked, world.store.never, world.store.met = False, False, set()
    world.reading += 1  # nothing may be written or drawn meanwhile
    try:
        with world.recording() as frame:
            answer = compute()
            frame.secret, frame.never = world.store.looked, world.store.never
            frame.met = world.store.met
    finally:
        world.reading -= 1
        world.computing.discard(key)
        world.store.looked |= looked
        world.store.never |= never
        world.store.met = met | world.store.met
    if not frame.passing:
        world.memories.answers[key] = (stamp, answer, frame)
    return answer


def shown(world: Transaction, name: str, arity: int, /, *arguments: object, **named: object) -> object:
    """What a view says to the law itself: remembered, as for those who look from outside."""
    law = world.running or world.law
    plain = not named and len(arguments) == arity and all(isinstance(each, str) for each in arguments)
    if law is not world.law or not plain:
        return world.call_under(law, name, *arguments, **named)
    key = ("view " if world.viewing else "shown ") + name  # apart: a view that all may see reads no secrets
    return remembered(
        world, (str(arguments[0]) if arguments else "game", key), lambda: world.call(name, *arguments)
    )


def _frozen(world: Transaction, ref: str, name: str) -> object:
    if not ref.startswith("posts/") or world.store.value(ref, "status") not in RESOLVED:
        return MISSING
    frozen = world.store.value(ref, "frozen")
    return frozen.get(name, MISSING) if isinstance(frozen, dict) else MISSING


def view(world: Transaction, name: str, ref: str = "game") -> Any:
    """What a view shows; None where no rule in force declares it."""
    of = {"posts": "matter", "players": "player"}.get(kind_of(ref), kind_of(ref))
    hook = world.law.declared.views.get((of, name))
    if hook is None:
        return None
    frozen = _frozen(world, ref, name)
    if frozen is not MISSING:
        return frozen
    arguments = () if of == "game" else (ref,)
    world.viewing += 1
    try:
        answer = remembered(world, (ref, "view " + name), lambda: world.ask(hook.function, *arguments))
    finally:
        world.viewing -= 1
    if of == "matter" and name in MAPS and not isinstance(answer, Mapping | None):
        raise Defect(world.law.place(Problem(f"{name} answers no map"), hook.function))
    return answer
