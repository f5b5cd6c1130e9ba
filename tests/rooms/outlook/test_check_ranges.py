"""Numbers by the ranges that declarations give them: what can never be is told, whatever may be is not; and what nothing uses."""

from __future__ import annotations

import pytest
from hostile.small import Small, small_law
from support.checking import checked

from nomicgit.outlook.checks.checking import check_ruleset

PATH = "2-dynastic/73-lamps.md"
LAMPS = """\
---
title: Lamps
variables:
  oil: {of: player, type: integer, default: 10, max: 50}
  lamps: {of: player, type: integer, max: 3}
  debt: {of: player, type: integer, below_zero: allow}
  ash: {of: player, type: integer, max: 9, below_zero: clamp}
collections:
  boats: {key: {prefix: b}, fields: {owner: player, rots: datetime}}
limits:
  lighting: {times: 2, per: day}
actions:
  light:
    limit: lighting
    with: {whom: player, amount: {type: integer, min: 1, max: 8}, more: integer}
  launch: {}
schedule:
  rot: {of: boats, at: rots}
---
Whoever plays may light lamps.

```starlark
MOST = 60

def do_light(actor, whom, amount, more):
    note("%s %s" % (amount, more))
    gain(whom, "lamps", 1)
    gain(whom, "oil", 1)
    LINE

def unlit(player):
    return [get(player, "debt"), get(player, "ash"), get(player, "oil")]

def do_launch(actor):
    create("boats", owner=actor, rots=later(now(), "3d"))

def schedule_rot(boat):
    put(boat, rots=later(now(), "1d"))
    create("boats", owner=get(boat, "owner"), rots=later(now(), "2d"))
```
"""
POSITIVE = "{} moves only a positive amount, and {}: it always refuses"
NEVER = {  # what is written, what is told, what to write
    'lose(actor, "oil", -1)': (POSITIVE.format("lose", "not -1"), 'write gain(actor, "oil", 1)'),
    'gain(whom, "oil", 0 - amount)': (POSITIVE.format("gain", "0 - amount is from -8 to -1"), 'write spend(whom, "oil", amount)'),
    'gain(whom, "oil", -amount)': (POSITIVE.format("gain", "-amount is from -8 to -1"), 'write spend(whom, "oil", amount)'),
    'less = 0 - amount\n    transfer(actor, whom, "oil", less)': (
        POSITIVE.format("transfer", "less is from -8 to -1"), 'write transfer(whom, actor, "oil", -(less))'),
    'gain(whom, "oil", amount - 9)': (POSITIVE.format("gain", "amount - 9 is from -8 to -1"), 'write spend(whom, "oil", -(amount - 9))'),
    'spend(actor, "oil", 51)': ("spend moves 51, and oil has room for 50: it always refuses",
        "write 50 or less, or declare another min or max of oil"),
    'gain(actor, "oil", MOST)': ("gain moves 60, and oil has room for 50: it always refuses",
        "write 50 or less, or declare another min or max of oil"),
    'spend(actor, "lamps", amount + 3)': ("spend moves from 4 to 11, and lamps has room for 3: it always refuses",
        "write 3 or less, or declare another min or max of lamps"),
    'require(get(actor, "lamps") > 3, "few")': (
        'get(actor, "lamps") is from 0 to 3: require always refuses, since get(actor, "lamps") > 3 is never so',
        'write get(actor, "lamps") >= 3, or declare another min or max'),
    'lamps = get(actor, "lamps")\n    require(more > 1 and lamps > 4, "few")': (
        "lamps is from 0 to 3: require always refuses, since lamps > 4 is never so",
        "ask for what may be so, or declare another min or max"),
    'require(MOST < get(actor, "oil"), "few")': (
        'get(actor, "oil") is from 0 to 50: require always refuses, since MOST < get(actor, "oil") is never so',
        "ask for what may be so, or declare another min or max"),
    'require(amount == 0, "few")': ("amount is from 1 to 8: require always refuses, since amount == 0 is never so",
        "ask for what may be so, or declare another min or max"),
}  # fmt: skip
MAY_BE = [
    'lose(actor, "oil", 51)',  # it takes as far as it goes
    'gain(actor, "ash", 99)',  # it stops at its end
    'spend(actor, "debt", 99)',
    'gain(whom, "oil", more - 9)',
    'amount -= 9\n    gain(whom, "oil", 0 - amount)',
    'for amount in [-3]:\n        gain(whom, "oil", 0 - amount)',
    'x = [spend(whom, "oil", 0 - amount) for amount in [-3]]',
    'spend(actor, "oil", 50)',
    'require(get(actor, "lamps") >= 3, "few")',
    'require(get(actor, "lamps") > 3 or more > 1, "few")',
    'require(not get(actor, "lamps") > 3, "many")',
    'require(get(actor, "lamps") * 2 > 3, "few")',
    'require(len(players()) > 3, "few")',
    'lamps = 4 if more else get(actor, "lamps")\n    require(lamps > 3, "few")',
    'lamps = get(actor, "lamps")\n    lamps += 1\n    require(lamps > 3, "few")',
    'lamps, oil = 4, 1\n    require(lamps > 3, "few")',
    'require(get(actor, "debt") < 0, "none")',
    'require(False, "never")',
]


def looked(text: str) -> list[tuple[str, str, int, str]]:
    findings = check_ruleset(small_law({PATH: text})).findings
    return [(each.level, each.problem.what, each.problem.where.line, each.problem.mend) for each in findings]


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


@pytest.mark.parametrize("written", NEVER)
def test_what_can_never_be_is_an_error_in_its_line(written: str) -> None:
    text = LAMPS.replace("LINE", written)
    assert looked(text) == [("error", NEVER[written][0], line_of(text, written.split("\n")[-1]), NEVER[written][1])]  # fmt: skip


@pytest.mark.parametrize("written", MAY_BE)
def test_what_may_be_meets_nothing(written: str) -> None:
    assert looked(LAMPS.replace("LINE", written)) == []


def test_a_parameter_is_within_its_range_only_where_the_action_alone_hands_it_over() -> None:
    text = LAMPS.replace("LINE", 'gain(whom, "oil", 0 - amount)')
    assert looked(text.replace("def unlit", "def relight(p):\n    do_light(p, p, -3, 0)\n\ndef unlit")) == []


def test_an_action_that_always_refuses_so_opens_for_nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    small = Small.found(tmp_path_factory.mktemp("lamps") / "game")
    text = LAMPS.replace("LINE", 'lose(actor, "oil", -1)')
    [only] = checked(small, f"game/ruleset/{PATH}", text)
    assert (only.level, only.problem.where.line) == ("error", line_of(text, "-1"))


SOUND = LAMPS.replace("LINE", "pass")


@pytest.mark.parametrize("name", ["light", "rot", "boats", "unlit", "pass"])
def test_a_limit_that_nothing_names_is_told_whatever_else_is_called_so(name: str) -> None:
    text = SOUND.replace("    limit: lighting\n", "").replace("  lighting:", f"  {name}:")
    [(level, what, line, _)] = looked(text)
    assert (level, what) == ("warning", f"no action names the limit {name}: it binds nobody")
    assert line == line_of(text, f"  {name}: {{times")


def test_a_limit_that_mechanics_name_is_used() -> None:
    text = SOUND.replace("    limit: lighting\n", "")
    assert looked(text.replace("may light lamps.", "may light {{limits.lighting.times}} lamps.")) == []
    assert looked(text.replace("    pass", '    use("lighting", actor)')) == []

    assert looked(text.replace("    pass", '    name_ = "lighting"\n    use(name_, actor)')) == []


@pytest.mark.parametrize(
    "used", ["soot = 3\n    note(str(soot))", "for soot in [1]:\n        note(str(soot))"]
)
def test_a_name_of_a_functions_own_uses_no_variable(used: str) -> None:
    text = SOUND.replace("  ash:", "  soot: {of: player, type: integer}\n  ash:")
    [(level, what, line, _)] = looked(text.replace("    pass", f"    {used}"))
    assert (level, line) == ("warning", line_of(text, "soot: {of"))
    assert what.startswith("nothing in the rules reads or writes soot")
    assert looked(text.replace("    pass", "    put(actor, soot=3)")) == []


def test_a_schedule_by_what_no_field_is_of_its_own_collection_is_an_error() -> None:
    [(level, what, line, mend)] = looked(SOUND.replace("at: rots", "at: sinks"))
    assert (level, line) == ("error", line_of(SOUND, "rot: {of"))
    assert what == "schedule.rot.at: no rule in force declares sinks of boats"
    assert mend == "declare sinks under collections.boats.fields"


def test_a_misspelt_variable_is_an_error_wherever_it_stands_unless_the_rule_asks_whether_it_is_there() -> (
    None
):
    text = SOUND.replace("    pass", '    if amount > 2:\n        gain(whom, "olis", 1)')
    [(level, _, line, mend)] = looked(text.replace("olis", "oli"))
    assert (level, line, mend) == ("error", line_of(text, "olis"), "write oil, if that is meant")
    [(level, *_)] = looked(text.replace("amount > 2", 'known("oli")').replace("olis", "oli"))
    assert level == "warning"
