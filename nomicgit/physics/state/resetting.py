"""Values put back to their defaults, and those that are no values any more. Source: Words, in ``docs/mechanics.md``."""

from __future__ import annotations

from typing import Any

from nomicgit.ground.problems import Defect, Refused
from nomicgit.law.values import keep, lawful
from nomicgit.law.variables import MISSING, Variable
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Transaction

ONLY = ("", "illegal", "secret")


def reset(world: Transaction, ref: Any, only: str = "") -> list[str]:
    """Declared variables to their defaults; returns their names.

    These are all that are not permanent, or of them those that are secret until a dynasty ends, or those now illegal or missing.
    """
    world.must_write()
    kind = writing.writable(world, ref)
    names = []
    for declared in world.law.by_kind.get(kind, ()):
        if declared.derived or declared.transient or (only != "illegal" and declared.permanent):
            continue
        if only == "illegal" and not illegal(world, ref, declared):
            continue
        if only == "secret" and (declared.tracked != "secret" or declared.attributes.get("opens") == "never"):
            continue
        if only not in ONLY:
            raise Defect.of("reset: only may be illegal, or secret")
        if only == "secret" and not declared.type.default_by:
            if world.store.value(ref, declared.name) is not MISSING:  # what stands nowhere lives on nowhere
                world.store.put(ref, declared.name, MISSING)
        else:
            restart(world, ref, declared)
        names.append(declared.name)
    return names


def restart(world: Transaction, ref: str, declared: Variable) -> None:
    """Put a variable to its default of now, unfiltered."""
    if declared.type.default_by:
        value = keep(world, declared.type, world.ask(declared.type.default_by, ref))
    else:
        value = reading.given(world.law, ref, declared)
    writing.store(world, ref, declared.name, value)


def illegal(world: Transaction, ref: str, declared: Variable) -> str:
    """Why the stored value of a variable is no value of it now, or nothing."""
    kept = world.store.value(ref, declared.name)
    if kept is MISSING or (kept is None and declared.type.nullable):
        return ""
    try:
        if keep(world, declared.type, kept, null=declared.type.nullable) != kept:
            return "it is not as it should be written"
    except Refused as error:
        return error.answered().problems[0].what
    if declared.legal:
        return world.judge(declared.legal, ref, lawful(world, declared.type, kept))
    return ""
