"""Comparisons that never come out, written out in full: told in their line with what to compare, and no other one is."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
from nomicgit.outlook.checks.conjoined import conjoined
from nomicgit.outlook.checks.references import compared
from nomicgit.outlook.checks.unequal import always, unequal
from nomicgit.physics.numbers import NEWEST

DECLARES = """
variables:
  coins: {of: player, type: integer}
  mood: {of: player, type: choice, choices: [calm, cross]}
  boss: {type: player}
  motto: {of: player, type: text}
collections:
  trees: {key: {prefix: t}, fields: {owner: player, kind: {type: choice, choices: [oak, fir]}}}
actions:
  go: {with: {tree: trees}}
"""
NEVER = {
    'weekday(now()) == "Monday"': 'write "monday"', '"Fri" == weekday(now())': 'write "friday"', "weekday(now()) == 6": 'write "sunday"',
    'weekday(now()) in ["Sat", "Sun"]': 'write "saturday", and write "sunday"', 'date(now()) == "25.12."': "write the whole date",
    'get(actor, "mood") == "Calm"': 'write "calm", if that is meant', 'get(actor, "mood") != "happy"': "write one of calm, cross",
    'get(actor, "coins") == "3"': "write 3, without quotes", 'get(actor, "motto") == 3': 'write "3", in quotes',
    "len(get(actor, \"motto\")) > 2 and get(actor, \"mood\") in ('calm', 'crosss')": 'write "cross", if that is meant',
    'get(tree, "owner") == id(actor)': "write actor in place of id(actor)", 'name(get(tree, "owner")) == actor':
    'write get(tree, "owner") in place of name(get(tree, "owner"))', 'roll(6) == "6"': "write 6, without quotes",
}  # fmt: skip
MAY = [
    'weekday(now()) == "monday"', 'weekday(now())[:3] == "mon"', 'date(now()) == "2021-12-25"', 'date(now())[5:] == "12-25"',
    'get(actor, "mood") == "calm"', 'get(actor, "coins") == 3', "str(get(actor, \"coins\")) == \"3\"", 'get(tree, "kind") == "motion"',
    'get(actor, "motto") == "3"', 'get(tree, "owner") == actor', 'id(get(tree, "owner")) == id(actor)', 'get(actor, "mood") == None',
    'get(actor, "mood") + "!" == "calm!"', '"x" + get(actor, "mood") == "xcalm"', 'get(actor, "mood", "none") == "none"',
    'get(actor, tree) == "x"', 'get("game", "boss") == "players/ana"', 'get(actor, "coins") % 2 == 1',
]  # fmt: skip


def told(code: str) -> list[tuple[int, str]]:
    law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
    return [
        (each.problem.where.line, each.problem.mend) for look in (unequal, compared) for each in look(law)
    ]


def test_a_comparison_that_never_comes_out_is_told_with_what_to_write() -> None:
    lines = "".join(f"    if {each}:\n        note('x')\n" for each in NEVER)
    said = [mend for _, mend in sorted(told(f"def do_go(actor, tree):\n{lines}"))]
    assert len(said) == len(NEVER)
    assert all(mend.startswith(wanted) for mend, wanted in zip(said, NEVER.values(), strict=True)), said


def test_a_comparison_that_may_come_out_meets_nothing() -> None:
    assert told("def do_go(actor, tree):\n" + "".join(f"    x = {each}\n" for each in MAY)) == []


def test_a_name_that_is_given_one_value_is_what_it_was_given() -> None:
    once = "def do_go(actor, tree):\n    day = weekday(now())\n    MORE\n    if day == 'Monday':\n        note(day)\n"
    assert [mend for _, mend in told(once.replace("    MORE\n", ""))] == ['write "monday"']
    assert told(once.replace("MORE", "day = day.title()")) == []
    assert told(once.replace("MORE", "for day in ['Monday']:\n        note(day)")) == []


@pytest.mark.parametrize("edition", editions.names())
def test_no_comparison_of_an_edition_is_accused(edition: str) -> None:
    law = NEWEST.law(editions.load(edition))
    assert [*unequal(law), *always(law), *conjoined(law), *compared(law)] == []


def test_a_text_alone_behind_or_is_told_with_the_list_to_ask_in() -> None:
    def said(condition: str) -> list[str]:
        code = f"def do_go(actor, tree):\n    if {condition}:\n        note('x')\n    require({condition}, 'no')\n"
        law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
        return [each.problem.mend for each in always(law)]

    mood = 'get(actor, "mood")'
    assert said(f'{mood} == "calm" or "cross"') == ['write … in ["calm", "cross"]'] * 2
    assert said(f'{mood} == "calm" or {mood} == "cross"') == []
    assert said(f'{mood} == "calm" or "cross" == {mood}') == []
    assert said(f'({mood} == "calm" or "") == "x"') == []


ASKED = {
    'return "no" if {} else ""': 1, "if {}:\n        note('x')": 1, "if 1 > 2:\n        pass\n    elif {}:\n        note('x')": 1,
    "require(len('x') > 1 and {}, 'no')": 1, "require(not ({}), 'no')": 1, "x = [1 for each in players() if {}]": 1,
    "if (1 > 2 and (\n        {})):\n        pass": 1, "x = not ({})": 1, "x = {{1: 2 for each in [1] if {}}}": 1,
    "return {}": 0, "note(name(actor), {})": 0, "if 1 > 2:\n        pass\n    y = {}": 0,
}  # fmt: skip


@pytest.mark.parametrize("where", ASKED)
def test_a_text_alone_is_told_wherever_it_is_asked(where: str) -> None:
    mood = 'get(actor, "mood")'
    wrong = {
        f'{mood} == "calm" or "cross"': 'write … in ["calm", "cross"]',
        f'{mood} != "calm" and "cross"': 'write … not in ["calm", "cross"]',
        f'{mood} == "a" or "b" or "c"': 'write … in ["a", "b", "c"]',
    }
    for condition, mend in wrong.items():
        code = f"def do_go(actor, tree):\n    {where.format(condition)}\n"
        law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
        assert [each.problem.mend for each in always(law)] == [mend] * ASKED[where], code
    right = f'({mood} == "calm" or {mood} == "cross")'
    code = f"def do_go(actor, tree):\n    {where.format(right)}\n"
    assert not [*always(NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")})))]


def test_two_comparisons_that_always_hold_together_or_never_are_told_and_no_others() -> None:
    wrong = {
        "if mood != 'calm' or mood != \"cross\":": 'mood not in ["calm", "cross"]',
        'if get(actor, "mood") == "calm" and get(actor, "mood") == "cross":': 'get(actor, "mood") in ["calm", "cross"]',
        "if actor and mood == 1 and mood == 2:": "mood in [1, 2]",
        'if (mood != "calm" or mood != "cross") and actor:': 'mood not in ["calm", "cross"]',
    }
    right = [
        'if mood != "calm" and mood != "cross":', 'if mood == "calm" or mood == "cross":', 'if mood != "calm" or mood != "calm":',
        "if roll(6) != 1 or roll(6) != 1:", "if roll(6) == 1 and roll(6) == 2:", 'if mood != "calm" or actor != "cross":',
        'if actor and mood != "calm" or mood != "cross":', 'if mood != "calm" or mood != "cross" and actor:',
        'if not mood == "calm" and mood == "cross":', "if mood + 1 != 2 or mood != 3:", "if (mood == 1 or actor) and mood == 2:",
    ]  # fmt: skip

    def said(lines: Iterable[str]) -> list[tuple[int, str]]:
        code = "def do_go(actor, tree, mood):\n" + "".join(
            f"    {line}\n        note('x')\n" for line in lines
        )
        law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
        first = rule(DECLARES, code, title="Own").split("\n").index(f"    {next(iter(lines))}") + 1
        return [((each.problem.where.line - first) // 2, each.problem.mend) for each in conjoined(law)]

    assert said(wrong) == [(n, f"write {mend}, if that is meant") for n, mend in enumerate(wrong.values())]
    assert said(right) == []
