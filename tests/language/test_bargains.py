"""What bargains are made of: costs that are charged, the power of one player, digests, and shares."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.tiny import Game, game, problems
from nomicgit.ground import fraction
from nomicgit.law.linking import BUILTINS
from nomicgit.physics.deeds import acting
from nomicgit.physics.words import WORDS
from nomicgit.record.forms.conditions import cost

DECLARES = """
variables:
  coins: {of: player, type: integer, default: 5}
  bag: {of: player, type: map, values: integer}
  toll: {type: integer, default: 2}
actions:
  cross: {cost: COST, with: {people: {type: integer, default: 1}}, limit: tide}
  give: {with: {to: player, amount: integer}}
limits:
  tide: {per: day, times: 3}
"""
CODE = """
def do_cross(actor, people):
    require(people < 4, "the boat is full")
    return get(actor, "coins")

def fare(actor, given):
    return get("game", "toll") * given["people"]

def do_give(actor, to, amount):
    spend(actor, "coins", amount)
    gain(to, "coins", amount)

def _theirs(ref):
    put(ref, coins=0)
    return "done"

def grab(ref):
    return _theirs(ref)
"""


def bank(costs: str = "{coins: 2}") -> Game:
    return game(DECLARES.replace("COST", costs), CODE)


# ---- a cost that is charged


def test_a_cost_is_charged_before_the_action_and_comes_back_when_that_refuses() -> None:
    played = bank()
    assert played.do("ben", "cross") == 3
    assert "the boat is full" in played.refused("ben", "cross", people=4)
    assert played["players.ben.coins"] == 3
    played.do("ben", "cross")
    assert played.refused("ben", "cross").endswith("coins: that takes 2, and there is 1")
    assert played["players.ben.coins"] == 1
    assert played.world.law.declared.actions["cross"].takes == {"coins": 2}


def test_an_action_that_nobody_can_pay_is_not_open() -> None:
    played = bank("{coins: 4}")
    world = played.world
    action = world.law.declared.actions["cross"]
    assert acting.bar(world, action, "players/ben") == ""
    played.do("ben", "cross")
    assert acting.bar(played.world, action, "players/ben") == "coins: that takes 4, and there is 1"
    assert acting.bar(played.world, action, "players/cy") == ""
    assert played["players.ben.coins"] == 1, "asking takes nothing"


def test_a_function_says_what_an_action_costs_by_its_parameters() -> None:
    played = bank("{coins: fare, bag.rope: 1}")
    assert "bag.rope: that takes 1" in played.refused("ben", "cross")
    played.run('put("players/ben", bag={"rope": 2})')
    played.do("ben", "cross", people=2)
    assert (played["players.ben.coins"], played["players.ben.bag"]) == (1, {"rope": 1})
    law = played.world.law
    assert cost(law, law.declared.actions["cross"]) == "coins as the rule says and 1 bag rope"


def test_a_step_is_charged_to_who_does_it() -> None:
    played = bank()
    played.run('do("cross", "players/cy")', actor="ben")
    assert (played["players.ben.coins"], played["players.cy.coins"]) == (5, 3)
    assert "only a player can pay" in game(
        "variables: {coins: {of: player, type: integer}}\nactions: {go: {by: anyone, cost: {coins: 0}}}",
        "def do_go(actor):\n    pass",
    ).refused("zed", "go")


@pytest.mark.parametrize("costs", ["{coins: -1}", "{coins: 1.5}", "{coins: [1]}", "{coins: true}"])
def test_a_cost_is_a_whole_number_or_a_function(costs: str) -> None:
    assert "must be a whole number from 0 on, or the name of a function" in problems(
        DECLARES.replace("COST", costs), CODE
    )


def test_a_cost_that_is_a_text_is_told_and_not_charged() -> None:
    played = bank("two coins")
    assert played.do("ben", "cross") == 5
    law = played.world.law
    assert cost(law, law.declared.actions["cross"]) == "two coins"


# ---- the power of one player


def test_what_is_done_for_a_player_writes_by_actions_of_theirs_alone() -> None:
    played = bank()
    played.run("perform_as('players/ben', 'do(\"give\", me, to=\"players/cy\", amount=2)', me='players/ben')")
    assert (played["players.ben.coins"], played["players.cy.coins"]) == (3, 7)
    assert played.eval("perform_as('players/ben', 'return get(\"players/cy\", \"coins\")')") == 7
    for code, why in {
        'do("give", "players/cy", to="players/ben", amount=1)': "does nothing as cy",
        'do("give", None, to="players/ben", amount=1)': "does nothing as",
        'grab("players/cy")': "writes by their actions",
        'call("grab", "players/cy")': "writes by their actions",
        "perform(\"put('players/cy', coins=0)\")": "writes by their actions",
        'perform_as("players/cy", "pass")': "does nothing as cy",
        'do("give", "players/ben", to="players/cy", amount=99)': "that takes 99",
    }.items():
        assert why in played.fails(f"perform_as('players/ben', '''{code}''')"), code
    assert (played["players.ben.coins"], played["players.cy.coins"]) == (3, 7)
    assert "there is no player" in played.fails("perform_as('game', 'pass')")
    played.run("perform_as('players/ben', 'pass')\nput('players/cy', coins=1)")
    assert played["players.cy.coins"] == 1, "the law has its own power again"


SECRETS = """
variables:
  role: {of: player, type: text, default: "none", tracked: secret, seen_by: [owner]}
  wise: {of: player, type: boolean, derived: _wise}
  coins: {of: player, type: integer, default: 5}
collections:
  spies: {key: {prefix: s}, tracked: secret, fields: {of: player}}
actions:
  become: {private: true, with: {role: text}}
  look: {}
  wait: {}
"""
SECRETIVE = """
def do_become(actor, role):
    put(actor, role=role)
    create("spies", of=actor)

def do_look(actor):
    return get("players/cy", "role")

def do_wait(actor):
    require(get("players/cy", "role") == "none", "cy is " + get("players/cy", "role"))

def role_of(player):
    return get(player, "role")

def _wise(player):
    return get(player, "role") == "seer"
"""
LOOKS = (
    'get("players/cy", "role")', 'get("players/ben", "role")', 'read("players/cy")', 'role_of("players/cy")',
    'call("role_of", "players/cy")', 'get("players/cy", "wise")', 'was("players/cy", "role")', 'find("spies")', 'count("spies")',
    'exists("spies/s1")', 'get("spies/s1", "of")', 'perform("return get(\'players/cy\', \'role\')")',
    'can("wait", "players/cy")',
)  # fmt: skip


def test_what_is_done_for_a_player_sees_no_secret_in_whatever_way_it_looks() -> None:
    played = game(SECRETS, SECRETIVE)
    played.do("cy", "become", role="seer")
    assert played.eval('get("players/cy", "wise")') is True, "and is remembered"
    for looks in LOOKS:
        why = played.fails(f"perform_as('players/ben', '''return {looks}''')")
        assert "sees what everybody sees" in why or "asks nothing as cy" in why, looks
        assert "seer" not in why
    kept = 'attempt(lambda: get("players/cy", "role"))'
    assert "seer" not in str(played.fails(f"perform_as('players/ben', '''return {kept}''')"))
    assert played.eval("perform_as('players/ben', 'return do(\"look\", me)', me='players/ben')") == "seer", (
        "an action of theirs is the law's"
    )
    changes = 'return [do("become", me, role="thief"), changed()]'
    assert "is secret" in played.fails(f"perform_as('players/ben', '''{changes}''', me='players/ben')")
    assert played.eval('get("players/cy", "role")') == "seer", "the law sees it again"


def test_it_may_ask_what_would_be_refused() -> None:
    played = bank()
    asked = 'can("give", "players/ben", to="players/cy", amount={})'
    assert played.eval(f"perform_as('players/ben', 'return {asked.format(2)}')") == ""
    assert "that takes 9" in played.eval(f"perform_as('players/ben', 'return {asked.format(9)}')")
    assert played["players.ben.coins"] == 5


WRITING = {
    "put": '"players/cy", coins=1', "gain": '"players/cy", "coins", 1', "spend": '"players/cy", "coins", 1',
    "lose": '"players/cy", "coins", 1', "transfer": '"players/cy", "players/ben", "coins", 1',
    "add": '"game", "list", 1', "remove": '"game", "list", 1', "mark": '"players/cy", "bag", "a", 1',
    "create": '"players", "zed"', "destroy": '"players/cy"', "reset": '"players/cy"', "say": '"note", "a", "b"',
    "comment": '"posts/1", "b"', "tell": '"players/cy", "b"', "note": '"b"', "apply": '{"repeal": "own"}',
    "close": '"posts/1", "enacted"', "roll": "6", "dice": "2, 6", "pick": "[1, 2]", "shuffle": "[1, 2]",
    "secretly_roll": "6", "secretly_dice": "2, 6", "secretly_pick": "[1, 2]", "secretly_shuffle": "[1, 2]",
    "use": '"tide", "players/cy", "x"', "emit": '"bang"', "settle": "", "reveal": '"players/cy", "coins"',
}  # fmt: skip
"""Every word that changes something or draws, with arguments that do nothing wrong."""
READING = frozenset(
    "admins asked ballots call can cast_at catalogue changed changes comments count date deed digest divide do elapsed emperor "
    "entries everyone exists find get id is_idle is_player known later may_use mentions name now perform perform_as players "
    "reaches read refuse require span start_of term total used votes was weekday".split()
)


def test_every_word_is_known_to_read_or_to_write() -> None:
    assert (set(WRITING) | READING) ^ set(WORDS) == set(), (
        "a word that writes or draws goes into WRITING, with arguments that do nothing wrong, any other into READING"
    )
    assert not (set(WRITING) & (READING | set(BUILTINS)))


def test_no_word_writes_or_draws_for_a_player() -> None:
    listed = DECLARES.replace("COST", "none").replace(
        "actions:", "  list: {type: list, default: [1]}\nactions:"
    )
    played = game(listed, CODE)
    played.run('say("note", "a", "b")')
    for word, given_ in WRITING.items():
        why = played.fails(f"perform_as('players/ben', '''{word}({given_})''')")
        assert "writes by their actions" in why, word


# ---- digests and shares


def test_a_digest_is_the_sha_256_of_a_text() -> None:
    played = bank()
    for text in ("", "7 the moon is low", "größer"):
        assert played.eval(f"digest({text!r})") == hashlib.sha256(text.encode()).hexdigest()
    assert "is no text" in played.fails("digest(7)")


def test_a_share_is_compared_exactly() -> None:
    played = bank()
    for asked, answer in {
        '4, 6, "2/3"': True, '3, 5, "2/3"': False, '4, 6, "2/3", more=True': False, '3, 5, "60%"': True,
        '0, 0, "1/2"': False, '0, 0, "0%"': False, '0, 5, "0%"': True, '33333333333, 99999999999, "1/3"': True,
        '33333333332, 99999999999, "1/3"': False,
    }.items():  # fmt: skip
        assert played.eval(f"reaches({asked})") is answer, asked
    assert "is no share" in played.fails('reaches(1, 2, "half")')
    assert "is no share" in played.fails('reaches(1, 2, "1/0")')


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 99), st.integers(1, 99), st.booleans())
def test_shares_are_those_of_fractions(part: int, whole: int, of: int, by: int, more: bool) -> None:
    has, needs = Fraction(part, whole), Fraction(of, by)
    assert fraction.reaches(part, whole, f"{of}/{by}", more=more) is (has > needs if more else has >= needs)
