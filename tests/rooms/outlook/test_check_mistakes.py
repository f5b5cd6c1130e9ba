"""Mistakes of people who write their first rule: each is told once, in their own file and line, with what to write."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hostile.small import START, Small
from support.checking import checked
from support.depth import one_of
from support.parlour import parlour

from nomicgit import editions
from nomicgit.ground.problems import Refused
from nomicgit.law.crossing import Host
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.unreadable import unreadable
from nomicgit.law.variables import MISSING
from nomicgit.outlook.checks import check_ruleset, trying
from nomicgit.outlook.checks.scratch import Endless
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state import transaction
from nomicgit.physics.state.context import Context, Seeded

PATH = "game/ruleset/2-dynastic/73-ferry.md"
FERRY = """\
---
title: Ferry
variables:
  pearls:
    of: player
    type: integer
    default: 5
  hands: {type: list, items: player}
  debts: {type: map, keys: player, values: integer}
  landing: {of: player, type: datetime}
  toll: {type: integer, default: 2}
  steers: {type: player}
collections:
  boats: {key: {prefix: b}, fields: {seats: integer}}
limits:
  tides: {per: day, times: 9}
actions:
  cross:
    by: player
    limit: tides
    with:
      people: {type: integer, min: 1}
  moor: {}
---
Whoever plays may cross the river for {{variables.pearls.default}} pearls or fewer.

```starlark
FARE = 1

def do_cross(actor, people):
    spend(actor, "pearls", 1)

def do_moor(actor):
    create("boats", seats=4)
    _kept()

def _kept():
    return [get("game", "hands"), get("game", "debts"), get("game", "toll"), get("game", "steers"), get("players/ben", "landing", None)]
```
"""
PAYS = '    spend(actor, "pearls", 1)'


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small.found(tmp_path_factory.mktemp("river") / "game")


def some(mistakes: Iterable[str]) -> list[Any]:
    """In every profile one of ten."""
    return [pytest.param(each, marks=one_of(10, number)) for number, each in enumerate(mistakes)]


def mistakes(river: Small, text: str) -> list[dict[str, object]]:
    """What the check of a branch finds that brings this rule."""
    return [each.as_json() for each in checked(river, PATH, text)]


@pytest.mark.slow
def test_a_sound_rule_meets_nothing(river: Small) -> None:
    assert mistakes(river, FERRY) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    some(['"a" * 30 + "b"', '30 * "a" + "b"', '"a" + 3 * "b"', '1 + "abc".index("b")', '"%d" % 3 + "b"']),
)
def test_a_product_a_call_and_a_part_may_be_a_text(river: Small, text: str) -> None:
    assert mistakes(river, FERRY.replace(PAYS, f"{PAYS}\n    mark = {text}", 1)) == []
    [only] = mistakes(river, FERRY.replace(PAYS, f'{PAYS}\n    mark = {text}\n    sum = "a" + 3', 1))
    assert "a text and a number are not added" in str(only["what"])


@pytest.mark.slow
def test_a_name_that_nobody_declares_is_told_once_with_all_its_lines_and_no_invented_player(
    river: Small,
) -> None:
    twice = FERRY.replace("FARE = 1", 'OTHER = "oars"').replace(
        PAYS, f"{PAYS}\n    gain(actor, OTHER, people)", 1
    )
    twice = twice.replace('create("boats", seats=4)', 'gain(actor, OTHER, 1)\n    create("boats", seats=4)')
    lines = [n for n, line in enumerate(twice.split("\n"), 1) if "gain(actor, OTHER" in line]
    [only] = [each for each in mistakes(river, twice) if "oars" in str(each["what"])]
    assert only["what"] == f"no rule in force declares oars of players, here and in line {lines[1]}"
    assert (only["level"], only["line"]) == ("error", lines[0])


@pytest.mark.slow
def test_an_option_misnamed_is_told_and_not_that_mechanics_read_it_by_its_name(river: Small) -> None:
    least = 'get("rules/ferry", "actions")["cross"]["with"]["people"]["min"]'
    text = FERRY.replace("integer, min: 1}", "integer, minimum: 1}").replace(PAYS, f"    note(str({least}))")
    [only] = mistakes(river, text)
    assert (only["level"], only["line"]) == ("error", line_of(text, "minimum"))
    assert only["mend"] == "write min, if that is meant"
    quoting = FERRY.replace("pearls.default}}", "pearls.min}}")
    [lacking] = mistakes(river, quoting)
    assert lacking["mend"] == "declare min under variables.pearls"


@pytest.mark.slow
def test_a_slip_among_a_rules_own_keys_is_told_in_its_line_unless_its_prose_quotes_it(river: Small) -> None:
    slip = FERRY.replace("moor: {}\n", "moor: {}\nfares: {children: 1, childrren: 2, oxen: 4, ox: 3}\n")
    slip = slip.replace("or fewer.", "or fewer.\nChildren pay {{fares.children}}.")
    [said] = mistakes(river, slip)
    assert (said["level"], said["line"]) == ("warning", line_of(slip, "childrren"))
    assert said["what"] == "fares has childrren beside what is called nearly so"
    assert said["mend"] == "write children, if that is meant"
    assert said["file"] == PATH
    assert (
        mistakes(river, slip.replace("{{fares.children}}", "{{fares.children}} or {{fares.childrren}}")) == []
    )


CROSSED = FERRY[FERRY.index("  moor: {}") : FERRY.index("FARE = 1")]

# what stands there, what somebody writes instead, words of what is wrong, words of the remedy, where it is told
MISTAKES: dict[str, tuple[str, str, str, str, str]] = {
    "a default that is no player here": ("toll: {", "pilot: {type: player, default: zoe}\n  toll: {",
        "variables.pilot.default: ", "one that there is", "pilot"),
    "a default among whom is no player": ("toll: {", "crew: {type: list, items: player, default: [ana, zoe]}\n  toll: {",
        "variables.crew.default: ", "one that there is", "crew"),
    "a default that is none of a collection": ("toll: {", "dock: {of: player, type: boats, default: b7}\n  toll: {",
        "variables.dock.default: ", "one that there is", "dock"),
    "a parameter whose default is none of a collection": ("{type: integer, min: 1}", "{type: boats, default: b7}",
        "actions.cross.with.people.default: ", "one that there is", "people:"),
    "a parameter whose default is no player here": ("{type: integer, min: 1}", "{type: player, default: zoe}",
        "actions.cross.with.people.default: ", "one that there is", "people:"),
    "a variable that nobody declares": ('"pearls", 1', '"perls", 1', "the variable perls", "write pearls", "perls"),
    "a variable of something else": ('actor, "pearls"', '"game", "pearls"', "pearls of game", "declared of player", "game"),
    "a collection that nobody declares": ('"boats", seats', '"boots", seats', "the collection boots", "write boats", "boots"),
    "a field that no boat has": ("seats=4", "seets=4", "the variable seets", "write seats", "seets"),
    "what no boat is found by": (PAYS, '    find("boats", cost=3)', "cost of boats", "collections.boats.fields", "cost=3"),
    "a cost in quotes": ("    limit: tides\n    with:", '    limit: tides\n    cost: {pearls: "1"}\n    with:', "nobody defines 1",
        "write pearls: 1, without quotes", "cost"),
    "a variable misspelt in a quote": ("{{variables.pearls", "{{variables.perls", "declares no such thing",
        "write variables.pearls.default", "variables.perls"),
    "a word misspelt": ("    spend(", "    spnd(", "defines spnd", "write spend", "spnd"),
    "a limit used that is none": (PAYS, '    use("tidez", actor)', "the limit tidez", "write tides", "tidez"),
    "an action done that is none": (PAYS, '    do("mor", actor)', "the action mor", "write moor", '"mor"'),
    "a catalogue that is none": (PAYS, '    catalogue("rivers")', "the catalogue rivers",
        "declare rivers under catalogues", "rivers"),
    "a span without its unit": (PAYS, '    later(now(), "3 hours")', "is no span", 'write "3h"', "3 hours"),
    "a loop over a word": (PAYS, "    for each in players:\n        note(each)", "a word that is called", "players()", "in players"),
    "a collection without ids": ("boats: {key: {prefix: b}, fields", "boats: {fields", "it has no key, and no rule",
        "key: {prefix: b}", "boats: {"),
    "an indent lost": ("collections:\n  boats:", "collections:\nboats:",
        "boats is a key of its own, and collections before it holds nothing", "indent it under collections", "boats: {"),
    "a refusal answered": (PAYS, '    return "it is night"', "answers with a text, which refuses nothing", "write require(", "return"),
    "an attribute read": (PAYS, "    note(actor.pearls)", "has no .pearls", 'get(actor, "pearls")', "actor."),
    "an attribute taken from": (PAYS, "    actor.pearls -= 1", "has no .pearls", 'spend(actor, "pearls", n)', "actor."),
    "an attribute given a value": (PAYS, "    actor.pearls = 1", "has no .pearls", "put(actor, pearls=…)", "actor."),
    "seconds added to a time": (PAYS, "    put(actor, landing=now() + 900)", "a time is a text", "later(now(…)", "900"),
    "a time taken from a time": (PAYS, '    span_ = now() - get(actor, "landing")', "a time is a text", "write span(a, b)",
        "span_"),
    "a text and a number": (PAYS, '    note("crossed by " + people)', "a text and a whole number", "str(number)", "crossed by"),
    "a text and 3": (PAYS, '    note("boat " + 3)', "a text and a number", "str(number)", '"boat " + 3'),
    "a fraction": ('"pearls", 1', '"pearls", people * 0.5', "whole number", "divide(a, b)", "0.5"),
    "a division": ('"pearls", 1', '"pearls", people / 2', "fraction", "divide(a, b)", "/ 2"),
    "nothing where a number is": ('"pearls", 1', '"pearls", None + 1', "None and a whole number", "ask first", "None"),
    "a key that is not there": (PAYS, '    note({}["toll"])', "has no key", "map.get", "{}["),
    "an argument forgotten": (PAYS, "    require(people > 1)", "not handed the reason", 'require(people > 1, "why not")', "require"),
    "a parameter of a step forgotten": (PAYS, '    do("vote", actor)', "a value is needed", "by its name", '"vote"'),
    "a constant counted up": (PAYS, "    FARE += 1", "FARE is a constant", "declare a variable", "FARE +="),
    "a constant worked out": ("FARE = 1", 'FARE = get("game", "toll")', "literals only", "in a function", "FARE ="),
    "a cost of a variable that nobody declares": ("    limit: tides\n    with:", "    limit: tides\n    cost: {perls: 1}\n    with:",
        "the variable perls of player, which cross costs", "write pearls", "perls"),
    "a function that tells a cost below nothing": (CROSSED, CROSSED.replace("moor: {}", "moor: {cost: {pearls: _price}}")
        + "def _price(actor, given):\n    return -3\n", "_price tells that moor costs -3 pearls", "let it tell 0 or more", "def _price"),
    "a parameter judged as a variable": ("{type: integer, min: 1}", "{type: integer, min: 1, legal: _fits}",
        "the key legal", "write which", "people:"),
    "the values of a map in the singular": ("toll: {", "bag: {type: map, value: {min: 1}}\n  toll: {",
        "the key value", "write values", "bag"),
    "a path that parts a key from its map": ("    limit: tides\n    with:", "    limit: tides\n    cost: {debts: {ana: 3}}\n    with:",
        "must be a whole number from 0 on", "set: {actions.cross.cost: {debts.ana: 3}}", "cost"),
    "while with a break": (PAYS, "    while True:\n        break", "no `while`", "for n in range", "while"),
    "for in parentheses with a break": (PAYS, "    for (const each of players()) {\n        break",
        "there is no for", "for each in", "const"),
    "while": (PAYS, "    while people > 0:\n        people -= 1", "no `while`", "for n in range", "while"),
    "try": (PAYS, "    try:\n        pass\n    except:\n        pass", "no `try`", "nothing is caught", "try"),
    "is": (PAYS, "    if actor is None:\n        return", "no `is`", "write ==", "is None"),
    "raise": (PAYS, '    raise "no"', "no `raise`", "write refuse(why)", "raise"),
    "assert": (PAYS, "    assert people", "no `assert`", "write require", "assert"),
    "global": (PAYS, "    global FARE", "no `global`", "declare a variable", "global"),
    "del": (PAYS, "    del people", "no `del`", "write remove", "del "),
    "import": ("def do_cross", "import random\n\ndef do_cross", "no `import`", "take it out", "import"),
    "from": (PAYS, "    from random import choice", "no `from`", "take it out", "from"),
    "class": (PAYS, "    class Boat:\n        pass", "no `class`", "a collection", "class"),
    "an f-string that works out": (PAYS, '    note(f"{people + 1}")', "f-string", "the line before", "f\""),
    "an f-string that formats": (PAYS, '    note(f"{people:>3}")', "f-string", "the line before", "f\""),
    "++": (PAYS, "    people++", "no ++", "write += 1", "people++"),
    "&&": (PAYS, "    if people && FARE:\n        pass", "no &&", "write and", "&&"),
    "else if": (PAYS, "    if people:\n        pass\n    else if FARE:\n        pass", "no else if", "write elif", "else if"),
    "comparisons in a row": (PAYS, "    if 1 < people < 5:\n        pass", "do not follow", "a < b and b < c", "1 <"),
    "true": (PAYS, "    x = true", "defines true", "write True", "true"),
    "null": (PAYS, "    x = null", "defines null", "write None", "null"),
    "sum": (PAYS, "    x = sum([people])", "defines sum", "write total(list)", "sum("),
    "print": (PAYS, "    print(people)", "defines print", "write note(text)", "print("),
    "sort": (PAYS, "    x = [people].sort()", "no", "write sorted([people])", "sort("),
    "a colon forgotten": (PAYS, "    if people\n        pass", "colon", "write :", "if people"),
    "an indentation": (PAYS, f"  x = 1\n{PAYS}", "indented", "four spaces", "x = 1"),
    "a variable taken for a name": (PAYS, '    toll = 0\n    pearls = 1\n    note(f"{pearls}")', "never uses it", 'put("game", toll=…)',
        "toll = 0"),
    "a variable counted up by its name": (PAYS, '    toll = get("game", "toll")\n    toll += 1', "never uses it", 'put("game", toll=…)',
        "toll = g"),
    "a space too few": (PAYS, f"{PAYS}\n    x = 1\n   y = 2\n    z = 3", "indented", "four spaces", "   y = 2"),
    "a space too few below a note": (PAYS, f"{PAYS}\n\n    # a note\n   y = 2", "indented", "four spaces", "   y = 2"),
    "a key with a space too few": ("    of: player\n    type", "   of: player\n    type", "begins elsewhere", "after 4 spaces", "   of: p"),
    "a key with a space too many": ("    type: integer", "     type: integer", "begins elsewhere", "after 4 spaces", "type: integer"),
    "a last key with a space too few": ("    default: 5", "   default: 5", "begins elsewhere", "after 4 spaces", "default: 5"),
    "a key near the top with a space too few": ("  hands:", " hands:", "begins elsewhere", "after 2 spaces", "hands:"),
    "a key without its colon": ("limits:\n", "limits\n", "no : stands behind the key limits", "write limits:", "limits"),
    "a first line with a space too few": (PAYS, f"   x = 1\n{PAYS}\n    note(str(x))", "indented", "four spaces", "   x = 1"),
    "a name that nothing reads": (PAYS, f"{PAYS}\n    pot = 0", "the function never uses it", 'put("game", pot=…)', "pot = 0"),
    "a first key with a space": ("title: Ferry", " title: Ferry", "begins elsewhere", "after no spaces", "title: Ferry"),
    "a text not closed": (PAYS, '    note("over)', "not closed", "quotation mark", "over)"),
    "length": (PAYS, "    x = [1]\n    y = x.length", "has a .length", "write len(x)", "x.length"),
    "push": (PAYS, "    x = []\n    x.push(1)", "method push", 'x.append(…), or of a variable add(ref, "variable", …)', "x.push"),
    "map": (PAYS, "    x = [1]\n    y = x.map(str)", "method map", "write [… for each in x]", "x.map"),
    "a new line as two signs": (PAYS, "    x = 1\\n    y = 2", "begins no line", 'in a text between " and "', "x = 1"),
    "an arrow": (PAYS, "    x = [1]\n    y = x.map(n => n)", "no =>", "for each in list", "=>"),
    "randint": (PAYS, "    x = random.randint(1, 6)", "method randint", "roll(6)", "randint"),
    "datetime": (PAYS, "    x = datetime.now()", "method now", "write now()", "datetime.now"),
    "floor": (PAYS, "    x = Math.floor(people)", "method floor", "write divide(a, b)", "Math"),
    "a part of what is found": (PAYS, '    x = find("boats")[0]["seats"]', "has no parts", 'write get(ref, "seats")', "x = "),
    "a part of what was found": (PAYS, '    x = find("boats")\n    y = x[0]["seats"]', "has no parts", 'write get(ref, "seats")', "y = "),

        "a part of each that is found": (PAYS, '    for b in find("boats"):\n        note(b["seats"])', "has no parts",
        'write get(ref, "seats")', "note"),
    "a part of whoever acts": (PAYS, '    note(str(actor["pearls"]))', "has no parts", 'write get(ref, "pearls")', "note"),
    "a part of a text": (PAYS, '    x = list(["a"])[0]\n    y = x["seats"]', "asked for its part", 'write get(ref, "seats")', "y = "),
    "a part of what is given": (PAYS, '    given = {"people": people}\n    x = given.people', "given is a map, and has no .people",
        'write given["people"]', "x = "),
    "the game without quotes": (PAYS, '    gain(game, "toll", 1)', "nobody defines game", 'write "game", in quotes', "gain("),
    "set to write": (PAYS, '    set("game", toll=0)', "nobody defines set", "put(ref, variable=value)", "set("),
    "everyone may": ("by: player", "by: everyone", "nobody defines everyone", "write player, or anyone", "by:"),
    "a map's key": ("toll: {", "bag: {of: player, type: map, key: text, values: integer}\n  toll: {", "the key key of variables.bag",
        "write keys", "bag"),
    "a map's value": ("toll: {", "bag: {of: player, type: map, keys: text, value: integer}\n  toll: {", "the key value of variables.bag",
        "write values", "bag"),
    "a map's key and value": ("toll: {", "bag: {of: player, type: map, key: text, value: integer}\n  toll: {",
        "the keys key and value of variables.bag: they say", "write keys and values", "bag"),
    "a field that none declares": ("seats=4", "builder=actor", "the variable builder",
        "declare builder under collections.boats.fields, or write one of its fields: seats", "builder"),
    "a collection as a name": (PAYS, "    x = list(boats)", "nobody defines boats", 'write find("boats")', "list("),
    "a part of the game": (PAYS, "    x = game.toll", '"game" is a text that names something', 'write get("game", "toll")', "x = "),
    "a part of the dynasty": (PAYS, "    x = dynasty.number", '"dynasty" is a text', 'write get("dynasty", "number")', "x = "),
    "a value given to the game": (PAYS, "    game.toll += 1", '"game" is a text', 'write gain("game", "toll", n)', "game.toll"),
    "the hour": (PAYS, "    x = now().hour", "a time is a text, and has no .hour", 'divide(span(start_of("day"), now()), 3600)', "x = "),
    "a part of a later time": (PAYS, '    x = later(now(), "1h").year', "a time is a text, and has no .year", "span(a, b)", "x = "),
    "something put behind a number": (PAYS, '    get("game", "toll").append(2)', "changes a copy", 'gain(ref, "variable", n)', "append"),
    "behind what get returned": (PAYS, '    get("game", "hands").append(actor)', "changes a copy", 'add(ref, "variable", value)', "append"),
    "behind what get had returned": (PAYS, '    x = get("game", "hands")\n    x.append(actor)',
        "x is a copy", 'add(ref, "variable", value)', "x.append"),
    "into what get had returned": (PAYS, '    x = get("game", "debts")\n    if people:\n        x[actor] = people',
        "x is a copy", "put(ref, variable=value)", "x[actor]"),
    "a name as a player": (PAYS, '    if actor == "ben":\n        note("Hello.")', "never the name alone", '"players/ben"', "if actor"),
    "a player as a name": (PAYS, '    if emperor() != name(actor):\n        note("Hello.")',
        "never the name alone", "write actor in place of name(actor)", "if emperor"),
    "a name as whom a variable holds": (PAYS, '    for b in find("boats"):\n        require(get("game", "steers") == "ben", b)',
        "never the name alone", '"players/ben"', "require("),
    "a name as one of a collection": (PAYS, '    for b in find("boats"):\n        require(b != "b1", "no")', "one of the boats is boats/ID",
        '"boats/ID"', "require("),
    "a kind before what names one": (PAYS, '    for p in players():\n        gain("players/" + p, "pearls", 1)',
        "p names one of the players already", "write p", "gain("),
    "an amount turned round": (PAYS, '    gain(actor, "pearls", -people)', "only a positive amount", 'write spend(actor, "pearls", people)',
        "gain("),
    "a function that nobody calls": (PAYS, f"{PAYS}\n\ndef _fare():\n    return 3", "nobody calls _fare", "call it", "def _fare"),
    "a variable that nothing uses": ("  toll: {", "  oars: {type: integer}\n  toll: {", "reads or writes oars",
        'get(ref, "oars")', "oars:"),
    "a limit of nothing": ("    limit: tides\n", "", "no action names the limit tides", "write limit: tides", "tides: {"),
    "a loop with let": (PAYS, "    for (let p of players()) {\n        note(p)\n    }", "for in parentheses",
        "write for p in players():", "let p"),
    "if without else": (PAYS, "    x = 1 if people", "else is missing", "a if condition else b", "x = 1"),
    "function": ("def do_moor(actor):", "function do_moor(actor) {", "no function before", "write def do_moor(actor):",
        "function"),
    "braces": (PAYS, "    if (people > 1) {\n        pass\n    }", "no braces", "write : at the end", "if ("),
    "one = to ask": (PAYS, '    if FARE == 1 and get(actor, "pearls") = 3:\n        pass', "= gives a value",
        'write == in its place: if FARE == 1 and get(actor, "pearls") == 3:', "if FARE"),
    "===": (PAYS, "    if people === 1:\n        pass", "no ===", "write ==", "==="),
    "!==": (PAYS, "    if people !== 1:\n        pass", "no !==", "write !=", "!=="),
    "elif alone": (PAYS, "    elif people:\n        pass", "no if stands before this elif", "where its if begins", "elif"),
    "a note behind //": (PAYS, f"    // pays\n{PAYS}", "notes behind //", "write #", "// pays"),
    "a hyphen in a function": ("def do_moor", "def fare-of(x):\n    pass\n\ndef do_moor", "holds no -", "def fare_of", "fare-of"),
    "added to get": (PAYS, '    get(actor, "pearls") += people', "added to what get", 'write gain(actor, "pearls", people)', "get("),
    "taken from get": (PAYS, '    get(actor, "pearls") -= people', "taken from what get", 'write spend(actor, "pearls", people)', "get("),
    "get given a value": (PAYS, '    get(actor, "pearls") = people', "given no value", "write put(actor, pearls=people)", "get("),
    "count as it is": (PAYS, '    x = find("boats").count', "has a .count", "write len(list)", ".count"),
    "count of a list": (PAYS, '    x = find("boats").count()', "a list has no part .count", "write len(list)", ".count"),
    "another fence": ("```starlark", "```python", "```python is prose", "write ```starlark", "```python"),
    "another fence without a name": ("```starlark", "```", "``` is prose", "write ```starlark", "```"),
    "a function misspelt": ("def do_cross", "def do_crss", "nobody defines do_cross",
        "write def do_cross(actor, people) in place of def do_crss, if that is meant", "cross:"),
    "a function called as its action": ("def do_moor", "def moor", "nobody defines do_moor",
        "write def do_moor(actor) in place of def moor, if that is meant", "moor:"),
    "a parameter not taken": ("(actor, people)", "(actor)", "does not take people", "do_cross(actor, people)", "def do_cross"),
    "a parameter too many": ("(actor, people)", "(actor, people, boat)", "wants boat", "do_cross(actor, people)", "def do_cross"),
    "a parameter not declared": ("(actor):", "(actor, boat):", "wants boat", "do_moor(actor)", "def do_moor"),
    "who may": ("by: player", "by: captains", "nobody defines captains", "def captains(actor)", "by:"),
    "which": ("min: 1}", "min: 1, which: few}", "nobody defines few", "def few(value)", "people: {"),
    "a limit": ("limit: tides", "limit: tide", "the limit tide", "write tides", "limit: tide"),
    "a kind in the plural": ("of: player\n", "of: players\n", "declared of players", "write player", "of: players"),
    "a kind that nobody declares": ("landing: {of: player", "landing: {of: boat", "is of boat", "write boats", "of: boat"),
    "a type of another language": ("type: integer\n", "type: int\n", "called int", "write integer", "type: int"),
    "a type misspelt": ("datetime}", "datetme}", "called datetme", "write datetime", "landing"),
    "a default of another type": ("default: 5", "default: five", "must be a number", "another default", "default: five"),
    "a number in quotes": ("default: 5", 'default: "5"', "must be a number", "default: 5, without quotes", "default:"),
    "a span added to a time": (PAYS, '    put(actor, landing=now() + "2d")', "must be a time", 'write later(t, "2d")', "now()"),
    "taken from a part of a reference": (PAYS, '    first = players()[0]\n    first["pearls"] -= people', "its part “pearls”",
        "gain, lose or put(ref, pearls=…)", 'first["'),
    "a key in the singular": ("limits:", "limit:", "the key limit", "write limits", "limit:"),
    "a key in capitals": ("limits:", "Limits:", "the key Limits", "write limits", "Limits:"),
    "an option misspelt": ("    limit: tides", "    limits: tides", "the key limits", "write limit", "limits: tides"),
    "a cost of what nobody has": ("    by: player", "    cost: {perls: 1}", "the variable perls of player", "write pearls",
        "cost:"),
    "a cost that nobody says": ("    by: player", "    cost: {pearls: fare}", "nobody defines fare",
        "def fare(actor, given)", "cost:"),
    "a cost below nothing": ("    by: player", "    cost: {pearls: -1}", "from 0 on", "write cost: {pearls: 3}", "cost: {pearls"),
    "a cost that is a function": ("    by: player", "    by: player\n    cost: do_moor", "is a text, and charges nothing",
        "write cost: {coins: do_moor}", "cost:"),
    "a key that is no field": ("{prefix: b}", "h", "collections.boats.key: the collection has no field h", "key: {prefix: h}", "boats: {"),
    "a term in one brace": ("{{variables.pearls.default}}", "{terms.players}", "a brace is missing", "write {{terms.players}}", "{terms"),
    "a cost that is a list": ("    by: player", "    cost: [pearls]", "must be a map of what is charged", "write cost: {pearls: 3}",
        "cost:"),
    "a quote of what is not there": ("{{variables.pearls.default}}", "{{variables.perls.default}}", "quotes",
        "variables.pearls.default", "perls"),
    "a quote in one brace": ("{{variables.pearls.default}}", "{pearls}", "a brace is missing",
        "write {{variables.pearls.default}}", "{pearls}"),
    "a path in one brace": ("{{variables.pearls.default}}", "{variables.pearls.default}", "a brace is missing",
        "write {{variables.pearls.default}}", "{variables"),
    "a variable of the game in one brace": ("{{variables.pearls.default}}", "{toll}", "a brace is missing",
        "write {{game.toll}}", "{toll}"),
    "an action that is taken": ("  moor: {}", "  vote: {}", "declared twice", "under overrides", "vote:"),
    "a brace not closed": ("datetime}", "datetime", "not YAML", "close the {", "toll:"),
    "a colon in a title": ("title: Ferry", "title: Ferry: the beginning", "not YAML", "in quotes", "title:"),
    "a tab": ("    of: player", "\tof: player", "a tab", "write spaces", "\tof"),
    "a tab in the mechanics": (PAYS, f"\t{PAYS.strip()}", "a tab", "four spaces", "\tspend"),
    "yes": ("tides: {per: day, times: 9}", "tides: {per: day, times: 9, shared: yes}", "not a text", "write true", "tides: {"),
    "off": ("type: integer\n    default: 5", "type: boolean\n    default: off", "not a text", "write false", "default: off"),
    "True": ("    by: player", "    idle: True", "not a text", "write true", "idle: True"),
    "a boolean in quotes": ("type: integer\n    default: 5", 'type: boolean\n    default: "no"', "must be true or false",
        "write default: true, or default: false", 'default: "no"'),
    "no space behind a colon": ("landing: {of: player", "landing: {of:player", "the key of:player", "of: player", "of:player"),
    "something secret without keys": ("type: datetime}", "type: datetime, tracked: secret}", "landing is secret, and this game has no keys",
        "take tracked: secret out", "landing:"),
    "something that is nearly secret": ("type: datetime}", "type: datetime, tracked: secrets}", "must be public, secret or nowhere",
        "write tracked: secret", "landing:"),
    "something that is meant secret": ("type: datetime}", "type: datetime, tracked: private}", "must be public, secret or nowhere",
        "write tracked: secret", "landing:"),
    "something that is not public": ("type: datetime}", "type: datetime, public: false}", "nobody knows the key public",
        "write tracked: secret", "landing:"),
    "something private without keys": ("  moor: {}", "  moor: {private: true}", "moor is done in private, and this game has no keys",
        "take private out", "moor:"),
    "a message without keys": (PAYS, '    tell(actor, "hello")', "whoever does this is refused", "public=True", "tell("),
    "no title": ("title: Ferry\n", "", "title is missing", "title: …", "---"),
    "front matter not closed": ("---\nWhoever", "--\nWhoever", "no end", "---", "---"),
}  # fmt: skip
ADDED: dict[str, tuple[str, str, str, str, str]] = {
    "a guard of no action": ("guards:\n  fog: {on: [crosss]}", "def guard_fog(actor, action, given):\n    return \"\"",
        "the action crosss", "write cross", "fog:"),
    "a guard of no rule": ("guards:\n  fog: {on: [{rule: fery}]}", "def guard_fog(actor, action, given):\n    return \"\"",
        "the rule fery", "write ferry", "fog:"),
    "a guard of no section": ("guards:\n  fog: {on: [{section: dynasty}]}", "def guard_fog(actor, action, given):\n    return \"\"",
        "the section dynasty", "write dynastic", "fog:"),
    "a guard without its function": ("guards:\n  fog: {on: all}", "", "nobody defines guard_fog", "def guard_fog(actor, action, given)",
        "fog:"),
    "an event that nobody emits": ("when:\n  landed: [_hail]", "def _hail():\n    pass", "the event landed", 'emit("landed")', "landed:"),
    "a time that is none": ("schedule:\n  dawn: {every: daily}", "def schedule_dawn():\n    pass", "not a recurring time",
        "day 00:00",
        "dawn:"),
    "a clock without its function": ("schedule:\n  dawn: {every: day 06:00}", "", "nobody defines schedule_dawn",
        "def schedule_dawn()",
        "dawn:"),
    "a clock by what nobody has": ("schedule:\n  dawn: {of: player, at: landin}", "def schedule_dawn(player):\n    pass",
        "declares landin", "write landing", "dawn:"),
    "a clock by what is no time": ("schedule:\n  dawn: {of: player, at: pearls}", "def schedule_dawn(player):\n    pass",
        "pearls is of type integer, which is no time", "write landing", "dawn:"),
    "a clock of nothing": ("schedule:\n  dawn: {of: playr, at: landing}", "def schedule_dawn(boat):\n    pass", "is of playr",
        "write player", "dawn:"),
    "a clock that breaks": ("schedule:\n  dawn: {every: day 06:00}", "def schedule_dawn():\n    note(7)", "note takes a text", "str(7)",
        "note(7)"),
    "a private message by the clock": ("schedule:\n  dawn: {every: day 06:00}",
        'def schedule_dawn():\n    if len(players()) > 99:\n        tell(players()[0], "dawn")', "by the clock it does not happen",
        "public=True", "tell("),
    "a private message in a settle": ("settles:\n  sink: {of: player, watches: [pearls]}",
        'def settle_sink(player):\n    tell(player, "less")', "this game has no keys", "public=True", "tell("),
    "a fraction by the clock": ("schedule:\n  dawn: {every: day 06:00}",
        'def schedule_dawn():\n    for p in players():\n        put(p, pearls=get(p, "pearls") * 0.1)', "must be a whole number",
        "divide(a, b)", "* 0.1"),
    "a view that breaks": ("views:\n  fleet: {}", "def fleet():\n    return find(\"boats\")[99]", "there is no member",
        "len(list)", "[99]"),
    "a catalogue as a name": ("catalogues:\n  goods: {straw: {price: 1}}", 'def f():\n    return goods["straw"]', "nobody defines goods",
        'write catalogue("goods")', "goods["),
    "a key of a catalogue as a reference": ("catalogues:\n  goods: {straw: {price: 1}}", 'def f():\n    return get("straw", "price")',
        "straw names nothing", 'write catalogue("goods")["straw"]', "get("),
    "a view that takes nobody": ("views:\n  odds: {of: player}", 'def odds():\n    return get(player, "pearls")',
        "does not take what it is handed", "write def odds(player)", "def odds"),
    "a settle that watches nothing": ("settles:\n  sink: {of: player, watches: [perls]}", "def settle_sink(player):\n    pass",
        "watches perls", "write pearls", "sink:"),
    "a settle where nothing is": ("settles:\n  sink: {of: player, watches: [pearls], where: perls}",
        "def settle_sink(player):\n    pass", "no rule in force declares perls of player", "write pearls", "sink:"),
    "a settle that breaks": ("settles:\n  sink: {of: player, watches: [pearls]}", "def settle_sink(player):\n    lose(player, 3, 1)",
        "lose takes the name of a variable", 'write lose(player, "', "lose("),
    "a filter of nothing": ("filters:\n  thrift: {of: player, variable: perls}", "def filter_thrift(player, old, new):\n    return new",
        "declares perls", "write pearls", "thrift:"),
    "a protection of nothing": ("protected: [tallly]", "", "protected names tallly, which no rule has", "take it out", "protected:"),
    "an override with nothing in its place": ("overrides: [do_join]", "", "overrides do_join, and has none of its own",
        "write a function do_join", "overrides:"),
    "an override of nothing": ("overrides: [tallly]", "", "no other rule has tallly", "take it out", "overrides:"),
    "a guard that says True": ("guards:\n  fog: {on: [cross]}", "def guard_fog(actor, action, given):\n    return True",
        "answers True, which bars nothing", "write why not", "return True"),
    "a view of something else": ("views:\n  fleet: {of: player}", "def fleet():\n    return 1", "does not take what it is handed: ref",
        "write def fleet(ref)", "def fleet"),
    "a filter without an answer": ("filters:\n  thrift: {of: player, variable: pearls}",
        "def filter_thrift(player, old, new):\n    max(old, new)", "filter_thrift answers nothing", "write return", "def filter_thrift"),
    "a count of nowhere": ("counts:\n  - {in: [dynasty], emperor: false}", "", "counts names dynasty", "write dynastic", "in:"),
}  # fmt: skip


HABITS: dict[str, str] = {  # what somebody who knows Python or YAML a little writes; words of the remedy
    "for k, v in {'a': 1}:\n        note(k)": "map.items()", "note('%s pays %s' % people)": "for each place",
    "note('{} pays {}'.format(people))": "for each place", "note(f'{actor.name}')": "on the line before",
    "x = players()[actor]": "a whole number", "return 1\nreturn 2": "in a function", "if people = 1:\n        pass": "write ==",
    "if people <> 1:\n        pass": "write !=", "unless people:\n        pass": "if not (people)",
    "unless people > 1 then\n        pass": "if not (people > 1):", "if people > 1 then\n        pass": "write if people > 1:",
    "if people ~= 1:\n        pass": "write !=", "for n in range(people) do\n        pass": "in range(people):",
    "if people > 1:\n        pass\n    elsif people > 0 then\n        pass": "write elif people > 0:",
    "if people > 1:\n    note('x')": "four spaces deeper", "print(f'{people}')": "note(text)", "n: int = 1": "the type out",
    "if (n := people) > 1:\n        pass": "line of its own", "x = [n if n > 1 for n in range(3)]": "for x in list if condition",
    "x = [1, 2]\n    x[0:1] = [3]": "list[:1]", "x = people // 0": "whether it is 0", "x = int('a' + str(people))": "isdigit",
    "x = sum(get(p, 'pearls') for p in players())": "[ and ]", "x = (p for p in players())": "[ and ]",
    "x = get(actor, 'pearls', default=3)": "get(actor, 'pearls', 3)", "put(actor, 'pearls', 3)": "put(actor, pearls=3)",
    "put(actor, pearls)": "put(actor, pearls=…)", "gain(actor, pearls=1)": 'gain(actor, "pearls", 1)',
    "transfer(actor, 'pearls', 1, players()[0])": "transfer(actor, players()[0], 'pearls', 1)",
    "require('too few', people > 1)": "the condition first",
    "require(people > 100)": 'require(people > 100, "why not")', "refuse()": 'refuse("why not")', "x = roll('d6')": "roll(6)",
    "x = 2d6": "total(dice(2, 6))", "x = later('1d')": 'later(now(), "1d")', "if now() > 5:\n        pass": "numbers with numbers",
    "x = find('boats', 'seats > 1')": "[each for each in find('boats') if get(each, \"seats\") > 1]",
    "x = find('boats')[0].seats": 'get(ref, "seats")',
    "create('boats', {'seats': 1})": 'create("boats", name=value)', "destroy('boats')": "destroy(each)",
    "say('hello', 'a', 'b')": "declare hello under posts", "note('a', people)": "tell(player", "do('moor')": "do('moor', actor)",
    "do_moor()": "write do_moor(actor)", "x = 'a' * people + 1": "str(number)", "note(“hi”)": 'write "', "note(`hi`)": 'write "',
    "x =\u00a01": "a space in its place", "note(str(peoples))": "write people", "x = people > 1 ? 1 : 2": "a if condition else b",
    "if len(players) > 1:\n        pass": "players()", "x = players\n    note(str(len(list(x))))": "( and )",
    "foreach p in players():\n        note(p)": "for p in players():", "x = new Boat()": "create(",
    "x = y = 1": "write y = 1, and below it x = y", "put(actor, pearls += 1)": 'gain(actor, "pearls", 1)',
    "put(actor, pearls -= people)": 'spend(actor, "pearls", people)',
    "require people > 1, 'too few'": "write require(people > 1, 'too few')", "refuse 'no'": "write refuse('no')",
    "x = max([])": "whether there is any", "x = divide(people, 0)": "whether it is 0", "apply('repeal Ferry')": "write a map",
    "x = [1, 2, 3][5]": "how many there are", "x = 'abc'[0] + 1": "str(number)", "people.append(1)": "gain(ref",
    "gain(actor, 'pearls', '1')": "gain(actor, 'pearls', 1)", "roll()": "roll(6)", "note('a' + None)": "x != None",
    "x = start_of('fortnight')": "day, week", "x = elapsed(now(), '12')": '"12h"', "x = date('tomorrow')": "2021-06-07T",
    "x = reaches(1, 2, 'half')": "2/3", "x = digest(people)": "str(x)", "emit()": 'emit("event")',
    "call('nofunction', actor)": "def nofunction", "comment(3, 'x')": "comment(post, 'x')", "use('tides')": "use('tides', actor)",
    "x = sorted(players(), key=get(actor, 'pearls'))": "type(x)", "people = int(input())": "int",
    "with open('x') as f:\n        pass": "nothing to open", "yield 1": "a list", "nonlocal x": "put",
    "match people:\n        pass": "if and elif", "if people: return 'no' else: return ''": ":",
    "async def f():\n        pass": "nothing waits", "x = get(actor, 'pearls')()": "type(x)",
    "x = players().length()": "len(players())", "x = later(now(), 3600)": 'later(now(), "1h")', "x = span(now())": "span(now(), t)",
    "x = name(people)": "str(x)", "x = mentions('a')": "mentions('a', \"word\")", "let x = 1": "NAME = value",
    "x = not people == 1 or": "finish it", "x = people ** 2": "a * a", "x = people.toString()": "str(people)",
    "x = random()": "roll(sides)", "x = len(people)": "length", "x = people[0]": "type(x)",
    "x = [p for p in players() where get(p, 'pearls') > 1]": ":",
    "a, b = get(actor, 'pearls')": "length", "x = *[1]": "the list itself", "for n in range(1.5):\n        pass": "a whole number",
}  # fmt: skip
DECLARED: dict[str, str] = {  # one thing written otherwise in the front matter, or in a def's first line
    "variables:": "variable:", "variables: ": "vars:", "variables:  ": "Variables:", "collections:": "collection:", "limits:": "limit:",
    "actions:": "action:", "title:": "Title:", "title: ": "name:", "of: player\n": "of: Player\n", "type: integer\n": "type: Integer\n",
    "type: integer\n ": "typ: integer\n ", "    of: player\n": "", "with:\n      people: {type: integer, min: 1}": "with: [people]",
    "people: {type: integer, min: 1}": "people: int", "    with:": "    params:", "    with: ": "    args:",
    "fields: {seats: integer}": "fields: [seats]", "fields:": "field:", "fields: ": "columns:", "per: day": "per: daily",
    "times: 9": "time: 9", "times: 9 ": "times: nine", "min: 1": "min: 5, max: 1", "default: 5": "default: 5\n    max: 3",
    "default: 5 ": "initial: 5", "min:": "minimum:", "per:": "each:", "def do_moor": "def do-moor", "def do_moor ": "def do moor",
    "def do_moor  ": "def do_Moor", "def do_moor   ": "def moor", "def do_moor(actor):": "def do_moor actor:",
    "def do_moor(actor): ": "def do_moor(actor)", "def do_moor(actor):  ": "def do_moor:", "(actor)": "()", "(actor) ": "(self, actor)",
    "{key: {prefix: b}, fields": "{fields",
    "by: player": "who: player", "landing: {of: player,": "landing: {of player,", "key: {prefix: b}": "key: {prefx: b}",
    "actions:\n": "actions:\n  - crossing\n", "  moor: {}": "  moor: {limit: tide}",
}  # fmt: skip
KEYS: tuple[tuple[str, str], ...] = (
    ("view:\n  fleet: {}", "def fleet():\n    return 1"), ("guard:\n  fog: {on: [cross]}",
        'def guard_fog(actor, action, given):\n    return ""'),
    ("settle:\n  sink: {of: player, watches: [pearls]}", "def settle_sink(player):\n    pass"),
    ("filter:\n  thrift: {of: player, variable: pearls}", "def filter_thrift(player, old, new):\n    return new"),
    ("schedules:\n  dawn: {every: day 06:00}", "def schedule_dawn():\n    pass"), ("post:\n  log: {}",
        "def log():\n    say('log', 'x', 'y')"),
    ("catalogue:\n  rivers: {rhine: {length: 3}}", "def rivers():\n    return catalogue('rivers')"), ("term:\n  boat: barge", ""),
    ("count:\n  - {in: [dynastic], emperor: false}", ""),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("habit", some(HABITS))
def test_a_habit_of_another_language_is_told_once_with_its_remedy(river: Small, habit: str) -> None:
    text = FERRY.replace(
        PAYS, f"    {habit}" if not habit.startswith("return") else f"    pass\n{habit[9:]}", 1
    )
    [only] = mistakes(river, text)
    assert only["file"] == PATH
    assert text.split("\n")[int(str(only["line"])) - 1].strip() in habit
    assert HABITS[habit] in str(only["mend"]), only


@pytest.mark.slow
@pytest.mark.parametrize("declared", some(DECLARED))
def test_one_mistake_in_a_declaration_is_one_message(river: Small, declared: str) -> None:
    old = declared.rstrip(" ")
    assert old in FERRY
    text = FERRY.replace(old, DECLARED[declared].rstrip(" "), 1)
    if old == "(actor)":
        text = FERRY.replace("do_moor(actor)", f"do_moor{DECLARED[declared].strip()}")
    [only] = mistakes(river, text)
    assert only["file"] == PATH
    assert only["line"], only
    assert only["mend"], only


def test_words_that_lack_quotes_and_code_that_does_not_parse_hide_nothing_of_their_rule(river: Small) -> None:
    text = FERRY.replace("default: 5", "default: yes\n    deflt: 3").replace("per: day", "per: dya")
    text = text.replace("min: 1", "min: 0x1").replace("actor, people):", "actor, people)")
    said = {int(str(each["line"])): (str(each["what"]), str(each["mend"])) for each in mistakes(river, text)}
    lines = {
        part: line_of(text, part)
        for part in ("default: yes", "deflt", "per: dya", "min: 0x1", "actor, people)")
    }
    assert sorted(said) == sorted(lines.values())
    assert "write true" in said[lines["default: yes"]][1]
    assert said[lines["deflt"]][1] == "write default, if that is meant"
    assert said[lines["per: dya"]][1] == "write per: day"
    assert "0x1 is not a text" in said[lines["min: 0x1"]][0]
    assert said[lines["actor, people)"]][0] == "the colon at the end is missing"


PROSE = "mechanics stand here, a program, and this line is prose"


@pytest.mark.parametrize(
    ("code", "at", "what"),
    [
        ("x = (1,\n    y = 2", "x = (1,", "the ( is not closed"),
        ("x = [1, 2\n    return x", "x = [1, 2", "the [ is not closed"),
        ("moor({'a': 1\n", "moor({", "the { is not closed"),
        ("x = pass", "x = pass", "`pass` is a statement, and no value"),
        ("return return", "return return", "`return` is a statement, and no value"),
        ("x = and 3", "x = and 3", "`and` stands between two values, and one is missing"),
        ("for = 3", "for = 3", "for is a word of the language"),
        ("x = [1)", "x = [1)", "`)` closes nothing that is open"),
        ("x = 1 2", "x = 1 2", "nothing joins `2` to what stands before it"),
        ("x = actor people", "x = actor people", "nothing joins `people` to what stands before it"),
        ("Every player pays a pearl.", "Every player", PROSE),
        ("Ana isn't asked, nor is Ben.", "Ana", PROSE),
        ("give everybody three more pearls", "give", PROSE),
        ("1 + = 2", "1 + = 2", "no name stands before `=`"),
        ("x = 1 * * 2", "x = 1 * * 2", "`*` stands where a value is wanted, or a new line"),
    ],
)
def test_a_word_out_of_its_place_is_told_with_what_to_write(
    river: Small, code: str, at: str, what: str
) -> None:
    text = FERRY.replace(PAYS, f"    {code}", 1)
    [only] = mistakes(river, text)
    assert (only["what"], only["line"]) == (what, line_of(text, at))
    assert str(only["mend"]).startswith(("write ", "begin ", "choose ", "take "))


@pytest.mark.slow
@pytest.mark.parametrize("number", [pytest.param(each, marks=one_of(2, each)) for each in range(len(KEYS))])
def test_a_key_in_the_singular_is_one_message(river: Small, number: int) -> None:
    front, code = KEYS[number]
    text = FERRY.replace("actions:", f"{front}\nactions:", 1).replace(
        "def do_moor", f"{code}\n\ndef do_moor", 1
    )
    [only] = mistakes(river, text)
    assert (only["line"], str(only["mend"])[:6]) == (line_of(text, front.split(":")[0] + ":"), "write "), only


ASKED: dict[str, tuple[str, str, str, str, str]] = {
    "a cost that is handed otherwise": ("{cost: {pearls: fare}}", "def fare(actor):\n    return 1", "handed: actor, given",
        "write def fare(actor, given)", "def fare"),
    "a cost that is a text": ("{cost: {pearls: fare}}", "def fare(actor, given):\n    return 'x'", "'x' is no amount", "a number",
        "def fare"),
    "a bar without an answer": ("{by: captain}", 'def captain(actor):\n    get(actor, "pearls") > 3', "captain answers nothing",
        "write return", "def captain"),
    "functions without end": ("{by: captain}", "def captain(actor):\n    return captain(actor)", "without end", "let one of them end",
        "return captain"),
}  # fmt: skip


def told_once(findings: list[dict[str, object]], text: str, what: str, mend: str, where: str) -> None:
    told_here = [each for each in findings if what in str(each["what"]) and mend in str(each.get("mend", ""))]
    places = [(each.get("file"), each.get("line"), each.get("rule", "Ferry")) for each in told_here]
    assert [(file, line) for file, line, _ in places] == [(PATH, line_of(text, where))], [
        (f["what"], f.get("mend")) for f in findings
    ]
    assert all(each.get("mend") for each in findings), [(f["what"], f.get("mend")) for f in findings]
    broken = [each.get("line") for each in findings if each["level"] == "error"]
    assert len(broken) == len(set(broken)), [(f["what"], f.get("mend")) for f in findings]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", some(MISTAKES))
def test_a_mistake_is_told_where_its_author_made_it(river: Small, mistake: str) -> None:
    old, new, what, mend, where = MISTAKES[mistake]
    assert old in FERRY
    text = FERRY.replace(old, new, 1)
    told_once(mistakes(river, text), text, what, mend, where)


@pytest.mark.slow
def test_all_that_cannot_be_read_in_a_file_is_told_at_once(river: Small) -> None:
    """Of other languages in several functions, beside front matter of which two blocks are no YAML."""
    code = "    while people:\n        people -= 1\n    try:\n        pass\n    except:\n        pass\n    if people is None:\n        pass"
    text = FERRY.replace(PAYS, code).replace('    create("boats", seats=4)', "    raise actor")
    wrong = {"while": "no `while`", "try:": "no `try`", "is None": "no `is`", "raise": "no `raise`"}
    assert {each["line"]: each["what"] for each in mistakes(river, text) if each["level"] == "error"} == {
        line_of(text, part): f"the law's language has {what}" for part, what in wrong.items()
    }
    text = text.replace("type: datetime}", "type: datetime").replace("  moor: {}", "\tmoor: {}")
    said = {each["line"]: str(each["what"]) for each in mistakes(river, text)}
    assert {line_of(text, part) for part in (*wrong, "toll:", "\tmoor")} == set(said)
    assert "not YAML" in said[line_of(text, "toll:")]
    assert "a tab" in said[line_of(text, "\tmoor")]


@pytest.mark.slow
def test_a_function_of_a_cost_in_a_block_of_another_language_is_told_with_its_block(river: Small) -> None:
    text = FERRY.replace("    by: player", "    by: player\n    cost: {pearls: _fare}").replace(
        "```starlark", "```python"
    )
    text = text.replace("FARE = 1", "def _fare(actor, given):\n    return 1")
    [only] = mistakes(river, text)
    told_once([only], text, "```python is prose", "write ```starlark", "```python")


@pytest.mark.slow
def test_a_view_that_takes_nobody_is_told_without_the_names_that_it_lacks(river: Small) -> None:
    text = FERRY.replace("actions:", "views:\n  odds: {of: player}\nactions:", 1)
    [only] = mistakes(
        river, text.replace("def do_moor", 'def odds():\n    return get(player, "pearls")\n\ndef do_moor')
    )
    assert only["mend"] == "write def odds(player)"


@pytest.mark.slow
def test_a_view_that_shows_more_than_can_be_told_is_told_with_its_rule(river: Small) -> None:
    text = FERRY.replace("actions:", "views:\n  hoard: {of: game}\nactions:", 1)
    text = text.replace("def do_moor", 'def hoard():\n    return ["x" * 100000] * 60\n\ndef do_moor')
    [only] = mistakes(river, text)
    assert "hoard" in str(only["what"])
    assert "too much to be told" in str(only["what"])
    assert "ferry" in f"{only}".casefold()


@pytest.mark.slow
@pytest.mark.parametrize("mistake", some(ADDED))
def test_a_declaration_that_is_dead_is_told(river: Small, mistake: str) -> None:
    front, code, what, mend, where = ADDED[mistake]
    text = FERRY.replace("actions:", f"{front}\nactions:", 1).replace(
        "def do_moor", f"{code}\n\ndef do_moor", 1
    )
    told_once(mistakes(river, text), text, what, mend, where)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", ASKED)
def test_a_function_that_an_action_asks_is_told(river: Small, mistake: str) -> None:
    options, code, what, mend, where = ASKED[mistake]
    text = FERRY.replace("  moor: {}", f"  moor: {options}").replace("def do_moor", f"{code}\n\ndef do_moor")
    told_once(mistakes(river, text), text, what, mend, where)


FLAGS: dict[str, tuple[str, str, str]] = {
    "active": ("  toll:", "  mate: {of: player, type: player, active: FLAG}\n  toll:", "mate"),
    "unique": ("toll: {type: integer", "toll: {type: integer, unique: FLAG", "toll"),
    "ordered": ("toll: {type: integer", "toll: {type: integer, ordered: FLAG", "toll"),
    "by_hand": ("toll: {type: integer", "toll: {type: integer, by_hand: FLAG", "toll"),
    "transient": ("toll: {type: integer", "toll: {type: integer, transient: FLAG", "toll"),
    "permanent": ("toll: {type: integer", "toll: {type: integer, permanent: FLAG", "toll"),
    "shared": ("times: 9", "times: 9, shared: FLAG", "tides: {"),
    "communal": ("times: 9", "times: 9, communal: FLAG", "tides: {"),
    "idle": ("  moor: {}", "  moor: {idle: FLAG}", "moor:"),
    "attempt": ("actions:", "guards:\n  fog: {on: [cross], attempt: FLAG}\nactions:", "fog:"),
    "at_founding": (
        "actions:",
        "schedule:\n  dawn: {every: day 06:00, at_founding: FLAG}\nactions:",
        "dawn:",
    ),
    "official": ("actions:", "posts:\n  log: {official: FLAG}\nactions:", "log:"),
    "votable": ("actions:", "posts:\n  log: {votable: FLAG}\nactions:", "log:"),
    "emperor": ("actions:", "counts:\n  - {in: [dynastic], emperor: FLAG}\nactions:", "- {in:"),
}


@pytest.mark.parametrize("flag", FLAGS)
def test_a_text_is_neither_true_nor_false(flag: str) -> None:
    old, new, where = FLAGS[flag]
    front = FERRY.replace(old, new, 1)
    text = front.replace("FLAG", '"no"')
    path = PATH.removeprefix("game/ruleset/")
    told = [
        each.problem for each in check_ruleset(Ruleset.read({path: text})).findings if each.level == "error"
    ]
    said = [each for each in told if "is neither true nor false" in each.what]
    assert [each.where.line for each in said] == [line_of(text, where)], told
    assert said[0].mend == f"write {flag}: true, or {flag}: false, without quotes"
    for plain in ("true", "false"):
        sound = check_ruleset(Ruleset.read({path: front.replace("FLAG", plain)})).findings
        assert not [each for each in sound if "neither" in each.problem.what]


@pytest.mark.slow
def test_what_is_found_is_told_in_the_file_of_its_author(river: Small) -> None:
    free = FERRY.replace("or fewer.", "or fewer. Nobody swims.  \n\n\nThe ferry waits. It is old.").replace(
        "  landing: {of: player, type: datetime}", "  landing:\n    of: player\n\n    type: datetime"
    )
    text = free.replace('"pearls", 1)', '"perls", 1)\n    note(7)').replace(
        "Nobody swims", "{{terms.gulls}} {{gulls.x}}"
    )
    text = text.replace("times: 9", "tines: 9")
    told = mistakes(river, text)
    assert {each["file"] for each in told} == {PATH}
    lines = [line_of(text, part) for part in ("{{terms.gulls}}", "{{gulls.x}}", "perls", "note(7)", "tines")]
    assert sorted(int(str(each["line"])) for each in told) == sorted(lines), told


@pytest.mark.slow
def test_what_the_clock_tells_without_keys_undoes_its_event_each_time(tmp_path: Path) -> None:
    bell = {
        "title": "Bell",
        "text": "It rings at six.",
        "declares": {
            "variables": {"rings": {"type": "integer"}},
            "schedule": {"dawn": {"every": "day 06:00"}},
            "actions": {"ring": {"with": {"loudly": "boolean"}}},
        },
        "mechanics": "def _ring():\n"
        '    gain("game", "rings", 1)\n'
        '    tell(players()[0], "ding", public=get("game", "rings") > 3)\n\n'
        "def schedule_dawn():\n"
        "    _ring()\n\n"
        "def do_ring(actor, loudly):\n"
        '    gain("game", "rings", 4 if loudly else 1)\n'
        "    _ring()",
    }
    game = Small.found(tmp_path / "bell")
    game.enact({"add-rule": bell})
    for day in (1, 2):
        notes = game.do("ana", "earn", after=86_400, n=1).outcome.notes
        assert [note for note in notes if "did not happen" in note] == [
            f"dawn at 2021-06-0{6 + day}T06:00:00Z did not happen: "
            "a private message: this game has no keys, so nothing secret can be kept in it "
            "(game/ruleset/2-dynastic/20-bell.md:12:5)"
        ]
    assert game.value("game rings") in (MISSING, 0)
    with pytest.raises(Refused, match="a private message: this game has no keys"):
        game.do("ana", "ring", loudly=False)
    notes = game.do("ana", "ring", loudly=True).outcome.notes
    assert "To ana: ding" in notes
    assert game.value("game rings") == 5
    assert game.verified().faults == []


@pytest.mark.slow
def test_whoever_submits_a_rule_that_breaks_is_told_before_anybody_votes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)
    game.branch("ferry", PATH, "", FERRY.replace('"pearls", 1', '"pearls", now() > people', 1))
    said = game.nomic("--as", "ana", "propose", "--branch", "ferry").out
    assert said.count("check would find an error: ") == 1
    assert "compare numbers with numbers" in said


@pytest.mark.slow
@pytest.mark.parametrize("edition", some(editions.names()))
def test_no_rule_of_an_edition_breaks_when_it_is_tried(edition: str) -> None:
    ruleset = editions.load(edition)
    start = Founding(START, ("ana", "ben", "cy"), "ana", ["ben"])
    world = found(ruleset, start, Seeded(b"tried", "tried"), Context(secrets=True, trusted=True), NEWEST)
    for placed in ruleset.rules:
        if placed.status == "active" and placed.mechanics:
            assert trying.tried(world, ruleset, [placed.slug]) == []


@pytest.mark.slow
def test_what_takes_longer_than_a_deed_may_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "SECONDS", 0.05)
    ruleset = editions.load("crypt")
    rule = ruleset.by_slug["lair-actions"]
    text = ruleset.texts[rule.path]
    [line] = [line for line in text.split("\n") if line.startswith("def do_engrave(")]
    texts = dict(ruleset.texts)
    texts[rule.path] = text.replace(
        line, f"{line}\n    for n in range(100000000):\n        gain(actor, 'puissance', 1)"
    )
    start = Founding(START, ("ana", "ben", "cy"), "ana", ["ben"])
    world = found(ruleset, start, Seeded(b"tried", "tried"), Context(secrets=True, trusted=True), NEWEST)
    [one] = trying.tried(world, Ruleset.read(texts, old=ruleset), [rule.slug])
    at = texts[rule.path].split("\n").index("        gain(actor, 'puissance', 1)") + 1
    assert "the law takes longer than a game lends it" in one.problem.what
    where = one.problem.where
    woken = ruleset.by_slug["unlife"].file  # its filter looks at each gain, and the time may run out there
    assert (where.file, where.line) == (rule.file, at) or where.file == woken


@pytest.mark.parametrize("line", ["A = " + "[" * 100_000, "x = " + "get(a, " * 14_000])
def test_what_is_wrong_with_a_line_without_end_is_told_at_once(line: str) -> None:
    began = process_time()
    [problem] = unreadable(PATH, f"{line}\n", 3, "Ferry")
    assert process_time() - began < 1
    assert problem.where.file == PATH
    assert problem.mend


@pytest.mark.slow
def test_where_all_that_runs_on_and_on_took_a_deeds_time_it_is_told_what_was_not_tried_any_more(
    river: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trying, "Endless", partial(Endless, 0.01))
    monkeypatch.setattr(transaction, "SECONDS", 0.5)
    endless = "    for a in range(100000000):\n        for b in range(100000000):\n            a = b"
    actions = "".join(f"  row{n}: {{}}\n" for n in range(4))
    rows = "".join(f"def do_row{n}(actor):\n{endless}\n" for n in range(4))
    text = f"---\ntitle: Rows\nactions:\n{actions}---\nRow.\n\n```starlark\n{rows}```\n"
    runs, untried = mistakes(river, text)
    assert (runs["level"], runs["line"]) == ("error", line_of(text, "for b in"))
    assert untried["level"] == "warning"
    assert str(untried["what"]).endswith("since something else runs on and on: row1, row2, row3")


@pytest.mark.slow
def test_what_runs_on_and_on_is_told_with_its_line_though_it_cannot_be_tried_as_a_proposal(
    river: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "SECONDS", 0.2)
    called, call = tmp_path / "called", Law.call  # of a worker, only files come back

    def noted(law: Law, host: Host, function: str, /, *arguments: object, **named: object) -> object:
        with called.open("a") as file:
            file.write(f"{function}\n")
        return call(law, host, function, *arguments, **named)

    monkeypatch.setattr(Law, "call", noted)
    endless = FERRY.replace(
        '    spend(actor, "pearls", 1)',
        '    for n in range(100000000):\n        gain(actor, "pearls", 1)',
    )
    [one] = mistakes(river, endless)
    assert one["file"] == PATH
    assert one["line"] in {line_of(endless, "for n in range"), line_of(endless, "gain(")}
    assert "the law takes longer than a game lends it" in str(one["what"])
    called_for = called.read_text().split().count("do_cross")
    assert called_for == 2, "once as a proposal, which ends its worker, and once by itself"


@pytest.mark.slow
def test_what_a_refusal_bars_is_no_defect(river: Small) -> None:
    poor = FERRY.replace("default: 5", "default: 0").replace(
        "people):", 'people):\n    gain(players()[0], "pearls", 1)'
    )
    assert mistakes(river, poor) == []
    waiting = FERRY.replace(
        '    spend(actor, "pearls", 1)', '    require(people > 9, "the ferry waits for more")'
    )
    assert mistakes(river, waiting) == []


@pytest.mark.slow
def test_what_the_clock_does_is_tried_where_there_is_nothing_yet(river: Small) -> None:
    draws = "def schedule_draw():\n    boat = pick(find('boats'))\n    note(str(get(boat, 'seats')))\n\ndef do_moor"
    text = FERRY.replace("actions:", "schedule:\n  draw: {every: sunday 12:00}\nactions:", 1)
    [only] = mistakes(river, text.replace("def do_moor", draws, 1))
    assert only["file"] == PATH
    assert (
        text.replace("def do_moor", draws, 1)
        .split("\n")[int(str(only["line"])) - 1]
        .strip()
        .startswith("note(")
    )
    assert "whether there is any" in str(only["mend"])
    asked = draws.replace("    note", "    if boat:\n        note")
    assert mistakes(river, text.replace("def do_moor", asked, 1)) == []


@pytest.mark.slow
def test_several_mistakes_on_one_line_are_all_told(river: Small) -> None:
    text = FERRY.replace("  moor: {}", "  moor: {by: captains, limit: tide, limits: 3}")
    assert sorted(str(each["what"]).partition(",")[0] for each in mistakes(river, text)) == [
        "no rule in force declares the limit tide",
        "nobody defines captains",
        "nobody knows the key limits of actions.moor: it says nothing",
    ]


SPELLED = {  # what is written out, and can never be right: the word of it that is told, and of its remedy
    'apply({"repeel": "Ferry"})': ("repeel is no form of change", "write repeal, if that is meant"),
    'apply({"repeal": "Ferry", "bar": "ana"})': ("a change has one key", "one change for each"),
    'put("players/nobody", pearls=3)': ("players/nobody can never be there", "the id of one that there is"),
    'gain("player/ana", "pearls", 1)': ("there is no collection player", "write players, if that is meant"),
    'spend("boats", "seats", 1)': ("names all of them, and not one", 'write "boats/ID"'),
    'transfer(actor, "players/a b", "pearls", 1)': ("players/a b can never be there", "the id of one"),
    'close("posts/99")': ("close is not handed how it ends", 'close("posts/99", "enacted")'),
    'close("posts/99", "done")': ("enacted or failed, not done", 'write "enacted"'),
    'destroy("posts/first")': ("a post is named by its number", 'write "posts/12"'),
    "people =+ 1": ("people =+ 1 gives people the value +1, and adds nothing", "write people += 1"),
    "people =- 1": ("people =- 1 gives people the value -1, and takes away nothing", "write people -= 1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("spelled", some(SPELLED))
def test_what_is_written_out_and_can_never_be_right_is_told_in_its_line(river: Small, spelled: str) -> None:
    text = FERRY.replace(PAYS, f"    if people > 8:\n        {spelled}\n{PAYS}", 1)
    [only] = mistakes(river, text)
    what, mend = SPELLED[spelled]
    assert only["line"] == line_of(text, spelled)
    assert what in str(only["what"])
    assert mend in str(only["mend"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "right",
    [
        'apply({"repeal": "ferry"})',
        'put("players/ana", pearls=3)',
        'close("posts/99", "failed")',
        'close(*("posts/99", "failed"))',
        'gain("players/" + name(actor), "pearls", 1)',
        "people = -1",
        "people = +people",
        "people =-1",
        "moved(n=+1)",
        'x = get("game", "toll", 0)',
    ],
)
def test_what_is_written_out_and_may_be_right_meets_nothing(river: Small, right: str) -> None:
    text = FERRY.replace(PAYS, f"    if people > 8:\n        {right}\n{PAYS}", 1)
    text = text.replace("def do_moor", "def moved(n=0):\n    return n\n\ndef do_moor")
    assert mistakes(river, text) == []


@pytest.mark.slow
def test_a_limit_under_a_slipped_key_is_one_message(river: Small) -> None:
    text = FERRY.replace("limit: tides", "limits: {per: day}")
    [only] = [each for each in mistakes(river, text) if each["line"] == line_of(text, "limits: {per")]
    assert (only["what"], only["mend"]) == ("actions.cross.limit: must be a name", "write limit: daily")


@pytest.mark.parametrize("number", ["2", "5", "0", "2.5"])
def test_a_cost_that_is_a_bare_number_is_one_error_with_what_to_write(river: Small, number: str) -> None:
    text = FERRY.replace("  moor: {}", f"  moor: {{cost: {number}}}")
    [only] = mistakes(river, text)
    assert (only["level"], only["line"]) == ("error", line_of(text, "moor: {cost"))
    assert str(only["what"]).startswith("actions.moor.cost: must be a map of what is charged")
    assert only["mend"] == "write cost: {pearls: 3}"


@pytest.mark.slow
def test_a_cost_that_is_a_text_tells_people_alone(river: Small) -> None:
    assert mistakes(river, FERRY.replace("  moor: {}", "  moor: {cost: 2 of the best}")) == []


@pytest.mark.slow
def test_a_limit_that_allows_nothing_is_told_with_what_to_write(river: Small) -> None:
    text = FERRY.replace("times: 9", "times: 0")
    [only] = [each for each in mistakes(river, text) if "times" in str(each["what"])]
    assert only["what"] == "limits.tides.times is 0: nobody can ever cross"
    assert (only["line"], str(only["mend"])[:14]) == (line_of(text, "times: 0"), "write times: 1")


@pytest.mark.slow
def test_a_table_under_a_key_that_is_nearly_known_is_an_error(
    river: Small,
) -> None:
    text = FERRY.replace("limits:\n", "schedules:\n  tide: {of: player}\nlimits:\n")
    told = {each["line"]: (each["level"], each["mend"]) for each in mistakes(river, text)}
    assert told[line_of(text, "schedules:")] == ("error", "write schedule, if that is meant")


@pytest.mark.slow
def test_what_breaks_once_somebody_has_left_is_told(river: Small) -> None:
    pays = '    gain(get(boat, "owner"), "pearls", 1)'
    text = FERRY.replace("{seats: integer}", "{seats: integer, owner: player}").replace(
        "  moor: {}", "  moor: {}\n  board: {with: {boat: boats}}"
    )
    text = text.replace("seats=4)", f"seats=4, owner=actor)\n\ndef do_board(actor, boat):\n{pays}")
    [only] = mistakes(river, text)
    assert (only["level"], only["line"]) == ("error", line_of(text, pays))
    assert str(only["what"]).endswith("None is no reference or name, once somebody has left the game")
    assert mistakes(river, text.replace(pays, f'    if get(boat, "owner"):\n    {pays}')) == []


LEND = "def do_lend(actor):\n    create('loans', who=actor, ends=now())\n"
PAYS_BACK = '    gain(get(loan, "who"), "coin", 2)'
LOANS = f"""\
---
title: Loans
variables: {{coin: {{of: player, type: integer, default: 0}}}}
collections:
  loans:
    key: {{prefix: l}}
    fields: {{who: {{type: player}}, ends: {{type: datetime}}, late: {{type: boolean, default: false}}}}
actions:
  lend: {{}}
  HOOK
---
Coins are lent.

```starlark
{LEND}
def FUNCTION
{PAYS_BACK}
    AFTER
```
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "function", "after"),
    [
        (
            "  forgive: {with: {loan: loans}}\n  repay: {with: {loan: loans}}",
            "do_forgive(actor, loan):\n    destroy(loan)\n\ndef do_repay(actor, loan):",
            "destroy(loan)",
        ),
        ("schedule: {ending: {of: loans, at: ends}}", "schedule_ending(loan):", "destroy(loan)"),
        (
            "settles: {lateness: {of: loans, watches: [late]}}",
            "settle_lateness(loan):",
            "put(loan, late=False)",
        ),
    ],
)
def test_what_uses_up_what_was_made_is_tried_too_once_its_maker_has_left(
    river: Small, hook: str, function: str, after: str
) -> None:
    text = LOANS.replace("  HOOK", hook).replace("FUNCTION", function).replace("AFTER", after)
    [only] = mistakes(river, text)
    assert (only["level"], only["line"]) == ("error", line_of(text, PAYS_BACK))
    assert only["what"] == "gain: None is no reference or name, once somebody has left the game"
    assert mistakes(river, text.replace(PAYS_BACK, f'    if get(loan, "who"):\n    {PAYS_BACK}')) == []


@pytest.mark.parametrize(
    ("header", "of"), [("crowd()", "game"), ("crowd(p)", "player"), ("crowd(matter)", "matter")]
)
def test_views_that_are_a_list_are_told_with_what_is_right_when_it_is_pasted(header: str, of: str) -> None:
    def told(views: str) -> list[str]:
        text = f"---\ntitle: Crowd\nviews: {views}\n---\nAll see it.\n\n```starlark\ndef {header}:\n    return 3\n```\n"
        return [
            each.problem.mend for each in check_ruleset(Ruleset.read({"1-core/10-crowd.md": text})).findings
        ]

    wanted = f"{{crowd: {{of: {of}}}}}"
    assert f"write views: {wanted}" in told("[crowd]")
    assert told(wanted) == []
