"""The edition assassin at play: how it is practised, and its table for repeals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.hints_assassin import PREFER, town
from support.practice import EIGHT, WHISPER, Practice, founding, never_due
from support.randomly import RandomPlay
from support.repealing import Table

FOUNDED = founding(clock.instant("2010-01-04T00:00:00Z"), EIGHT)


def nobody_is_in_ruins(world: Transaction) -> None:
    """What has exploded holds no building, and nobody."""
    if "locations" not in world.law.declared.collections:
        return
    ruins = reading.find(world, "locations", exploded=True)
    assert [place for place in ruins if reading.get(world, place, "building")] == []
    there = [reading.get(world, player, "position", None) for player in reading.roster(world)]
    assert [place for place in there if place in ruins] == []


@contextmanager
def a_toll_settles(play: RandomPlay, name: str, given: Mapping[str, Any]) -> Iterator[None]:
    """After a Toll there are no Notes, everybody is somewhere, and the map is as they are."""
    tolled = play.accepted["toll-the-bell"]
    yield
    if play.accepted["toll-the-bell"] == tolled:
        return
    world = play.game.world()
    assert reading.find(world, "notes") == []
    lead = reading.emperor(world)
    places = {reading.get(world, player, "position") for player in reading.roster(world) if player != lead}
    assert None not in places
    assert set(reading.find(world, "locations", occupied=True)) == places


PRACTICE = Practice(
    "assassin",
    sealed=FOUNDED,
    real=FOUNDED,
    prefer=PREFER,
    silence=never_due,
    seeds=(5,),
    secret=town(),
    undone=("assign-target", "toll-the-bell"),
    whispers=[
        ("cy", "tell", {"to": "dee", "text": WHISPER}),
        ("cy", "tell", {"to": "emperor", "text": WHISPER}),
        ("cy", "note", {"urchin": {"action": "report"}}),
        ("dee", "note", {"street": {"action": "arrive-in-town", "location": "H7"}}),
        ("eli", "note", {"urchin": {"action": "reject-contract", "assassin": "gus"}}),
        ("ana", "toll-the-bell", {}),
    ],
    around=[a_toll_settles],
    sound=[nobody_is_in_ruins],
    steady=True,
)

# ---- the table for repeals

NOTED = {"street": {"action": "knife", "victim": "dee"}, "urchin": {"action": "report"}}

TABLE = Table(
    "assassin",
    "2014-11-03T00:00:00Z",
    matter={"body": "Eli has access to the server."},  # who could serve the generators
    state={
        "players": {
            "ben": {"position": "C5", "gadget": "Bomb", "target": "dee"},
            "cy": {"position": "C5"},
            "dee": {"position": "C5", "gadget": "Bomb"},
        }
    },
    before=[{"by": "ben", "act": "note", "with": NOTED}],
    going_on=[
        ({"at": "+13h", "by": "ana", "act": "toll-the-bell", "expect": {"posts.0.kind": "bell"}}, frozenset({"notes"})),
        ({"by": "ben", "act": "note", "with": NOTED}, frozenset({"notes"})),
        ({"at": "+62h", "by": "ana", "act": "toll-the-bell", "expect": {"posts.0.kind": "bell"}}, frozenset({"notes"})),
        ({"by": "ana", "act": "assign-target", "with": {"player": "eli"}}, frozenset({"target"})),
    ],
    later=63,
)  # fmt: skip
