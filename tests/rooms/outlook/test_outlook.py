"""The outlook of a game: tallies, reasons, and the exact time from which something can be done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.played import Played

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.ground.problems import Defect
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.ahead import CLOCKS, HORIZON, PROBES, Answer, look_ahead
from nomicgit.outlook.openings import openings
from nomicgit.outlook.overview import outlook_of
from nomicgit.outlook.voters import wants_vote
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

START = clock.instant("2021-06-07T00:00:00Z")
HOUR = 3600
Do = Callable[..., object]


def game(ruleset: Ruleset | None = None, *, start: int = START) -> Played:
    """A game of five players, of whom ana is the emperor and ben an admin."""
    players = ["ana", "ben", "cy", "dee", "eli"]
    founding = Founding(start, players, "ana", ["ben"], ["zed"])
    return Played.found(ruleset or editions.load("crypt"), founding)


def act(world: Played, hours: float, who: str, action: str, **given: object) -> object:
    """A deed so many hours after the start."""
    return world.act(START + int(hours * HOUR), who, action, **given)


@pytest.fixture
def world() -> Played:
    """A game with a proposal of cy's, an hour old."""
    found = game()
    act(found, 1, "cy", "propose", title="Moonlight")
    return found


def test_a_popular_proposal_can_be_enacted_exactly_twelve_hours_after_it_was_made(world: Played) -> None:
    for name in ("ben", "dee"):
        act(world, 2, name, "vote", matter=1, icon="for")
    [matter] = outlook_of(world.look()).matters
    assert matter.enact == Answer("it has not been open for 12 hours", START + 13 * HOUR)
    assert matter.earliest == START + 13 * HOUR
    assert (matter.popular, matter.tally["for"], matter.age) == (True, 3, HOUR)


def test_an_enactable_proposal_can_be_enacted_now(world: Played) -> None:
    for hours, name in ((2, "ben"), (13, "dee")):
        act(world, hours, name, "vote", matter=1, icon="for")
    [matter] = outlook_of(world.look()).matters
    assert matter.enact == Answer("", START + 13 * HOUR)
    assert matter.enact.now
    assert (matter.outcome, matter.fail.now) == ("enact", False)


def test_a_second_before_it_is_not_yet(world: Played) -> None:
    for name in ("ben", "dee"):
        act(world, 2, name, "vote", matter=1, icon="for")
    act(world, 13 - 1 / HOUR, "eli", "comment", post=1, text="nearly")
    [matter] = outlook_of(world.look()).matters
    assert not matter.enact.now
    assert matter.earliest == world_time("2021-06-07T13:00:00Z")


def world_time(text: str) -> int:
    return clock.instant(text)


def test_where_the_votes_do_not_reach_quorum_time_decides_otherwise(world: Played) -> None:
    act(world, 2, "dee", "vote", matter=1, icon="for")
    [matter] = outlook_of(world.look()).matters
    assert matter.enact.earliest == START + 49 * HOUR  # two FOR, none AGAINST: popular after 48 hours
    world = game()
    act(world, 1, "cy", "propose", title="Moonlight")
    [matter] = outlook_of(world.look()).matters
    assert matter.enact.earliest is None
    assert matter.fail.earliest == START + 49 * HOUR  # a single vote: unpopular after 48 hours


def test_what_is_overdue_can_be_failed_a_second_after_seven_days(world: Played) -> None:
    for name in ("ben", "dee"):
        act(world, 2, name, "vote", matter=1, icon="for")
    [matter] = outlook_of(world.look()).matters
    assert matter.fail.earliest == START + HOUR + 7 * clock.DAY + 1


def test_a_proposal_that_waits_for_an_older_one_says_so(world: Played) -> None:
    act(world, 2, "dee", "propose", title="Later")
    first, second = outlook_of(world.look()).matters
    assert (first.waits_for, second.waits_for) == (None, 1)
    assert (second.enact.why_not, second.earliest) == ("an older proposal is pending", None)


def test_every_vote_is_told_with_its_reason(world: Played) -> None:
    act(world, 2, "ben", "vote", matter=1, icon="deferential")
    [matter] = outlook_of(world.look()).matters
    told = {vote.player: (vote.icon, vote.reason) for vote in matter.votes}
    assert told["cy"] == ("", "FOR, as the author who has used no icon")
    assert told["ben"][0] == "deferential"
    assert "not valid" in told["ben"][1]


def test_flags_are_told_and_no_vote_is_wanted_then(world: Played) -> None:
    assert wants_vote(world.look(), "eli") == (1,)
    act(world, 2, "ana", "vote", matter=1, icon="veto")
    [matter] = outlook_of(world.look()).matters
    assert matter.marks == ("vetoed",)
    assert matter.fail.now
    assert wants_vote(world.look(), "eli") == ()


def test_hiatus_and_its_reason(world: Played) -> None:
    act(world, 2, "dee", "dov", title="I have won")
    found = outlook_of(world.look())
    assert (found.hiatus, found.hiatus_reason) == (True, "a DoV is pending")
    assert [matter.kind for matter in found.matters] == ["proposal", "dov"]


def test_the_dynasty_and_the_roster() -> None:
    found = outlook_of(game().look(), "The Attic", "crypt", practice=True)
    assert found.dynasty.emperor == "ana"
    assert found.dynasty.terms["player"] == "Vampire Lord"
    assert (len(found.active), found.idle, found.admins, found.quorum) == (5, ("zed",), ("ben",), 3)
    assert found.as_json()["at"] == "2021-06-07T00:00:00Z"


@pytest.mark.slow
def test_who_has_cast_nothing_and_may_is_wanted(world: Played) -> None:
    assert wants_vote(world.look(), "eli") == (1,)
    assert wants_vote(world.look(), "cy") == ()  # the author counts as having voted
    assert wants_vote(world.look(), "zed") == ()  # idle
    assert wants_vote(world.look(), "nobody") == ()
    act(world, 2, "eli", "vote", matter=1, icon="against")
    assert wants_vote(world.look(), "eli") == ()


@pytest.mark.slow
def test_an_action_whose_limit_is_used_is_open_from_the_next_period_on(world: Played) -> None:
    for hours in (2, 3):
        act(world, hours, "cy", "vote", matter=world_number(world), icon="against")
        act(world, hours, "ben", "resolve", matter=world_number(world))
        act(world, hours, "cy", "propose", title="Again")
    act(world, 4, "cy", "vote", matter=world_number(world), icon="against")
    act(world, 4, "ben", "resolve", matter=world_number(world))
    found = openings(world.look(), "cy")
    assert found["propose"].earliest == START + clock.DAY
    assert found["vote"] == Answer("no matter is pending", None, world.look().now)
    assert found["resolve"] == Answer("that is for an admin")


def world_number(world: Played) -> int:
    """The number of the only pending matter."""
    [number] = world.position.store.value("open", "pending")
    return int(number)


# Looking ahead, in general.


def rules(**mechanics: str) -> Ruleset:
    """The rules of the edition with a dynastic rule more: its declarations, and its mechanics."""
    front, code = mechanics["front"], mechanics["code"]
    text = f"---\ntitle: Tower\n{front}---\nA tower.\n\n```starlark\n{code}\n```\n"
    return Ruleset.read(dict(editions.load("crypt").texts) | {"2-dynastic/990-tower.md": text})


def test_the_answer_of_a_view_that_another_view_remembers_is_found_exactly() -> None:
    world = game(
        rules(
            front="variables:\n  ripe: {of: game, type: boolean, derived: _ripe}\n",
            code='def _ripe(ref):\n    return elapsed(get("dynasty", "began"), "3d")',
        )
    )

    def ripe(world: Transaction) -> str:
        return "" if reading.get(world, "game", "ripe") else "it is not ripe"

    assert ripe(world.look()) == "it is not ripe"  # remembered now
    assert look_ahead(world.look(), {"ripe": ripe})["ripe"].earliest == START + 3 * clock.DAY


@pytest.mark.parametrize(
    ("asks", "from_then"),
    [
        ('now() >= get("game", "gate")', 0),
        ('now() > get("game", "gate")', 1),
        ('get("game", "gate") <= now()', 0),
        ('now() >= later(get("game", "laid"), "30h")', 0),
        ('span(now(), get("game", "gate")) <= 0', 0),
        ('find("gates", opens=get("game", "gate")) and now() >= get(find("gates")[0], "opens")', 0),
        ("len(_open())", 0),
    ],
)
def test_a_time_that_the_time_is_compared_with_is_when_the_answer_changes(asks: str, from_then: int) -> None:
    gate = clock.text(START + 30 * HOUR)
    world = game(
        rules(
            front=f"variables:\n  gate: {{of: game, type: datetime, default: {gate}}}\n"
            f"  laid: {{of: game, type: datetime, default: {clock.text(START)}}}\n"
            "collections:\n  gates: {key: {prefix: g}, fields: {opens: datetime}, founding: {g1: {opens: %s}}}\n"
            "views:\n  shut: {}\n" % gate,
            code="def _open():\n"
            '    return [gate for gate in find("gates") if now() >= get(gate, "opens")]\n\n'
            f'def shut():\n    return "" if {asks} else "it is shut"',
        )
    )

    def shut(world: Transaction) -> str:
        return str(world.ask("shut"))

    found = look_ahead(world.look(), {"": shut})[""]
    assert found == Answer("it is shut", START + 30 * HOUR + from_then)


def test_what_the_clock_writes_meanwhile_is_seen() -> None:
    world = game(
        rules(
            front="variables:\n  height: {of: game, type: integer}\nschedule:\n  grow: {every: day 06:00}\n",
            code='def schedule_grow():\n    gain("game", "height", 1)',
        )
    )

    def high(world: Transaction) -> str:
        return "" if reading.get(world, "game", "height") >= 3 else "it is not high"

    found = look_ahead(world.look(), {"high": high})["high"]
    assert found == Answer("it is not high", START + 2 * clock.DAY + 6 * HOUR)


def test_what_hangs_on_dice_that_fall_meanwhile_is_not_foretold() -> None:
    hourly = 'def schedule_grow():\n    put("game", height=WRITTEN, shade=roll(6))'
    front = "variables: {height: {of: game, type: integer}, shade: {of: game, type: integer}}\nschedule: {grow: {every: hour 30}}\n"

    def known(written: str) -> Answer:
        world = game(rules(front=front, code=hourly.replace("WRITTEN", written)))

        def high(then: Transaction) -> str:
            return "" if reading.get(then, "game", "height") >= 2 else "low"

        return look_ahead(world.look(), {"": high})[""]

    assert known("roll(3) + 1") == Answer("low", None, START + HOUR // 2)


def test_what_dice_do_not_touch_is_foretold_beside_them() -> None:
    front = (
        "variables: {height: {of: game, type: integer}, shade: {of: game, type: integer}}\n"
        "schedule: {grow: {every: day 06:00}, sway: {every: hour 30}}\n"
    )
    code = 'def schedule_grow():\n    gain("game", "height", 1)\n\ndef schedule_sway():\n    put("game", shade=roll(6))'
    world = game(rules(front=front, code=code))

    def high(then: Transaction) -> str:
        return "" if reading.get(then, "game", "height") >= 2 else "low"

    assert look_ahead(world.look(), {"": high})[""].earliest == START + clock.DAY + 6 * HOUR


def test_the_clock_is_not_played_on_for_what_stands_beside_a_yes() -> None:
    world = game(
        rules(
            front="variables:\n  height: {of: game, type: integer}\nschedule:\n  grow: {every: day 06:00}\n",
            code='def schedule_grow():\n    gain("game", "height", 1)',
        )
    )

    def high(world: Transaction, enough: int) -> str:
        return "" if reading.get(world, "game", "height") >= enough else f"it is not {enough} high"

    def late(world: Transaction) -> str:
        world.waits(START + 5 * clock.DAY)
        return "" if world.now >= START + 5 * clock.DAY else "it is early"

    questions = {"2": lambda w: high(w, 2), "9": lambda w: high(w, 9), "5": late}
    found = look_ahead(world.look(), questions, either=len)
    second = START + clock.DAY + 6 * HOUR
    assert found["2"].earliest == second
    assert found["5"].earliest == START + 5 * clock.DAY  # time alone tells
    assert found["9"] == Answer("it is not 9 high", None, second)


def test_looking_ahead_ends() -> None:
    asked = []

    def never(world: Transaction) -> str:
        asked.append(world.now)
        world.waits(world.now + 60)
        return "never"

    world = game()
    assert look_ahead(world.look(), {"never": never})["never"] == Answer(
        "never", None, START + (PROBES - 1) * 60
    )
    assert len(asked) == PROBES
    assert CLOCKS * clock.DAY > HORIZON


def test_beyond_the_horizon_nothing_is_asked() -> None:
    def late(world: Transaction) -> str:
        world.waits(START + HORIZON + 1)
        return "late"

    assert look_ahead(game().look(), {"late": late})["late"] == Answer("late")


def test_what_is_broken_in_the_law_is_a_reason_against_and_does_not_hide_the_rest(world: Played) -> None:
    def broken(world: Transaction) -> str:
        raise Defect.of("no rule in force defines it")

    assert look_ahead(world.look(), {"broken": broken})["broken"].why_not == "no rule in force defines it"
    ruleset = rules(front="overrides: [tally]\n", code="def tally(matter):\n    return nothing_of_it(matter)")
    world = game(ruleset)
    act(world, 1, "cy", "propose", title="Moonlight")
    found = outlook_of(world.look())
    assert [matter.title for matter in found.matters] == ["Moonlight"]
    assert any("nothing_of_it" in defect for defect in found.defects)


def test_an_event_of_the_clock_that_breaks_whenever_it_falls_due_is_told_and_one_that_is_refused_is_not() -> (
    None
):
    events = "schedule:\n  grow: {every: day 06:00}\n  rest: {every: monday 00:00}\n  shrink: {every: month 1 00:00}\n"
    world = game(
        rules(
            front=f"variables:\n  height: {{of: game, type: integer}}\n{events}",
            code='def schedule_grow():\n    gain("game", "height", 1)\n    fail([][0])\n'
            'def schedule_rest():\n    refuse("it is quiet")\n'
            'def schedule_shrink():\n    gain("game", "height", 1)\n',
        )
    )
    looked = world.look()
    [defect] = outlook_of(looked).defects
    assert "the clock's grow: " in defect
    assert ".md:" in defect
    assert reading.get(looked, "game", "height") == 0
