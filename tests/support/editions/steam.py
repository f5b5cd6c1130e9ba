"""The edition steam at play: how it is practised, and its table for repeals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from support.hints_core import DAY
from support.hints_steam import PREFER, RESOURCES, opening
from support.practice import WHISPER, Practice, Silence, founding
from support.randomly import RandomPlay
from support.repealing import Table

START = clock.instant("2010-09-06T08:00:00Z")
"""A Monday, after the hour at which the Invaders spread."""
MOVING = ("transfer", "agree-trade")
CHANGING = frozenset(
    "scavenge invent dismantle use-cog-mold use-furnace use-hydraulics use-hyper-pressuriser use-wheels use-steamwagon "
    "use-retort use-observatory hitchhike choose-storage resolve-raids wage-war dismantle-sentry-tower admit leave "
    "resolve".split()
)
"""Actions that make or use up Resources, bring or take somebody who has some, or lower a Cap."""


def amounts(world: Transaction) -> Counter[str]:
    """How much of each Resource there is, with whomever."""
    everyone = reading.roster(world, idle=True)
    return Counter({r: sum(reading.get(world, p, r) for p in everyone) for r in RESOURCES})


def capped(world: Transaction, resource: str) -> bool:
    """Whether somebody stands at a Cap."""
    caps = (200, 350) if resource == "coal" else (50,)
    return any(reading.get(world, p, resource) in caps for p in reading.roster(world, idle=True))


@contextmanager
def resources_come_from_somewhere(play: RandomPlay, name: str, given: Mapping[str, Any]) -> Iterator[None]:
    """Resources come from somewhere and go somewhere."""
    before, done = amounts(play.game.world()), play.accepted[name]
    yield
    after = amounts(play.game.world())
    if play.accepted[name] == done:
        assert after == before, f"refused, and yet: {name} {given}"
    elif name in MOVING:
        lost = [r for r in RESOURCES if after[r] != before[r] and not capped(play.game.world(), r)]
        assert after <= before, f"{name} {given}: {before} became {after}"
        assert not lost, f"{name} {given}: {before} became {after}"
    elif name not in CHANGING:
        assert after == before, f"{name} {given}: {before} became {after}"


def reached(world: Transaction, steps: int) -> set[str]:
    """The Counties within so many borders of Kent."""
    found = {"counties/Kent"}
    for _ in range(steps):
        found |= {str(n) for county in found for n in reading.get(world, county, "neighbours")}
    return found


def silence(game: Game) -> Silence:
    """The Invaders spread every Monday, and fewer billboards are needed every Thursday."""
    mondays = [START - 8 * 3600 + 7 * DAY * n for n in range(1, 5)]
    thursdays = [START + 4 * 3600 + 3 * DAY + 7 * DAY * n for n in range(4)]

    def holds(silent: Game, late: Game) -> None:
        for number, monday in enumerate(mondays, 1):
            held = set(reading.find(silent.looked_at(monday), "counties", occupied=True))
            assert held == reached(late.world(), number)
        assert reading.get(late.world(), "game", "billboards_needed") == 8 - len(thursdays)
        assert set(reading.find(late.world(), "counties", occupied=True)) == reached(
            late.world(), len(mondays)
        )

    return Silence(sorted(mondays + thursdays), START + 30 * DAY, holds)


PRACTICE = Practice(
    "steam",
    sealed=founding(START),
    real=founding(START),
    prefer=PREFER,
    silence=silence,
    seeds=(1, 2),
    opening=opening,
    whispers=[
        ("cy", "tell", {"to": "emperor", "text": f"raid for {WHISPER}"}),
        ("cy", "tell", {"to": "emperor", "text": "Boo."}),
        ("cy", "tell", {"to": "dee", "text": WHISPER}),
        ("cy", "raid", {}),
    ],
    around=[resources_come_from_somewhere],
)

# ---- the table for repeals

ECONOMY = frozenset({"commoners-economy"})
WAR = frozenset({"inventions", "rivet-gun", "you-can-run-but-you-can-t-hide", "invasion", "regalia-actions"})

TABLE = Table(
    "steam",
    "2010-09-06T08:00:00Z",
    voters=("ben", "dee", "eli"),
    state={
        "players": {
            "ben": {"uncapped": ["iron"], "iron": 60},
            "cy": {"coal": 90, "iron": 9, "cogs": 9, "gems": 9},
            "dee": {"coal": 300},
            "eli": {"workshop": "Dirigible", "county": "Devon"},
        },
        "inventions": {
            "i1": {"owner": "cy", "parts": ["Rivet Gun"]},
            "i2": {"owner": "cy", "parts": ["Rivet Gun"]},
            "i3": {"owner": "ben", "parts": ["Storage Drawer"], "attached": True},
            "i4": {"owner": "dee", "parts": ["Crest of the Mad Prince", "Coal Hopper"], "attached": True},
            "i5": {"owner": "dee", "parts": ["Billboard", "Flame Vent"], "billboard_county": "Kent"},
            "i6": {
                "owner": "eli",
                "parts": ["Wings", "Hydrogen Distillery", "Teak Panelling"],
                "attached": True,
            },
        },
        "trade_routes": {
            "iron": {"path": ["Devon", "Dorset"]},
            "coal": {"path": ["Devon", "Dorset", "Kent"]},
        },
    },
    going_on=[
        ({"at": "+14h", "by": "cy", "act": "scavenge", "with": {"items": ["iron", "wood"]}}, ECONOMY),
        ({"by": "cy", "act": "transfer", "with": {"to": "dee", "resources": {"gems": 1}}}, ECONOMY),
        (
            {"by": "cy", "act": "invent", "with": {"parts": ["Cog Mold"]}},
            ECONOMY | {"inventions", "cog-mold"},
        ),
        (
            {"by": "cy", "act": "dismantle", "with": {"invention": "i2"}},
            ECONOMY | {"inventions", "rivet-gun"},
        ),
        (
            {
                "by": "cy",
                "act": "offer-trade",
                "with": {"section": "one-time", "sought": {"coal": 1}, "offered": {"iron": 1}},
            },
            ECONOMY | {"trading"},
        ),
        (
            {"by": "cy", "act": "declare-allegiance", "with": {"allegiance": "Loyalist"}},
            frozenset({"invasion"}),
        ),
        ({"by": "cy", "act": "raid"}, frozenset({"raiding"})),
        ({"by": "cy", "act": "wage-war", "with": {"weapon": "i1"}}, ECONOMY | WAR),
        ({"by": "ana", "act": "resolve-raids"}, frozenset({"raiding"})),
        ({"at": "+40d", "by": "fay", "join": True, "expect": {"players.fay.active": True}}, frozenset()),
    ],
    later=40 * 24 + 1,
)
