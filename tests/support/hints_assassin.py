"""What an assassin does next: hints for random play that bring a game on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.hints_core import CORE, DAY, Given, Hint, active, commoners, crown, head, ids, some
from support.randomly import RandomPlay

ARMED = ("Bomb", "Whistle", "Cloak", "Candle", "Throwing Knife")
PLACES = ("A1", "A2", "B2", "D6", "G7")
"""Two neighbours, and three Buildings that do something."""


def order(play: RandomPlay, world: Transaction, parameter: str) -> Any:
    kind = world.law.declared.actions["note"].parameters[parameter]
    return play.value(world, kind, parameter)


def near(play: RandomPlay, world: Transaction, actor: str, given: Any) -> Any:
    """An order that has its place where its sender is, as often as not."""
    where = reading.get(world, f"players/{actor}", "position")
    return given | {"location": where.partition("/")[2]} if "location" in given and where else given


def note(play: RandomPlay, world: Transaction, actor: str) -> Given:
    sender = some(play, commoners(world))
    if sender is None or "note" not in world.law.declared.actions:
        return None
    orders = {"street": order(play, world, "street"), "urchin": order(play, world, "urchin")}
    if play.random.random() < 0.5:
        orders.pop(play.random.choice(list(orders)))
    return {"actor": sender, **{part: near(play, world, sender, what) for part, what in orders.items()}}


def toll(play: RandomPlay, world: Transaction, actor: str) -> Given:
    play.at += 2 * DAY
    return {"actor": head(world)} if head(world) else None


def assign_target(play: RandomPlay, world: Transaction, actor: str) -> Given:
    free = [n for n in commoners(world) if not reading.get(world, f"players/{n}", "target")]
    return {"actor": head(world), "player": some(play, free)} if head(world) and free else None


def ascend(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """A new dynasty that keeps every rule of the old one."""
    crown(play, world)
    lead = head(play.game.world())
    kept = [placed.slug for placed in world.ruleset.rules if placed.section == "dynastic"]
    return {"actor": lead, "theme": "Night", "keep": kept} if lead else None


def propose(play: RandomPlay, world: Transaction, actor: str) -> Given:
    points = {"set": {f"players.{some(play, commoners(world))}.points": play.random.randrange(8)}}
    gone = {"set": {f"players.{some(play, commoners(world))}.wanted": False}}
    return {"actor": some(play, active(world)), "title": "Old debts", "changes": [points, gone]}


def resign_admin(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, ids(reading.admins(world)))}


PREFER: Mapping[str, Hint] = {
    **CORE, "note": note, "toll-the-bell": toll, "assign-target": assign_target,
    "ascend": ascend, "propose": propose, "resign-admin": resign_admin,
}  # fmt: skip


def town() -> dict[str, Any]:
    """Values by which every Gadget is carried and everybody is close to somebody."""
    names = ["ben", "cy", "dee", "eli", "fay", "gus", "hal"]
    return {
        f"players.{name}.{field}": value
        for n, name in enumerate(names)
        for field, value in (("position", PLACES[n % 5]), ("gadget", ARMED[n % 5]), ("alertness", "Alert"))
    }
