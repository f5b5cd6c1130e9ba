"""What is asked, tried or refused before a deed leaves the deed as it is, but for fuel and evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small, small_law
from hypothesis import given as chosen
from hypothesis import settings
from hypothesis import strategies as st
from language import tiny

from nomicgit.ground.problems import Refused

N = """
variables:
  n: {of: player, type: integer, public: true, at_first: 0}
  log: {type: list, items: text, default: []}
settles:
  broken: {of: player, watches: [n]}
when: {shout: ears}
limits: {once: {times: 1, per: game}}
actions:
  x: {by: anyone, limit: once}
  broken: {by: anyone}
  never: {by: anyone}
posts:
  story: {}
"""
CODE = """
def leave_all(who):
    roll(6)
    put(who, n=get(who, "n") + 1)
    tell("players/cy", "a word")
    note("a line")
    say("story", "A story", "Words.")

def do_x(actor):
    leave_all("players/ben")

def do_broken(actor):
    leave_all("players/dee")
    fail = 1 // 0

def do_never(actor):
    leave_all("players/dee")
    refuse("never")

def ears(how):
    leave_all("players/dee")
    if how == "broken":
        fail = 1 // 0

def settle_broken(ref):
    if ref == "players/cy" and get(ref, "n") > 0:
        leave_all("players/dee")
        fail = 1 // 0
"""
LEAVES = 'roll(20)\nput("players/ana", n=3)\ntell("players/cy", "no")\nnote("no")\n'
REFUSED = LEAVES + 'require(False, "no")'
QUESTIONS = {
    "can x": 'can("x", "players/ana")',
    "can what breaks": 'can("broken", "players/ana")',
    "can what is refused": 'can("never", "players/ana")',
    "can nothing": 'can("nothing-such", "players/ana")',
    "a change that is refused": f"apply({{'run': {REFUSED!r}}})",
    "a change that breaks": f"apply({{'run': {LEAVES + 'fail = 1 // 0'!r}}})",
    "a change of an amended law that is refused": (
        "apply({'together': [{'add-rule': {'title': 'New', 'text': 'New.', 'mechanics': 'def new():\\n    pass'}},"
        f" {{'run': {REFUSED!r}}}]}})"
    ),
    "changes together that are refused": f"apply({{'together': [{{'set': {{'players.ben.n': 4}}}}, {{'run': {REFUSED!r}}}]}})",
    "a change of no form": "apply({'sett': {'players.ben.n': 4}})",
    "a change of a change": "apply({'run': " + repr(f"apply({{'run': {REFUSED!r}}})") + "})",
    "may_use": 'may_use("once", "players/ana")',
    "a look": '[get(p, "n") for p in players()] + find("posts")',
}
"""What may be asked or tried: its code, which does nothing in the end."""


def outcome(questions: list[str]) -> tuple[Any, ...]:
    """All that a deed leaves, asked these questions first."""
    played = tiny.game(N, CODE)
    code = "\n".join(QUESTIONS[each] for each in questions)
    played.run(
        code + '\nroll(6)\nroll(20)\nput("players/ben", n=1)\nsay("story", "Mine", "Words.")\nnote("done")'
    )
    assert played.last is not None
    done = played.last
    return (
        done.notes,
        done.messages,
        done.draws,
        done.effects,
        done.touched,
        played.ids("posts"),
        len(played.world.store.log),
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leaves_the_deed_as_it_is(question: str) -> None:
    assert outcome([question]) == outcome([])


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@chosen(st.lists(st.sampled_from(sorted(QUESTIONS)), max_size=6))
def test_any_questions_leave_the_deed_as_it_is(questions: list[str]) -> None:
    assert outcome(questions) == outcome([])


@pytest.mark.parametrize(
    ("trigger", "name"),
    [('put("players/cy", n=1)', "settle_broken"), ('emit("shout", "broken")', "ears")],
    ids=["settle", "listener"],
)
def test_a_defective_hook_leaves_nothing_but_that_it_rests(trigger: str, name: str) -> None:
    played = tiny.game(N, CODE)
    played.run(trigger + "\nroll(20)")
    assert played.last is not None
    assert [name in note and "rests for this deed" in note for note in played.notes] == [True]
    assert (played.told, played.ids("posts"), played["players.dee.n"]) == ([], [], 0)
    assert [draw.what for draw in played.last.draws] == ["d20"]


def test_a_hook_that_broke_within_a_question_does_not_rest_after_it() -> None:
    played = tiny.game(N, CODE)
    question = 'put("players/cy", n=1)\nsettle()\nrequire(False, "no")'
    played.run(f"apply({{'run': {question!r}}})\nput('players/cy', n=2)")
    assert ["settle_broken" in note for note in played.notes] == [True]


DECREE = """---
title: Decree
actions:
  decree: {with: {change: any, first: {type: matter, default: null}}}
---
Words.

```starlark
def do_decree(actor, change, first):
    if first:
        note("can: " + can("resolve", "players/ben", matter=first))
    refuse(apply(change))
```
"""


@pytest.mark.slow
@pytest.mark.parametrize("asked", [False, True])
def test_asking_about_a_matter_does_not_make_it_the_one_that_is_enacted(tmp_path: Path, asked: bool) -> None:
    """A law that bricks itself is refused, and no innocent matter that was asked about is marked illegal for it."""
    small = Small.found(tmp_path / "game", small_law({"1-core/20-decrees.md": DECREE}))
    small.do("cy", "propose", title="Harmless", changes=[{"add-rule": {"title": "News", "text": "Words."}}])
    for who in ("ana", "cy", "dee"):
        small.do(who, "vote", matter="posts/1", icon="for")
    before, given = small.head(), dict[str, Any](first="posts/1") if asked else {}
    with pytest.raises(Refused, match="the law could not be changed any more"):
        small.do("ana", "decree", change={"together": [{"repeal": "play"}, {"repeal": "decrees"}]}, **given)
    assert (small.head(), small.value("posts/1 status")) == (before, "pending")
    assert small.verified().faults == []
