"""Laws that call themselves by whatever word: refused in words, at the same depth on every machine."""

from __future__ import annotations

import pytest

from language.tiny import game

DECLARES = """
variables:
  coins: {of: player, type: integer, default: 5}
  said: {of: player, type: mechanics}
  deep: {of: player, type: integer, derived: how_deep}
  judged: {of: player, type: integer, legal: judge}
  heavy: {of: player, type: integer}
actions:
  WAY
filters:
  weighing: {of: player, variable: heavy}
when:
  fallen: [heard]
"""
WAYS: dict[str, tuple[str, str]] = {
    "a step": ("{}", 'do("go", actor)'),
    "a step that is asked for": ("{}", 'refuse(can("go", actor))'),
    "a function by its name": ("{}", 'call("do_go", actor)'),
    "a program": ("{}", "perform(get(actor, 'said'), me=actor)"),
    "a contract": ("{}", "perform_as(actor, get(actor, 'said'), me=actor)"),
    "an event": ("{}", 'emit("fallen", actor)'),
    "a change that runs": ("{}", "refuse(apply({'run': 'do(\"go\", \"%s\")' % actor}))"),
    "changes within changes": ("{}", "refuse(apply({'together': [{'run': 'do(\"go\", \"%s\")' % actor}]}))"),
    "a new law each time": (
        "{}",
        "refuse(apply({'add-rule': {'title': 'R', 'text': 'T', 'mechanics': 'def r%d():\\n    pass' % len(find('rules'))}}))"
        '\n    do("go", actor)',
    ),
    "a filter": ("{}", 'put(actor, heavy=get(actor, "heavy") + 1)'),
    "a value that is judged": ("{}", "put(actor, judged=1)"),
    "a derived value": ("{}", 'get(actor, "deep")'),
    "who may": ("{by: may}", "pass"),
    "functions within, as many as there may be": ("{}", "down(actor, 50)"),
    "what stands before a step": ("{}", 'do("go", actor, n=1)'),
}
CODE = """
def do_go(actorTAKES):
    BODY

def down(actor, n):
    if n == 0:
        do("go", actor)
    else:
        down(actor, n - 1)

def may(actor):
    return can("go", actor)

def can_go(actor):
    return ""

def how_deep(player):
    return get(player, "deep") + 1

def judge(player, value):
    put(player, judged=value + 1)
    return ""

def filter_weighing(player, old, new):
    put(player, heavy=new + 1)
    return new

def heard(player):
    do("go", player)
"""


@pytest.mark.parametrize("way", WAYS)
def test_a_law_that_calls_itself_without_end_is_refused_in_words(way: str) -> None:
    options, body = WAYS[way]
    takes = ", n" if "n=1" in body else ""
    if takes:
        options = "{with: {n: {type: integer, default: 0}}}"
    played = game(
        DECLARES.replace("WAY", f"go: {options}"), CODE.replace("BODY", body).replace("TAKES", takes)
    )
    played.run("put('players/ben', said='do(\"go\", me)')")
    why = played.refused("ben", "go")
    assert "calls itself" in why or "without end" in why or "derived from itself" in why, why
    assert played["players.ben.coins"] == 5
    assert played.eval("1 + 1") == 2
