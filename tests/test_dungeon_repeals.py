"""Each rule of ``dungeon`` that is not core is repealed in turn, and the game goes on: matters are resolved, the dungeon is played."""

from __future__ import annotations

import pytest

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

pytestmark = pytest.mark.slow

EDITION = "dungeon"
SLUGS = [placed.slug for placed in editions.load(EDITION).rules if placed.section != "core"]


def enact(name: str, hours: int, change: object) -> list[object]:
    """Steps that bring a proposal of one change by the emperor to enactment after twelve hours: no treasure."""
    return [
        {"at": f"+{hours}h", "by": "ana", "propose": {"title": name, "changes": [change]}, "as": name},
        {"by": "ben", "vote": "for", "on": name},
        {"by": "dee", "vote": "for", "on": name},
        {
            "at": f"+{hours + 12}h",
            "by": "ben",
            "resolve": name,
            "expect": {f"matters.{name}.status": "enacted"},
        },
    ]


def play(*steps: object) -> list[str]:
    """Play steps with five players on one level, a monster among them, and give the failures."""
    scenario = {
        "name": "a law amended by play",
        "edition": EDITION,
        "start": "2010-03-01T00:00:00Z",
        "players": ["ana", "ben", "cy", "dee", "eli"],
        "emperor": "ana",
        "admins": ["ben"],
        "state": {
            "players": {
                "ben": {
                    "inventory": {"mace": 1},
                    "wielded": ["mace"],
                    "status": ["Conf"],
                    "hp": 90,
                    "kills": 2,
                },
                "cy": {"inventory": {"Unidentified Potion": 2, "robe": 2}, "worn": ["robe"], "hp": 90},
                "dee": {"must_fight": "eli", "hp": 1},
            },
            "encounters": {"e1": {"floor": 1, "mode": "melee"}},
            "monsters": {"newt": {"name": "newt", "encounter": "e1", "hp": 90, "dice": 1, "sides": 4}},
        },
        "steps": list(steps),
    }
    return list(rehearsal.rehearse(files.write(scenario), "test").failures)


def going_on(slug: str) -> list[object]:
    """Steps of the dynasty's own that a repeal must leave possible, as far as their own rules are left."""
    potions = {"potions", "stats-and-equipment", "inventory"}
    steps: list[tuple[set[str], object]] = [
        ({"combat", "monsters"}, {"by": "ben", "act": "fight", "with": {"monster": "newt"}}),
        ({"combat"}, {"by": "dee", "act": "fight", "with": {"player": "eli"}}),
        ({"dungeon"}, {"by": "ben", "act": "find-stairs", "with": {"choice": "increase"}}),
        ({"random-loot"}, {"by": "eli", "act": "loot-room", "with": {"choice": "treasure"}}),
        (potions, {"by": "cy", "act": "quaff", "with": {"potion": "Unidentified Potion"}}),
        ({"roles"}, {"by": "eli", "act": "choose-role", "with": {"role": "Rogue"}}),
        ({"eating-and-resting"}, {"at": "+62h", "by": "eli", "act": "rest"}),
        (
            {"monsters"},
            {
                "by": "ana",
                "act": "create-encounter",
                "with": {
                    "title": "Rats",
                    "floor": 1,
                    "monsters": [{"name": "rat", "hp": 1, "dice": 1, "sides": 1}],
                },
            },
        ),
    ]
    return [step for needed, step in steps if slug not in needed]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_repealed_rule_leaves_a_game(slug: str) -> None:
    failures = play(
        *enact("p1", 0, {"repeal": slug}),
        {"expect": {f"rules.{slug}.number": {"absent": True}}},
        *going_on(slug),
        *enact("p2", 63, {"set": {"players.eli.admin": True}}),
        {"by": "cy", "propose": {"title": "Sun"}},
        {"expect": {"actions.cy": {"contains": "cfj"}, "players.eli.admin": True}},
    )
    assert failures == []
