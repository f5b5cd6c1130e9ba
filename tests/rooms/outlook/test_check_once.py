"""One mistake is one message: what follows from what is told, when the rules are tried as they stand, is not told beside it."""

from __future__ import annotations

from typing import Any

import pytest
from hostile.small import Small
from support.checking import checked

PATH = "game/ruleset/2-dynastic/73-lamps.md"
LAMPS = """\
---
title: Lamps
variables:
  oil: {of: player, type: integer, default: 10, max: 50}
  lamps: {of: player, type: integer, max: 3}
collections:
  boats: {key: {prefix: b}, fields: {owner: player, rots: datetime}}
settles:
  dark: {of: player, watches: [oil]}
views:
  glow: {of: player}
actions:
  light:
    cost: {oil: _given}
    with: {amount: {type: integer, min: 1}}
  hand:
    by: is_glowing
    with: {whom: player, amount: {type: integer, min: 1}}
  build: {}
schedule:
  rot: {of: boats, at: rots}
---
Whoever plays may light lamps.

```starlark
def _given(actor, given):
    return given["amount"]

def is_glowing(player):
    return "" if get(player, "oil") > 3 else "it is dark"

def glow(player):
    return get(player, "oil") + 1

def settle_dark(player):
    if get(player, "oil") == 0 and get(player, "lamps") > 0:
        put(player, lamps=0)

def do_light(actor, amount):
    gain(actor, "lamps", 1)

def do_hand(actor, whom, amount):
    transfer(actor, whom, "oil", amount)

def do_build(actor):
    create("boats", owner=actor, rots=later(now(), "3d"))

def schedule_rot(boat):
    destroy(boat)
```
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small.found(tmp_path_factory.mktemp("harbour") / "game")


def found_in(small: Small, text: str) -> list[dict[str, Any]]:
    return [each.as_json() for each in checked(small, PATH, text)]


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


def test_the_rule_as_it_should_be_meets_nothing(harbour: Small) -> None:
    assert found_in(harbour, LAMPS) == []


SLIPS: dict[str, tuple[str, str, str]] = {  # what is written otherwise, how, and what to write
    "variables:": ("variabels:", "variabels:", "write variables, if that is meant"),
    "variables: ": ("vars:", "vars:", "write variables, if that is meant"),
    "variables:  ": ("state:", "state:", "write variables, if that is meant"),
    "variables:   ": ("Variables:", "Variables:", "write variables, if that is meant"),
    "collections:": ("colections:", "colections:", "write collections, if that is meant"),
    "actions:": ("actoins:", "actoins:", "write actions, if that is meant"),
    "settles:": ("setles:", "setles:", "write settles, if that is meant"),
    "schedule:": ("scedule:", "scedule:", "write schedule, if that is meant"),
    "lamps: {of: player": ("lamps: {of: plyer", "lamps: {of: plyer", "write player, if that is meant"),
    "fields:": ("feilds:", "feilds:", "write fields, if that is meant"),
    "{oil: _given}": ("{oli: _given}", "{oli: _given}", "write oil, if that is meant"),
    "{oil: _given} ": ("{lamp: _given}", "{lamp: _given}", "write lamps, if that is meant"),
    "watches: [oil]": ("watches: [oli]", "watches: [oli]", "write oil, if that is meant"),
    "schedule_rot(boat)": ("schedule_rot()", "def schedule_rot", "write def schedule_rot(boat)"),
    "glow(player):\n    return get(player": ("glow():\n    return get(lamp", "def glow", "write def glow(lamp)"),
    "> 3 else": ("> 3 ? 3 :", "? 3 :", "write a if condition else b"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("slip", SLIPS)
def test_what_follows_from_a_mistake_is_not_told_beside_it(harbour: Small, slip: str) -> None:
    written, where, mend = SLIPS[slip]
    text = LAMPS.replace(slip.rstrip(" "), written, 1)
    assert text != LAMPS
    [only] = found_in(harbour, text)
    assert (only["level"], only["line"], only["mend"]) == ("error", line_of(text, where), mend)


def test_what_reads_a_constant_that_is_none_is_not_told_beside_it(harbour: Small) -> None:
    text = LAMPS.replace("def _given", "DOUBLE = lambda x: x * 2\n\ndef _given")
    [only] = found_in(harbour, text.replace('return given["amount"]', "return 3 * DOUBLE"))
    assert (only["line"], str(only["what"])[:6]) == (line_of(text, "DOUBLE"), "DOUBLE")


def test_what_a_line_that_cannot_be_read_may_use_is_not_called_unused(harbour: Small) -> None:
    text = LAMPS.replace("collections:", "  soot: {of: player, type: integer}\ncollections:", 1)
    text = text.replace('gain(actor, "lamps", 1)', 'gain(actor, "soot", 1 ? 2 : 3)')
    [only] = found_in(harbour, text)
    assert only["line"] == line_of(text, "1 ? 2")


def test_a_second_mistake_is_told_beside_the_first(harbour: Small) -> None:
    text = LAMPS.replace("variables:", "variabels:", 1).replace('"oil") + 1', '"oil") + "a"')
    assert sorted(each["line"] for each in found_in(harbour, text)) == [
        line_of(text, "variabels:"),
        line_of(text, '+ "a"'),
    ]


KEEPER = "game/ruleset/2-dynastic/74-keeper.md"
KEEPERS = """\
---
title: Keeper
variables:
  wicks: {of: player, type: integer, default: 1}
  berth: {of: player, type: boats}
guards:
  night: {on: [light, hand]}
settles:
  bright: {of: player, watches: [lamps]}
actions:
  fill: {cost: {oil: 1}}
when:
  lit: [_heard]
views:
  fuel: {of: player}
---
Whoever keeps the lamps has wicks.

```starlark
def guard_night(actor, action, given):
    return "it is dark" if get(actor, "lamps") > 2 else ""

def settle_bright(player):
    if get(player, "lamps") > 1:
        put(player, wicks=2)

def do_fill(actor):
    gain(actor, "oil", 1)
    for boat in find("boats", owner=actor):
        put(actor, berth=boat)

def _heard(actor):
    gain(actor, "wicks", 1)

def fuel(player):
    return get(player, "oil") + get(player, "wicks")
```
"""
BREAKING = {
    'gain(actor, "lamps", 1)\n    emit': "gain(actor, lamp, 1)\n    emit", "def do_light(actor, amount):": "def do_light(actor):",
    "  light:": "   light:", "title: Lamps": "Title: Lamps", "def settle_dark(player):": "def settle_dark(player)",
    "max: 3}": "max: 3, min: 4}", "rots: datetime}}": "rots: datetime}, founding: {b1: {owner: nemo}}}",
    'emit("lit", actor)': 'emit("lit", actor',
}  # fmt: skip
"""What keeps the whole rule from being made, each in its own way: a name, a parameter, YAML, a key, a colon, a declaration, founding."""


@pytest.mark.parametrize("part", BREAKING)
def test_rules_beside_one_that_cannot_be_made_are_not_told_to_lack_what_it_brings(
    harbour: Small, part: str
) -> None:
    whole = LAMPS.replace('"lamps", 1)', '"lamps", 1)\n    emit("lit", actor)')
    assert part in whole
    findings = checked(harbour, PATH, whole.replace(part, BREAKING[part]), {KEEPER: KEEPERS})
    assert findings
    assert {each.problem.where.file for each in findings} == {PATH}, [str(each) for each in findings]


def test_what_rules_lack_beside_one_that_cannot_be_made_is_told_all_the_same(harbour: Small) -> None:
    broken, keepers = (
        LAMPS.replace('"lamps", 1)', "lamp, 1)"),
        KEEPERS.replace("oil: 1", "oli: 1").replace("lit: ", "ignited: "),
    )
    findings = checked(harbour, PATH, broken, {KEEPER: keepers})
    lines = {each.problem.where.line for each in findings if each.problem.where.file == KEEPER}
    assert lines == {line_of(keepers, "oli: 1"), line_of(keepers, "ignited")}
