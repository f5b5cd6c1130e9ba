"""What a rehearsal is given and what it says: the dice of the clock, what did not happen and why, what was meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from language.tiny import rule, ruleset

from nomicgit.outlook.checks import trying
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.rehearsal import rehearsal
from nomicgit.rehearsal.fate import Rehearsed

CLOCK = rule(
    """
    variables:
      pot: {type: integer}
      n: {of: player, type: integer}
    actions:
      throw: {}
      go: {with: {x: {type: integer, default: 1}, where: {type: choice, choices: [north, south], default: north}}}
      beg: {}
      guarded: {}
    guards:
      watch: {on: [guarded]}
    schedule:
      morning: {every: day 06:00}
      noon: {every: day 12:00}
      alms: {every: day 18:00}
    """,
    """
    def do_throw(actor):
        put(actor, n=roll(10))

    def do_go(actor, x, where):
        require(x < 5, "that is much too far")
        gain(actor, "n", x)

    def can_beg(actor):
        return 1 + "a"

    def do_beg(actor):
        pass

    def guard_watch(actor, action, given):
        return 1 + "a"

    def do_guarded(actor):
        gain(actor, "n", 1)

    def schedule_morning():
        put("game", pot=10 * roll(6))

    def schedule_noon():
        gain("game", "pot", roll(6))

    def schedule_alms():
        for player in players():
            gain(player, "n", {}["nowhere"])
    """,
    title="Own",
)

Play = Callable[[str], Rehearsed]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    rules = ruleset({"10-own.md": CLOCK})

    def played(steps: str) -> Rehearsed:
        lines = "\n".join(f"  - {line}" for line in steps.strip().split("\n"))
        text = f"name: s\nplayers: [ana, ben]\nemperor: null\nsteps:\n{lines}\n"
        return rehearsal.rehearse(text, "s.yml", rules=rules)

    return played


def test_dice_reach_the_clock_first_and_then_the_deed(play: Play) -> None:
    assert play("{at: +6h, dice: [4], expect: {game.pot: 40}}").failures == []
    assert play("{at: +12h, dice: [4, 3], expect: {game.pot: 43}}").failures == []
    assert play(
        "{at: +6h, by: ana, act: throw, dice: [4, 9], expect: {game.pot: 40, players.ana.n: 9}}"
    ).passed
    refused = "{at: +6h, by: ana, act: go, with: {x: 9}, dice: [5], refused: far, expect: {game.pot: 50}}"
    assert play(refused).failures == []


def test_dice_of_the_deed_alone_are_the_deeds_though_the_clock_draws(play: Play) -> None:
    """What they make of the clock is seeded, as where none are given."""
    seeded = play("{at: +13h}\n{expect: {game.pot: -1}}").failures[0].split()[3]
    both = f"{{at: +13h, by: ana, act: throw, dice: [9], as: t, expect: {{players.ana.n: 9, game.pot: {seeded}}}}}"
    assert play(both).failures == []


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("{at: +1h, dice: [99], expect: {game.pot: 0}}", "these dice were not drawn: 99"),
        ("{at: +6h, dice: [1, 2], expect: {game.pot: 10}}", "these dice were not drawn: 2"),
        ("{at: +12h, dice: [1], expect: {game.pot: 10}}", "the dice ran out: a die of 6"),
        ("{at: +6h, dice: [7]}", "a die of 6 cannot show 7"),
        ("{at: +6h, by: ana, act: throw, dice: [4, 11]}", "a die of 10 cannot show 11"),
        ("{at: +6h, by: ana, act: throw, dice: [4, 9, 1]}", "these dice were not drawn: 1"),
    ],
)
def test_dice_that_do_not_fit_fail(play: Play, step: str, why: str) -> None:
    [failure] = play(step).failures
    assert failure.startswith("step 1: ")
    assert why in failure


PLACED = re.compile(r"[^:] \(rule Own, game/ruleset/1-core/10-own\.md:\d+")
"""The words stand first, and then where it lies."""


def test_what_did_not_happen_is_said_with_its_place_whether_it_passes_or_fails(play: Play) -> None:
    alms = play("{at: +19h}\n{expect: {players.ana.n: 3}}")
    assert alms.failures == ["step 2: players.ana.n: 0 is not 3"]
    [note] = alms.notes
    assert note.startswith("step 1: alms at 2021-06-07T18:00:00Z did not happen: ")
    assert PLACED.search(note)
    assert list(alms.explained) == [f"s.yml:6: {alms.failures[0]}", *alms.notes]
    passed = play("{at: +19h, expect: {players.ana.n: 0}}")
    assert (passed.passed, len(passed.notes), passed.explained) == (True, 1, [])
    [guard] = play("{by: ana, act: guarded, expect: {players.ana.n: 1}}").notes
    assert guard.startswith("step 1: guard_watch is defective and rests for this deed: ")
    assert PLACED.search(guard)
    looked = play("{expect: {actions.ana: {not_contains: beg}}}")
    assert looked.passed
    assert any("beg is open is defective: " in note and PLACED.search(note) for note in looked.notes)
    [why] = play("{by: ana, act: beg, refused: true}").notes
    assert why.startswith("step 1: act was refused: game/ruleset/1-core/10-own.md:")
    assert play("{by: ana, act: beg, refused: defective}").notes == []
    assert play("{by: ana, act: go, expect: {players.ana.n: 1}}").notes == []


def test_a_deed_that_was_not_refused_says_what_it_did(play: Play) -> None:
    [failure] = play("{by: ana, act: go, with: {x: 3}, refused: far}").failures
    assert failure == "step 1: act was not refused: it changed n of players/ana from 0 to 3"


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("{at: +1h, refused: true}", "step 1: refused stands beside a verb, and this step has none"),
        (
            "{at: +1h, as: x, expect: {game.pot: 0}}",
            "step 1: as stands beside a verb, and this step has none",
        ),
        ("{expects: {game.pot: 0}}", "did you mean expect?"),
        ("{by: ana, act: go, expects: {game.pot: 0}}", "not act and expects (did you mean expect?)"),
        (
            "{by: ana, act: go, with: {wher: south}}",
            "go has no parameter wher (it has x, where) (did you mean where?)",
        ),
        (
            "{by: ana, act: go, with: {where: suoth}}",
            "suoth must be one of north, south (did you mean south?)",
        ),
        ("{at: 1h, expect: {game.pot: 0}}", "1h is how long, and not when (so long after the start: +1h)"),
        ("{expect: {game.pot: {atleast: 3}}}", "0 is not {atleast: 3} (did you mean at_least?)"),
        ("{expect: {game.pot: {at_least: many}}}", "at_least: 'many' is nothing to test with"),
        ("{expect: {pot: 3}}", "pot: nothing is there, where 3 should be (did you mean game.pot?)"),
        ("{expect: {player.ana.n: 3}}", "(did you mean players.ana.n?)"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(play: Play, step: str, why: str) -> None:
    [failure] = play(step).failures
    assert why in failure


WHOLE = """\
name: s
players: [ana, ben]
emperor: null
state:
  players:
    ana: {n: 1}
steps:
  - at: +1h
    by: ana
    act: go
    with:
      x: 2
    expect:
      players.ana.n: 3
      players.ben.n: 0
  - {by: ben, act: go, with: {x: 9}, refused: far}
"""
SLIPS: dict[
    str, tuple[str, str, int]
] = {  # what stands there, what somebody writes instead, the line where it is told
    "a key": ("emperor: null", "emporer: null", 3),
    "no list of names": ("[ana, ben]", "ana", 2),
    "a state that is none": ("    ana: {n: 1}", "    ana: 1", 6),
    "a state that nobody declares": ("{n: 1}", "{coins: 1}", 4),
    "a value that never fits": ("{n: 1}", "{n: many}", 4),
    "a map that is none": ("with:\n      x: 2", "with: 2", 11),
    "a time that is none": ("+1h", "1h", 8),
    "an action that is none": ("act: go\n", "act: gone\n", 10),
    "a parameter that is none": ("      x: 2", "      y: 2", 10),
    "a value that did not come": ("players.ana.n: 3", "players.ana.n: 4", 14),
    "another that did not": ("players.ben.n: 0", "players.ben.n: 1", 15),
    "a path that leads nowhere": ("players.ben.n", "player.ben.n", 15),
    "another reason": ("refused: far", "refused: near", 16),
    "no refusal": ("x: 9", "x: 4", 16),
    "a verb too many": ("act: go\n", "act: go\n    actt: go\n", 8),
    "no YAML": ("by: ben, act", "by: ben act", 16),
    "a tab": ("    by: ana", "\tby: ana", 9),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_file_and_line(slip: str) -> None:
    rules = ruleset({"10-own.md": CLOCK})
    assert rehearsal.rehearse(WHOLE, "s.yml", rules=rules).passed
    old, new, line = SLIPS[slip]
    failed = rehearsal.rehearse(WHOLE.replace(old, new, 1), "s.yml", rules=rules)
    [where] = failed.placed
    assert where.startswith(f"s.yml:{line}:"), where
    assert where.count("s.yml") == 1
    assert failed.explained[0] == where


UNREADABLE = {
    "def do_wait(actor):\n    if false:\n        refuse('no')": ":9:8, rule Yard: nobody defines false (write False)",
    "def do_wait(actor):\n    n = true": ":9:9, rule Yard: nobody defines true (write True)",
    "def do_wait(actor):\n    pass\n\ndef other():\n    global n": ":12:5, rule Yard: the law's language has no `global`",
    "began = now()\ndef do_wait(actor):\n    pass": ":8:15, rule Yard: Defect: now is no word for outside functions",
}


@pytest.mark.parametrize("code", UNREADABLE)
def test_mechanics_that_check_refuses_fail_every_rehearsal_with_their_place(code: str) -> None:
    rules = ruleset({"1-core/10-yard.md": rule("actions: {wait: {}}", code, title="Yard")})
    played = rehearsal.rehearse("players: [ana]\nsteps:\n  - {by: ana, act: wait}\n", "wait.yml", rules=rules)
    [failure] = played.failures
    assert failure.startswith("game/ruleset/1-core/10-yard.md" + UNREADABLE[code]), failure


VOWS = rule(
    """
    variables:
      vow: {of: player, type: integer, default: 3, tracked: secret, seen_by: owner, opens: never}
      glory: {of: player, type: integer}
    schedule:
      noon: {every: day 12:00}
    """,
    """
    def schedule_noon():
        for player in players():
            put(player, glory=get(player, "vow"))
    """,
    title="Own",
)


def test_by_the_clock_nothing_hangs_on_what_is_never_opened_as_in_games_with_keys() -> None:
    """And the check of the rule says so, in the line that looks."""
    rules = ruleset({"10-own.md": VOWS})
    steps = "steps: [{at: +13h, expect: {players.ana.glory: 0}}]"
    text = f"name: s\nplayers: [ana, ben]\nemperor: null\n{steps}\n"
    rehearsed = rehearsal.rehearse(text, "s.yml", rules=rules)
    assert rehearsed.failures == []
    line = next(n for n, each in enumerate(VOWS.split("\n"), 1) if '"vow"' in each)
    why = "vow of players is never opened, and what happens by the clock may not hang on it"
    assert [why in each and f".md:{line}" in each for each in rehearsed.notes] == [True]
    world = found(rules, Founding(0, ("ana", "ben"), None, ()), Seeded(b"", "s"), Context(), NEWEST)
    [only] = [each for each in trying.in_force(world) if why in each.problem.what]
    assert (only.level, only.problem.where.line) == ("error", line)
