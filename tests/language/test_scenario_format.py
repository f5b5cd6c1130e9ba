"""The format of scenarios: what is refused, what is looked at, how a value is met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from language.tiny import played, rule
from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import MISSING
from nomicgit.physics.physics import Physics
from nomicgit.rehearsal.expecting import compared
from nomicgit.rehearsal.rehearsal import rehearse

OWN = rule(
    """
    variables:
      n: {of: player, type: integer}
      secret: {of: player, type: integer, tracked: secret}
      since: {of: player, type: datetime, default: {by: time}}
      bag: {type: map}
    collections:
      rooms: {key: {columns: [A], rows: [1, 2]}, all: true, fields: {deep: integer}}
      pairs: {key: {of: [one, two]}, fields: {one: player, two: player, n: integer}}
    actions:
      go: {with: {x: {type: integer, default: 1}}}
      throw: {}
      undo: {with: {deed: deed}}
      set: {with: {path: text, value: any}}
      post: {with: {title: text}}
      comment: {with: {post: post, text: text}}
      join: {by: anyone}
    schedule:
      dawn: {every: day 06:00}
    """,
    """
    def time(player):
        return now()

    def do_go(actor, x):
        gain(actor, "n", x)
        require(x < 5, "that is much too far")

    def do_throw(actor):
        put(actor, n=roll(6) + roll(6))
        tell(actor, "thrown")

    def do_undo(actor, deed_):
        refuse(apply({"undo": deed_}))

    def do_set(actor, path, value):
        refuse(apply({"set": {path: value}}))

    def do_post(actor, title):
        return say("note", title, "")

    def do_comment(actor, post, text):
        comment(post, text)

    def do_join(actor):
        create("players", id(actor))

    def schedule_dawn():
        gain("players/ana", "n", 1)
    """,
    title="Own",
)


def failures(folder: Path, steps: str, head: str = "") -> list[str]:
    lines = "\n".join(f"  - {line}" for line in steps.strip().split("\n"))
    scenario = f"name: s\nplayers: [ana, ben]\nidle: [zed]\nemperor: null\n{head}\nsteps:\n{lines}\n"
    return list(played(folder, {"10-own.md": OWN}, scenario))


@pytest.mark.parametrize(
    "steps",
    [
        "{by: ana, act: go, expect: {players.ana.n: 1}}",
        "{by: ANA, act: go, with: {x: 3}, expect: {players.ana.n: 3}}",
        "{by: ana, act: throw, dice: [3, 4], expect: {players.ana.n: 7, told.ana: [thrown]}}",
        "{by: ana, act: go, with: {x: 7}, refused: MUCH too far, expect: {players.ana.n: 0}}",
        "{by: ana, act: go, with: {x: 7}, refused: true}",
        "{by: ana, fly: true, refused: declares an action fly}",
        "{at: +6h, expect: {players.ana.n: 1}}",
        "{at: 2021-06-09T00:00:00Z, expect: {players.ana.n: 2}}",
        "{at: +2d6h, expect: {players.ana.n: 3}}",
        "{by: ana, act: go, as: g}\n{by: ben, undo: g, expect: {players.ana.n: 0}}",
        "{by: ana, set: {players.ben.n: 4}, expect: {players.ben.n: 4}}",
        "{by: ana, set: {path: players.ben.n, value: 4}, expect: {players.ben.n: 4}}",
        "{by: ana, post: {title: T}, as: p}\n{by: ben, comment: Hm., on: p, expect: {posts.0.title: T, posts.0.author: ana}}",
        "{by: eli, join: true, expect: {players.eli.active: true, players.eli.since: '2021-06-07T00:00:00Z'}}",
        "{expect: {players.zed.active: false, players.zed.since: '2021-05-08T00:00:00Z'}}",
        "{expect: {players.nobody: {absent: true}, rooms.A1.deep: 0, rooms.B1: {absent: true}, rules.core/Own.number: '1.1'}}",
        "{expect: {actions.ana: {contains: go}, players.ana.secret: 0, dynasty.number: 1, dynasty.emperor: null}}",
    ],
)
def test_a_step_comes_out(tmp_path: Path, steps: str) -> None:
    assert failures(tmp_path, steps) == []


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("{by: ana, act: go, with: {x: 7}}", "go was refused" ),
        ("{by: ana, act: go, refused: true}", "was not refused"),
        ("{by: ana, act: go, with: {x: 7}, refused: near}", "but not with 'near'"),
        ("{by: ana, act: throw, dice: [3]}", "the dice ran out"),
        ("{by: ana, act: throw, dice: [3, 4, 5]}", "not drawn: 5"),
        ("{by: ana, act: throw, dice: [3, 7]}", "cannot show 7"),
        ("{at: +2h}\n{at: +1h}", "time runs back"),
        ("{by: ana, act: go, vote: for}", "one verb"),
        ("{expect: {players.ana.n: 3}}", "0 is not 3"),
        ("{expect: {players.ana.nowhere: 3}}", "nothing is there"),
    ],
)  # fmt: skip
def test_a_step_fails(tmp_path: Path, steps: str, why: str) -> None:
    found = failures(tmp_path, steps)
    assert why.replace("go was", "was") in found[0]
    assert found[0].startswith("step ")


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("colour: red", "colour is no key of a scenario"),
        ("state: {players: {ana: {nowhere: 1}}}", "nowhere"),
        ("state: {players: {nobody: {n: 1}}}", "no nobody among the players"),
        ("state: {caves: {c1: {}}}", "declares caves"),
        ("state: {players: {ana: {n: many}}}", "n: many must be a number"),
        ("admins: [nobody]", "nobody is none of the founding players"),
        ("start: noon", "noon is not a time"),
    ],
)
def test_a_head_that_is_wrong_is_told(tmp_path: Path, head: str, why: str) -> None:
    found = failures(tmp_path, "{expect: {players.ana.n: 0}}", head)
    assert why in found[0]


@pytest.mark.parametrize(
    ("head", "at", "why"),
    [
        ("colour: red", "colour", "colour is no key of a scenario"),
        ("players: ana", "players", "players: a list of names is needed here"),
        ("players:\n  - ana\n  - ben\n  - Ana", "- Ana", "Ana is named twice"),
        ("players: [ana]\nidle: [steward]", "idle", "steward cannot name one of the players"),
        ("players: [ana]\nadmins:\n  - ana\n  - zed", "- zed", "zed is none of the founding players"),
        ("players: [ana]\nemperor: zed", "emperor", "zed is none of the founding players"),
        ("emperor: [ana]", "emperor", "emperor: a name is needed here"),
        ("start: noon", "start", "noon is not a time"),
        ("edition: nope", "edition", "edition: there is no edition nope"),
        ("game: nowhere", "game", "game: "),
    ],
)
def test_a_head_that_is_wrong_is_told_with_its_line(head: str, at: str, why: str) -> None:
    def at_hand(path: str) -> tuple[Ruleset, Physics]:
        raise Refused.of(f"there is no folder {path}")

    text = f"name: wrong\n{head}\nsteps: [{{at: +1h}}]\n"
    done = rehearse(text, "wrong.yml", at_hand=at_hand)
    line = next(n for n, each in enumerate(text.split("\n"), 1) if at in each)
    [only] = done.placed
    assert only.startswith(f"wrong.yml:{line}: {why}")


def test_state_is_laid_as_it_stands(tmp_path: Path) -> None:
    head = "state: {players: {ana: {n: 4}}, game: {bag: {a: 1}}, rooms: {A2: {deep: 3}}, pairs: {ana-ben: {n: 2}}}"
    steps = "{expect: {players.ana.n: 4, game.bag.a: 1, rooms.A2.deep: 3, pairs.ana-ben.one: ana, pairs.ana-ben.n: 2}}"
    assert failures(tmp_path, steps, head) == []


@pytest.mark.parametrize(
    ("found", "wanted", "met"),
    [
        (1, 1, True),
        (True, 1, False),
        ([1], [1], True),
        ({"a": [True]}, {"a": [1]}, False),
        ("abc", {"contains": "b"}, True),
        (["a"], {"contains": "b"}, False),
        (["a"], {"not_contains": "b"}, True),
        (MISSING, {"not_contains": "b"}, True),
        ("abc", {"matches": "^a.c$"}, True),
        (None, {"matches": "None"}, False),
        (2, {"one_of": [1, 2]}, True),
        (2, {"at_least": 2}, True),
        (2, {"at_most": 1}, False),
        ("2", {"at_least": 1}, False),
        (MISSING, {"absent": True}, True),
        (0, {"absent": True}, False),
        (0, {"absent": False}, True),
        (MISSING, None, False),
        (None, None, True),
    ],
)
def test_how_a_value_is_met(found: Any, wanted: Any, met: bool) -> None:
    assert (compared(found, wanted) == "") is met


TWINS = """\
name: Twins
players: [ana]
emperor: null
steps:
  - {expect: {%s}}
"""


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        ("rules.Own: {absent: true}", "write own for 1.1 Own or other for 2.1 Own"),
        ("rules.Own.text: Words.", "2 rules are called 'Own'"),
        ("rules.core/Own.text: Words., rules.dynastic/Own.number: '2.1', rules.appendix/Own: {absent: true}", ""),
        ("rules.Twin: {absent: true}", "write twin for 1.2 Twin or twin-two for 1.3 Twin"),
    ],
)  # fmt: skip
def test_a_title_that_two_rules_bear_is_told_and_not_taken_for_none(
    tmp_path: Path, expected: str, why: str
) -> None:
    files = {"1-core/10-own.md": rule(title="Own"), "2-dynastic/10-other.md": rule(title="Own"),
             "1-core/20-twin.md": rule(title="Twin"), "1-core/30-twin-two.md": rule(title="Twin")}  # fmt: skip
    failures = played(tmp_path, files, TWINS % expected)
    assert len(failures) == bool(why)
    assert all(why in failure for failure in failures)
