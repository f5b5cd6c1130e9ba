"""A law that bricks itself: what leaves no way to change the law is not enacted, and what is broken rests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.small import PLAYERS, Small, small_law

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.deeds.trial import BRICKED
from nomicgit.record.game import found_game
from nomicgit.record.settings import Settings

pytestmark = pytest.mark.slow


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game")


def rule(code: str, **declares: Any) -> dict[str, Any]:
    """The change that adds a rule with mechanics."""
    return {"add-rule": {"title": "News", "text": "Words.", "declares": declares, "mechanics": code}}


def edit(old: str, new: str) -> dict[str, Any]:
    """The change of a passage of the mechanics of the rule Play."""
    return {"amend": {"rule": "play", "in": "mechanics", "replace": old, "with": new}}


GUARD = {"guards": {"g": {"on": "all"}}}
DAILY = {"schedule": {"tick": {"every": "day 01:00"}}}

BRICKS: dict[str, list[dict[str, Any]]] = {
    "nothing is allowed any more": [rule('def guard_g(actor, action, given):\n    return "no"', **GUARD)],
    "nothing is proposed any more": [
        rule('def guard_g(actor, action, given):\n    return "no"', guards={"g": {"on": ["propose", "cfj"]}})
    ],
    "nothing is resolved any more": [
        rule('def guard_g(actor, action, given):\n    return "no"', guards={"g": {"on": "resolve"}})
    ],
    "the core is repealed": [{"repeal": "play"}],
    "nothing is carried out any more": [edit("why = apply(change)", 'why = "no"')],
    "everything fails": [edit('< get("game", "quorum")', "< 1000")],
    "the law shuts in two hours": [
        rule(
            'def guard_g(actor, action, given):\n    return "too late" if now() > "2021-06-07T02:00:00Z" else ""',
            **GUARD,
        )
    ],
    "only those of the trial may play": [
        rule('def guard_g(actor, action, given):\n    return "" if exists("players/p0") else "no"', **GUARD)
    ],
    "only those of now may play": [
        rule('def guard_g(actor, action, given):\n    return "" if exists("players/cy") else "no"', **GUARD)
    ],
    "a guard never comes to an end": [
        rule("def guard_g(actor, action, given):\n    for i in range(1 << 30):\n        pass", **GUARD)
    ],
    "a guard ends the process by its memory": [
        rule('def guard_g(actor, action, given):\n    return len("a" * (len(actor) << 27))', **GUARD)
    ],
    "the clock ends the process tomorrow": [
        rule('def schedule_tick():\n    "a" * (len(players()) << 27)', **DAILY)
    ],
}


@pytest.mark.parametrize(
    "change", [{"player": {"name": "ben", "admin": False}}, {"run": 'destroy("players/ben")'}]
)
def test_a_roster_without_an_admin_is_the_players_own_affair(small: Small, change: Any) -> None:
    small.enact(change)
    assert small.value("posts/1 status") == "enacted"


@pytest.mark.parametrize("changes", BRICKS.values(), ids=BRICKS.keys())
def test_what_leaves_no_way_to_change_the_law_is_not_enacted(
    small: Small, changes: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomicgit.physics.deeds.trial.PROCESSOR", 1)
    rules = small.git("rev-parse", "HEAD:game/ruleset")
    players = small.git("rev-parse", "HEAD:game/state/players")
    notes = small.enact(*changes).outcome.notes
    assert any(BRICKED in note for note in notes), notes
    assert small.git("rev-parse", "HEAD:game/ruleset") == rules
    assert small.git("rev-parse", "HEAD:game/state/players") == players
    assert (small.value("posts/1 status"), small.value("posts/1 illegal")) == ("pending", True)
    assert BRICKED in small.git("log", "-1", "--format=%b")
    small.do("ben", "resolve", matter="posts/1")
    assert small.value("posts/1 status") == "failed"
    found = small.verified()
    assert (found.faults, found.doubts) == ([], [])


SOUND: dict[str, list[dict[str, Any]]] = {
    "a rule without mechanics": [{"add-rule": {"title": "News", "text": "Words."}}],
    "one way is shut, the other open": [
        rule('def guard_g(actor, action, given):\n    return "no"', guards={"g": {"on": "propose"}})
    ],
    "a pause of three weeks": [
        rule(
            'def guard_g(actor, action, given):\n    return "rest" if now() < "2021-06-21T00:00:00Z" else ""',
            **GUARD,
        )
    ],
    "a repeal of everything but the core": [{"repeal": "hoard"}],
    "a quorum within reach": [{"set": {"game.quorum": 5}}],
    "a second admin": [
        {"player": {"name": "cy", "admin": True}},
        {"player": {"name": "ben", "admin": False}},
    ],
    "one rule may not be repealed": [
        rule(
            "def guard_g(actor, action, given):\n"
            '    return "it is sacred" if {"repeal": "hoard"} in (given or {}).get("changes", []) else ""',
            guards={"g": {"on": "propose"}},
        )
    ],
}


@pytest.mark.parametrize("changes", SOUND.values(), ids=SOUND.keys())
def test_a_sound_law_is_enacted(small: Small, changes: list[Any]) -> None:
    assert small.enact(*changes).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"
    assert small.verified().faults == []


def test_a_law_that_was_stuck_before_may_be_changed(tmp_path: Path) -> None:
    """Whatever a game's law is like, a change that makes nothing worse is enacted."""
    small = Small.found(tmp_path / "game", small_law({"1-core/20-lid.md": LID}))
    small.do("ana", "decree", change={"add-rule": {"title": "News", "text": "Words.", "mechanics": "X = 1"}})
    assert "news.md" in small.git("ls-tree", "-r", "--name-only", "HEAD")


DECREE = """---
title: Decrees
actions:
  decree: {with: {change: any}}
---
Whatever anyone decrees is done.

```starlark
def do_decree(actor, change):
    refuse(apply(change))
```
"""
LID = DECREE.replace("---\nWhatever", "guards:\n  lid: {on: [propose, cfj]}\n---\nWhatever").replace(
    "def do_decree", 'def guard_lid(actor, action, given):\n    return "no"\n\ndef do_decree'
)


def test_any_other_deed_that_leaves_no_way_is_refused(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", small_law({"1-core/20-decrees.md": DECREE}))
    head = small.head()
    with pytest.raises(Refused, match="no rule could ever be repealed"):
        small.do("ana", "decree", change={"repeal": "play"})
    assert small.head() == head


AUTOMATIC = """---
title: Automatic
schedule:
  sweep: {every: day 01:00}
---
Every day everything that is pending is enacted.

```starlark
def schedule_sweep():
    for matter in find("posts", status="pending"):
        if not get(matter, "illegal"):
            roll(6)
            close(matter, "enacted")
            roll(6)
            for change in changes(matter):
                apply(change)
```
"""


def test_what_the_clock_would_enact_is_not_enacted_and_the_deed_is_done(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", small_law({"1-core/20-automatic.md": AUTOMATIC}))
    small.do("cy", "propose", title="Down with it", changes=[{"repeal": "play"}])
    notes = small.do("dee", "earn", after=3 * 3600, n=1).outcome.notes
    assert sum(BRICKED in note for note in notes) == 1
    assert (small.value("posts/1 status"), small.value("posts/1 illegal")) == ("pending", True)
    assert small.value("players/dee gold") == 11
    assert small.verified().faults == []


DECREES_OF_THE_CLOCK = """---
title: Self-destruction
schedule:
  boom: {every: day 01:00}
---
The law tries to end itself every day.

```starlark
def schedule_boom():
    refuse(apply({"repeal": "play"}))
```
"""


def test_an_event_of_the_clock_that_leaves_no_way_does_not_happen(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", small_law({"1-core/20-boom.md": DECREES_OF_THE_CLOCK}))
    notes = small.do("dee", "earn", after=2 * 86400, n=1).outcome.notes
    assert sum("did not happen" in note and BRICKED in note for note in notes) == 2
    assert small.value("players/dee gold") == 11
    assert small.verified().faults == []


# Broken hooks rest.


HOOKS: dict[str, tuple[dict[str, Any], str]] = {
    "guard": (GUARD, "def guard_g(actor, action, given):\n    return nonsense(actor)"),
    "filter": (
        {"filters": {"gold": {"of": "player", "variable": "gold"}}},
        "def filter_gold(ref, old, new):\n    return {}[new]",
    ),
    "settle": (
        {"settles": {"s": {"of": "player", "watches": ["gold"]}}},
        'def settle_s(ref):\n    put(ref, motto="x")\n    return 1 // 0',
    ),
    "schedule": (DAILY, 'def schedule_tick():\n    gain("players/cy", "gold", 5)\n    return [][1]'),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_broken_hook_rests_for_the_deed_and_stands_in_the_journal(small: Small, hook: str) -> None:
    declares, code = HOOKS[hook]
    small.enact(rule(code, **declares))
    assert small.value("posts/1 status") == "enacted"
    notes = small.do("cy", "earn", after=2 * 3600, n=1).outcome.notes
    said = "did not happen" if hook == "schedule" else "is defective and rests for this deed"
    assert any(said in note for note in notes), notes
    assert (small.value("players/cy gold"), small.value("players/cy motto")) == (11, "")
    small.enact({"repeal": "news"})
    assert small.do("cy", "earn", after=2 * 3600, n=1).outcome.notes == []
    assert small.verified().faults == []


def test_a_broken_listener_rests_for_the_deed_and_stands_in_the_journal(tmp_path: Path) -> None:
    bell = (
        "---\ntitle: Bell\nactions:\n  ring: {}\nwhen:\n  rung: hear\n---\nWords.\n\n```starlark\n"
        'def do_ring(actor):\n    emit("rung")\n    gain(actor, "gold", 1)\n\n'
        'def hear():\n    put("players/cy", motto="x")\n    return {}["x"]\n```\n'
    )
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-bell.md": bell}))
    notes = small.do("cy", "ring").outcome.notes
    assert any("hear is defective and rests" in note for note in notes), notes
    assert (small.value("players/cy gold"), small.value("players/cy motto")) == (11, "")
    assert small.verified().faults == []


# A hiatus is no brick.


MECHANICS = {
    "add-rule": {"title": "Moonlight", "text": "The moon shines.", "mechanics": "def moon():\n    return 1"}
}


def founded(folder: Path, *, players: int = 5, at: str = "2021-06-07T00:00:00Z") -> Small:
    """A game of the edition crypt, in which ana is the emperor and ben the admin."""
    start = clock.instant(at)
    with Repository.init(folder) as repository:
        founding = Founding(start, list(PLAYERS[:players]), "ana", ["ben"])
        found_game(repository, editions.load("crypt"), Settings("Crypt", "crypt", time="given"), founding)
    return Small(folder, start)


def judged(small: Small, *voters: str) -> None:
    """A change of the mechanics comes about by a call for judgement."""
    matter = small.do("cy", "cfj", title="Moonlight", changes=[MECHANICS]).outcome.result
    for voter in voters:
        small.do(voter, "vote", matter=matter, icon="for")
    assert small.do("ben", "resolve", matter=matter).outcome.notes == []
    assert small.value(f"{matter} status") == "enacted"


def test_the_seasonal_downtime_is_no_brick(tmp_path: Path) -> None:
    judged(founded(tmp_path / "game", at="2021-12-24T09:00:00Z"), "ana", "ben", "dee")


def test_dormancy_with_three_players_is_no_brick(tmp_path: Path) -> None:
    judged(founded(tmp_path / "game", players=3), "ana", "ben")


def test_a_pending_declaration_of_victory_is_no_brick(tmp_path: Path) -> None:
    small = founded(tmp_path / "game")
    small.do("dee", "dov", after=86400, title="I have won", body="See above.")
    judged(small, "ana", "ben", "dee")


def test_an_interregnum_is_no_brick(tmp_path: Path) -> None:
    small = founded(tmp_path / "game")
    dov = small.do("dee", "dov", after=86400, title="I have won", body="See above.").outcome.result
    for voter in ("ana", "ben", "cy"):
        small.do(voter, "vote", matter=dov, icon="for")
    small.do("ben", "resolve", after=86400, matter=dov)
    assert small.value("dynasty interregnum") is True
    judged(small, "ana", "ben", "dee")
