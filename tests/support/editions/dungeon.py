"""The edition dungeon at play: how it is practised, and its table for repeals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from support.hints_core import DAY, decree
from support.hints_dungeon import PREFER, opening
from support.practice import Practice, Silence, act, founding
from support.randomly import RandomPlay
from support.repealing import Table

START = clock.instant("2010-03-01T08:00:00Z")
AMULET = "Amulet of Yendor"
FREE = frozenset("fight quaff escape choose-role resolve leave janitor undo".split())
"""Actions that may use up or bring any number of items."""
COUNTS = {
    "trade-for-item": {-3, -1}, "trade-for-treasure": {-1}, "eat": {-1}, "use-camera": {-1}, "find-stairs": {0, 1, 2}, "loot-room": {0, 1},
}  # fmt: skip
"""By how many each other action changes the number of items; by none where it does not stand here.

An Amulet that is gone besides was its holder's who died.
"""
RETURNING = ("unidle", "resolve", "undo", "pass-mantle")
"""By these, somebody comes back with an Amulet who was idle or the emperor while another took it."""


def items(world: Transaction) -> int:
    """How many items there are, held or lying about."""
    inventories = [reading.get(world, p, "inventory") for p in reading.roster(world, idle=True)]
    lying = [reading.get(world, place, "items") for place in reading.find(world, "loot")]
    return sum(sum(inventory.values()) for inventory in inventories) + sum(len(heap) for heap in lying)


def amulets(world: Transaction, holders: Sequence[str]) -> int:
    """How many Amulets these hold."""
    return sum(reading.get(world, p, "inventory").get(AMULET, 0) for p in holders)


def dwellers(world: Transaction) -> list[str]:
    """Those whose Amulet nobody else can take: the active players but the emperor."""
    return [p for p in reading.roster(world) if p != reading.emperor(world)]


@contextmanager
def items_come_from_somewhere(play: RandomPlay, name: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Items come from somewhere and go somewhere, and there is one Amulet at most."""
    world, done = play.game.world(), play.accepted[name]
    before, there = items(world), amulets(world, reading.roster(world, idle=True))
    held = amulets(world, dwellers(world))
    yield
    world = play.game.world()
    after, gone = items(world), max(0, there - amulets(world, reading.roster(world, idle=True)))
    expected = {0} if play.accepted[name] == done else COUNTS.get(name, {0})
    come = {after - before, after - before + gone}
    assert come & expected or name in FREE, f"{name} {given}: {before} became {after}"
    assert amulets(world, dwellers(world)) <= max(1, held) or name in RETURNING


NEWT = {"name": "newt", "hp": 9, "dice": 1, "sides": 1}


AFFLICTED = {"ben": ["Conf"], "cy": ["Stun"], "dee": ["Slime"], "eli": ["Conf", "Slime"]}


def silence(game: Game) -> Silence:
    """An encounter closes in, statuses wear off and slime kills, each at its own time."""
    play = RandomPlay(game, 1, START)
    given = {f"players.{name}.status": statuses for name, statuses in AFFLICTED.items()}
    decree(play, game.world(), {"set": given})
    newts = {"title": "[Encounter] Newts", "floor": 1, "monsters": [NEWT]}
    act(game, "ana", "create-monsters", newts, START + 60)
    world = game.world()
    worn = {
        n: clock.instant(reading.get(world, f"players/{n}", "wears_off_at")) for n in ("ben", "cy", "eli")
    }
    if worn["eli"] >= START + 3 * DAY:
        del worn["eli"]  # the slime takes what is on them before, as the dice fall

    def holds(silent: Game, late: Game) -> None:
        assert not [at for name, at in worn.items() if not _wears_off(silent, name, at)]
        assert _mode(silent, START + 59 + DAY) == "ranged"
        assert _mode(silent, START + 60 + DAY) == "melee"
        assert _deaths(silent, START + 3 * DAY - 1) == {"dee": 1, "eli": 1}
        assert _deaths(silent, START + 3 * DAY) == _deaths(late, late.last()) == {"dee": 2, "eli": 2}

    return Silence(sorted([*worn.values(), START + 60 + DAY, START + 3 * DAY]), START + 30 * DAY, holds)


def _wears_off(game: Game, name: str, at: int) -> bool:
    """Whether a status that passes is there just before a time, and not any more then."""
    lines = [reading.get(game.looked_at(t), f"players/{name}", "status") for t in (at - 1, at)]
    return [bool({"Conf", "Stun"} & set(line)) for line in lines] == [True, False]


def _mode(game: Game, at: int) -> str:
    return str(reading.get(game.looked_at(at), "encounters/e1", "mode"))


def _deaths(game: Game, at: int) -> dict[str, int]:
    return {name: reading.get(game.looked_at(at), f"players/{name}", "deaths") for name in ("dee", "eli")}


PRACTICE = Practice(
    "dungeon",
    sealed=founding(START),
    real=founding(START),
    prefer=PREFER,
    silence=silence,
    seeds=(2, 1),
    opening=opening,
    around=[items_come_from_somewhere],
)

# ---- the table for repeals

RATS = {"title": "Rats", "floor": 1, "monsters": [{"name": "rat", "hp": 1, "dice": 1, "sides": 1}]}
ARMED = {"inventory": {"mace": 1}, "wielded": ["mace"], "status": ["Conf"], "hp": 90, "kills": 2}

TABLE = Table(
    "dungeon",
    "2010-03-01T00:00:00Z",
    by="ana",  # an emperor's proposal brings no treasure
    state={
        "players": {
            "ben": ARMED,
            "cy": {"inventory": {"Unidentified Potion": 2, "robe": 2}, "worn": ["robe"], "hp": 90},
            "dee": {"must_fight": "eli", "hp": 1},
        },
        "encounters": {"e1": {"floor": 1, "mode": "melee"}},
        "monsters": {"newt": {"name": "newt", "encounter": "e1", "hp": 90, "dice": 1, "sides": 4}},
    },
    going_on=[
        ({"by": "ben", "act": "fight", "with": {"monster": "newt"}}, frozenset({"combat", "monsters"})),
        ({"by": "dee", "act": "fight", "with": {"player": "eli"}}, frozenset({"combat"})),
        ({"by": "ben", "act": "find-stairs", "with": {"choice": "increase"}}, frozenset({"dungeon"})),
        ({"by": "eli", "act": "loot-room", "with": {"choice": "treasure"}}, frozenset({"random-loot"})),
        (
            {"by": "cy", "act": "quaff", "with": {"potion": "Unidentified Potion"}},
            frozenset({"potions", "stats-and-equipment", "inventory"}),
        ),
        ({"by": "eli", "act": "choose-role", "with": {"role": "Rogue"}}, frozenset({"roles"})),
        ({"at": "+62h", "by": "eli", "act": "rest"}, frozenset({"eating-and-resting"})),
        ({"by": "ana", "act": "create-monsters", "with": RATS}, frozenset({"monsters"})),
    ],
    later=63,
)
