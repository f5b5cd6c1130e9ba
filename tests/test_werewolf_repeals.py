"""No repeal stops the game of the werewolf edition: nights come and go, wolves murder, and the rest plays on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from nomicgit import editions
from nomicgit.physics.deed import Outcome
from nomicgit.physics.deeds import clockwork
from nomicgit.rehearsal import rehearsal

pytestmark = pytest.mark.slow

RULES = editions.load("werewolf").rules
DYNASTIC = [placed.slug for placed in RULES if placed.section == "dynastic"]
NOT_CORE = [placed.slug for placed in RULES if placed.section != "core"]
VILLAGE = {
    "edition": "werewolf",
    "start": "2008-11-10T00:00:00Z",
    "players": ["ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "jo"],
    "emperor": "ana",
    "admins": ["ben"],
    "state": {
        "players": {
            "ben": {"werewolf": True, "howls": 2},
            "cy": {"werewolf": True},
            "dee": {"occupation": "Doctor", "patient": "ivy", "inventory": {"gun": 1}},
            "eli": {"occupation": "Beer Seller", "inventory": {"ale-tankard": 1}},
            "fay": {"life": "Dead", "focus": "hal", "occupation": "Vicar"},
            "gus": {"occupation": "Master of Hounds"},
            "hal": {"investigating": "ben", "inventory": {"silver-bullet": 1, "gaol-keys": 1}},
            "ivy": {"investigating": "ben"},
        },
        "game": {"night_watchman": "jo", "hounds": "released"},
    },
}


def enact(name: str, hours: int, *changes: object) -> list[dict[str, Any]]:
    """Steps that bring a proposal of changes to enactment after twelve hours."""
    return [
        {"at": f"+{hours}h", "by": "hal", "propose": {"title": name, "changes": list(changes)}, "as": name},
        *({"by": voter, "vote": "for", "on": name} for voter in ("ben", "cy", "dee", "eli", "gus")),
        {
            "at": f"+{hours + 12}h",
            "by": "ben",
            "resolve": name,
            "expect": {f"matters.{name}.status": "enacted"},
        },
    ]


NIGHT: list[dict[str, Any]] = [
    {"at": "+25h", "by": "ana", "act": "alls-well"},
    {"by": "ana", "act": "announce-howls"},
    {"by": "ben", "act": "target", "with": {"villager": "hal", "method": "murder"}},
    {"by": "cy", "act": "target", "with": {"villager": "hal", "method": "murder"}},
    {"by": "ana", "act": "process-murder", "with": {"villager": "hal"}},
    {"by": "ana", "act": "process-bite", "with": {"werewolf": "ben"}},
    {"by": "dee", "act": "shoot", "with": {"quarry": "gus", "ammunition": "lead"}},
    {"by": "jo", "propose": {"title": "Town Meeting: Seance"}, "as": "seance"},
    {"by": "jo", "act": "remove-post", "with": {"post": "seance"}},
    {"at": "+49h", "by": "ana", "act": "resolve-shot"},
    {"by": "eli", "act": "make-sale"},
    {"by": "ivy", "act": "take-occupation", "with": {"occupation": "Baker"}},
]


class Watched(rehearsal.Rehearsal):
    """A rehearsal in which anything may be refused, and that keeps what went wrong with hooks and by the clock."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.wrong: list[str] = []
        super().__init__(scenario, "test", None)

    def _deed(self, number: int, verb: str, step: Mapping[str, Any]) -> Outcome:
        outcome = super()._deed(number, verb, step)
        self.wrong += [note for note in outcome.notes if "defective" in note]
        return outcome

    def _step(self, number: int, step: Mapping[str, Any]) -> list[str]:
        failures = super()._step(number, step)
        refusable = "act" in step or "Seance" in str(step)
        return [failure for failure in failures if not (refusable and "was refused" in failure)]


def play(monkeypatch: pytest.MonkeyPatch, *steps: Mapping[str, Any]) -> Watched:
    """Play steps in the village, and fail with what fails."""
    watched = Watched(VILLAGE | {"name": "the law of the village amended", "steps": list(steps)})
    real = clockwork.catch_up

    def catch_up(world: Any, until: int) -> list[str]:
        failed = real(world, until)
        watched.wrong += failed + [note for note in world.notes if "defective" in note]
        return failed

    monkeypatch.setattr(clockwork, "catch_up", catch_up)
    assert watched.play() == []
    return watched


def test_the_village_is_lively(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        play(monkeypatch, *NIGHT, {"expect": {"players.hal.life": "Dead", "shots.1.resolved": True}}).wrong
        == []
    )


@pytest.mark.parametrize("slug", DYNASTIC)
def test_a_repealed_dynastic_rule_leaves_the_rest_playing(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = play(
        monkeypatch,
        *enact("p1", 0, {"repeal": slug}),
        *NIGHT,
        *enact("p2", 50, {"add-rule": {"title": "Moon", "text": "It shines."}}),
        {"expect": {"actions.eli": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
    )
    assert found.wrong == []


@pytest.mark.parametrize("slug", [slug for slug in NOT_CORE if slug not in DYNASTIC])
def test_a_repealed_rule_of_the_appendix_leaves_a_game(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play(
        monkeypatch,
        *enact("p1", 0, {"repeal": slug}),
        *enact("p2", 13, {"add-rule": {"title": "Moon", "text": "It shines."}}),
        {"expect": {"actions.eli": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
    )
