"""What names of a function hold, by looking: what their kind has not, numbers put to texts, values that hide a word."""

from __future__ import annotations

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
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
