"""Each rule of ``assassin`` that is not core is repealed in turn, and the game goes on: matters are resolved, the Bell Tolls."""

from __future__ import annotations

import pytest

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

pytestmark = pytest.mark.slow

EDITION = "assassin"
SLUGS = [placed.slug for placed in editions.load(EDITION).rules if placed.section != "core"]
NOTED = {"street": {"action": "knife", "victim": "dee"}, "urchin": {"action": "report"}}


def enact(name: str, hours: int, change: object) -> list[object]:
    """Steps that bring a proposal of one change to enactment after twelve hours; it names who could serve the generators."""
    proposal = {"title": name, "body": "Eli has access to the server.", "changes": [change]}
    return [
        {"at": f"+{hours}h", "by": "cy", "propose": proposal, "as": name},
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
    """Play steps with five players, three of them in one place, and give the failures."""
    armed = {"position": "C5", "gadget": "Bomb", "target": "dee"}
    scenario = {
        "name": "a law amended by play",
        "edition": EDITION,
        "start": "2014-11-03T00:00:00Z",
        "players": ["ana", "ben", "cy", "dee", "eli"],
        "emperor": "ana",
        "admins": ["ben"],
        "state": {
            "players": {"ben": armed, "cy": {"position": "C5"}, "dee": {"position": "C5", "gadget": "Bomb"}}
        },
        "steps": list(steps),
    }
    return list(rehearsal.rehearse(files.write(scenario), "test").failures)


def going_on(slug: str) -> list[object]:
    """Steps of the dynasty's own that a repeal must leave possible."""
    steps: list[object] = []
    if slug != "notes":
        sent = {"by": "ben", "act": "note", "with": NOTED}
        steps += [sent] if slug != "street-and-urchin-actions" else []
        steps.append({"by": "ana", "act": "toll-the-bell", "expect": {"posts.0.kind": "bell"}})
    if slug not in ("target", "gear"):
        steps.append({"by": "ana", "act": "assign-target", "with": {"player": "eli"}})
    return steps


@pytest.mark.parametrize("slug", SLUGS)
def test_a_repealed_rule_leaves_a_game(slug: str) -> None:
    failures = play(
        *enact("p1", 0, {"repeal": slug}),
        {"expect": {f"rules.{slug}.number": {"absent": True}}},
        *going_on(slug),
        *enact("p2", 13, {"add-rule": {"title": "Moon", "text": "It shines."}}),
        {"at": "+26h", "by": "cy", "vote": "for", "on": "p2", "refused": True},
        {"expect": {"actions.cy": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
    )
    assert failures == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_note_sent_before_a_repeal_stops_nothing(slug: str) -> None:
    tolled = {"at": "+13h", "by": "ana", "act": "toll-the-bell", "expect": {"posts.0.kind": "bell"}}
    failures = play(
        {"at": "+0h", "by": "ben", "act": "note", "with": NOTED},
        *enact("p1", 0, {"repeal": slug}),
        *([tolled] if slug != "notes" else []),
    )
    assert failures == []
