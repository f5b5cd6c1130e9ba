"""What everyone sees of what is tried: the values that change, what is open to players, and what the views show."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.outlook import doings
from nomicgit.outlook.checks import opens_for
from nomicgit.physics.deeds.pipeline import born, effects
from nomicgit.physics.state import deriving, reading
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction

MOST_PLAYERS = 40  # that are asked what is open to them
MOST_PENDING = 50  # matters of which each view is looked at
MOST_SHOWN = worker.ANSWER // 8  # bytes of all views together, so that what they were and will be can be told
BROKEN = "broken: "
"""What stands before the reason why a view cannot be told."""


def changed_values(world: Transaction, since: int = 0, but: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What changes in the gamestate beside rules, scenarios and what posts say: ``{path, old, new, how}`` each, where how is
    ``made`` or ``gone`` (a whole thing, with all that it has, or had) or ``changed`` (one value).

    ``since``: by what came after the log was so long; ``but`` variables of these types, which note what was resolved.
    """
    new = [ref for ref in born(world, since) if kind_of(ref) != "scenarios"]
    public = [
        each
        for each in effects(world, made=new, since=since)
        if each["public"] and each["field"] not in doings.KEEPS and kind_of(each["ref"]) != "scenarios"
        if (of := world.law.variable(kind_of(each["ref"]), each["field"])) is None or of.type.kind not in but
    ]
    gone = doings.lost(world, public)
    come: dict[str, dict[str, Any]] = {ref: {} for ref in new}
    values = []
    for each in public:
        if (ref := each["ref"]) in come:
            come[ref] |= {} if kind_of(ref) == "posts" else {each["field"]: each["new"]}
        elif ref not in gone and kind_of(ref) != "posts":
            values.append({**{key: each[key] for key in ("path", "old", "new")}, "how": "changed"})
    values += [
        {"path": ref.replace("/", "."), "old": None, "new": has, "how": "made"} for ref, has in come.items()
    ]
    return values + [
        {"path": ref.replace("/", "."), "old": had, "new": None, "how": "gone"} for ref, had in gone.items()
    ]


def seen(world: Transaction, matter: str) -> dict[str, dict[str, Any]]:
    """What is open to players, and what all views show but those of the matter itself."""
    players = reading.roster(world, idle=True)[:MOST_PLAYERS]
    return {"actions": opens_for.open_to(world, players), "views": _views(world, players, matter)}


def _views(world: Transaction, players: Sequence[str], matter: str) -> dict[str, Any]:
    """What every view shows, by its name and what it is of."""
    pending = [ref for ref in reading.find(world, "posts", status="pending") if ref != matter][:MOST_PENDING]
    refs = {"game": ["game"], "player": players, "matter": pending}
    views: dict[str, Any] = {}
    left = MOST_SHOWN
    for (of, name), declared in world.law.declared.views.items():
        for ref in refs.get(of, ()):
            world.refuel()
            shown = name if ref == "game" else f"{ref.replace('/', '.')}.{name}"
            try:
                value = deriving.view(world, name, ref)
                left -= len(json.dumps(value))
                if left < 0:
                    raise Refused.of(
                        f"too much to be told: all views together may have {MOST_SHOWN} bytes",
                        rule=declared.rule,
                    )
                views[shown] = value
            except NomicError as error:
                views[shown] = f"{BROKEN}{error.problems[0].sentence}"
    return views


def differing_views(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The views that show another thing: ``{view, old, new}`` each."""
    return [
        {"view": name, "old": before.get(name), "new": after.get(name)}
        for name in sorted({*before, *after})
        if json.dumps(before.get(name), sort_keys=True) != json.dumps(after.get(name), sort_keys=True)
    ]
