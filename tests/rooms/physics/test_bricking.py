"""A law that bricks itself: what leaves no way to change the law is not enacted, and what is broken rests."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hostile.small import CORE, PLAYERS, Small, small_law
from support.depth import DEEP, one_of

from nomicgit import editions
from nomicgit.cli import main
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law import amendments
from nomicgit.law.rules import Rule
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deeds import ways, wishes
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.deeds.trial import BRICKED, BROKEN, STUCK, TOO_LONG
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings
from nomicgit.site import home, posts
from nomicgit.site.onlooking import Look

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
        rule("def guard_g(actor, action, given):\n    for i in range(1073741824):\n        pass", **GUARD)
    ],
    "a guard ends the process by its memory": [
        rule('def guard_g(actor, action, given):\n    return len("a" * (len(actor) * 134217728))', **GUARD)
    ],
    "the clock ends the process tomorrow": [
        rule('def schedule_tick():\n    "a" * (len(players()) * 134217728)', **DAILY)
    ],
    "every change is barred but the repeal of one decoy": [
        edit("why = apply(change)", 'why = apply(change) if change.get("repeal") == "decoy" else "sealed"'),
        {"add-rule": {"title": "Decoy", "text": "A decoy.", "mechanics": "DECOY = 1"}},
    ],
    "only prose may come, and only what is older may go": [
        edit(
            "why = apply(change)",
            'why = "sealed" if "mechanics" in str(change) or change.get("repeal") == "play" else apply(change)',
        )
    ],
    "a matter of its own stands before all others for ever": [
        edit(
            "    fors = [v for v in votes(matter)",
            '    require(get(matter, "title") != "Holy", "it is holy")\n'
            '    require(matter == find("posts", status="pending")[0], "an older one waits")\n'
            "    fors = [v for v in votes(matter)",
        ),
        rule('def _begin():\n    say("proposal", "Holy", "I stand.")', when={"begins": "_begin"}),
    ],
    "everybody is idle from now on": [
        rule(
            "def settle_rest(player):\n    put(player, idle=True)",
            settles={"rest": {"of": "player", "watches": ["idle"]}},
        )
    ],
    "votes are deaf": [edit('comment(matter, "", icon=icon)', "pass")],
    "a parameter that nobody can give": [
        {
            "amend": {
                "rule": "play",
                "in": "declarations",
                "set": {"actions.resolve.with.seal": {"choices": ["x"]}},
            }
        }
    ],
    "what has been submitted says nothing": [
        rule(
            'def settle_mute(post):\n    if get(post, "changes"):\n        put(post, changes=[])',
            settles={"mute": {"of": "post", "watches": ["created"]}},
        )
    ],
}


@pytest.mark.parametrize(
    "change", [{"player": {"name": "ben", "admin": False}}, {"run": 'destroy("players/ben")'}]
)
def test_a_roster_without_an_admin_is_the_players_own_affair(small: Small, change: Any) -> None:
    small.enact(change)
    assert small.value("posts/1 status") == "enacted"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(each, id=name, marks=one_of(3, number + 1))
        for number, (name, each) in enumerate(BRICKS.items())
    ],
)
def test_what_leaves_no_way_to_change_the_law_is_not_enacted(
    small: Small, changes: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomicgit.physics.deeds.trial.PROCESSOR", 1)
    whys = (BRICKED, TOO_LONG, STUCK)  # which it is hangs on how fast this machine is
    rules = small.git("rev-parse", "HEAD:game/ruleset")
    players = small.git("rev-parse", "HEAD:game/state/players")
    notes = small.enact(*changes).outcome.notes
    assert any(why in note for note in notes for why in whys), notes
    assert small.git("rev-parse", "HEAD:game/ruleset") == rules
    assert small.git("rev-parse", "HEAD:game/state/players") == players
    assert (small.value("posts/1 status"), small.value("posts/1 illegal")) == ("pending", True)
    said = small.git("log", "-1", "--format=%b")
    assert any(why in said for why in whys)
    small.do("ben", "resolve", matter="posts/1")
    assert small.value("posts/1 status") == "failed"
    whole = small.verified()
    assert (whole.faults, whole.doubts) == ([], [])


def test_a_way_that_the_law_breaks_on_is_lost_though_another_is_open(small: Small) -> None:
    notes = small.enact(
        edit("    fors = [", '    get(matter, "kind") == "cfj" or 1 // 0\n    fors = [')
    ).outcome.notes
    assert [note for note in notes if BROKEN in note and "play.md:" in note and "propose" in note], notes
    assert small.value("posts/1 status") == "pending"
    whole = small.verified()
    assert (whole.faults, whole.doubts) == ([], [])


def test_what_was_barred_before_is_no_loss(small: Small) -> None:
    small.enact(edit("why = apply(change)", 'why = "full" if "add-rule" in change else apply(change)'))
    assert small.enact({"repeal": "hoard"}).outcome.notes == []
    assert small.value("posts/2 status") == "enacted"


def test_what_is_pending_does_not_make_a_sound_law_look_like_a_brick(small: Small) -> None:
    for number in range(8):
        small.do("ana", "propose", title=f"Wait {number}", changes=[{"repeal": "hoard"}])
    first = edit(
        "    fors = [v for v in votes(matter)",
        '    pending = find("posts", status="pending")\n'
        '    require(len(pending) < 3 or matter in pending[:8] or matter == "posts/9", "others wait")\n'
        "    fors = [v for v in votes(matter)",
    )
    assert small.enact(first).outcome.notes == []


LATE = rule(
    'def guard_g(actor, action, given):\n    return "too late" if now() > "2021-08-20T12:00:00Z" else ""',
    **GUARD,
)


def told(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    """What a command tells as JSON."""
    return json.loads(said(small, capsys, *command, "--json"))


def said(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """What a command prints."""
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), *command])
    return capsys.readouterr().out


def test_status_check_and_site_say_from_when_on_no_way_to_change_the_law_is_seen(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(small, capsys, "status")["unchangeable_from"] is None
    assert small.enact(LATE).outcome.notes == []  # it shuts beyond what is looked ahead
    assert told(small, capsys, "status")["unchangeable_from"] is None
    small.do("cy", "story", after=30 * 86400, title="Weeks", body="They went by.")
    from_then = told(small, capsys, "status")["unchangeable_from"]
    assert "2021-08-19" < from_then < "2021-08-22"
    assert f"no way to change the law is seen from {from_then} on" in said(small, capsys, "status")
    what = [each["what"] for each in told(small, capsys, "check")["findings"]]
    assert f"no way to change the law is seen from {from_then} on" in what
    with Game.open(small.folder).repository:
        page = home.page(Look.at_time(Game.open(small.folder), small.at))
    assert "No way to change the law is seen from" in str(page.sections)
    small.enact({"repeal": "news"})
    assert told(small, capsys, "status")["unchangeable_from"] is None


def test_what_status_calls_broken_check_tells_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    view = "---\ntitle: Mood\nviews:\n  quorum: {}\n---\nWords.\n\n```starlark\ndef quorum():\n    return 1 // 0\n```\n"
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-mood.md": view}))
    (defect,) = told(small, capsys, "status")["defects"]
    assert "20-mood.md:10" in defect
    checked = told(small, capsys, "check")
    (broken,) = [each for each in checked["findings"] if each["level"] == "error"]
    assert (checked["sound"], broken["line"], broken["rule"]) == (False, 10, "Mood")
    assert broken["file"].endswith("20-mood.md")


def test_a_way_that_the_law_breaks_on_is_an_error_though_nothing_is_pending(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = CORE.replace("    fors = [", "    1 // 0\n    fors = [")
    small = Small.found(tmp_path / "game", Ruleset.read({"1-core/10-play.md": broken.lstrip()}))
    assert told(small, capsys, "status")["defects"] == []
    findings = told(small, capsys, "check")["findings"]
    assert {each["what"].partition(":")[0] for each in findings if each.get("rule") == "Play"} == {
        "propose",
        "cfj",
    }
    assert any("no way to change the law is seen" in each["what"] for each in findings)


def test_whoever_submits_a_law_that_would_not_be_enacted_is_told(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    change = json.dumps(rule('def guard_g(actor, action, given):\n    return "no"', **GUARD))
    lines = said(small, capsys, "--as", "cy", "--at", "+1h", "propose", "--title", "No", "--change", change)
    assert f"it would not be enacted: {BRICKED}" in lines


def test_whoever_votes_on_a_law_that_would_not_be_enacted_is_told(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its post, the status, its page and the first page tell so, and none of them that it may be enacted."""
    shut = rule('def guard_g(actor, action, given):\n    return "no"', **GUARD)
    small.do("cy", "propose", title="No", changes=[shut])
    small.do("dee", "propose", title="Yes", changes=[MOON, TOAST])
    why = f"it would not be enacted: {BRICKED}"
    assert why in said(small, capsys, "posts", "1")
    assert told(small, capsys, "posts", "2")["foreseen"]["undone"] == ""
    assert said(small, capsys, "status").count(why) == 1
    assert told(small, capsys, "status")["not_enacted"] == {"1": why}
    game = Game.open(small.folder)
    with game.repository:
        look = Look.at_time(game, small.at)
        pages = [str(page.sections) for page in (home.page(look), posts.of_post(look, 1))]
    assert [f"I{why[1:]}" in page for page in pages] == [True, True]


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
    "it may not be repealed or amended itself": [
        edit("why = apply(change)", 'why = "sealed" if "news" in str(change) else apply(change)'),
        rule("NEWS = 1"),
    ],
    "no rule may be added any more": [
        edit("why = apply(change)", 'why = "full" if "add-rule" in change else apply(change)')
    ],
    "changes come together alone": [
        edit("why = apply(change)", 'why = apply(change) if "together" in change else "alone"')
    ],
    "changes come one by one alone": [
        edit("why = apply(change)", 'why = "too many" if "together" in change else apply(change)')
    ],
    "one rule may not be repealed": [
        rule(
            "def guard_g(actor, action, given):\n"
            '    return "it is sacred" if {"repeal": "hoard"} in (given or {}).get("changes", []) else ""',
            guards={"g": {"on": "propose"}},
        )
    ],
}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(each, id=name, marks=one_of(2, number))
        for number, (name, each) in enumerate(SOUND.items())
    ],
)
def test_a_sound_law_is_enacted(small: Small, changes: list[Any]) -> None:
    assert small.enact(*changes).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"
    assert small.verified().faults == []


MOON = {"add-rule": {"title": "Moon", "text": "Words.", "mechanics": "MOON = 1"}}
TOAST = {"add-rule": {"title": "Toast", "text": "Words.", "under": "Moon", "mechanics": "TOAST = 1"}}
CARRY = "    for change in changes(matter):\n"
CAREFUL = CORE.replace(
    CARRY, CARRY + '        [get(rule, "section") for rule in change["called"].values() if rule]\n'
)
"""It looks at each rule that a change names, and breaks where there is none any more."""

NESTED: dict[str, list[dict[str, Any]]] = {
    "a subrule of a new rule": [MOON, TOAST],
    "a subrule of a new rule, made together": [{"together": [MOON, TOAST]}],
    "an old rule under a new one": [MOON, TOAST, {"move": {"rule": "hoard", "under": "Toast"}}],
}


@pytest.mark.parametrize("changes", NESTED.values(), ids=NESTED.keys())
def test_what_goes_with_the_rule_above_it_is_no_brick(tmp_path: Path, changes: list[Any]) -> None:
    law = small_law({"1-core/10-play.md": CAREFUL.lstrip()})
    small = Small.found(tmp_path / "game", law)
    assert small.enact(*changes).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"


def test_a_law_that_carries_out_few_changes_at_once_is_enacted(small: Small) -> None:
    """No way is lost by which changes come about one by one, though a matter of many of them meets broken law."""
    most = "    1 // (1 if len(changes(matter)) < 4 else 0)\n"
    assert small.enact(edit(CARRY, most + CARRY)).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"


def test_what_is_taken_back_stands_where_it_stood() -> None:
    """An old rule leaves the new one before that goes; one change takes away new rules that lie in one another."""
    before = small_law()
    after = before.add(Rule("moon", "Moon", {}, "Words.", "MOON = 1")).move("hoard", under="moon")
    after = after.add(Rule("toast", "Toast", {}, "Words.", "TOAST = 1"), under="moon")
    back = wishes.between(before, after).back
    assert back is not None
    law = after
    for change in back.changes:
        amended = amendments.amend(law, change, law.by_slug.keys())
        assert amended.outcome != "skipped", amended.reason
        law = amended.ruleset
    assert [(p.slug, p.section, p.parent, p.mechanics) for p in law.rules] == [
        (p.slug, p.section, p.parent, p.mechanics) for p in before.rules
    ]
    assert (back.came(law), back.came(after)) == (True, False)


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
    with pytest.raises(Refused, match="the law could not be changed any more"):
        small.do("ana", "decree", change={"together": [{"repeal": "play"}, {"repeal": "decrees"}]})
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


def founded(
    folder: Path,
    *,
    edition: str = "crypt",
    players: int = 5,
    at: str = "2021-06-07T00:00:00Z",
    dynasty: bool = True,
) -> Small:
    """A game of an edition, or of its core and appendix alone, in which ana is the emperor and ben the admin."""
    start, whole = clock.instant(at), editions.load(edition)
    lasting = {path: text for path, text in whole.texts.items() if path[0] in "14"}
    with Repository.init(folder) as repository:
        founding = Founding(start, list(PLAYERS[:players]), "ana", ["ben"])
        law = whole if dynasty else Ruleset.read(lasting)
        found_game(repository, law, Settings("Crypt", edition, time="given"), founding)
    return Small(folder, start)


def judged(small: Small, *voters: str) -> None:
    """A change of the mechanics comes about by a call for judgement."""
    matter = small.do("cy", "cfj", title="Moonlight", changes=[MECHANICS]).outcome.result
    for voter in voters:
        small.do(voter, "vote", matter=matter, icon="for")
    assert small.do("ben", "resolve", matter=matter).outcome.notes == []
    assert small.value(f"{matter} status") == "enacted"


FIVE = {"amend": {"rule": "dormancy", "in": "declarations", "set": {"least": "five"}}}


def test_a_value_of_another_type_that_the_mechanics_break_on_is_not_enacted(tmp_path: Path) -> None:
    small = founded(tmp_path / "game")
    matter = small.do("cy", "propose", title="Sleep", changes=[FIVE], tags=["Special Case"]).outcome.result
    for voter in ("ana", "ben", "dee"):
        small.do(voter, "vote", matter=matter, icon="for")
    notes = small.do("ben", "resolve", after=12 * 3600, matter=matter).outcome.notes
    assert any(BROKEN in note and "20-dormancy.md:13" in note for note in notes), notes
    assert small.value(f"{matter} status") == "pending"
    assert small.verified().faults == []


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


SOME = [pytest.param(each, marks=() if each in ("crypt", "dungeon") else DEEP) for each in editions.names()]
"""Two editions, of which one has illegal matters; in the deep profile all."""


@pytest.mark.slow
@pytest.mark.parametrize("edition", SOME)
def test_no_matter_waits_for_a_popular_one_that_would_brick_the_law(tmp_path: Path, edition: str) -> None:
    small = founded(tmp_path / "game", edition=edition)
    silence = rule('def guard_g(actor, action, given):\n    return "no"', **GUARD)
    silence["add-rule"]["section"] = "core"
    for title, change, tags in (("Silence", silence, ["Core"]), ("Moon", MOON, [])):
        proposed = small.do("cy", "propose", after=3600, title=title, changes=[change], tags=tags)
        matter = proposed.outcome.result
        for voter in PLAYERS:
            small.do(voter, "vote", after=60, matter=matter, icon="for")
    small.do("ben", "resolve", after=2 * 86400, matter="posts/1")
    if edition == "crypt":  # whose law has illegal matters, which an admin fails
        assert (small.value("posts/1 status"), small.value("posts/1 illegal")) == ("pending", True)
        small.do("ben", "resolve", after=60, matter="posts/1")
    assert small.value("posts/1 status") == "failed"
    small.do("ben", "resolve", after=60, matter="posts/2")
    assert small.value("posts/2 status") == "enacted"
    whole = small.verified()
    assert (whole.faults, whole.doubts) == ([], [])


@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=() if each == "crypt" else DEEP) for each in editions.names()]
)
def test_an_only_admin_who_is_idle_is_no_end_of_the_law(
    tmp_path: Path, edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    small = founded(tmp_path / "game", edition=edition)
    small.do("ben", "idle", after=8 * 86400, player="ben")
    assert told(small, capsys, "status")["unchangeable_from"] is None
    assert not any("no way to change" in each["what"] for each in told(small, capsys, "check")["findings"])


def test_of_a_matter_that_would_not_be_enacted_it_is_told_from_when_on_it_may_be_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = founded(tmp_path / "game", dynasty=False)
    shut = rule('def guard_g(actor, action, given):\n    return "no"', **GUARD)
    matter = small.do("cy", "propose", title="No", changes=[shut]).outcome.result
    for voter in ("ana", "ben"):
        small.do(voter, "vote", matter=matter, icon="against")
    assert "may be failed from 2021-06-09T00:" in said(small, capsys, "status")
    small.do("eli", "vote", matter=matter, icon="against")
    assert "may be failed now: nomicgit resolve 1" in said(small, capsys, "status")
    game = Game.open(small.folder)
    with game.repository:
        page = home.page(Look.at_time(game, small.at))
    assert "May be failed now: <code>nomicgit resolve 1</code>" in str(page.sections)
    small.do("ben", "resolve", matter=matter)
    assert small.value(f"{matter} status") == "failed"


VAIN: dict[str, list[dict[str, Any]]] = {
    "what has been enacted is refused": [
        edit("        why = apply(change)", '        why = apply(change)\n        require(False, "never")')
    ],
    "listeners wake each other without end": [
        rule('def _b(*a):\n    emit("deed")\n    emit("deed")', when={"deed": "_b", "enacted": "_b"}),
        edit("        why = apply(change)", '        why = apply(change)\n        emit("enacted", matter)'),
    ],
    "steps ask for themselves, twice each": [
        rule('def _b(*a):\n    can("story", "players/ana", title="T", body="B")\n    refuse("no")', when={"enacted": "_b"}),
        edit("        why = apply(change)", '        why = apply(change)\n        emit("enacted", matter)'),
        edit('return say("story", title, body)', 'can("story", actor, title="T", body="B")\n    can("story", actor, title="T", body="B")'),
    ],
    "settles wake each other without end": [
        rule(
            'def settle_up(player):\n    put(player, up=get(player, "down") + 1)\n'
            'def settle_down(player):\n    put(player, down=get(player, "up") + 1)',
            variables={"up": {"of": "player", "type": "integer"}, "down": {"of": "player", "type": "integer"}},
            settles={"up": {"of": "player", "watches": ["down", "idle"]}, "down": {"of": "player", "watches": ["up", "idle"]}},
        ),
        edit("        why = apply(change)", '        why = apply(change)\n        put("players/ana", idle=not get("players/ana", "idle"))'),
    ],
    "who votes is refused": [rule('def guard_g(actor, action, given):\n    return "no"', guards={"g": {"on": "vote"}})],
}  # fmt: skip


@pytest.mark.parametrize("changes", [pytest.param(each, id=name) for name, each in VAIN.items()])
def test_what_refuses_every_enactment_costs_a_moment_to_find_out_and_to_verify(
    small: Small, changes: list[Any]
) -> None:
    """Each took from some to thirty seconds of the processor's time when every way was tried at every hour."""
    before = sum(os.times()[:4])
    notes = small.enact(*changes).outcome.notes
    assert any(BRICKED in note for note in notes), notes
    whole = small.verified()
    assert (whole.faults, whole.doubts) == ([], [])
    assert sum(os.times()[:4]) - before < 3


def test_a_way_that_opens_late_is_found(small: Small) -> None:
    late = '        why = apply(change)\n        require(elapsed(get(matter, "at"), "9d"), "too soon")'
    assert small.enact(edit("        why = apply(change)", late)).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"


SPINS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "voting looks on and on": (
        [rule("def guard_g(actor, action, given):\n    for i in range(100000000):\n        now()", guards={"g": {"on": "vote"}})],
        [BRICKED, TOO_LONG],
    ),
    "all that there is looks on and on, on many ways": (
        [rule(
            'def guard_g(actor, action, given):\n    s = "ab" * 500000\n    for i in range(100000000):\n'
            '        s.replace("a", "b")\n        now()\n'
            + "".join(f"def do_way_{n}(actor, changes_):\n    return None\n" for n in range(6)),
            guards={"g": {"on": "all"}},
            actions={f"way-{n}": {"with": {"changes": {"type": "list", "default": []}}} for n in range(6)},
        )],
        [BRICKED, TOO_LONG],
    ),
    "voting sorts on and on, and never looks": (
        [rule(
            "def guard_g(actor, action, given):\n    s = [str(i * 7919 % 100003) for i in range(200000)]\n"
            "    for i in range(1000000):\n        sorted(s, reverse=i % 2 == 0)",
            guards={"g": {"on": "vote"}},
        )],
        [f"{STUCK}guard_g of News"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "whys"), [pytest.param(*each, id=name) for name, each in SPINS.items()])
def test_what_spins_whoever_acts_is_found_out_in_the_time_of_two_deeds(
    small: Small, changes: list[Any], whys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten voters and ten authors, each with the time of a deed on every way, came to all that a trial has."""
    monkeypatch.setattr(ways, "SECONDS", 2.0)
    monkeypatch.setattr(ways, "QUESTION", 0.2)
    before = sum(os.times()[:4])
    notes = small.enact(*changes).outcome.notes
    took = sum(os.times()[:4]) - before
    assert any(why in note for why in whys for note in notes), notes
    assert took < 10
