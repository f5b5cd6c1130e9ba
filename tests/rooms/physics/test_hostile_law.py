"""Hostile mechanics: whatever they bring is ended within limits, told clearly, and leaves the game playing and verified."""

from __future__ import annotations

import json
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small, small_law
from language import tiny
from support.depth import one_of

from nomicgit.ground import deaths, watch, worker
from nomicgit.ground.problems import Refused
from nomicgit.physics import numbers
from nomicgit.physics.deeds import submitting
from nomicgit.rehearsal import rehearsal

SECONDS = 60.0  # generous: without limits most of these take minutes, gigabytes, or the process

HURT = "end their process, or use more memory or time"
BOMBS: dict[str, tuple[str, str]] = {
    "a parser fed with signs": ("x = " + "-" * 60_000 + "1", HURT),
    "a text folded while it is parsed": ('x = "a" * 536870912', HURT),
    "a text too long to be counted": ('x = "a" * (68719476736)', "too big"),
    "texts without end": ('x = "a" * 134217728\ny = [x + str(i) for i in range(20)]', HURT),
    "a text that doubles itself": ('x = "a"\nfor i in range(60):\n    x = x + x', HURT),
    "a list too long": ("x = [0] * (len(players()) * 134217728)", HURT),
    "sorting without end": ("x = sorted(list(range(20000000)))", HURT),
    "a number that squares itself": ("x = 3\nfor i in range(60):\n    x = x * x", HURT),
    "a structure that shares itself, written down": (
        'x = []\nfor i in range(40):\n    x = [x, x]\nput("game", ledger=x)', HURT,
    ),
    "a structure that shares itself, compared": (
        "x, y = [], []\nfor i in range(40):\n    x, y = [x, x], [y, y]\nif x == y:\n    pass", HURT,
    ),
    "a structure that shares itself, printed": ("x = []\nfor i in range(40):\n    x = [x, x]\nnote(repr(x))", HURT),
    "a list within itself": ('x = []\nx.append(x)\nput("game", ledger=x)', "ycle"),
    "a list deeper than any file": ('x = []\nfor i in range(100000):\n    x = [x]\nput("game", ledger=x)', "depth"),
    "a list too deep to print": ("x = []\nfor i in range(1000000):\n    x = [x]\ny = str(x)", HURT),
    "a list deeper than our files": ('x = []\nfor i in range(40):\n    x = [x]\nput("game", ledger=x)', "deep"),
    "a function that calls itself": ("def f(n):\n    return f(n + 1)\nf(0)", "without end"),
    "steps within steps": ('do("earn", "players/cy", n=1)\nfor i in range(9):\n    do("nonsense", "players/cy")', "nonsense"),
    "a text too large to keep": ('put("game", ledger="x" * 9000000)', "lo"),
    "a number too large to keep": ('put("game", ledger=1000000000000000000000000000000000000000000000000000000000000)', ""),
    "half of a letter": ('put("game", ledger=json.decode(\'"\\\\ud800"\'))', ""),
}  # fmt: skip


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    monkeypatch.setattr(worker, "PROCESSOR", 1)
    return Small.found(tmp_path / "game")


def still_playing(small: Small) -> None:
    gold = small.value("players/eli gold")
    small.do("eli", "earn", n=1)
    assert small.value("players/eli gold") == gold + 1
    found = small.verified()
    assert (found.faults, found.doubts) == ([], [])


SLOW = ("squares", "compared", "printed", "written down", "sorting", "texts without")
"""What takes all the processor that it is lent."""

ALL = [
    pytest.param(name, marks=[pytest.mark.slow, *one_of(3, number)])
    for number, name in enumerate(sorted(BOMBS, key=lambda name: (any(word in name for word in SLOW), name)))
]
"""One of three of those that take all time, and of the others."""


@pytest.mark.slow
@pytest.mark.parametrize("bomb", ALL)
def test_a_program_of_a_change_is_skipped_and_told(small: Small, bomb: str) -> None:
    code, why = BOMBS[bomb]
    began = time.monotonic()
    notes = small.enact({"run": code}, {"set": {"players.cy.gold": 50}}).outcome.notes
    assert time.monotonic() - began < SECONDS
    assert any(note.startswith("Skipped: ") and why in note for note in notes), notes
    assert all(len(note) < 1000 for note in notes)
    assert (small.value("players/cy gold"), small.value("posts/1 status")) == (50, "enacted")
    assert ('"died"' in small.git("log", "-1", "--format=%b")) == (why == HURT)
    still_playing(small)


@pytest.mark.slow
@pytest.mark.parametrize("bomb", ["a parser fed with signs", "a text folded while it is parsed"])
def test_a_scenario_that_plays_it_fails_and_says_why(monkeypatch: pytest.MonkeyPatch, bomb: str) -> None:
    monkeypatch.setattr(worker, "PROCESSOR", 1)
    scenario = {
        "name": "bomb", "edition": "crypt", "players": ["ana", "ben", "cy"], "admins": ["ben"],
        "steps": [
            {"by": "cy", "cfj": {"title": "B", "changes": [{"run": BOMBS[bomb][0]}]}, "as": "c"},
            {"by": "ana", "vote": "for", "on": "c"}, {"by": "ben", "vote": "for", "on": "c"},
            {"at": "+1h", "by": "ben", "resolve": "c", "expect": {"matters.c.status": "failed"}},
        ],
    }  # fmt: skip
    began = time.monotonic()
    found = rehearsal.rehearse(json.dumps(scenario), "bomb.yml")
    assert time.monotonic() - began < SECONDS
    assert [failure for failure in found.failures if "matters.c.status" in failure], found.failures


RULES: dict[str, tuple[str, str]] = {
    "a parser fed with signs": ("X = " + "-" * 60_000 + "1", ""),
    "a constant without end": ('X = ["a" * 536870912] * 9', ""),
    "what does not parse": ("def f(:\n  pass", "stands where a value is wanted"),
    "a word of the language": ("def put(x):\n    return 1", "put"),
    "another rule's function": ("def do_earn(actor, n):\n    return 1", "do_earn"),
    "an import": ('load("os", "system")', ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", RULES)
def test_mechanics_that_nobody_could_run_are_not_enacted(small: Small, case: str) -> None:
    code, why = RULES[case]
    before = small.git("rev-parse", "HEAD:game/ruleset")
    rule = {"add-rule": {"title": "News", "text": "Words.", "mechanics": code}}
    try:
        notes = small.enact(rule).outcome.notes
        assert any(note.startswith("Skipped: ") and why in note for note in notes), notes
    except Refused as error:  # at submission, where it can be seen without running anything
        assert why in str(error)  # noqa: PT017 - either door may shut
    assert small.git("rev-parse", "HEAD:game/ruleset") == before
    still_playing(small)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code", [BOMBS["a parser fed with signs"][0], BOMBS["a text folded while it is parsed"][0]]
)
def test_nothing_of_a_proposal_is_run_before_it_is_enacted(small: Small, code: str) -> None:
    small.do("cy", "propose", title="B", changes=[{"run": code}])
    small.do(
        "cy", "propose", title="C", changes=[{"add-rule": {"title": "B", "text": "W.", "mechanics": code}}]
    )
    still_playing(small)


NESTED = (
    "(",
    "[",
    "-",
    "not ",
    "lambda:",
    "f(",
    "a[",
    "1+",
    "1 if 1 else ",
    "{1:",
    "a.",
    '"%s" % ("a" * 536870912) + ',
    "x = \n",
)


@pytest.mark.parametrize("one", NESTED)
def test_few_characters_do_the_parser_no_harm_and_more_are_parsed_in_a_worker(
    one: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def run(work: object) -> list[object]:
        asked.append(work)
        return []

    monkeypatch.setattr(worker, "run", run)
    closing = {"(": ")", "[": "]", "f(": ")", "a[": "]", "{1:": "}"}.get(one, "")
    many = (submitting.TAME - 10) // len(one + closing)
    text = "x = " + one * many + "1" + closing * many
    found = submitting.unparsed([("change 1", {"run": text})])
    assert asked == []
    assert bool(found) == (one in ("a.", "x = \n"))  # the others can be read
    assert submitting.unparsed([("change 1", {"run": text + " " * submitting.TAME})]) == []
    assert len(asked) == 1


TICKING = """\
---
title: Ticks
collections:
  bombs: {key: {prefix: b}, fields: {due: datetime, n: integer}}
schedule:
  tick: {of: bombs, at: due}
actions:
  plant: {}
---
It ticks.

```starlark
def do_plant(actor):
    create("bombs", due=now())

def schedule_tick(ref):
    for i in range(1000):
        exists("game")
    put(ref, due=later(now(), "1s"), n=get(ref, "n") + 1)
```
"""


def test_a_clock_that_takes_too_long_rests_for_the_deed_and_the_history_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(spent=3000))
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-ticks.md": TICKING}))
    small.do("cy", "plant")
    late = small.do("cy", "earn", n=1, after=86_400)
    assert "took too long" in late.outcome.notes[0]
    small.do("cy", "earn", n=1, after=1)
    assert '"rested"' in small.git("log", "-1", "--format=%b", late.commit)
    found = small.verified()
    assert (found.faults, found.doubts) == ([], [])


SPIN = "for i in range(1048576):\n    now()"


def claims(small: Small) -> dict[str, list[str]]:
    """What the newest deed claims, as its message has it."""
    [line] = [
        each
        for each in small.git("log", "-1", "--format=%b").split("\n")
        if each.startswith("Nomic-Evidence: ")
    ]
    told: dict[str, list[str]] = json.loads(line.partition(" ")[2])
    return told


NAMES = [f"e{number:02}" for number in range(12)]
MANY = (
    "schedule: {" + ", ".join(f"{name}: {{every: day 01:00}}" for name in NAMES) + "}",
    "".join(f"def schedule_{name}():\n{textwrap.indent(SPIN, '    ')}\n\n" for name in NAMES),
)
ONE = (
    "collections: {bombs: {key: {prefix: b}, fields: {due: {type: datetime, default: '2021-06-07T01:00:00Z'}},"
    " founding: {" + ", ".join(f"b{number}: {{}}" for number in range(1, 13)) + "}}}\n"
    "schedule: {tick: {of: bombs, at: due}}",
    f"def schedule_tick(ref):\n{textwrap.indent(SPIN, '    ')}\n",
)


@pytest.mark.parametrize(
    ("law", "exhausted", "rested"), [(MANY, 6, 6), (ONE, 2, 1)], ids=["of many functions", "of one function"]
)
def test_events_that_end_their_process_have_taken_all_their_time_and_others_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, law: tuple[str, str], exhausted: int, rested: int
) -> None:
    """Else each would be tried, and tried again by whoever verifies; and after some of them nothing more of the law would be."""
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=20_000))
    text = f"---\ntitle: Many\n{law[0]}\n---\nMany.\n\n```starlark\n{law[1]}```\n"
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-many.md": text}))
    with monkeypatch.context() as dead:
        dead.setattr(
            watch, "deadly", dict.fromkeys(["schedule_tick", *(f"schedule_{name}" for name in NAMES)], 1)
        )
        late = small.do("cy", "earn", n=1, after=86_400)
    assert small.value("players/cy gold") == 11
    told = [False] * exhausted + [True] * rested
    assert ["took too long" in note for note in late.outcome.notes] == told
    claimed = {which: len(each) for which, each in claims(small).items()}
    assert claimed == {"exhausted": exhausted, "rested": rested}
    found = small.verified()
    assert (found.faults, found.doubts) == ([], [])


def test_after_some_changes_that_end_their_process_no_other_one_that_brings_code_is_tried(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=20_000))
    spins = [{"run": f"{SPIN}\n    {number}"} for number in range(6)]
    notes = small.enact(
        *spins, {"run": 'put("players/dee", gold=99)'}, {"set": {"players.cy.gold": 50}}
    ).outcome.notes
    assert [HURT in note for note in notes] == [True] * 6 + [False]
    assert "6 changes before it end their process" in notes[-1]
    assert (small.value("players/dee gold"), small.value("players/cy gold")) == (10, 50)
    assert {which: len(each) for which, each in claims(small).items()} == {"died": 6}
    still_playing(small)


@pytest.mark.slow
def test_an_action_that_spends_its_fuel_is_refused_whole(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=20_000))
    small.enact(
        {
            "add-rule": {
                "title": "Spin", "text": "W.", "declares": {"actions": {"spin": {}}},
                "mechanics": 'def do_spin(actor):\n    gain(actor, "gold", 1)\n    for i in range(1048576):\n        now()',
            }
        }
    )  # fmt: skip
    with pytest.raises(Refused, match="runs on and on"):
        small.do("cy", "spin")
    assert small.value("players/cy gold") == 10
    still_playing(small)


@pytest.mark.slow
def test_a_worker_within_a_worker_keeps_to_the_narrower_limits() -> None:
    def inner() -> Any:
        return worker.run(lambda: [1, 2])

    assert worker.run(inner) == [1, 2]

    def greedy() -> Any:
        return worker.run(lambda: len(bytearray(worker.MEMORY * 2)))

    with pytest.raises(Refused):
        worker.run(greedy)

    def wide() -> Any:
        return worker.run(lambda: len(bytearray(200 << 20)), memory=400 << 20)

    with pytest.raises(Refused):
        worker.run(wide, memory=100 << 20)
    assert worker.run(lambda: worker.run(lambda: [1, 2], memory=400 << 20), memory=100 << 20) == [1, 2]


@pytest.mark.slow
def test_a_worker_has_so_much_of_the_processor_however_long_it_is_waited_for() -> None:
    def spin() -> None:
        while True:
            pass

    began = time.monotonic()
    with pytest.raises(deaths.Died):
        worker.run(spin, processor=1, wall=90)
    assert time.monotonic() - began < 80
