"""What a rehearsal notes beside what a scenario expects: what did not happen, and why; and what a deed has done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nomicgit.ground.problems import Defect, Refused
from nomicgit.law import paths
from nomicgit.physics.deed import NOT_ENACTED, Failure
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import naming
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import say

MANY = 6  # changes of a deed, of which the rest are counted


def failed(lines: Iterable[str]) -> Iterator[str]:
    """Those lines of a journal that say that something did not happen."""
    return (line for line in lines if isinstance(line, Failure) or line.startswith(NOT_ENACTED))


def broken(world: Transaction, path: str) -> Iterator[str]:
    """What is defective of that which says what is open to somebody, where a path looks at that."""
    head, *rest = paths.segments(path)
    if head != "actions" or not rest:
        return
    who = f"players/{naming.player_id(world, rest[0]) or rest[0]}"
    for action in world.law.declared.actions.values():
        with world.asking():
            before = len(world.notes)
            try:
                if not acting.who_bars(world, action, who):
                    acting.guards(world, action, who, None)
                    acting.opening(world, action, who)
            except Defect as error:
                yield Failure(
                    f"what says whether {action.name} is open is defective: {error.problems[0].sentence}"
                )
            except Refused:
                pass  # it says that it is not
            yield from world.notes[before:]


def done(effects: Sequence[Mapping[str, Any]]) -> str:
    """What a deed has done, for who expected that it would do nothing."""
    said = [_said(effect) for effect in effects]
    more = [f"{len(said) - MANY} more changes"] if len(said) > MANY else []
    return f"it {', '.join(said[:MANY] + more)}" if said else "it changed nothing"


def _said(effect: Mapping[str, Any]) -> str:
    match effect["field"]:
        case "created":
            return f"made {effect['ref']}"
        case "destroyed":
            return f"took {effect['ref']} away"
        case "comments":
            return f"changed the comments of {effect['ref']}"
        case "text" | "place" if str(effect["ref"]).startswith("rules/"):
            return f"changed the {effect['field']} of {effect['ref']}"
        case field:
            return f"changed {field} of {effect['ref']} from {say(effect['old'])} to {say(effect['new'])}"
