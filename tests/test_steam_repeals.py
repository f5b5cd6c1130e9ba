"""Steam: each rule that is not core may be repealed; the game goes on, and the rest of the dynasty with it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

pytestmark = pytest.mark.slow

EDITION = "steam"
RULESET = editions.load(EDITION)
NOT_CORE = [placed.slug for placed in RULESET.rules if placed.section != "core"]
DYNASTIC = [placed.slug for placed in RULESET.rules if placed.section == "dynastic"]

# What is played on after a repeal, by the rules without which it cannot be.
ACTS: Mapping[str, tuple[Mapping[str, object], frozenset[str]]] = {
    "scavenge": ({"items": ["iron", "wood"]}, frozenset({"commoners-economy"})),
    "transfer": ({"to": "dee", "resources": {"gems": 1}}, frozenset({"commoners-economy"})),
    "invent": ({"parts": ["Cog Mold"]}, frozenset({"commoners-economy", "inventions", "cog-mold"})),
    "dismantle": ({"invention": "i2"}, frozenset({"commoners-economy", "inventions", "rivet-gun"})),
    "offer-trade": (
        {"section": "one-time", "sought": {"coal": 1}, "offered": {"iron": 1}},
        frozenset({"commoners-economy", "trading"}),
    ),
    "declare-allegiance": ({"allegiance": "Loyalist"}, frozenset({"invasion"})),
    "raid": ({}, frozenset({"raiding"})),
    "wage-war": (
        {"weapon": "i1"},
        frozenset(
            {
                "commoners-economy",
                "inventions",
                "rivet-gun",
                "you-can-run-but-you-can-t-hide",
                "invasion",
                "regalia-actions",
            }
        ),
    ),
}


STATE = {
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
        "i6": {"owner": "eli", "parts": ["Wings", "Hydrogen Distillery", "Teak Panelling"], "attached": True},
    },
    "trade_routes": {"iron": {"path": ["Devon", "Dorset"]}, "coal": {"path": ["Devon", "Dorset", "Kent"]}},
}


def play(*steps: object, state: object | None = None) -> None:
    """Play steps with five players, and fail with what fails."""
    scenario = {
        "name": "a rule repealed",
        "edition": EDITION,
        "start": "2010-09-06T08:00:00Z",
        "players": ["ana", "ben", "cy", "dee", "eli"],
        "emperor": "ana",
        "admins": ["ben"],
        "state": state or {},
        "steps": list(steps),
    }
    assert rehearsal.rehearse(files.write(scenario), "test").failures == []


def enact(name: str, hours: int, *changes: object) -> list[object]:
    """Steps that bring a proposal of changes to enactment after twelve hours."""
    return [
        {"at": f"+{hours}h", "by": "cy", "propose": {"title": name, "changes": list(changes)}, "as": name},
        {"by": "ben", "vote": "for", "on": name},
        {"by": "dee", "vote": "for", "on": name},
        {
            "at": f"+{hours + 12}h",
            "by": "ben",
            "resolve": name,
            "expect": {f"matters.{name}.status": "enacted"},
        },
    ]


@pytest.mark.parametrize("slug", NOT_CORE)
def test_a_repealed_rule_leaves_a_game(slug: str) -> None:
    play(
        *enact("p1", 0, {"repeal": slug}),
        *enact("p2", 13, {"add-rule": {"title": "Moon", "text": "It shines."}}),
        {"at": "+26h", "by": "cy", "vote": "for", "on": "p2", "refused": True},
        {"expect": {"actions.cy": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
    )


@pytest.mark.parametrize("slug", DYNASTIC)
def test_a_repealed_dynastic_rule_leaves_the_others_at_work(slug: str) -> None:
    play(
        *enact("p1", 0, {"repeal": slug}),
        *[
            {"at": "+14h", "by": "cy", "act": act, "with": dict(given)}
            for act, (given, needs) in ACTS.items()
            if slug not in needs
        ],
        *[{"by": "ana", "act": "resolve-raids"} for _ in range(slug != "raiding")],
        {"at": "+40d", "by": "fay", "join": True, "expect": {"players.fay.active": True}},
        state=STATE,
    )
