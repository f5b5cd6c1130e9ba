"""A way to change the law stays open: whatever closes it is not enacted. Source: A law that bricks itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.gamestate.world import World
from nomicgit.problems import Refused
from nomicgit.ruleset import Ruleset

LAWLY = frozenset({"uphold", "scenario"})
"""Forms of change, besides those of rules, that leave the gamestate alone."""


def leave(world: World, before: Ruleset, mark: int, closings: int) -> None:
    """Undo the enactment of what leaves no way to change the law; refuse whatever else does so.

    Looked at is what has happened since the log had the length ``mark``, the law was ``before``, and so many
    matters had been closed. The finding is evidence of the deed; replay takes it as given.
    """
    if world.trusted or not (world.ruleset is not before or _moves(world, closings)):
        return
    from nomicgit.deeds import trial  # here: most deeds change no law, and a trial takes long to load

    new = trial.changed(before, world.ruleset)
    if not new and not _moves(world, closings):
        return
    name, told = trial.name_of(world.ruleset), world.told_evidence
    if not (trial.bricks(world, mark, new=new) if told is None else name in told.get("bricked", ())):
        return
    world.evidence.setdefault("bricked", []).append(name)
    if len(world.closings) == closings:
        raise Refused.of(trial.BRICKED)
    trial.undo_enactment(world, world.closings[closings])


def _moves(world: World, closings: int) -> bool:
    """Whether a matter enacted since brings changes of the gamestate: they can bar everyone from everything too."""
    return any(
        _of_state(change)
        for closing in world.closings[closings:]
        for change in world.store.value(closing.matter, "changes") or ()
    )


def _of_state(change: Any) -> bool:
    from nomicgit.deeds.amending import RULE_FORMS  # here, for the reason above

    forms = {*change} - LAWLY - RULE_FORMS if isinstance(change, Mapping) else set()
    return bool(forms & {"set", "player", "rename-player", "bar", "undo", "run", "together"})
