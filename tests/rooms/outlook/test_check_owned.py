"""What names of a function hold, by looking: what their kind has not, numbers put to texts, values that hide a word."""

from __future__ import annotations

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
from nomicgit.ground.problems import Malformed
from nomicgit.outlook.checks import check_ruleset
from nomicgit.outlook.checks.aimed import costs
from nomicgit.outlook.checks.misused import misused
from nomicgit.outlook.checks.owned import hiding, owned, summed
from nomicgit.physics.numbers import NEWEST

DECLARES = """
variables:
  coins: {of: player, type: integer}
  motto: {of: player, type: text}
collections:
  trees: {key: {prefix: t}, fields: {owner: player, fruit: integer, ripe: datetime}}
schedule:
  ripen: {of: trees, at: ripe}
actions:
  go: {with: {tree: trees, name: text}}
"""
WRONG = {
    'gain(tree, "coins", 1)': "it is declared of player", "put(tree, coins=3)": "it is declared of player",
    'transfer(actor, tree, "coins", 1)': "it is declared of player",
    'note("You have " + get(actor, "coins"))': 'write str(get(actor, "coins"))',
    'note("You have " + held)': "write str(held)", 'gain(emperor, "coins", 1)': "write emperor()",
    'gain(players, "coins", 1)': "write for each in players(): gain(each, …)",
    "note(name(actor))": "call it name_ in line 16 and where it is read",
    "note(date(now()))": "call it date_ in line 18 and where it is read",
}  # fmt: skip
RIGHT = [
    'gain(tree, "fruit", 1)', "put(tree, fruit=3)", 'x = get(tree, "coins", 0)', 'note("You have " + get(actor, "motto"))',
    'note("a" + str(held))', 'gain(emperor(), "coins", 1)', "other = tree", 'gain(other, "coins", 1)', "x = sorted(players(), key=id)",
    "note(name)", 'x = "a" + [get(actor, "coins")][0]', "do('go', actor, tree=tree, name=name)",
]  # fmt: skip
CODE = "def do_go(actor, tree, name):\n    held = get(actor, 'coins')\n    date = now()\n    if held > 99:\n        CALL\n"
CLOCK = "def schedule_ripen(it):\n    gain(it, 'coins', 1)\n"


def told(code: str, declares: str = DECLARES) -> list[str]:
    law = NEWEST.law(ruleset({"10-own.md": rule(declares, code, title="Own")}))
    return [each.problem.mend for look in (owned, summed, hiding, misused, costs) for each in look(law)]


def test_what_a_name_holds_and_is_asked_for_wrongly_is_told_once() -> None:
    said = {call: told(CODE.replace("CALL", call)) for call in WRONG}
    assert said == {call: [mend] for call, mend in WRONG.items()}
    assert told(CLOCK) == ["it is declared of player"]


def test_what_a_name_may_hold_meets_nothing() -> None:
    assert told(CODE.replace("CALL", "\n        ".join(RIGHT))) == []
    assert told(CLOCK.replace("'coins'", "'fruit'")) == []
    assert told(CLOCK.replace("    gain", "    if known('coins'):\n        gain")) == []


@pytest.mark.parametrize(
    ("cost", "mend"),
    [
        ("3 coins", ["write cost: {coins: 3}"]),
        ("coins", ["write cost: {coins: 1}"]),
        ("3 pearls", []),
        ("2 of the best", []),
        ("{coins: 3}", []),
    ],
)
def test_a_cost_that_reads_like_an_amount_and_charges_nothing_is_told(cost: str, mend: list[str]) -> None:
    declares = DECLARES.replace("go: {", f"go: {{cost: {cost}, ")
    assert told(CODE.replace("CALL", "pass"), declares) == mend


@pytest.mark.parametrize("edition", editions.names())
def test_no_rule_of_an_edition_is_accused(edition: str) -> None:
    law = NEWEST.law(editions.load(edition))
    assert [each for look in (owned, summed, hiding, costs) for each in look(law)] == []


DECLARED = """
limits:
  few: {per: day}
variables:
  mood: {of: player, type: choice, choices: [calm, cross]}
schedule:
  dawn: {every: day 06:00}
actions:
  go: {limit: few}
"""
DAWN = "def do_go(actor):\n    put(actor, mood='calm')\n    note(get(actor, 'mood'))\n\ndef schedule_dawn():\n    note('It is dawn.')\n"
NEARLY = {
    "{per: day}": {"{per: day, gap: 2 hours}": "write gap: 2h", "{per: day, gap: 1 Day}": "write gap: 1d"},
    "day 06:00": {"day 6:00": "write day 06:00", "Monday 6:00": "write monday 06:00", "every 2 hours": "write 2 hour 00",
        '"18:30"': "write day 18:30", "Friday": "write friday 00:00"},
    "mood: {of": {"good mood: {of": "write good-mood"},
    "type: choice": {"type: chocie": "write choice, if that is meant"},
    "    note('It is dawn.')": {"    later(now(), 3d)": 'write "3d", in quotes', "    later(now(), '3 hours')": 'write "3h"'},
}  # fmt: skip


@pytest.mark.parametrize("right", NEARLY)
def test_what_to_write_is_made_of_what_its_author_wrote_and_told_once(right: str) -> None:
    def mends(old: str, new: str) -> list[str]:
        declares, code = DECLARED.replace(old, new), DAWN.replace(old, new)
        try:
            said = check_ruleset(ruleset({"10-own.md": rule(declares, code, title="Own")})).findings
        except Malformed as wrong:
            return [each.mend for each in wrong.problems]
        return [each.problem.mend for each in said if each.problem.where.file.endswith("own.md")]

    assert mends("", "") == []
    assert {new: mends(right, new) for new in NEARLY[right]} == {
        new: [mend] for new, mend in NEARLY[right].items()
    }
