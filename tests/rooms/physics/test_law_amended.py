"""The law really is amended by play: what is enacted takes effect with the next deed."""

from __future__ import annotations

import pytest
from support.depth import one_of

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

EDITION = "crypt"
TAGS = ["Core", "Special Case", "Appendix"]
RULES = editions.load(EDITION).rules
SPECIAL = [placed.slug for placed in RULES if placed.section == "special-case"]


def play(*steps: object) -> None:
    """Play steps with five players, and fail with what fails."""
    scenario = {
        "name": "a law amended by play",
        "edition": EDITION,
        "start": "2021-06-07T00:00:00Z",
        "players": ["ana", "ben", "cy", "dee", "eli"],
        "emperor": "ana",
        "admins": ["ben"],
        "steps": list(steps),
    }
    assert rehearsal.rehearse(files.write(scenario), "test").failures == []


def enact(name: str, hours: int, *changes: object, resolved: bool = True) -> list[object]:
    """Steps that bring a proposal of changes to enactment after twelve hours."""
    steps: list[object] = [
        {
            "at": f"+{hours}h",
            "by": "cy",
            "propose": {"title": name, "tags": TAGS, "changes": list(changes)},
            "as": name,
        },
        {"by": "ben", "vote": "for", "on": name},
        {"by": "dee", "vote": "for", "on": name},
    ]
    if resolved:
        steps.append(
            {
                "at": f"+{hours + 12}h",
                "by": "ben",
                "resolve": name,
                "expect": {f"matters.{name}.status": "enacted"},
            }
        )
    return steps


def set_mechanics(rule: str, replace: str, with_: str) -> object:
    return {"amend": {"rule": rule, "in": "mechanics", "replace": replace, "with": with_}}


@pytest.mark.slow
def test_ten_hours_in_place_of_twelve() -> None:
    play(
        *enact(
            "p1",
            0,
            {
                "amend": {
                    "rule": "resolution-of-proposals",
                    "in": "declarations",
                    "set": {"waiting.proposals": "10h"},
                }
            },
        )
        if "waiting" in editions.load(EDITION).by_slug["resolution-of-proposals"].front
        else enact("p1", 0, set_mechanics("resolution-of-proposals", '"12h"', '"10h"')),
        *enact("p2", 13, {"add-rule": {"title": "Moon", "text": "It shines."}}, resolved=False),
        {"at": "+22h59m59s", "by": "ben", "resolve": "p2", "refused": True},
        {
            "at": "+23h",
            "by": "ben",
            "resolve": "p2",
            "expect": {"matters.p2.status": "enacted", "rules.Moon.text": "It shines."},
        },
    )


@pytest.mark.slow
def test_another_quorum() -> None:
    play(
        {"expect": {"quorum": 3}},
        *enact(
            "p1",
            0,
            {
                "amend": {
                    "rule": "votes",
                    "in": "mechanics",
                    "set": {"quorum": "def quorum():\n    return len(players())\n"},
                }
            },
        ),
        {"expect": {"quorum": 5}},
        *enact("p2", 13, {"add-rule": {"title": "Moon", "text": "It shines."}}, resolved=False),
        {"at": "+26h", "by": "ben", "resolve": "p2", "refused": "popular"},
    )


def test_one_pending_proposal_in_place_of_two() -> None:
    play(
        {"by": "cy", "propose": {"title": "One"}, "as": "a"},
        {"by": "cy", "propose": {"title": "Two"}, "as": "b"},
        {"by": "cy", "propose": {"title": "Three"}, "refused": "pending"},
        {"by": "cy", "vote": "against", "on": "a"},
        {"by": "cy", "vote": "against", "on": "b"},
        {"by": "ben", "resolve": "a"},
        {"by": "ben", "resolve": "b"},
        *enact("p1", 24, _one_pending()),
        {"at": "+37h", "by": "dee", "propose": {"title": "Four"}},
        {"by": "dee", "propose": {"title": "Five"}, "refused": "pending"},
    )


def _one_pending() -> object:
    return {"amend": {"rule": "proposals", "in": "declarations", "set": {"most_pending": 1}}}


OIL = {"of": "player", "type": "integer", "default": 3}
LAMPS = {"key": {"slug": "name"}, "fields": {"name": "text"}, "founding": {"big": {"name": "Big"}}}


def declares(rule: str, **what: object) -> object:
    paths = {path.replace("__", "."): value for path, value in what.items()}
    return {"amend": {"rule": rule, "in": "declarations", "set": paths}}


@pytest.mark.slow
def test_what_an_amendment_takes_out_of_the_declarations_goes_with_its_values() -> None:
    """As that of a repealed rule: a later rule that declares the same name begins anew."""
    rule = {
        "title": "Lanterns",
        "text": "Oil.",
        "declares": {"variables": {"oil": OIL}, "collections": {"lamps": LAMPS}},
    }
    other = {"title": "Torches", "text": "Fire.", "declares": {"variables": {"heat": OIL}}}
    play(
        *enact("p1", 0, {"add-rule": rule}, {"add-rule": other}, {"set": {"players.cy.oil": 7, "players.dee.heat": 9}}),
        *enact("p2", 13, declares("Lanterns", variables__oil=None, variables__pitch=OIL, collections=None)),
        {"expect": {"players.cy.oil": {"absent": True}, "players.cy.pitch": 3, "lamps.big": {"absent": True}}},
        *enact("p3", 26, declares("Torches", variables__oil={**OIL, "default": 5}, collections__lamps=LAMPS)),
        {"expect": {"players.cy.oil": 5, "players.dee.heat": 9, "lamps.big": {"absent": True}}},
        *enact("p4", 39, {"together": [declares("Torches", variables__heat=None), declares("Lanterns", variables__heat=OIL)]}),
        {"expect": {"players.dee.heat": 9}},
    )  # fmt: skip


NO_VETO = "def permitted(matter):\n    return overridden_permitted(matter)\n"


@pytest.mark.slow
def test_the_veto_taken_out() -> None:
    play(
        *enact(
            "p1", 0,
            {"amend": {"rule": "special-proposal-voting", "in": "mechanics", "set": {"permitted": NO_VETO}}},
        ),
        {"at": "+13h", "by": "dee", "propose": {"title": "Moon"}, "as": "p2"},
        {"by": "ana", "vote": "veto", "on": "p2", "refused": True},
    )  # fmt: skip


@pytest.mark.slow
def test_a_new_rule_with_a_variable_and_a_verb_of_its_own() -> None:
    rule = {
        "title": "Lanterns",
        "text": "Each player has Oil. Anybody may burn one, once a day.",
        "declares": {
            "variables": {"oil": {"of": "player", "type": "integer", "default": 3}},
            "actions": {"burn": {"summary": "Burn Oil", "limit": "daily"}},
        },
        "mechanics": 'def do_burn(actor):\n    spend(actor, "oil", 1)\n',
    }
    play(
        *enact("p1", 0, {"add-rule": rule}),
        {"expect": {"players.cy.oil": 3, "actions.cy": {"contains": "burn"}}},
        {"at": "+13h", "by": "cy", "act": "burn", "expect": {"players.cy.oil": 2}},
        {"at": "+14h", "by": "cy", "act": "burn", "refused": "daily"},
        *enact("p2", 15, {"repeal": "Lanterns"}),
        {"at": "+28h", "by": "cy", "act": "burn", "refused": "action"},
        {"expect": {"players.cy.oil": {"absent": True}}},
    )


@pytest.mark.slow
@pytest.mark.parametrize("slug", [pytest.param(each, marks=one_of(3, n)) for n, each in enumerate(SPECIAL)])
def test_a_special_case_rule_switched(slug: str) -> None:
    play(
        *enact("p1", 0, {"status": {slug: "active"}}),
        *enact("p2", 13, {"status": {slug: "inactive"}}),
        *enact("p3", 26, {"add-rule": {"title": "Moon", "text": "It shines."}}),
        {"expect": {"actions.cy": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
    )
