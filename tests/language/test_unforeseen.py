"""What the program did not foresee in a call by the law is a defect of the rule: it stops no game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import replace

from language.tiny import START, Game, rule, ruleset
from nomicgit.ground.clock import DAY
from nomicgit.ground.problems import Outage, Refused, Unforeseen
from nomicgit.outlook import overview
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics, Word
from nomicgit.physics.words import WORDS

DECLARES = """
variables:
  n: {of: player, type: integer}
actions:
  dig: {}
  rest: {}
schedule:
  rain: {every: day 12:00}
settles:
  growth: {of: player, watches: [n]}
views:
  verdict: {of: matter}
"""
CODE = """
def do_dig(actor):
    put(actor, n=7)
    total([1])

def do_rest(actor):
    gain(actor, "n", 1)

def schedule_rain():
    for player in players():
        put(player, n=9)
    total([1])

def settle_growth(player):
    if get(player, "n"):
        total([1])

def verdict(matter):
    return total([1])
"""


def faulty(raised: BaseException) -> Physics:
    """The physics with a word that the program cannot carry out."""

    def total(world: object, numbers: object) -> Any:
        raise raised

    return replace(NEWEST, words=MappingProxyType({**WORDS, "total": Word(total)}))


def faulty_game(raised: BaseException = KeyError("lost")) -> Game:  # noqa: B008 - it is raised, never changed
    return Game(ruleset({"10-own.md": rule(DECLARES, CODE, title="Own")}), physics=faulty(raised))


def test_an_action_is_refused_with_its_line_and_nothing_is_done() -> None:
    game = faulty_game()
    with pytest.raises(Refused) as refusal:
        game.do("ben", "dig")
    problem = refusal.value.problems[0]
    assert problem.what == (
        "the law of dig is defective: the program cannot carry out total with what it is given here,"
        " and does not know why"
    )
    assert (problem.where.file, problem.where.rule) == ("game/ruleset/1-core/10-own.md", "Own")
    text = rule(DECLARES, CODE, title="Own").split("\n")
    assert text[problem.where.line - 1].strip() == "total([1])"
    assert "report" in problem.mend
    assert "lost" not in str(refusal.value)
    assert game["players.ben.n"] == 0


def test_who_mends_the_program_sees_what_was_raised() -> None:
    raised = KeyError("lost")
    with pytest.raises(Refused) as refusal:
        faulty_game(raised).do("ben", "dig")
    defect = refusal.value.__cause__
    assert isinstance(defect, Unforeseen)
    assert defect.__cause__ is raised


def test_a_hook_rests_and_the_deed_stands() -> None:
    game = faulty_game()
    game.do("ben", "rest")
    assert game["players.ben.n"] == 1
    assert any("settle_growth is defective and rests for this deed" in note for note in game.notes)


def test_an_event_of_the_clock_does_not_happen_and_the_game_goes_on() -> None:
    game = faulty_game()
    game.do("ben", "rest", after="2d")
    assert game["players.cy.n"] == 0
    assert any("rain at 2021-06-07T12:00:00Z did not happen" in note for note in game.notes)


def test_a_pending_matter_takes_the_look_from_nobody() -> None:
    game = faulty_game()
    game.do("ana", "move")
    outlook = overview.outlook_of(game.world)
    assert [matter.title for matter in outlook.matters] == ["A motion"]
    assert any("verdict: the program cannot carry out total" in defect for defect in outlook.defects)


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), OSError("no disk"), Outage("no machine", "wait")])
def test_what_is_the_machines_is_no_defect_of_a_rule(raised: BaseException) -> None:
    game = faulty_game(raised)
    for action, after in (("dig", ""), ("rest", ""), ("rest", "1d")):
        with pytest.raises(type(raised)) as passed:
            game.do("ben", action, after=after)
        assert passed.value is raised


def test_what_physics_itself_cannot_do_within_a_unit_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise IndexError(START + DAY)

    game = faulty_game()
    monkeypatch.setattr("nomicgit.physics.deeds.costs.charge", broken)
    monkeypatch.setattr("nomicgit.physics.deeds.acting.limited", broken)
    assert "the program cannot carry this out" in game.refused("ben", "rest")


MISTAKEN: list[tuple[str, str]] = [
    ('gain("game", "whole.key", 1)', "whole of game holds no map"),
    ('lose("game", "whole.key", 1)', "whole of game holds no map"),
    ('spend("game", "whole.key", 1)', "whole of game holds no map"),
    ('transfer("game", "players/ben", "listed.key", 1)', "listed of game holds no map"),
    ('gain("game", "listed.key", 1)', "listed of game holds no map"),
    ('gain("game", "free_list.key", 1)', "free_list of game holds no map"),
    ('mark("game", "free_list", "key", 1)', "free_list of game holds no map"),
    ('mark("game", "whole", "key", 1)', "whole of game holds no map"),
    ('mark("game", "free", ["key"], 1)', "the key of a map is a text"),
    ('add("game", "free_map", 1)', "free_map of game holds no list"),
    ('add("game", "whole", 1)', "whole of game holds no list"),
    ('add("game", "free_text", 1)', "free_text of game holds no list"),
    ('remove("game", "whole", 1)', "whole of game holds no list"),
    ('remove("game", "free_text", 1)', "free_text of game holds no list"),
]


@pytest.fixture
def odd() -> Callable[[], Game]:
    declares = """
    variables:
      whole: {type: integer, default: 5}
      listed: {type: list}
      free: {type: any}
      free_list: {type: any}
      free_map: {type: any}
      free_text: {type: any}
      planks: {of: player, type: dictionary}
      numbered: {type: map, keys: integer, values: integer}
    """

    def made() -> Game:
        game = Game(ruleset({"10-own.md": rule(declares, title="Own")}))
        game.run('put("game", free_list=[1], free_map={"a": 1}, free_text="text")')
        return game

    return made


def test_what_takes_a_map_or_a_list_says_where_there_is_none(odd: Callable[[], Game]) -> None:
    game = odd()
    for code, why in MISTAKEN:
        assert why in game.fails(code), code


def test_a_path_into_what_holds_nothing_yet_begins_a_map(odd: Callable[[], Game]) -> None:
    game = odd()
    game.run('gain("game", "free.wood", 2)\ngain("players/ben", "planks.wood", 1)')
    assert game["game.free"] == {"wood": 2}
    assert game["players.ben.planks"] == {"wood": 1}
    game.run('lose("players/ben", "planks.wood", 1)')
    assert game["players.ben.planks"] == {}


def test_a_key_that_is_a_number_is_taken_out_as_it_was_put_in(odd: Callable[[], Game]) -> None:
    game = odd()
    game.run('mark("game", "numbered", 3, 5)\nmark("game", "numbered", 4, 6)\nmark("game", "numbered", 5, 7)')
    assert game["game.numbered"] == {"3": 5, "4": 6, "5": 7}
    game.run('mark("game", "numbered", 3, None)\nremove("game", "numbered", 4)')
    assert game["game.numbered"] == {"5": 7}


HUGE = """
def huge():
    n = 7
    for _ in range(14):
        n = n * n
    return n

def rich(player):
    return {str(i): huge() for i in range(12)}

def poor(player):
    return huge()

def can_dig(actor):
    return huge()

def do_dig(actor):
    pass

def do_rest(actor):
    pick([huge(), 1])
"""


@pytest.mark.slow
def test_how_long_a_number_may_be_hangs_on_no_environment() -> None:
    """Else a deed would count in one clone and not in another."""
    told = "import sys, nomicgit.law.mechanics; print(sys.get_int_max_str_digits())"
    line, env = [sys.executable, "-c", told], {**os.environ, "PYTHONINTMAXSTRDIGITS": "0"}
    assert subprocess.run(line, env=env, capture_output=True, text=True, check=True).stdout == "4300\n"


def test_a_number_that_is_too_long_to_pass_is_told_as_the_rules() -> None:
    declares = """
variables: {gold: {of: player, type: any, derived: rich}, debt: {of: player, type: integer, derived: poor}}
actions: {dig: {}, rest: {}}
"""
    game = Game(ruleset({"10-own.md": rule(declares, HUGE, title="Own")}))
    long = "a whole number of more than 4,300 digits passes neither to a word nor from a function"
    for looked in ("gold", "debt"):
        with pytest.raises(Refused, match=long):
            game[f"players.ana.{looked}"]
    for done in ("dig", "rest"):
        assert long in game.refused("ana", done)
