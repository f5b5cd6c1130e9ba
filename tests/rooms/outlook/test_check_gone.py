"""What a rule destroys, and uses on a later line."""

from __future__ import annotations

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
from nomicgit.outlook.checks import check_ruleset

DECLARES = """
variables:
  coins: {of: player, type: integer, default: 9}
collections:
  wagers: {key: {prefix: w}, fields: {maker: player, stake: integer, ends: datetime}}
schedule:
  payout: {of: wagers, at: ends}
actions:
  bet: {with: {stake: integer}}
"""
CODE = """
def do_bet(actor, stake):
    return create("wagers", maker=actor, stake=stake, ends=later(now(), "1d"))

def schedule_payout(wager):
    winner = get(wager, "maker")
    {body}
"""


def told(body: str) -> list[tuple[int, str, str]]:
    """The line within the function, what is said, and what to do."""
    code = CODE.replace("{body}", body.strip().replace("\n", "\n    "))
    text = rule(DECLARES, code, title="Wagers")
    first = next(n for n, line in enumerate(text.split("\n"), 1) if "winner = get" in line)
    found = check_ruleset(ruleset({"10-wagers.md": text})).findings
    return [
        (each.problem.where.line - first, each.problem.what, each.problem.mend)
        for each in found
        if "destroyed" in each.problem.what
    ]


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ('destroy(wager)\nif winner != None:\n    gain(winner, "coins", 2 * get(wager, "stake"))', 3, "get finds no value"),
        ("destroy(wager)\nput(wager, stake=0)", 2, "put always refuses"),
        ("destroy(wager)\ndestroy(wager)", 2, "destroy always refuses"),
        ('if winner == None:\n    destroy(wager)\n    note(str(get(wager, "stake")))', 3, "get finds no value"),
    ],
)  # fmt: skip
def test_what_is_used_after_it_is_destroyed_is_told_at_its_line(body: str, line: int, what: str) -> None:
    assert told(body) == [(line, f"wager is destroyed on a line before: {what}{' of it any more' * what.startswith('get')}",
                           "do this before destroy(wager)")]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        'stake = get(wager, "stake")\ndestroy(wager)\ngain("players/ana", "coins", stake)',
        "if winner == None:\n    destroy(wager)\n    return\nput(wager, stake=0)",
        "if winner == None: destroy(wager)\nput(wager, stake=0)",
        'destroy(wager)\nwager = create("wagers", maker=winner, stake=1)\nput(wager, stake=2)',
        'for other in find("wagers"):\n    destroy(other)\nfor other in find("wagers"):\n    put(other, stake=1)',
        "destroy(wager)\nif exists(wager):\n    note(wager)",
    ],
)
def test_what_is_used_before_or_elsewhere_is_not(body: str) -> None:
    assert told(body) == []


def never(declares: str, code: str) -> list[str]:
    found = check_ruleset(ruleset({"10-wagers.md": rule(declares, code, title="Wagers")})).findings
    return [str(each.problem) for each in found if "never happens" in each.problem.what]


def test_a_time_that_nothing_sets_is_told() -> None:
    code = CODE.replace("{body}", "destroy(wager)")
    assert never(DECLARES, code) == []
    [said] = never(DECLARES, code.replace(', ends=later(now(), "1d")', ""))
    assert "nothing sets ends of wagers: payout never happens" in said
    assert 'create("wagers", …, ends=later(now(), "1d"))' in said
    later = (
        code.replace(', ends=later(now(), "1d")', "")
        + '\ndef other(wager):\n    put(wager, {"ends": now()})\n'
    )
    assert never(DECLARES, later) == []
    always = DECLARES.replace("ends: datetime", 'ends: {type: datetime, default: "2021-06-09T00:00:00Z"}')
    assert never(always, code.replace(', ends=later(now(), "1d")', "")) == []


def test_no_rule_of_an_edition_does_so() -> None:
    for name in editions.names():
        found = check_ruleset(editions.load(name)).findings
        assert found == (), name


def test_a_time_that_only_what_waits_for_it_sets_is_told() -> None:
    def said(of: str, more: str = "", by_hand: str = "") -> list[str]:
        ref, handed = ('"game"', "") if of == "game" else ("ref", "ref")
        declares = f"variables: {{due: {{of: {of}, type: datetime{by_hand}}}}}\nschedule: {{tick: {{of: {of}, at: due}}}}"
        code = f'def schedule_tick({handed}):\n    put({ref}, due=later(now(), "1d"))\n' + more
        findings = check_ruleset(ruleset({"10-clock.md": rule(declares, code, title="Clock")})).findings
        return [str(each.problem) for each in findings if "sets due" in each.problem.what]

    [one] = said("game")
    assert "nothing but schedule_tick itself sets due of game: tick happens only once a change does" in one
    assert 'put("game", due=later(now(), "1d"))' in one
    [one] = said("player")
    assert 'put(ref, due=later(now(), "1d"))' in one
    assert said("game", '\ndef begins():\n    put("game", due=now())\n') == []
    assert said("player", by_hand=", by_hand: true") == []
