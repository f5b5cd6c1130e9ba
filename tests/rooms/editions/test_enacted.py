"""Lawful proposals of every form of change are enacted in every edition: the trial of a changed law undoes none of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from support.depth import DEEP
from support.editions import TABLES
from support.repealing import Watched

from nomicgit import editions
from nomicgit.law.ruleset import Placed, Ruleset

pytestmark = pytest.mark.slow

Change = Mapping[str, Any]


def added(title: str, under: str = "", declares: Mapping[str, Any] | None = None, code: str = "") -> Change:
    """The change that adds a rule with mechanics."""
    rule = {
        "title": title,
        "text": "It shines.",
        "mechanics": code or f"def of_{title.lower()}():\n    return 1",
    }
    return {
        "add-rule": rule | ({"under": under} if under else {}) | ({"declares": declares} if declares else {})
    }


MOON, TOAST, JAM = added("Moon"), added("Toast", "Moon"), added("Jam", "Toast")
HOOKS: Mapping[str, Any] = {
    "variables": {"shine": {"of": "player", "type": "integer", "default": 3}, "tide": {"type": "text"}},
    "collections": {"moths": {"key": {"prefix": "m"}, "fields": {"size": {"type": "integer", "min": 1, "max": 9}}}},
    "catalogues": {"phases": {"full": {"light": 9}, "new": {"light": 0}}},
    "limits": {"daily-shine": {"per": "day", "times": 2}},
    "actions": {"shine": {"limit": "daily-shine", "with": {"n": {"type": "integer", "min": 1, "max": 3}}}},
    "guards": {"dusk": {"on": ["shine"]}},
    "filters": {"shade": {"of": "player", "variable": "shine"}},
    "settles": {"glow": {"of": "player", "watches": ["shine"]}},
    "schedule": {"wane": {"every": "day 05:00"}},
    "views": {"moonlight": {}},
}  # fmt: skip
LUNAR = '''def do_shine(actor, n):
    gain(actor, "shine", n)

def guard_dusk(actor, action, given):
    return ""

def filter_shade(ref, old, new):
    return new

def settle_glow(player):
    put(player, shine=min(get(player, "shine"), 99))

def schedule_wane():
    note("The moon wanes.")

def moonlight():
    return sum_of([get(p, "shine") for p in players()])

def sum_of(numbers):
    whole = 0
    for n in numbers:
        whole += n
    return whole
'''  # fmt: skip


def dynastic(ruleset: Ruleset) -> list[Placed]:
    """The dynastic rules with mechanics and no rules under them."""
    return [
        p for p in ruleset.rules if p.section == "dynastic" and p.mechanics and not ruleset.children(p.slug)
    ]


def prose_of(ruleset: Ruleset) -> Placed:
    """A dynastic rule of more than a word."""
    return next(p for p in ruleset.rules if p.section == "dynastic" and len(p.rule.prose) > 40)


def catalogues_of(placed: Placed) -> dict[str, Any]:
    """The catalogues that a rule declares."""
    declared: Any = placed.rule.front.get("catalogues", {})
    return dict(declared)


def parent_of(ruleset: Ruleset) -> str:
    """The last rule with subrules that is not core."""
    return [p.slug for p in ruleset.rules if p.section != "core" and ruleset.children(p.slug)][-1]


def whole(placed: Placed, **instead: Any) -> Change:
    """A rule put anew."""
    return {"amend": {"rule": placed.slug, **instead}}


FORMS: Mapping[str, Callable[[Ruleset], list[Any]]] = {
    "a subrule of a new rule": lambda _: [MOON, TOAST],
    "a subrule of a new rule, together": lambda _: [{"together": [MOON, TOAST]}],
    "three new rules deep": lambda _: [MOON, TOAST, JAM, added("Honey", "Moon")],
    "a new rule under an old one": lambda r: [added("Moon", parent_of(r))],
    "a rule that declares a little of everything": lambda _: [added("Moon", declares=HOOKS, code=LUNAR)],
    "an old rule goes under a new one": lambda r: [
        MOON,
        {"move": {"rule": dynastic(r)[-1].slug, "under": "Moon"}},
    ],
    "an old rule goes under a new one, together": lambda r: [
        {"together": [MOON, TOAST, {"move": {"rule": dynastic(r)[0].slug, "under": "Toast"}}]}
    ],
    "an old rule goes to another section": lambda r: [
        {"move": {"rule": dynastic(r)[-1].slug, "section": "appendix"}}
    ],
    "old rules go under another": lambda r: [
        {"move": {"rule": parent_of(r), "under": next(p.slug for p in dynastic(r) if p.parent is None)}}
    ],
    "another name": lambda r: [
        {"rename": {"rule": dynastic(r)[0].slug, "to": "Renamed"}},
        {"rename": {"rule": parent_of(r), "to": "Other"}},
    ],
    "a sentence more": lambda r: [{"amend": {"rule": prose_of(r).slug, "add": "So be it.", "at": "end"}}],
    "other words": lambda r: [whole(prose_of(r), text="Nothing is as it was.")],
    "a function more": lambda r: [
        whole(p, mechanics=f"{p.mechanics}\n\ndef more_{n}():\n    return 1")
        for n, p in enumerate(dynastic(r)[-2:])
    ],
    "a function set": lambda r: [
        {"amend": {"rule": dynastic(r)[0].slug, "in": "mechanics", "set": {"more": "def more():\n    return 1"}}}
    ],
    "a value declared more": lambda r: [
        {"amend": {"rule": dynastic(r)[-1].slug, "in": "declarations", "set": {"variables.lamp": {"type": "text"}}}}
    ],
    "an entry of a catalogue is gone": lambda r: [
        {"amend": {"rule": p.slug, "in": "declarations", "set": {f"catalogues.{name}.{key}": None}}}
        for p in reversed(r.rules)
        for name, entries in catalogues_of(p).items()
        for key in list(entries)[-1:]
    ][:1],
    "an entry more of a catalogue": lambda r: [
        {
            "amend": {
                "rule": p.slug,
                "in": "declarations",
                "set": {f"catalogues.{name}.lamp": next(iter(entries.values()))},
            }
        }
        for p in r.rules
        for name, entries in catalogues_of(p).items()
        if entries
    ][:1],
    "a repeal": lambda r: [{"repeal": dynastic(r)[0].slug}],
    "a repeal with subrules": lambda r: [{"repeal": parent_of(r)}],
    "a subrule, then the rule above it": lambda r: [
        {"repeal": r.children(parent_of(r))[0].slug},
        {"repeal": parent_of(r)},
    ],
    "a rule, then what stood under it": lambda r: [
        MOON,
        {"repeal": parent_of(r)},
        {"repeal": r.children(parent_of(r))[0].slug},
    ],
    "a new dynasty": lambda r: [{"repeal": p.slug} for p in r.rules if p.section == "dynastic" and not p.parent]
    + [MOON, TOAST],
    "another rule in its place": lambda r: [
        {"repeal": dynastic(r)[-1].slug},
        {"add-rule": {"title": dynastic(r)[-1].title, "text": "Anew.", "mechanics": dynastic(r)[-1].mechanics,
                      "declares": dict(dynastic(r)[-1].rule.front)}},
    ],
    "special cases": lambda r: [
        {"status": {p.slug: "inactive" if p.status == "active" else "active"}}
        for p in r.rules
        if p.section == "special-case"
    ]
    or [MOON],
    "other words for the players": lambda _: [{"terms": {"player": "Moth", "players": "Moths"}}, MOON, TOAST],
    "values, a scenario, a program": lambda _: [
        MOON,
        TOAST,
        {"set": {"dynasty.name": "Moonlight"}},
        {"scenario": {"name": "moon", "text": "name: moon\n"}},
        {"run": "note('It is night.')"},
        {"uphold": "It is night."},
        {"bar": "zoe"},
    ],
}  # fmt: skip


LIGHT = ("assassin", "crypt", "dungeon")  # the editions of which a trial takes half as long as of the others
EVERY = [
    pytest.param(edition, form, marks=() if edition == LIGHT[of % 3] else DEEP)
    for of, form in enumerate(FORMS)
    for edition in editions.names()
]
"""Every form in every edition, in every profile one light edition of each form."""


@pytest.mark.parametrize(("edition", "form"), EVERY)
def test_a_lawful_proposal_is_enacted(edition: str, form: str) -> None:
    table = TABLES[edition]
    ruleset = editions.load(edition)
    played = Watched(table.scenario(*table.enact("p1", 0, *FORMS[form](ruleset))))
    assert played.play() == []
    assert [note for note in played.notes if "Not enacted" in note or "was not made" in note] == []
