"""What is told of a schedule that is wrong is true, and says what to write."""

from __future__ import annotations

import pytest
from hostile.small import small_law

from nomicgit.outlook.checks.checking import check_ruleset

PATH = "2-dynastic/95-bell.md"
BELL = """\
---
title: Bell
variables:
  due: {of: player, type: datetime, by_hand: true}
  heavy: {of: player, type: integer, by_hand: true}
schedule:
  strike: SPEC
---
It strikes.

```starlark
def schedule_strike(HANDED):
    note("it strikes")
```
"""
S = "schedule.strike"
WRONG = {
    "{every: 'day 06:00', of: player}": ("of would say nothing", "take of out"),
    "{every: 'day 06:00', of: player, at: due}": ("of and at would say nothing", "take of and at out"),
    "{at: due}": (f"{S}: it does not say whose due it waits for", "write of: player beside it"),
    "{of: player}": (
        f"{S}: it does not say at which time of each player",
        "write at: and the name of a variable",
    ),
    "{}": (f"{S}: it does not say when", "write every: day 06:00, or of and at"),
    "{of: player, at: 'day 06:00'}": (
        f"{S}: day 06:00 is a time itself",
        "write every: in place of of and at",
    ),
    "{of: player, at: '2021-06-08T00:00:00Z'}": (
        f"{S}: 2021-06-08T00:00:00Z is a time itself",
        "declare a variable",
    ),
    "{of: player, at: heavy}": (f"{S}.at: heavy is of type integer, which is no time", "write due"),
    "{of: player, at: name}": (
        f"{S}.at: name is what the program keeps of each player, and no time",
        "write due",
    ),
    "{of: player, at: duue}": (
        f"{S}.at: no rule in force declares duue of player",
        "write due, if that is meant",
    ),
    "{every: daily}": (f"{S}.every: daily is not a recurring time", "write it as hour 30, day 00:00"),
}


@pytest.mark.parametrize("spec", WRONG)
def test_a_schedule_that_is_wrong_is_told_truly(spec: str) -> None:
    what, mend = WRONG[spec]
    text = BELL.replace("SPEC", spec).replace("HANDED", "" if "every" in spec else "player")
    [one] = check_ruleset(small_law({PATH: text})).findings
    assert one.problem.where.line == 7
    assert what in one.problem.what
    assert one.problem.mend.startswith(mend)


@pytest.mark.parametrize(
    "spec",
    [
        "{every: 'day 06:00'}",
        "{of: player, at: due}",
        "{of: player, at: due, where: heavy}",
        "{of: player, at: created}",
    ],
)
def test_a_schedule_that_is_right_is_no_news(spec: str) -> None:
    text = BELL.replace("SPEC", spec).replace("HANDED", "" if "every" in spec else "player")
    assert check_ruleset(small_law({PATH: text})).findings == ()
