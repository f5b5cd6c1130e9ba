"""Keys that nobody knows: each is told with its file, its line and what to write, wherever declarations hold options."""

from __future__ import annotations

import re

import pytest
from hostile.small import small_law

from nomicgit.outlook.checks import keys
from nomicgit.outlook.checks.checking import check_ruleset
from nomicgit.outlook.checks.finding import Finding
from nomicgit.physics.numbers import NEWEST

PATH = "2-dynastic/95-shop.md"
SHOP = """\
---
title: Shop
clock:
  zone: UTC
  week: monday
variables:
  coins:
    of: player
    type: list
    items:
      type: integer
      min: 1
collections:
  shelves:
    key: {prefix: s}
    fields:
      wares:
        type: integer
        min: 0
limits:
  daily:
    per: day
actions:
  shop:
    summary: Shop.
    limit: daily
    with:
      amount:
        type: integer
        min: 1
guards:
  shut:
    on:
      - section: core
      - tag: dear
    except: [shop]
filters:
  thrift:
    of: player
    variable: coins
settles:
  hunger:
    of: player
    watches: [coins]
schedule:
  dawn:
    every: day 06:00
    at_founding: false
views:
  wealth:
    of: player
posts:
  receipt:
    official: true
counts:
  - in: [core]
    emperor: true
protected:
  names: [wealth]
  from: [dynastic]
overrides:
  join:
    with:
      coin: text
hours: {opens: 8h}
---
The shop opens at {{hours.opens}}.

```starlark
def do_shop(actor, amount):
    add(actor, "coins", amount)

def guard_shut(actor, action, given):
    return ""

def filter_thrift(player, old, new):
    return new

def settle_hunger(player):
    pass

def schedule_dawn():
    find("actions", colour="red")

def wealth(player):
    return total(get(player, "coins"))
```
"""


def found(old: str = "", new: str = "") -> list[Finding]:
    assert old in SHOP
    return list(check_ruleset(small_law({PATH: SHOP.replace(old, new, 1)})).findings)


def test_keys_that_the_program_or_the_law_knows_are_not_told() -> None:
    assert found() == []
    assert found("    limit: daily\n", "    limit: daily\n    colour: red\n") == []


def line_of(key: str, text: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if re.search(rf"\b{key}:", line))


@pytest.mark.parametrize(
    ("old", "new", "key", "mend"),
    [
        ("guards:", "guard:", "guard", "write guards, if that is meant"),
        ("hours:", "hors:", "hors", "take it out, or let the mechanics read it"),
        ("zone:", "zones:", "zones of clock", "write zone"),
        ("    of: player\n    type", "    off: player\n    type", "off of variables.coins", "write of, if"),
        ("      min: 1\ncoll", "      minn: 1\ncoll", "minn of variables.coins.items", "write min,"),
        ("    fields:", "    feilds:", "feilds of collections.shelves", "write fields"),
        ("        min: 0", "        mini: 0", "mini of collections.shelves.fields.wares", "write min,"),
        ("    per: day", "    per: day\n    communial: true", "communial of limits.daily", "write communal"),
        ("    limit: daily\n", "    limmit: daily\n", "limmit of actions.shop", "write limit,"),
        ("        min: 1\nguards", "        mins: 1\nguards", "mins of actions.shop.with.amount", "write min,"),
        ("    except:", "    excpet:", "excpet of guards.shut", "write except"),
        ("    variable: coins", "    variable: coins\n    vary: 1", "vary of filters.thrift", "write one of of, variable"),
        ("    watches:", "    watch:", "watch of settles.hunger", "write watches"),
        ("    at_founding:", "    at_foundin:", "at_foundin of schedule.dawn", "write at_founding"),
        ("wealth:\n    of:", "wealth:\n    off:", "off of views.wealth", "write of, if"),
        ("    official:", "    offical:", "offical of posts.receipt", "write official"),
        ("    emperor: true", "    emporer: true", "emporer of counts.0", "write emperor"),
        ("  from:", "  form:", "form of protected", "write from, if"),
        ("    with:\n      coin", "    wiht:\n      coin", "wiht of overrides.join", "write with"),
    ],
)  # fmt: skip
def test_a_key_that_nobody_knows_is_told_with_its_line_and_the_nearest(
    old: str, new: str, key: str, mend: str
) -> None:
    told = [each for each in found(old, new) if "nobody knows the key" in each.problem.what]
    assert [f"the key {key}: it says nothing" in each.problem.what for each in told] == [True], told
    [one] = told
    where, line = one.problem.where, line_of(key.partition(" ")[0], SHOP.replace(old, new, 1))
    breaks = key in (
        "off of variables.coins",
        "off of views.wealth",
        "guard",
    )  # whose it is, and whom its function is handed, is not said; nothing under it is declared
    assert (one.level, where.file, where.line, where.rule) == (
        "error" if breaks else "warning",
        f"game/ruleset/{PATH}",
        line,
        "Shop",
    )
    assert mend in one.problem.mend


LEVELS = {
    "": "hours: {opens: 8h}\n",
    "variables": "    of: player\n    type: list\n",
    "collections": "    key: {prefix: s}\n",
    "fields": "      wares:\n        type: integer\n",
    "limits": "    per: day\n",
    "actions": "    limit: daily\n",
    "with": "      amount:\n        type: integer\n",
    "guards": "    except: [shop]\n",
    "filters": "    variable: coins\n",
    "settles": "    watches: [coins]\n",
    "schedule": "    at_founding: false\n",
    "views": "  wealth:\n    of: player\n",
    "posts": "    official: true\n",
}
"""A line of each level of the front matter, by what its names stand under, behind which a key may stand."""


@pytest.mark.parametrize("level", LEVELS)
def test_every_key_at_every_level_where_it_means_nothing_is_told_with_where_it_belongs(level: str) -> None:
    """Also where the mechanics of another rule read values of that name: no law reads by chance what stands in the wrong place."""
    known = keys.front(NEWEST.law(small_law({PATH: SHOP})).declarations)
    options = dict(known.parts) | {"": known}
    options |= {
        "fields": known.parts["collections"].parts["fields"],
        "with": known.parts["actions"].parts["with"],
    }
    every = {key for each in LEVELS for key in options[each].keys}
    wrong = sorted(every - options[level].keys - options[level].parts.keys() - known.parts.keys())
    assert len(wrong) > 20
    line = LEVELS[level]
    indent = " " * (len(line.rstrip().split("\n")[-1]) - len(line.rstrip().split("\n")[-1].lstrip()))
    unquoted = SHOP.replace("{{hours.opens}}", "eight")
    text = unquoted.replace(line, line + "".join(f"{indent}{key}: 1\n" for key in wrong), 1)
    asks = "".join(f'    get("rules/shop", "{key}", 0)\n' for key in wrong)
    other = f"---\ntitle: Other\n---\nWords.\n\n```starlark\ndef other():\n{asks}```\n"
    law = NEWEST.law(small_law({PATH: text, "2-dynastic/96-other.md": other}))
    told = {each.problem.what.split()[4]: each.problem for each in keys.keys(law)}
    assert [key for key in wrong if key.rstrip(":") not in {name.rstrip(":") for name in told}] == []
    for key in wrong:
        mend = next(each for name, each in told.items() if name.rstrip(":") == key).mend
        assert "it belongs " in mend or "if that is meant" in mend, (key, mend)


@pytest.mark.parametrize(
    ("old", "new", "what", "there"),
    [
        ("    per: day", "    per: hour", "limits.daily.per: must be", "    per: hour"),
        ("    every: day 06:00", "    every: daily", "schedule.dawn.every:", "    every: daily"),
        ("    every: day 06:00\n", "", "schedule.dawn: it does not say when", "  dawn:"),
        ("    variable: coins", "    colour: coins", "filters.thrift.variable: it is missing", "  thrift:"),
        ("    of: player\n    watches", "    watches", "settles.hunger.of: it is missing", "  hunger:"),
        ("    of: player\n    type: list", "    type: 3", "variables.coins: type must be a name", "    type: 3"),
        ("    key: {prefix: s}", "    key: 3", "collections.shelves.key: it is of none of the forms", "    key: 3"),
        ("    on:\n      - section: core\n      - tag: dear\n", "", "guards.shut.on: it does not say", "  shut:"),
        ("      - tag: dear", "      - mark: dear", "guards.shut.on: must be all, or a list", "    on:"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_declaration_is_told_with_its_line(
    old: str, new: str, what: str, there: str
) -> None:
    [one] = [each.problem for each in found(old, new) if each.level == "error"]
    line = SHOP.replace(old, new, 1).split("\n").index(there) + 1
    assert (one.where.file, one.where.line, one.where.rule) == (f"game/ruleset/{PATH}", line, "Shop")
    assert what in one.what


@pytest.mark.parametrize("word", ["secret", "hidden", "private"])
def test_a_word_that_would_hide_a_value_is_told_though_the_mechanics_say_it_too(word: str) -> None:
    text = SHOP.replace("    of: player\n    type", f"    of: player\n    {word}: true\n    type", 1)
    text = text.replace('colour="red"', f'colour="{word}"')
    (told,) = check_ruleset(small_law({PATH: text})).findings
    assert told.problem.what == f"nobody knows the key {word} of variables.coins: it says nothing"
    assert told.problem.mend == "write tracked: secret, if that is meant"


@pytest.mark.parametrize(
    ("old", "new", "name", "line"),
    [
        ("    of: player\n    type", "    of: player\n    seen_by: [owner]\n    type", "coins", 9),
        ("        min: 0", "        min: 0\n        seen_by: [emperor]", "wares", 20),
        ("    fields:", "    seen_by: [emperor]\n    fields:", "wares", 18),
    ],
)
def test_who_sees_what_is_no_secret_is_told(old: str, new: str, name: str, line: int) -> None:
    (told,) = found(old, new)
    assert told.problem.what == f"everybody sees {name}, whoever stands in its seen_by: it is no secret"
    assert told.level == "error"
    assert told.problem.where.line == line
    assert "write tracked: secret beside it" in str(told.problem.mend)
