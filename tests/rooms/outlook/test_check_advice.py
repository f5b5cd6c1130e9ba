"""What somebody is told who writes rules by the docs alone: it is told at all, is true, and what it says to write is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small, small_law
from support.checking import checked

from nomicgit.outlook.checks.checking import check_ruleset
from nomicgit.outlook.overview import outlook
from nomicgit.record.game import Game

PATH = "2-dynastic/73-eggs.md"
EGGS = """\
---
title: Eggs
variables:
  feed: {of: player, type: integer, default: 5, max: 9}
collections:
  eggs: {key: {prefix: e}, fields: {owner: player, ripe: datetime}}
actions:
  lay:
    with: {n: integer}
---
Whoever plays may lay eggs, and has {{variables.feed.max}} feed at most.

```starlark
def do_lay(actor, n):
    lose(actor, "feed", n)
    create("eggs", owner=actor, ripe=later(now(), "1d"))
```
"""
LOSES = '    lose(actor, "feed", n)'


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if part in line)


def with_front(text: str, declared: str, code: str = "") -> str:
    text = text.replace("actions:\n", f"{declared}\nactions:\n", 1)
    return text.replace("def do_lay", f"{code}\n\ndef do_lay", 1) if code else text


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small.found(tmp_path_factory.mktemp("farm") / "game")


def looked(text: str) -> list[dict[str, Any]]:
    return [each.as_json() for each in check_ruleset(small_law({PATH: text})).findings]


def tried(farm: Small, text: str) -> list[dict[str, Any]]:
    return [each.as_json() for each in checked(farm, f"game/ruleset/{PATH}", text)]


def test_the_rule_as_it_should_be_meets_nothing(farm: Small) -> None:
    assert tried(farm, EGGS) == []


RIPENING = with_front(
    EGGS, "schedule:\n  ripening: {of: eggs, at: ripe}", "def schedule_ripening(egg):\n    destroy(egg)"
)


@pytest.mark.parametrize("kind", ["text", "choice", "eggs", "deed"])
def test_a_schedule_that_waits_for_what_is_no_time_is_an_error(kind: str) -> None:
    written = "{type: choice, choices: [soon, late]}" if kind == "choice" else kind
    [only] = looked(
        RIPENING.replace("ripe: datetime", f"ripe: {written}").replace('later(now(), "1d")', "None")
    )
    assert (only["level"], only["line"]) == ("error", line_of(RIPENING, "ripening: {of"))
    assert only["what"] == f"schedule.ripening.at: ripe is of type {kind}, which is no time"


@pytest.mark.parametrize("kind", ["datetime", "date", "any"])
def test_a_schedule_that_waits_for_what_may_be_a_time_is_none(kind: str) -> None:
    assert looked(RIPENING.replace("ripe: datetime", f"ripe: {kind}")) == []


def played(folder: Path, text: str) -> Small:
    """A game in which this rule is in force, and somebody has laid an egg."""
    game = Small.found(folder / "game", small_law({PATH: text}))
    game.do("ana", "lay", n=1)
    return game


def defects(small: Small) -> tuple[str, ...]:
    game = Game.open(small.folder)
    with game.repository:
        return outlook(game, small.at).defects


def test_status_names_an_event_of_entities_that_would_break_now(tmp_path: Path) -> None:
    breaks = RIPENING.replace("    destroy(egg)", '    note("a" + 3)')
    soon = RIPENING.replace("ripe: datetime", "ripe: text").replace('later(now(), "1d")', '"soon"')
    for name, text, why in (("breaks", breaks, "a text"), ("soon", soon, "soon"), ("right", RIPENING, "")):
        said = defects(played(tmp_path / name, text))
        assert len(said) == bool(why), said
        assert all("the clock's ripening" in each and why in each and "73-eggs.md:" in each for each in said)


@pytest.mark.parametrize(("names", "counter"), [("n", "n2"), ("k", "n")])
def test_a_loop_is_told_with_a_name_that_the_writer_does_not_use(names: str, counter: str) -> None:
    loop = f"    while {names} > 0:\n        {names} -= 1"
    [only] = looked(
        EGGS.replace("lay(actor, n)", f"lay(actor, {names})")
        .replace("{n: i", f"{{{names}: i")
        .replace(LOSES, loop)
    )
    assert only["mend"] == f"write for {counter} in range(1000): and break where it ends"


@pytest.mark.parametrize("answer", ["False", 'get(actor, "feed") > 3'])
def test_a_guard_of_an_action_of_another_rule_is_tried(farm: Small, answer: str) -> None:
    guard = f"def guard_fog(actor, action, given):\n    return {answer}"
    text = with_front(EGGS, "guards:\n  fog: {on: [earn]}", guard)
    [only] = tried(farm, text)
    assert (only["level"], only["line"]) == ("error", line_of(text, "def guard_fog"))
    assert str(only["what"]).startswith("guard_fog answers True or False")


def test_settles_that_never_end_are_told_with_their_place_and_what_to_write(farm: Small) -> None:
    settle = 'def settle_greed(player):\n    put(player, feed=7 if get(player, "feed") != 7 else 8)'
    text = with_front(EGGS, "settles:\n  greed: {of: player, watches: [feed]}", settle)
    [only] = tried(farm, text)
    assert "these never come to rest: the settle greed of the rule Eggs" in str(only["what"])
    assert (only["file"], only["line"]) == (f"game/ruleset/{PATH}", line_of(text, "def settle_greed"))
    assert str(only["mend"]).startswith("let it change what it watches only while")


@pytest.mark.parametrize(
    ("limit", "answer", "mend"),
    [
        ("gap: {by: _rest}", "3", 'return "10h", or return "" where nothing must lie between'),
        ("gap: {by: _rest}", '"long"', 'return "10h", or return "" where nothing must lie between'),
        ("times: {by: _rest}", '"3"', "return 3"),
    ],
)
def test_a_limit_whose_function_answers_amiss_says_what_to_answer(
    farm: Small, limit: str, answer: str, mend: str
) -> None:
    text = with_front(
        EGGS, f"limits:\n  laying: {{per: day, {limit}}}", f"def _rest(actor):\n    return {answer}"
    )
    [only] = tried(farm, text.replace("  lay:\n", "  lay:\n    limit: laying\n"))
    assert only["mend"] == f"write, for example: {mend}"


ADVICE = {
    "x = [1, 2].sorted()": "write sorted([1, 2]), or another word",
    "x = [1, 2].sort()": "write sorted([1, 2])",
    'x = find("eggs").reverse()': 'write reversed(find("eggs"))',
    'x = {"a": [1, 2]}["a"].size()': 'write len({"a": [1, 2]}["a"])',
    'x = "abc"[1].size()': 'write len("abc"[1])',
    "if n in [1, 2].sorted():\n        pass": "write sorted([1, 2]), or another word",
    "x = set([1, 2])": "write list({x: None for x in list}), which has each value once, or put(ref, variable=value)",
}


@pytest.mark.parametrize("written", ADVICE)
def test_what_to_write_is_said_of_what_is_written_there(written: str) -> None:
    [only] = looked(EGGS.replace(LOSES, f"{LOSES}\n    {written}"))
    assert str(only["mend"]).startswith(ADVICE[written])


def test_a_list_of_names_for_a_map_is_told_with_these_names() -> None:
    [only] = looked(EGGS.replace("with: {n: integer}", "with: [n, hens]"))
    assert only["mend"] == "write with: {n: integer, hens: integer}"
    [only] = looked(EGGS.replace("with: {n: integer}", "with: [n 2]"))
    assert only["mend"] == "write with: {people: integer}"


def test_what_a_guard_may_name_is_listed_once() -> None:
    text = with_front(
        EGGS, "guards:\n  fog: {on: [zzz]}", 'def guard_fog(actor, action, given):\n    return ""'
    )
    text = text.replace("  lay:\n", "  agree-lay: {}\n  lay:\n").replace(
        "def do_lay", 'def do_agree_lay(actor):\n    note("x")\n\ndef do_lay'
    )
    [only] = looked(text)
    assert "agree-lay, " in str(only["mend"])
    assert "agree_lay" not in str(only["mend"])
    [near] = looked(text.replace("[zzz]", "[agree-layy]"))
    assert near["mend"] == "write agree-lay, if that is meant"


@pytest.mark.parametrize("beside", ["", "variables:\n  ash: {type: integer, by_hand: true}\n"])
def test_a_misspelt_table_is_told_without_what_follows(beside: str) -> None:
    text = EGGS.replace("variables:\n", "variabels:\n", 1).replace(
        "collections:\n", f"{beside}collections:\n", 1
    )
    [only] = looked(text)
    assert (only["line"], only["mend"]) == (line_of(text, "variabels:"), "write variables, if that is meant")


VALUES = {
    "put(actor, feed=-5)": "feed: -5 is below 0, and put always refuses it",
    "put(actor, feed=10)": "feed: 10 is above 9, and put always refuses it",
    'put("players/ana", feed="much")': "feed: much must be a number, and put always refuses it",
    'create("eggs", owner=actor, ripe="soon")': "ripe: soon must be a time like 2021-06-07T00:00:00Z, and create always refuses it",
}


@pytest.mark.parametrize("written", VALUES)
def test_a_value_that_is_written_out_and_never_legal_is_told(written: str) -> None:
    text = EGGS.replace(LOSES, f"{LOSES}\n    if n > 8:\n        {written}")
    [only] = looked(text)
    assert (only["level"], only["what"], only["line"]) == ("error", VALUES[written], line_of(text, written))
    assert only["mend"]


@pytest.mark.parametrize("written", ["feed=9", "feed=n", "feed=-n", "feed=None", "feed=1 - 1"])
def test_a_value_that_may_be_legal_meets_nothing(written: str) -> None:
    assert looked(EGGS.replace(LOSES, f"{LOSES}\n    put(actor, {written})")) == []


def test_a_value_that_is_clamped_meets_nothing() -> None:
    text = EGGS.replace(LOSES, f"{LOSES}\n    put(actor, feed=-5)")
    assert looked(text.replace("max: 9}", "max: 9, below_zero: clamp}")) == []
    assert looked(text.replace("title: Eggs", "title: Eggs\nnumbers: clamp")) == []


@pytest.mark.parametrize("word", ["3", "true", "null", "[a, b]"])
def test_a_term_that_is_no_text_is_told(word: str) -> None:
    text = with_front(EGGS, f"terms: {{player: {word}}}")
    [only] = looked(text)
    assert (only["level"], only["line"]) == ("error", line_of(text, "terms:"))
    assert (only["what"], only["mend"]) == ("terms.player: must be a text", "write player: Miller")


def test_what_breaks_in_a_rule_already_is_not_told_of_what_changes_it_elsewhere(tmp_path: Path) -> None:
    broken = EGGS.replace(LOSES, f'{LOSES}\n    note("hen" + n)')
    [first] = tried(Small.found(tmp_path / "other"), broken)
    assert first["line"] == line_of(broken, '"hen" + n')
    small = Small.found(tmp_path / "game", small_law({PATH: broken}))
    amended = broken.replace("max: 9", "max: 12").replace("def do_lay", "# Hens lay.\ndef do_lay")
    assert tried(small, amended) == []
    clucks = 'def do_cluck(actor):\n    note("cluck" + len(actor))\n\n# Hens'
    worse = amended.replace("  lay:\n", "  cluck: {}\n  lay:\n").replace("# Hens", clucks)
    [only] = tried(small, worse)
    assert only["line"] == line_of(worse, '"cluck" + ')


@pytest.mark.parametrize(
    ("old", "new", "mend"),
    [
        ("{n: integer}", "{n: integer}\n    cost: {fede: 1}", "write feed, if that is meant"),
        ("actions:", "actoins:", "write actions, if that is meant"),
    ],
)
def test_two_letters_that_changed_places_are_a_slip_however_short_the_word(
    old: str, new: str, mend: str
) -> None:
    text = EGGS.replace(old, new, 1)
    [only] = looked(text)
    assert (only["level"], only["mend"]) == ("error", mend)
