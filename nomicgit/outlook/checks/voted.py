"""A matter as the law has it: submitted, voted for by everyone, and resolved as soon as may be. In a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.law.shapes import Change
from nomicgit.outlook import doings
from nomicgit.outlook.checks.prospective import open_to_all
from nomicgit.outlook.checks.sights import changed_values
from nomicgit.outlook.checks.very_deed import WAITS
from nomicgit.physics.deeds import acting, clockwork
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Transaction

NOT_ENACTED = "though all vote for it, it is not enacted within a week"


class Matter(Struct, frozen=True):
    """What is tried: as a matter would bring it."""

    title: str
    body: str
    tags: Sequence[str]
    changes: Sequence[Change]
    kind: str = "proposal"
    instead: str = (
        ""  # the pending post that it is already, or would be after an edit: it does not stand beside that
    )


def as_the_law_has_it(world: Transaction, matter: Matter, author: str | None) -> dict[str, Any]:
    """What comes of it when it is submitted, everyone votes for it, and it is resolved as soon as may be.

    Keys: ``refused`` (why nobody, or not ``author``, can submit it now, or ""), ``enacted``, ``notes`` of the
    resolution: changes that the law does not make, for want of a tag, say.
    """
    world = open_to_all(world)
    done: dict[str, Any] = worker.run(lambda: _played(world.under(trusted=True), matter, author))
    return done


def take_out(world: Transaction, matter: Matter) -> None:
    """Let the pending post rest that a matter is already, or would be."""
    if matter.instead:
        writing.write(world, matter.instead, "posts", "status", "failed")


def _played(world: Transaction, matter: Matter, author: str | None) -> dict[str, Any]:
    given = {
        "title": matter.title,
        "body": matter.body,
        "tags": list(matter.tags),
        "changes": list(matter.changes),
    }
    action = world.law.declared.actions.get("propose" if matter.kind == "proposal" else matter.kind)
    if action is None:
        return {
            "refused": f"no rule in force declares how to submit a {matter.kind}",
            "enacted": False,
            "notes": [],
        }
    given = {key: value for key, value in given.items() if key in action.parameters}
    take_out(world, matter)
    authors = [f"players/{author}"] if author else reading.roster(world)
    for ref in reading.find(world, "posts", status="pending"):
        if author is None:
            writing.write(world, ref, "posts", "status", "failed")
    why = "there is nobody"
    for each in authors:
        try:
            made = acting.perform(world, action.name, each, given)
            break
        except NomicError as error:
            why = error.problems[0].what
    else:
        return {"refused": why, "enacted": False, "notes": []}
    return {"refused": "", **resolved(world, str(made))}


def resolved(world: Transaction, matter: str) -> dict[str, Any]:
    """The enactment of a matter for which everyone votes, with nothing else pending, as soon as the law lets anybody.

    Within a week.
    """
    for ref in reading.find(world, "posts", status="pending"):
        if ref != matter:
            writing.write(world, ref, "posts", "status", "failed")
    for voter in reading.roster(world):
        _try(world, "vote", voter, {"matter": matter, "icon": "for"})
    began, resolvers = world.now, dict.fromkeys([*reading.admins(world), *reading.roster(world)])
    for wait in WAITS:
        world.refuel()
        clockwork.catch_up(world, began + wait)
        world.now = world.cast_at = began + wait
        world.parent_law = world.law
        for resolver in resolvers:
            world.notes, world.draws, before = [], [], len(world.store.log)
            if _try(world, "resolve", resolver, {"matter": matter, "as": "enacted"}):
                return {
                    "enacted": reading.get(world, matter, "status") == "enacted",
                    "notes": list(world.notes),
                    "chance": bool(world.draws),
                    "gifts": changed_values(world, before, ("post", "matter")),
                    "dice": list(doings.thrown(world.draws, "")),
                }
    return {"enacted": False, "notes": [], "chance": False, "gifts": [], "dice": []}


def _try(world: Transaction, action: str, actor: str, given: Mapping[str, Any]) -> bool:
    """Whether an action is done, with what of this its law takes."""
    declared = world.law.declared.actions.get(action)
    taken = {name: value for name, value in given.items() if declared is None or name in declared.parameters}
    world.refuel()
    try:
        acting.perform(world, action, actor, taken)
    except NomicError:
        return False
    return True
