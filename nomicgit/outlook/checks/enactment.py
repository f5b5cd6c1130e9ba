"""What enactment would do: changes tried on a scratch copy of a game, as if they were enacted now.

Everything here runs in a worker, for nobody has enacted these mechanics yet; what comes back is plain data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.law.shapes import Change
from nomicgit.physics.deeds import acting, amending, clockwork, matters
from nomicgit.physics.deeds.pipeline import effects
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

MOST_PLAYERS = 40  # that are asked what is open to them
MOST_PENDING = 50  # matters whose changes are tried beside
HOUR = 3600
WAITS = tuple(hours * HOUR for hours in (0, 1, 6, 12, 13, 24, 25, 36, 48, 49, 72, 96, 120, 144, 168))
NOTHING = "nothing to do"
NOT_ENACTED = "though all vote for it, it is not enacted within a week"


@dataclass(frozen=True, slots=True)
class Matter:
    """What is tried: as a matter would bring it."""

    title: str
    body: str
    tags: Sequence[str]
    changes: Sequence[Change]
    kind: str = "proposal"


def tried(world: Transaction, matter: Matter) -> dict[str, Any]:
    """What the changes of a matter do, tried in a worker. The world stays as it is.

    Keys: ``made`` ("" for each change that is made, else why not), ``texts`` (all rule files after it),
    ``values``, ``actions``, ``views``, ``pending``, ``after_pending``, ``scenarios``, ``notes``.
    """
    found: dict[str, Any] = worker.run(lambda: _tried(world.under(trusted=True), matter))
    return found


def as_the_law_has_it(world: Transaction, matter: Matter, author: str | None) -> dict[str, Any]:
    """What comes of it when it is submitted, everyone votes for it, and it is resolved as soon as may be.

    Keys: ``refused`` (why nobody, or not ``author``, can submit it now, or ""), ``enacted``, ``notes`` of the
    resolution: changes that the law does not make, for want of a tag, say.
    """
    found: dict[str, Any] = worker.run(lambda: _played(world.under(trusted=True), matter, author))
    return found


def foretold(world: Transaction, ref: str) -> dict[str, Any]:
    """What would become of a pending matter's changes, were it enacted now, tried in a worker.

    Keys: ``changes`` ({change, outcome, why} each; the outcome is applied, nothing or skipped), ``law`` (what the law
    would say beside, when everyone votes for it and it is resolved as soon as may be).
    """
    found: dict[str, Any] = worker.run(lambda: _foretold(world.under(trusted=True), ref))
    return found


def _foretold(world: Transaction, ref: str) -> dict[str, Any]:
    with world.asking():
        whys = _carried(world, ref)
    found = _resolved(world, ref)
    known = {why for why in whys if why}
    law = [n for n in found["notes"] if amending.IDLE not in n and not any(why in n for why in known)]
    return {
        "changes": [_fate(number, why) for number, why in enumerate(whys, 1)],
        "law": law if found["enacted"] else [NOT_ENACTED],
    }


def _fate(number: int, why: str) -> dict[str, Any]:
    idle = why.startswith(f"{NOTHING}: ")
    outcome = "nothing" if idle else "skipped" if why else "applied"
    return {"change": number, "outcome": outcome, "why": why.removeprefix(f"{NOTHING}: ")}


def _tried(world: Transaction, matter: Matter) -> dict[str, Any]:
    ref = writing.say(
        world, matter.kind, matter.title, matter.body, tags=list(matter.tags), changes=list(matter.changes)
    )
    world.store.forget()
    world = Transaction(world.position, world.context, world.chance, now=world.now)
    start, before = world.mark(), _seen(world, ref)
    pending = [each for each in reading.find(world, "posts", status="pending") if each != ref][:MOST_PENDING]
    alone = {each: _carried(world, each) for each in pending}
    after_pending = _carried(world, ref)
    world.back(start)
    made = _carried(world, ref)
    notes, values, texts = list(world.notes), _values(world), world.ruleset.texts
    scenarios = {
        name: world.store.value(f"scenarios/{name}", "text") for name in world.store.ids("scenarios")
    }
    after = _seen(world, ref)
    beside = {each: _carried(world, each) for each in pending}
    return {
        "made": made, "texts": texts, "values": values,
        "actions": _openings(before["actions"], after["actions"]), "views": _differences(before["views"], after["views"]),
        "pending": [_beside(world, each, alone[each], beside[each]) for each in pending if alone[each] != beside[each]],
        "after_pending": after_pending, "scenarios": scenarios, "notes": notes,
    }  # fmt: skip


def _carried(world: Transaction, matter: str) -> list[str]:
    """What becomes of each change of a matter: nothing, why it is not made, or that there is nothing to do."""
    found = []
    for change in matters.changes(world, matter):
        world.refuel()
        noted = len(world.notes)
        why = amending.apply(world, change)
        idle = next((note for note in world.notes[noted:] if amending.IDLE in note), "")
        found.append(why or (f"{NOTHING}: {idle.partition(amending.IDLE)[2]}" if idle else ""))
    return found


def _values(world: Transaction) -> list[dict[str, Any]]:
    """What changes in the gamestate beside rules, posts and scenarios."""
    return [
        {"path": each["path"], "old": each["old"], "new": each["new"]}
        for each in effects(world)
        if each["public"] and not each["ref"].startswith(("posts/", "scenarios/"))
    ]


def _beside(world: Transaction, ref: str, alone: Sequence[str], beside: Sequence[str]) -> dict[str, Any]:
    """A pending matter whose changes fare otherwise once this one is enacted."""
    worse = [why for was, why in zip(alone, beside, strict=True) if why not in (was, "")]
    void = all(why != "" for why in beside)
    return {
        "post": int(ref.partition("/")[2]), "title": reading.get(world, ref, "title"), "void": void,
        "before": list(alone), "after": list(beside), "why": list(dict.fromkeys(worse)),
    }  # fmt: skip


# ---- what everyone sees


def _seen(world: Transaction, matter: str) -> dict[str, dict[str, Any]]:
    players = reading.roster(world, idle=True)[:MOST_PLAYERS]
    return {"actions": _open_to(world, players), "views": _views(world, players, matter)}


def _open_to(world: Transaction, players: Iterable[str]) -> dict[str, dict[str, str]]:
    """For every action in force and every player: nothing, or why it is not open to them."""
    found: dict[str, dict[str, str]] = {}
    for player in players:
        for action in world.law.declared.actions.values():
            world.refuel()
            try:
                why = acting.bar(world, action, player)
            except NomicError as error:
                why = error.problems[0].what
            found.setdefault(action.name, {})[bare(world, player)] = why
    return found


def _openings(
    before: Mapping[str, Mapping[str, str]], after: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """The actions that open or close, and for whom."""
    found = []
    for name in sorted({*before, *after}):
        was, now = before.get(name, {}), after.get(name, {})
        opens = [player for player, why in now.items() if not why and was.get(player, "x")]
        closes = {
            player: now.get(player, "no rule declares it")
            for player, why in was.items()
            if not why and now.get(player, "x")
        }
        if opens or closes or (name in before) != (name in after):
            how = "new" if name not in before else "gone" if name not in after else ""
            found.append({"action": name, "how": how, "opens": opens, "closes": closes})
    return found


def _views(world: Transaction, players: Sequence[str], matter: str) -> dict[str, Any]:
    """What every view shows, by its name and what it is of."""
    pending = [ref for ref in reading.find(world, "posts", status="pending") if ref != matter][:MOST_PENDING]
    refs = {"game": ["game"], "player": players, "matter": pending}
    found: dict[str, Any] = {}
    for of, name in world.law.declared.views:
        for ref in refs.get(of, ()):
            world.refuel()
            try:
                found[name if ref == "game" else f"{ref.replace('/', '.')}.{name}"] = reading.view(
                    world, name, ref
                )
            except NomicError as error:
                found[f"{ref}.{name}"] = f"broken: {error.problems[0].what}"
    return found


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"view": name, "old": before.get(name), "new": after.get(name)}
        for name in sorted({*before, *after})
        if json.dumps(before.get(name), sort_keys=True) != json.dumps(after.get(name), sort_keys=True)
    ]


# ---- as the law has it


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
    return {"refused": "", **_resolved(world, str(made))}


def _resolved(world: Transaction, matter: str) -> dict[str, Any]:
    """The enactment of a matter for which everyone votes, with nothing else pending, as soon as the law lets anybody.

    Within a week.
    """
    for ref in reading.find(world, "posts", status="pending"):
        if ref != matter:
            writing.write(world, ref, "posts", "status", "failed")
    for voter in reading.roster(world):
        _try(world, "vote", voter, {"matter": matter, "icon": "for"})
    began = world.now
    for wait in WAITS:
        world.refuel()
        clockwork.catch_up(world, began + wait)
        world.now = world.cast_at = began + wait
        world.parent_law = world.law
        for resolver in [*reading.admins(world), *reading.roster(world)]:
            world.notes = []
            if _try(world, "resolve", resolver, {"matter": matter, "as": "enacted"}):
                return {
                    "enacted": reading.get(world, matter, "status") == "enacted",
                    "notes": list(world.notes),
                }
    return {"enacted": False, "notes": []}


def _try(world: Transaction, action: str, actor: str, given: Mapping[str, Any]) -> bool:
    world.refuel()
    try:
        acting.perform(world, action, actor, given)
    except NomicError:
        return False
    return True
