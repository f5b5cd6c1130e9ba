"""Options that say nothing of the type beside which they stand are told, with the type that is meant."""

from __future__ import annotations

import pytest
from hostile.small import small_law

from nomicgit.outlook.checks.checking import check_ruleset

PATH = "2-dynastic/95-fair.md"
FAIR = """\
---
title: Fair
variables:
  stall: {of: player, type: text, by_hand: true}
actions:
  call:
    with:
      how: {type: text}
---
Whoever plays may call. LAST

```starlark
def do_call(actor, how):
    put(actor, stall=str(how))
```
"""


def told(new: str, last: str = "") -> list[tuple[str, str, int]]:
    text = FAIR.replace("how: {type: text}", f"how: {new}").replace("LAST", last)
    return [
        (each.level, each.problem.mend, each.problem.where.line)
        for each in check_ruleset(small_law({PATH: text})).findings
    ]


@pytest.mark.parametrize(
    ("kind", "mend"),
    [
        ("{choices: [red, black]}", "write type: choice beside it"),
        ("{min: 3}", "write type: integer beside it"),
        ("{max: 3, default: null}", "write type: integer beside it"),
        ("{items: text}", "write type: list beside it"),
        ("{values: text}", "write type: map beside it"),
        ("{fields: {seats: integer}}", "write type: record beside it"),
        ("{active: true}", "write type: player beside it"),
        ("{type: text, choices: [red, black]}", "take it out, or write type: choice"),
        ("{type: text, min: 3}", "take it out, or write type: integer"),
        ("{type: boolean, below_zero: allow}", "take it out, or write type: integer"),
        ("{type: set, choices: [red, black]}", "write items: {type: choice, choices: …}"),
        ("{type: list, items: {choices: [red, black]}}", "write type: choice beside it"),
        ("{type: record, fields: {deep: {max: 3}}}", "write type: integer beside it"),
        ("[integer]", "write integer"),
        ("{type: list, items: [integer]}", "write integer"),
        ("{type: [red, black]}", "write type: choice, and the list under choices"),
        ("{type: choice, choices: [red, black], default: rde}", "write default: red, if that is meant"),
    ],
)
def test_an_option_of_another_type_is_told_with_the_type_that_is_meant(kind: str, mend: str) -> None:
    assert told(kind) == [("error", mend, 8)]


@pytest.mark.parametrize(
    "kind",
    [
        "text", "[red, black]", "{type: list, items: [red, black]}", "{type: integer, min: 1, max: 3, step: 1}",
        "{type: number, step: 0.5}", "{type: set, items: [red], max: 1}", "{type: map, keys: text, values: [red]}",
        "{type: player, active: true}", "{type: rule, where: {section: dynastic}}",
    ],
)  # fmt: skip
def test_options_of_their_own_type_are_no_news(kind: str) -> None:
    assert told(kind) == []


def test_an_option_that_the_prose_quotes_is_for_the_law_to_read() -> None:
    spec = "{type: set, items: [red, black], choices: [red, black]}"
    assert told(spec) == [("error", "take it out, or write type: choice", 8)]
    assert told(spec, "It is {{actions.call.with.how.choices}}.") == []
