"""Every word with every kind of value, and every kind of answer of what declarations name: told in words, never a crash.

A hundred or so are drawn, other ones of each word; with ``--hypothesis-profile=deep`` many more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.depth import is_deep, one_of

from language.tiny import Game, rule, ruleset
from nomicgit.ground.problems import NomicError
from nomicgit.law.variables import KINDS
from nomicgit.outlook import openings, overview, voters
from nomicgit.physics.words import WORDS

CANNOT = "does not know why"
"""What is told where the program did not foresee something."""
VALUES = [
    "None", "True", "False", "0", "1", "-1", "7", "10 * 99999999999999999999", "-99999999999999999999", "0.5", "1e308 * 10",
    "''", "'x'", "'x.y'", "'.'", "'/'", "'a/b/c'", "'x' * 300", "'0'", "'-3d'", "'1d'", "'day'", "'2/3'", "'2021-06-07T00:00:00Z'",
    "'2021-06-07'", "'9999-12-31T23:59:59Z'", "'0001-01-01T00:00:00Z'", "'\\\\0list[1'", "'\\\\0map x'", "'ana'", "'enacted'",
    "'for'", "'motion'", "'note'", "'few'", "'rooms'", "'woods'", "'oak'", "'go'", "'sown'", "'is_big'", "'do_go'",
    "'return 1'", "'('",
    "'game'", "'dynasty'", "'players'", "'players/ben'", "'players/zed'", "'players/nobody'", "'players/'", "'posts/1'", "'posts/9'",
    "'posts/x'", "'posts'", "'rooms/r1'", "'rooms/r9'", "'grid/A1'", "'grid/Z9'", "'rules/own'", "'variables/whole'",
    "'collections/rooms'", "'actions/go'", "'kinds/motion'", "'deeds/deed-1'", "'nowhere/x'",
    "[]", "[1]", "[None]", "['x']", "[[1], ['x']]", "['players/ben']", "[{}]", "[lambda x: x]", "[1, 'x', None]",
    "{}", "{'a': 1}", "{'a': {'b': [1]}}", "{'': None}", "{1: 2}", "{None: 1}", "{(1, 2): 3}", "{'a.b': 1, 'c/d': 2}",
    "{'action': 'oak'}", "{'repeal': 'own'}", "{'set': 1}", "{'set': {'game.whole': 'x'}}", "{'run': 1}", "{'together': [1]}",
    "{'add-rule': 1}", "{'amend': {}}", "{'player': []}", "{'number': 1}",
    "()", "(1, 2)", "range(3)", "lambda: 1", "len", "get", "[x for x in range(300)]", "struct", "set([1])",
]  # fmt: skip
"""As the law writes them: plain, huge, with dots and slashes, nested, of odd keys, functions, refs of what is there and is not."""

TYPES = {
    "text": "text", "whole": "integer", "part": "{type: number, step: 0.5}", "flag": "boolean",
    "pick_": "{type: choice, choices: [a, b]}", "when_": "datetime", "day_": "date", "who": "player", "post_": "post",
    "matter_": "matter", "rule_": "rule", "deed_": "deed", "room": "rooms", "wood": "woods", "list_": "list",
    "players_": "{type: list, items: player}", "set_": "{type: set, items: integer}", "map_": "map",
    "bag": "{type: map, keys: woods, values: integer}", "numbered": "{type: map, keys: integer, values: integer}",
    "record_": "{type: record, fields: {a: integer}}", "entry_": "{type: entry, catalogue: woods}", "any_": "any",
    "misspelt": "dictionary", "code_": "mechanics", "low": "{type: integer, below_zero: allow}",
}  # fmt: skip
LEGAL = {
    "text": ["'a.b'"], "whole": ["5"], "part": ["1.5"], "flag": ["True"], "pick_": ["'a'"], "when_": ["now()"],
    "day_": ["'2021-06-07'"], "who": ["'players/ben'"], "post_": ["'posts/1'"], "matter_": ["'posts/1'"], "rule_": ["'rules/own'"],
    "room": ["'rooms/r1'"], "wood": ["'oak'"], "list_": ["[1, 'x']", "[[1]]"], "players_": ["['players/ben']"], "set_": ["[1, 2]"],
    "map_": ["{'a': 1, 'b': [1]}"], "bag": ["{'oak': 1}"], "numbered": ["{'3': 1}"], "record_": ["{'a': 1}"],
    "entry_": ["{'action': 'oak'}"], "any_": ["0", "'x'", "True", "[1]", "{'a': 'x'}", "[None]"],
    "misspelt": ["3", "[1]", "{'a': {}}"], "code_": ["'return 1'"], "low": ["-5"],
}  # fmt: skip
HOOKS = {
    "do_go": "actor, n", "can_go": "actor", "by_go": "actor", "which_go": "value", "cost_go": "actor, given", "given_go": "",
    "guard_watch": "actor, action, given", "guard_trying": "actor, action, given", "filter_weigh": "ref, old, new",
    "settle_grow": "ref", "schedule_rain": "", "schedule_ripen": "ref", "heard": "x", "seen": "", "seen_of": "ref", "is_big": "ref",
    "at_of": "ref", "where_of": "ref", "legal_n": "ref, value", "normal_n": "value", "invalid_n": "ref, value", "start_n": "ref",
    "often": "actor", "apart": "actor", "enactable": "ref", "failable": "ref", "verdict": "ref", "tally": "ref", "reasons": "ref",
    "quorum": "", "hiatus": "", "hiatus_reason": "", "popular": "ref",
}  # fmt: skip
"""Every function that a declaration or the program names, with what it is handed."""

DECLARES = """
variables:
  answers: {type: text}
  n: {of: player, type: integer, default: {by: start_n}, legal: legal_n, normal: normal_n, invalid: invalid_n}
  weight: {of: player, type: integer}
  big: {of: player, type: integer, derived: is_big}
  at_: {of: player, type: datetime, derived: at_of}
  where_: {of: player, type: boolean, derived: where_of}
  coins: {of: player, type: integer, default: 9}
VARIABLES
collections:
  rooms: {key: {prefix: r}, fields: {name: text, owner: player}, founding: {r1: {name: Hall}}}
  grid: {key: {columns: [A], rows: [1]}, all: true, fields: {deep: integer}}
catalogues:
  woods: {oak: {with: {n: integer}}, fir: {}}
limits:
  few: {per: day, times: {by: often}, gap: {by: apart}}
actions:
  go: {by: [admin, by_go], limit: few, cost: {coins: cost_go}, with: {n: {type: integer, which: which_go, default: {by: given_go}}}}
  try-it: {}
guards:
  watch: {on: all, except: [bench, move, resolve]}
  trying: {on: [go], attempt: true}
filters:
  weigh: {of: player, variable: weight}
settles:
  grow: {of: player, watches: [weight, big]}
schedule:
  rain: {every: day 12:00}
  ripen: {of: player, at: at_, where: where_}
when:
  sown: [heard]
views:
  seen: {}
  seen_of: {of: player}
  quorum: {}
  hiatus: {}
  enactable: {of: matter}
  failable: {of: matter}
  verdict: {of: matter}
  tally: {of: matter}
  reasons: {of: matter}
  popular: {of: matter}
"""
CODE = """
def do_try_it(actor):
    put(actor, weight=get(actor, "weight") + 1)
    emit("sown", 1)
    seen()
    seen_of(actor)
    get(actor, "big")
"""


def made(answer: str = "None") -> Game:
    """A game with a variable of every type, in which the function that ``answers`` names gives this answer."""
    variables = "\n".join(
        f"  {name}: {kind if kind[0] == '{' else f'{{type: {kind}}}'}" for name, kind in TYPES.items()
    )
    ordinary = {"at_of": "None", "often": "9", "apart": "''", "cost_go": "0"}
    functions = "".join(
        f"def {name}({takes}):\n    return _given() if get('game', 'answers') == '{name}' else {ordinary.get(name, 'None')}\n\n"
        for name, takes in HOOKS.items()
    )
    code = f"{CODE}\ndef _given():\n    return {answer}\n\n{functions}"
    return Game(
        ruleset({"10-own.md": rule(DECLARES.replace("VARIABLES", variables), code, title="Own")}),
        admins=["ana"],
        idle=["zed"],
    )


def tried(game: Game, code: str) -> None:
    """Some code as a program: it may be refused, as what anybody foresaw."""
    why = ""
    try:
        game.run(code)
    except NomicError as error:
        why = str(error)
    assert CANNOT not in why, code


QUICK = ["any_", "misspelt", "whole"]


def slowly(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.slow) for name in names]


def calls(word: str, chance: random.Random, number: int) -> Iterator[str]:
    """Calls of a word, most of them with what it takes first: something that is there, and one of its variables."""
    variables = [
        *TYPES,
        *(f"{name}.a" for name in TYPES),
        "n",
        "weight",
        "big",
        "name",
        "status",
        "votes",
        "nowhere",
    ]
    for _ in range(number):
        arguments = [chance.choice(VALUES) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))]
        if chance.random() < 0.6:
            arguments[:0] = [chance.choice(["'game'", "'players/ben'", "'posts/1'", "'rooms/r1'"])]
            arguments[1:1] = [f"'{chance.choice(variables)}'"] if chance.random() < 0.7 else []
        named = (
            [f"{chance.choice(variables).partition('.')[0]}={chance.choice(VALUES)}"]
            if chance.random() < 0.3
            else []
        )
        yield f"{word}({', '.join([*arguments, *named])})"


def test_every_type_and_every_word_is_tried() -> None:
    declared = {kind.split("type: ")[-1].split(",")[0].rstrip("}") for kind in TYPES.values()}
    assert set(KINDS) <= declared | {"rooms", "woods"}, set(KINDS) - declared


@pytest.mark.slow
@pytest.mark.parametrize(
    "word", [pytest.param(each, marks=one_of(2, n)) for n, each in enumerate(sorted(WORDS))]
)
def test_a_word_answers_or_says_what_is_wrong(word: str, request: pytest.FixtureRequest) -> None:
    deep = is_deep(request.config)
    chance = random.Random(None if deep else word)
    game = made()
    game.do("ana", "move")
    for call in calls(word, chance, 1500 if deep else 40):
        variable = chance.choice(list(LEGAL))
        tried(
            game, f"put('game', {variable}={chance.choice(LEGAL[variable])})\nsay('note', 'T', repr({call}))"
        )


@pytest.mark.parametrize("variable", [*slowly(sorted(TYPES.keys() - QUICK)), *QUICK])
def test_a_word_for_amounts_and_members_meets_every_type(variable: str) -> None:
    game = made()
    game.do("ana", "move")
    for held in LEGAL.get(variable, ["None"]):
        for name in (variable, f"{variable}.a", f"{variable}."):
            for call in (
                f"gain('game', '{name}', 1)", f"lose('game', '{name}', 1)", f"spend('game', '{name}', 1)",
                f"transfer('game', 'players/ben', '{name}', 1)", f"add('game', '{name}', 1)", f"remove('game', '{name}', 1)",
                f"mark('game', '{name}', 'a', 1)",
            ):  # fmt: skip
                tried(game, f"put('game', {variable}={held})\n{call}")
                tried(game, call)


DEEDS: list[tuple[str, str, dict[str, Any]]] = [
    ("ana", "go", {}),
    ("ben", "try-it", {}),
    ("ben", "try-it", {"after": "1d"}),
    ("ana", "bench", {"code": "put('players/ben', n=3, weight=2)"}),
    ("ana", "bench", {"code": "create('players', 'eve')"}),
    ("ana", "resolve", {"matter": "1"}),
    ("ana", "move", {}),
]


def answered(answer: str, hook: str) -> Iterator[str]:
    """All that is told where a function gives this answer: somebody plays, time passes, and somebody looks."""
    game = made(answer)
    game.do("ana", "move")
    game.run(f"put('game', answers='{hook}')")
    for actor, action, given in DEEDS:
        try:
            game.do(actor, action, **given)
        except NomicError as error:
            yield str(error)
        yield from game.notes
    yield from overview.outlook_of(game.world).defects
    openings.open_to_somebody(game.world)
    voters.wants_vote(game.world, "ben")


@pytest.mark.slow
@pytest.mark.parametrize("answer", [pytest.param(each, marks=one_of(3, n)) for n, each in enumerate(VALUES)])
def test_whatever_a_function_answers_is_taken_or_told(answer: str, request: pytest.FixtureRequest) -> None:
    deep = is_deep(request.config)
    for hook in HOOKS if deep else random.Random(answer).sample(list(HOOKS), 2):
        assert [each for each in answered(answer, hook) if CANNOT in each] == [], hook
