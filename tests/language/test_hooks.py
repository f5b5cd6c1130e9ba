"""What happens of itself: filters, settles, the schedule, events, views, counts, overrides, posts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from language.tiny import Game, bounded, game, problems, rule
from nomicgit.outlook.checks import check_ruleset

N = "variables:\n  n: {of: player, type: integer}\n  m: {of: player, type: integer}\n  log: {type: list}\n"


def settled(spec: str, code: str, more: str = "", **other: Any) -> Game:
    return game(f"{N}{more}\nsettles:\n  s: {spec}", code, **other)


LOGS = 'def settle_s(ref):\n    add("game", "log", id(ref))'


# ---- filters


def test_a_filter_returns_what_is_written() -> None:
    code = "def filter_f(ref, old, new):\n    return old + 1 if new > old + 1 else new"
    played = game(N + "filters:\n  f: {of: player, variable: n}", code)
    played.run('put("players/ben", n=5)')
    assert played["players.ben.n"] == 1
    played.run('gain("players/ben", "n", 7)')
    assert played["players.ben.n"] == 2
    played.run('lose("players/ben", "n", 2)')
    assert played["players.ben.n"] == 0


def test_a_filter_sees_the_change_set_but_no_reset_undo_default_or_laid_state() -> None:
    code = "def filter_f(ref, old, new):\n    return old"
    played = game(
        "variables:\n  n: {of: player, type: integer, default: 3}\nfilters:\n  f: {of: player, variable: n}",
        code,
    )
    assert played.enact({"set": {"players.ben.n": 9}}) == [""]
    assert played["players.ben.n"] == 3
    played.run('create("players", "eli", n=8)')
    assert played["players.eli.n"] == 8
    played.run('reset("players/eli")')
    assert played["players.eli.n"] == 3


def test_filters_run_one_after_the_other_in_ruleset_order() -> None:
    files = {
        f"2-dynastic/{n}0-f{n}.md": rule(
            f"filters:\n  f{n}: {{of: player, variable: n}}",
            f"def filter_f{n}(ref, old, new):\n    return new * 10 + {n}",
            title=f"F{n}",
        )
        for n in (2, 1)
    }
    played = game(N, "def nothing():\n    pass", files=files)
    played.run('put("players/ben", n=7)')
    assert played["players.ben.n"] == 712


def test_what_a_filter_returns_is_judged_like_any_value() -> None:
    played = game(
        N + "filters:\n  f: {of: player, variable: n}", "def filter_f(ref, old, new):\n    return -1"
    )
    assert "below 0" in played.fails('put("players/ben", n=1)')


def test_a_filter_of_something_not_in_force_rests() -> None:
    game("filters:\n  f: {of: rooms, variable: deep}", "def filter_f(ref, old, new):\n    return old").run(
        "pass"
    )


# ---- settles


def test_a_settle_runs_for_what_changed_in_the_order_of_change() -> None:
    played = settled("{of: player, watches: [n]}", LOGS)
    played.run('put("players/cy", n=1)\nput("players/ben", n=1)\nput("players/dee", m=1)')
    assert played["game.log"] == ["ana", "ben", "cy", "dee", "cy", "ben"]


def test_at_founding_every_settle_runs_for_every_entity() -> None:
    assert settled("{of: player, watches: [n]}", LOGS)["game.log"] == ["ana", "ben", "cy", "dee"]


def after_founding(played: Game) -> list[Any]:
    return list(played["game.log"][4:])


def test_a_value_equal_to_the_former_is_no_change() -> None:
    played = settled("{of: player, watches: [n]}", LOGS)
    played.run('put("players/cy", n=0)')
    assert after_founding(played) == []


@pytest.mark.slow
def test_settles_go_on_until_nothing_changes() -> None:
    code = (
        'def settle_s(ref):\n    if get(ref, "n") > 0:\n        lose(ref, "n", 1)\n        gain(ref, "m", 1)'
    )
    played = settled("{of: player, watches: [n]}", code)
    played.run('put("players/ben", n=7)')
    assert (played["players.ben.n"], played["players.ben.m"]) == (0, 7)


def test_settles_that_never_rest_refuse_the_unit_and_name_the_rule() -> None:
    code = 'def settle_s(ref):\n    if get(ref, "n") > 0:\n        gain(ref, "n", 1)'
    played = settled("{of: player, watches: [n]}", code)
    assert "Own" in played.fails('put("players/ben", n=1)')
    assert played["players.ben.n"] == 0


def test_settles_run_in_ruleset_order() -> None:
    files = {
        f"2-dynastic/{n}0-s{n}.md": rule(
            f"settles:\n  s{n}: {{of: player, watches: [n]}}",
            f'def settle_s{n}(ref):\n    add("game", "log", {n})',
            title=f"S{n}",
        )
        for n in (2, 1)
    }
    played = game(N, "def nothing():\n    pass", files=files, players=["ana"])
    assert played["game.log"] == [1, 2]


@pytest.mark.parametrize(
    ("watch", "code", "who"),
    [
        ("created", 'create("players", "eli")', ["eli"]),
        ("destroyed", 'destroy("players/ben")', ["ben"]),
        ("active", 'put("players/ben", idle=True)', ["ben"]),
        ("admin", 'put("players/ben", admin=True)', ["ben"]),
        ("emperor", 'put("dynasty", emperor="players/ben")', ["ana", "ben", "cy", "dee"]),
        ("n", 'create("players", "eli")', ["eli"]),
    ],
)
def test_a_settle_watches_the_roster(watch: str, code: str, who: list[str]) -> None:
    played = settled(f"{{of: player, watches: [{watch}]}}", LOGS)
    played.run(code)
    assert after_founding(played) == who


def test_a_settle_on_destroyed_alone_is_not_run_for_others() -> None:
    played = settled("{of: player, watches: [destroyed]}", LOGS)
    played.run('put("players/ben", n=1)')
    assert after_founding(played) == []


def test_a_settle_watches_a_derived_value() -> None:
    more = "  rich: {of: player, type: boolean, derived: is_rich}"
    code = LOGS + '\ndef is_rich(ref):\n    return get(ref, "n") > get("game", "bar")'
    played = settled("{of: player, watches: [rich]}", code, more + "\n  bar: {type: integer, default: 5}")
    played.run('put("players/ben", n=3)')
    assert after_founding(played) == ["ben"]
    played.run('put("players/cy", m=3)')
    assert after_founding(played) == ["ben"]
    played.run('put("game", bar=2)')
    assert after_founding(played) == ["ben", "ana", "ben", "cy", "dee"]


def test_a_derived_value_that_counts_players_changes_with_the_roster() -> None:
    more = "  crowd: {of: game, type: integer, derived: crowd_of}"
    code = 'def settle_s(ref):\n    add("game", "log", get("game", "crowd"))\ndef crowd_of(ref):\n    return len(players())'
    played = settled("{of: game, watches: [crowd]}", code, more)
    played.run('put("players/ben", idle=True)')
    played.run('put("players/ben", n=1)')
    assert played["game.log"] == [4, 3]


def test_a_settle_of_matters_runs_for_votable_posts_alone() -> None:
    played = settled("{of: matter, watches: [created, comments]}", LOGS)
    played.run('say("note", "", "")')
    played.do("ben", "move")
    played.run('comment("posts/1", "")\ncomment("posts/2", "")')
    assert played["game.log"] == ["2", "2"]


def test_a_settle_of_a_collection() -> None:
    more = "collections:\n  rooms: {key: {prefix: r}, fields: {n: integer}}\n"
    played = settled("{of: rooms, watches: [n, destroyed]}", LOGS, more)
    played.run('create("rooms")')
    played.run('put("rooms/r1", n=1)')
    played.run('destroy("rooms/r1")')
    assert played["game.log"] == ["r1", "r1", "r1"]


def test_a_settle_runs_where_a_variable_holds_something_alone() -> None:
    played = settled("{of: player, watches: [n], where: m}", LOGS)
    assert played["game.log"] == []
    played.run('put("players/cy", n=1)\nput("players/ben", n=1, m=1)')
    assert played["game.log"] == ["ben"]


def test_a_settle_rests_where_what_it_asks_for_cannot_be_told() -> None:
    more = "  gone: {of: player, type: integer, derived: _gone}\n"
    code = f"{LOGS}\ndef _gone(player):\n    return [][1]"
    played = settled("{of: player, watches: [n], where: gone}", code, more)
    played.run('put("players/ben", n=1)')
    assert played["players.ben.n"] == 1
    assert played["game.log"] == []


def test_a_settle_that_compares_with_was_knows_what_the_unit_changed() -> None:
    code = 'def settle_s(ref):\n    if was(ref, "n") != get(ref, "n"):\n        add("game", "log", [was(ref, "n"), get(ref, "n")])'
    played = settled("{of: player, watches: [n]}", code)
    played.run('put("players/ben", n=1)\nput("players/ben", n=4)')
    assert after_founding(played) == [[0, 4]]


def test_after_a_step_settles_run_for_what_the_step_changed() -> None:
    code = """
        def settle_s(ref):
            add("game", "log", id(ref))
        def do_inner(actor):
            put("players/cy", n=1)
        def do_outer(actor):
            put("players/ben", n=1)
            do("inner", actor)
            add("game", "log", "after")
        """
    played = settled("{of: player, watches: [n]}", code, "actions:\n  inner: {}\n  outer: {}\n")
    played.do("ana", "outer")
    assert after_founding(played) == ["cy", "after", "ben"]


def test_settle_by_the_word_runs_now() -> None:
    played = settled("{of: player, watches: [n]}", LOGS)
    played.run('put("players/ben", n=1)\nsettle()\nadd("game", "log", "after")')
    assert after_founding(played) == ["ben", "after"]


def test_a_settle_may_draw_dice() -> None:
    code = 'def settle_s(ref):\n    if was(ref, "n") != get(ref, "n"):\n        put(ref, m=roll(6))'
    played = settled("{of: player, watches: [n]}", code)
    played.run('put("players/ben", n=1)', dice=[5])
    assert played["players.ben.m"] == 5


def test_a_refusal_in_a_settle_refuses_its_unit() -> None:
    code = 'def settle_s(ref):\n    require(get(ref, "n") < 3, "too much")'
    played = settled("{of: player, watches: [n]}", code)
    assert "too much" in played.fails('put("players/ben", n=3)')
    assert played["players.ben.n"] == 0


def test_a_defect_in_a_settle_undoes_its_writes_rests_and_is_journaled() -> None:
    code = 'def settle_s(ref):\n    if get(ref, "n"):\n        gain(ref, "m", 1)\n        nothing()'
    played = settled("{of: player, watches: [n]}", code)
    played.run('put("players/ben", n=1)\nsettle()\nput("players/ben", n=2)')
    assert (played["players.ben.n"], played["players.ben.m"]) == (2, 0)
    assert len([note for note in played.notes if "settle_s is defective" in note]) == 1
    assert "rule Own" in played.notes[0]


def test_a_defect_in_a_watched_derived_value_lets_the_settle_rest() -> None:
    more = "  bad: {of: player, type: integer, derived: bad_of}"
    code = LOGS + "\ndef bad_of(ref):\n    return get(ref, 'n') + (nothing() if get(ref, 'n') > 1 else 0)"
    played = settled("{of: player, watches: [bad]}", code, more)
    played.run('put("players/ben", n=2)')
    assert played["players.ben.n"] == 2
    assert any("defective" in note for note in played.notes)


def test_a_change_of_the_law_runs_all_settles_for_all() -> None:
    played = settled("{of: player, watches: [n]}", LOGS)
    played.enact({"rename": {"rule": "bench", "to": "Workbench"}})
    assert after_founding(played) == ["ana", "ben", "cy", "dee"]


# ---- defects of the other hooks


def test_a_defect_in_a_guard_lets_the_deed_pass_and_is_journaled() -> None:
    code = 'def do_go(actor):\n    return 1\ndef guard_g(actor, action, given):\n    put("game", log=[1])\n    nothing()'
    played = game(N + "actions:\n  go: {}\nguards:\n  g: {on: [go]}", code)
    assert played.do("ben", "go") == 1
    assert played["game.log"] == []
    assert "guard_g is defective" in played.notes[0]


def test_a_defect_in_a_filter_leaves_the_value() -> None:
    played = game(
        N + "filters:\n  f: {of: player, variable: n}", "def filter_f(ref, old, new):\n    return nothing()"
    )
    played.run('put("players/ben", n=3)')
    assert played["players.ben.n"] == 3
    assert "filter_f is defective" in played.notes[0]


def test_a_defect_in_a_listener_undoes_its_writes() -> None:
    code = 'def hear(x):\n    add("game", "log", x)\n    nothing()'
    played = game(N + "when: {bang: hear}", code)
    played.run('emit("bang", 1)\nadd("game", "log", 2)\nemit("bang", 3)')
    assert played["game.log"] == [2]
    assert len([note for note in played.notes if "hear is defective" in note]) == 1


def test_a_hook_that_rests_works_again_in_the_next_deed() -> None:
    code = 'def hear(x):\n    add("game", "log", 1 if x else nothing())'
    played = game(N + "when: {bang: hear}", code)
    played.run('emit("bang", 0)\nemit("bang", 1)')
    assert played["game.log"] == []
    played.run('emit("bang", 1)')
    assert played["game.log"] == [1]


# ---- schedule


def scheduled(
    spec: str, code: str = 'def schedule_s():\n    add("game", "log", now())', more: str = "", **other: Any
) -> Game:
    return game(f"{N}{more}schedule:\n  s: {spec}", code, **other)


def test_every_day_at_a_time() -> None:
    played = scheduled("{every: day 06:00}")
    played.run("pass", after="5h")
    assert played["game.log"] == []
    played.run("pass", after="2d")
    assert played["game.log"] == ["2021-06-07T06:00:00Z", "2021-06-08T06:00:00Z"]


def test_every_week_on_a_weekday() -> None:
    played = scheduled("{every: wednesday 12:00}")
    played.run("pass", after="14d")
    assert played["game.log"] == ["2021-06-09T12:00:00Z", "2021-06-16T12:00:00Z"]


@pytest.mark.parametrize(
    ("every", "after", "due"),
    [
        ("hour 30", "150m", ["2021-06-07T00:30:00Z", "2021-06-07T01:30:00Z", "2021-06-07T02:30:00Z"]),
        ("month 31 00:00", "2mo", ["2021-06-30T00:00:00Z", "2021-07-31T00:00:00Z"]),
        ("2 tuesday 12:00", "4w", ["2021-06-15T12:00:00Z", "2021-06-29T12:00:00Z"]),
    ],
)
def test_every_hour_month_and_second_week(every: str, after: str, due: list[str]) -> None:
    played = scheduled(f"{{every: {every}}}")
    played.run("pass", after=after)
    assert played["game.log"] == due


def test_times_are_those_of_the_games_zone() -> None:
    played = scheduled("{every: day 06:00}", more="clock: {zone: Asia/Tokyo}\n")
    played.run("pass", after="1d")
    assert played["game.log"] == ["2021-06-07T21:00:00Z"]


def test_what_is_due_at_the_very_founding_happens_then() -> None:
    assert scheduled("{every: day 00:00}")["game.log"] == ["2021-06-07T00:00:00Z"]


def test_what_is_due_at_the_very_founding_may_be_passed_over() -> None:
    played = scheduled("{every: day 00:00, at_founding: false}")
    assert played["game.log"] == []
    played.run("pass", after="24h")
    assert played["game.log"] == ["2021-06-08T00:00:00Z"]


BOMBS = "collections:\n  bombs: {key: {prefix: b}, fields: {due: datetime, n: integer}}\n"
BANG = 'def schedule_s(ref):\n    add("game", "log", id(ref) + " " + now()[11:16])'


def bombs(code: str = BANG, spec: str = "{of: bombs, at: due}", **other: Any) -> Game:
    return scheduled(spec, code, BOMBS, **other)


def test_an_entity_has_a_time_of_its_own() -> None:
    played = bombs()
    played.run(
        'create("bombs", due="2021-06-07T03:00:00Z")\ncreate("bombs", due="2021-06-07T02:00:00Z")\ncreate("bombs")'
    )
    played.run("pass", after="5h")
    assert played["game.log"] == ["b2 02:00", "b1 03:00"]
    played.run("pass", after="5h")
    assert len(played["game.log"]) == 2


def test_where_a_variable_is_empty_no_time_is_asked() -> None:
    more = BOMBS.replace("due: datetime", "armed: boolean, due: {type: datetime, derived: _due}")
    code = (
        BANG
        + '\n\ndef _due(ref):\n    require(get(ref, "armed"), "asked")\n    return "2021-06-07T03:00:00Z"'
    )
    played = scheduled("{of: bombs, at: due, where: armed}", code, more)
    played.run('create("bombs")\ncreate("bombs", armed=True)')
    played.run("pass", after="5h")
    assert played["game.log"] == ["b2 03:00"]


def test_an_entity_is_due_again_when_its_time_changes() -> None:
    played = bombs()
    played.run('create("bombs", due="2021-06-07T03:00:00Z")')
    played.run('put("bombs/b1", due="2021-06-07T08:00:00Z")', after="5h")
    played.run("pass", after="5h")
    assert played["game.log"] == ["b1 03:00", "b1 08:00"]


def test_a_time_in_the_past_is_due_now() -> None:
    played = bombs()
    played.run('create("bombs", due="2021-06-01T00:00:00Z")', after="1h")
    played.run("pass", after="1h")
    assert played["game.log"] == ["b1 01:00"]


def test_one_due_at_the_deeds_own_instant_runs_before_it() -> None:
    played = bombs()
    played.run('create("bombs", due="2021-06-07T03:00:00Z")')
    played.run('add("game", "log", "deed")', after="3h")
    assert played["game.log"] == ["b1 03:00", "deed"]


def test_due_events_run_by_their_times_then_the_rulesets_order_then_the_entities() -> None:
    files = {
        f"2-dynastic/{n}0-s{n}.md": rule(
            f"schedule:\n  s{n}: {{of: bombs, at: due}}",
            f'def schedule_s{n}(ref):\n    add("game", "log", "{n}" + id(ref))',
            title=f"S{n}",
        )
        for n in (2, 1)
    }
    played = game(N + BOMBS, "def nothing():\n    pass", files=files)
    played.run('create("bombs", due="2021-06-07T03:00:00Z"); create("bombs", due="2021-06-07T03:00:00Z")')
    played.run("pass", after="4h")
    assert played["game.log"] == ["1b1", "1b2", "2b1", "2b2"]


@pytest.mark.slow
def test_a_failing_event_is_skipped_told_and_not_tried_again_until_its_time_changes() -> None:
    code = (
        'def schedule_s(ref):\n    add("game", "log", id(ref))\n    require(get(ref, "n") > 0, "not ready")'
    )
    played = bombs(code)
    played.run('create("bombs", due="2021-06-07T03:00:00Z")')
    played.run("pass", after="4h")
    assert played["game.log"] == []
    assert "did not happen: " in played.notes[0]
    assert "not ready" in played.notes[0]
    played.run('put("bombs/b1", n=1)', after="1h")
    played.run("pass", after="1h")
    assert played["game.log"] == []
    played.run('put("bombs/b1", due="2021-06-07T09:00:00Z")', after="1h")
    played.run("pass", after="5h")
    assert played["game.log"] == ["b1"]


def test_a_defective_event_is_skipped_and_the_deed_stands() -> None:
    code = 'def schedule_s(ref):\n    add("game", "log", id(ref))\n    nothing()'
    played = bombs(code)
    played.run('create("bombs", due="2021-06-07T03:00:00Z"); create("bombs", due="2021-06-07T03:30:00Z")')
    played.run('add("game", "log", "deed")', after="4h")
    assert played["game.log"] == ["deed"]
    assert "defines nothing" in played.notes[0]


@pytest.mark.parametrize(
    "spec",
    ["{of: bombs, at: n}", "{of: bombs, at: nowhere}", "{of: nowhere, at: due}", "{of: bombs, at: bad}"],
)
def test_an_event_whose_time_cannot_be_read_never_stops_the_game(spec: str) -> None:
    more = "  bad: {of: bombs, type: datetime, derived: bad_of}\n" + BOMBS
    played = scheduled(spec, BANG + "\ndef bad_of(ref):\n    return nothing()", more)
    played.run('create("bombs", due="2021-06-07T03:00:00Z", n=3)')
    played.run("pass", after="4h")
    assert played["game.log"] == []


def test_an_event_of_the_game_and_of_players() -> None:
    more = "  due: {of: player, type: datetime}\n"
    played = scheduled("{of: player, at: due}", BANG, more)
    played.run('put("players/cy", due=later(now(), "1h"))')
    played.run("pass", after="2h")
    assert played["game.log"] == ["cy 01:00"]


def test_an_event_of_matters_happens_to_those_that_are_pending() -> None:
    more = "  due: {of: matter, type: datetime, default: {by: soon}}\n"
    code = BANG + '\ndef soon(ref):\n    return later(now(), "1h")'
    played = scheduled("{of: matter, at: due}", code, more)
    pending, resolved = (played.do("ben", "move").removeprefix("posts/") for _ in range(2))
    played.do("ben", "resolve", matter=resolved)
    played.run("pass", after="2h")
    assert played["game.log"] == [f"{pending} 01:00"]


@pytest.mark.parametrize(("option", "log"), [("", ["ana 00:00"]), (", at_founding: false", [])])
def test_an_entity_due_at_the_very_founding(option: str, log: list[str]) -> None:
    more = "  due: {of: player, type: datetime, default: {by: first}}\n"
    code = BANG + "\ndef first(player):\n    return now()"
    played = scheduled(f"{{of: player, at: due{option}}}", code, more, players=["ana"])
    assert played["game.log"] == log
    played.run("pass", after="1h")
    assert played["game.log"] == log


def test_an_event_may_set_its_next_time() -> None:
    code = 'def schedule_s(ref):\n    add("game", "log", now()[11:16])\n    put(ref, due=later(now(), "1h"))'
    played = bombs(code)
    played.run('create("bombs", due="2021-06-07T01:00:00Z")')
    played.run("pass", after="3h30m")
    assert played["game.log"] == ["01:00", "02:00", "03:00"]


def test_an_event_that_falls_due_again_and_again_at_one_instant_rests() -> None:
    code = 'def schedule_s(ref):\n    put(ref, due=later(get(ref, "due"), "-1s"))\n    put(ref, n=get(ref, "n") + 1)'
    played = bombs(code)
    played.run('create("bombs", due=now())')
    played.run("pass", after="1h")
    assert played["bombs.b1.n"] == 100
    assert "fell due more than 100 times" in played.notes[0]


TICK = 'def schedule_s(ref):\n    put(ref, due=later(now(), "1s"), n=get(ref, "n") + 1)'


@pytest.mark.slow
def test_an_event_that_comes_round_every_second_does_not_hold_up_the_next_deed_a_year_later() -> None:
    played = bombs(TICK, physics=bounded(turns=500))
    played.run('create("bombs", due=now())')
    played.run("pass", after="365d")
    assert played["bombs.b1.n"] == 500
    assert "s bombs/b1 came round more than 500 times by 2021-06-07T00:08:20Z and rests" in played.notes[0]
    played.run("pass", after="2s")
    assert (played["bombs.b1.n"], played.notes) == (503, [])


@pytest.mark.slow
def test_events_that_take_too_long_rest_and_replay_takes_it_as_told() -> None:
    physics = bounded(spent=3000)
    slow = TICK.replace("    put(", '    for i in range(1000):\n        exists("game")\n    put(')
    played, replayed = bombs(slow, physics=physics), bombs(slow, physics=physics)
    played.as_first_decided()
    played.run('create("bombs", due=now())')
    played.run("pass", after="1d")
    assert 1 < played["bombs.b1.n"] < 5
    assert "s bombs/b1 took too long by 2021-06-07T00:00:0" in played.notes[0]
    replayed.run('create("bombs", due=now())')
    assert played.last is not None
    replayed.context = replace(replayed.context, claims=played.last.claims)
    replayed.run("pass", after="1d")
    assert (replayed["bombs.b1.n"], replayed.notes) == (played["bombs.b1.n"], played.notes)


def test_a_late_event_knows_its_own_time() -> None:
    code = 'def schedule_s():\n    put("game", log=[now(), cast_at()])'
    played = scheduled("{every: day 06:00}", code)
    played.run("pass", after="7h")
    assert played["game.log"] == ["2021-06-07T06:00:00Z", "2021-06-07T06:00:00Z"]


def test_the_clock_of_a_rule_enacted_later_begins_then() -> None:
    played = game(N, "def nothing():\n    pass")
    declares = {"schedule": {"s": {"every": "day 06:00"}}}
    mechanics = 'def schedule_s():\n    add("game", "log", now())'
    played.enact(
        {"add-rule": {"title": "S", "text": "S.", "declares": declares, "mechanics": mechanics}}, after="30h"
    )
    played.run("pass", after="1d")
    assert played["game.log"] == ["2021-06-09T06:00:00Z"]


@pytest.mark.parametrize("spec", ["{every: noon}", "{every: day 25:00}", "{of: player}", "{}"])
def test_a_schedule_of_no_form_is_an_error(spec: str) -> None:
    assert "schedule.s" in problems(f"schedule:\n  s: {spec}")


def test_runaway_events_have_fuel_of_their_own() -> None:
    code = 'def schedule_s():\n    for i in range(1000000):\n        exists("game")'
    played = scheduled("{every: day 06:00}", code, physics=bounded(fuel=2000))
    played.as_first_decided()
    played.run('add("game", "log", 1)', after="7h")
    assert played["game.log"] == [1]
    assert "it took more than it was lent" in played.notes[0]


# ---- when, emit, begins


def test_listeners_run_at_once_in_ruleset_order_with_the_arguments_given() -> None:
    files = {
        f"2-dynastic/{n}0-l{n}.md": rule(
            f"when: {{bang: hear{n}}}",
            f'def hear{n}(who, what):\n    add("game", "log", "{n}" + id(who) + what)',
            title=f"L{n}",
        )
        for n in (2, 1)
    }
    played = game(N, "def nothing():\n    pass", files=files)
    played.run('emit("bang", "players/ben", "!")\nadd("game", "log", "after")')
    assert played["game.log"] == ["1ben!", "2ben!", "after"]


def test_one_rule_may_listen_several_times() -> None:
    played = game(
        N + "when: {bang: [_a, _b]}",
        'def _a():\n    add("game", "log", "a")\ndef _b():\n    add("game", "log", "b")',
    )
    played.run('emit("bang")')
    assert played["game.log"] == ["a", "b"]


def test_an_event_that_nobody_hears_is_no_error() -> None:
    game().run('emit("bang", 1)')


def test_a_refusal_of_a_listener_refuses_the_unit() -> None:
    played = game(N + "when: {bang: hear}", 'def hear():\n    refuse("not while I listen")')
    assert "not while I listen" in played.fails('put("players/ben", n=1)\nemit("bang")')
    assert played["players.ben.n"] == 0


def test_a_rule_begins_at_founding_once() -> None:
    assert game(N + "when: {begins: start}", 'def start():\n    add("game", "log", now())')["game.log"] == [
        "2021-06-07T00:00:00Z"
    ]


def test_a_rule_begins_when_it_is_enacted_and_when_it_becomes_active() -> None:
    text = rule("when: {begins: start}", 'def start():\n    add("game", "log", "b")', title="Later")
    played = game(
        N,
        "def nothing():\n    pass",
        files={"3-special-case/10-later.md": text.replace("---\nW", "status: inactive\n---\nW")},
    )
    assert played["game.log"] == []
    played.enact({"status": {"Later": "active"}})
    assert played["game.log"] == ["b"]
    played.enact({"rename": {"rule": "later", "to": "Latest"}})
    assert played["game.log"] == ["b"]
    new = {
        "title": "X",
        "text": "X.",
        "declares": {"when": {"begins": "begin"}},
        "mechanics": 'def begin():\n    add("game", "log", "x")',
    }
    played.enact({"add-rule": new})
    assert played["game.log"] == ["b", "x"]


def test_begins_cannot_be_emitted_by_rules() -> None:
    played = game(N + "when: {begins: start}", 'def start():\n    add("game", "log", "b")')
    played.run('emit("begins")')
    assert played["game.log"] == ["b"]


# ---- views


def test_views_of_every_kind() -> None:
    declares = N + BOMBS + "views:\n  v: {}\n  w: {of: player}\n  x: {of: bombs}\n  y: {of: matter}\n"
    code = 'def v():\n    return 1\ndef w(ref):\n    return id(ref)\ndef x(ref):\n    return ref\ndef y(ref):\n    return get(ref, "title")'
    played = game(declares, code)
    played.run('create("bombs")')
    played.do("ben", "move")
    assert played["game.v"] == 1
    assert played["players.cy.w"] == "cy"
    assert played["bombs.b1.x"] == "b1"
    assert played["posts.0.y"] == "A motion"


def test_a_view_only_reads_and_draws_nothing() -> None:
    from nomicgit.ground.problems import Defect
    from nomicgit.physics.state import deriving

    played = game(
        N + "views: {a: {}, b: {}}", 'def a():\n    put("game", log=[1])\ndef b():\n    return roll(6)'
    )
    for name in ("a", "b"):
        with pytest.raises(Defect, match="only reads"):
            deriving.view(played.world, name)


def test_the_views_of_a_resolved_matter_are_read_as_frozen() -> None:
    declares = N + "  chill: {of: matter, type: integer, derived: chill_of}\nviews:\n  y: {of: matter}\n"
    code = 'def y(ref):\n    return get("players/ben", "n")\ndef chill_of(ref):\n    return get("players/ben", "n") + 1'
    played = game(declares, code)
    matter = played.do("ben", "move").removeprefix("posts/")
    played.run('put("players/ben", n=3)')
    played.do("ben", "resolve", matter=matter)
    played.run('put("players/ben", n=5)')
    assert (played["posts.0.y"], played["posts.0.chill"]) == (3, 4)
    played.do("ben", "move")
    assert (played["posts.0.y"], played["posts.0.chill"]) == (5, 6)


# ---- counts


COUNT = """
def crowd{0}():
    return [id(p) for p in players()]

def all{0}():
    return len(everyone())

def one{0}(p):
    return is_player(p)
"""


def counted(spec: str) -> Game:
    files = {
        "1-core/20-town.md": rule("actions:\n  talk: {with: {to: {type: player, active: true}}}",
                                  COUNT.format("_town") + '\ndef do_talk(actor, to):\n    return 1', title="Town"),
        "1-core/20-town/10-sub.md": rule(code=COUNT.format("_sub"), title="Sub"),
        "2-dynastic/10-dyn.md": rule("actions:\n  act: {}", COUNT.format("_dyn") + "\ndef do_act(actor):\n    return 1", title="Dyn"),
        "2-dynastic/20-not.md": rule(code=COUNT.format("_not"), title="Not"),
        "4-appendix/10-counts.md": rule(f"counts: [{spec}]", title="Counts"),
    }  # fmt: skip
    return game(files=files, idle=["zed"])


def test_a_section_may_count_without_the_emperor() -> None:
    played = counted("{in: [dynastic, run], emperor: false, except: [not]}")
    assert played.eval("crowd_dyn()") == ["ben", "cy", "dee"]
    assert played.eval("crowd_not()") == ["ana", "ben", "cy", "dee"]
    assert played.eval("crowd_town()") == ["ana", "ben", "cy", "dee"]
    assert played.eval('one_dyn("players/ana")') is False
    assert played.eval("len(players())") == 3
    assert "the emperor is no player here" in played.refused("ana", "act")
    assert played.do("ben", "act") == 1


def test_a_rule_and_its_subrules_may_count_the_idle() -> None:
    played = counted("{in: [town], idle: true}")
    assert played.eval("crowd_town()") == ["ana", "ben", "cy", "dee", "zed"]
    assert played.eval("crowd_sub()") == ["ana", "ben", "cy", "dee", "zed"]
    assert played.eval('[one_town("players/zed"), one_dyn("players/zed")]') == [True, False]
    assert played.do("zed", "talk", to="zed") == 1
    assert played.eval("len(players())") == 4


def test_it_is_the_file_where_the_word_stands_that_counts() -> None:
    played = counted("{in: [dynastic], emperor: false}")
    assert played.eval("[len(crowd_dyn()), len(players())]") == [3, 4]


def test_counting_goes_with_its_rule() -> None:
    played = counted("{in: [dynastic], emperor: false}")
    played.enact({"repeal": "Counts"})
    assert played.eval("len(crowd_dyn())") == 4


def test_counts_of_no_form_are_an_error() -> None:
    assert "counts" in problems("counts: [{in: dynastic}]")
    assert "counts" in problems("counts: dynastic")


# ---- overrides and protection


def chain(*parts: tuple[str, str, str]) -> Game:
    """Rules (path, declarations, mechanics)."""
    return game(
        files={path: rule(declares, code, title=path[-4:-3].upper() + "x") for path, declares, code in parts}
    )


BASE = ("2-dynastic/50-a.md", "", 'def luck(x):\n    return ["a"]')


def over(path: str, name: str) -> tuple[str, str, str]:
    return path, "overrides: [luck]", f'def luck(x):\n    return overridden_luck(x) + ["{name}"]'


def test_overrides_stack_in_ruleset_order_upon_the_base() -> None:
    played = chain(
        BASE,
        over("3-special-case/10-c.md", "c"),
        over("2-dynastic/10-b.md", "b"),
        over("1-core/10-d.md", "d"),
    )
    assert played.eval("luck(1)") == ["a", "d", "b", "c"]


def test_an_override_without_a_base_is_a_plain_definition() -> None:
    played = chain(("1-core/10-b.md", "overrides: [luck]", "def luck(x):\n    return [overridden_luck(x)]"))
    assert played.eval("luck(1)") == [None]


def test_the_base_takes_over_when_its_override_goes() -> None:
    played = chain(BASE, over("3-special-case/10-c.md", "c"))
    played.enact({"status": {"Cx": "inactive"}})
    assert played.eval("luck(1)") == ["a"]


def test_two_bases_do_not_compile() -> None:
    assert "luck is defined already" in problems(
        code="def luck(x):\n    pass", files={"20-b.md": rule(code="def luck(x):\n    pass")}
    )


@pytest.mark.slow
def test_an_override_of_other_parameters_does_not_compile() -> None:
    more = {"20-b.md": rule("overrides: [luck]", "def luck(x, y):\n    pass")}
    assert "write luck(x)" in problems(code="def luck(x):\n    pass", files=more)


def test_an_overridden_function_keeps_its_own_private_ones() -> None:
    code = "def _mine():\n    return {0!r}\nBIG = {0!r}\ndef luck(x):\n    return [_mine() + BIG]"
    more = {
        "20-b.md": rule(
            "overrides: [luck]", code.format("b").replace("[_mine", "overridden_luck(x) + [_mine"), title="B"
        )
    }
    played = game("", code.format("a"), files=more)
    assert played.eval("luck(1)") == ["aa", "bb"]


@pytest.mark.parametrize(
    "declares",
    [
        "limits:\n  few: {per: day}",
        "views:\n  few: {}",
        "actions:\n  few: {}",
        "variables:\n  few: {type: integer}",
        "posts:\n  few: {}",
        "guards:\n  few: {on: all}",
        "filters:\n  few: {of: player, variable: n}",
        "settles:\n  few: {of: player, watches: [n]}",
        "schedule:\n  few: {every: day 00:00}",
        "collections:\n  few: {key: {prefix: f}}",
    ],
)
def test_a_declaration_twice_is_an_error_unless_it_overrides(declares: str) -> None:
    twice = {"10-a.md": rule(declares, title="A"), "50-b.md": rule(declares, title="B")}
    assert "few is declared twice" in problems(files=twice)
    game(files={**twice, "50-b.md": rule(declares + "\noverrides: [few]", title="B")})
    game(files={**twice, "10-a.md": rule(declares + "\noverrides: [few]", title="A")})


def test_an_override_above_its_base_in_the_ruleset_still_overrides() -> None:
    files = {
        "10-a.md": rule("limits:\n  few: {per: game}\noverrides: [few]", title="A"),
        "50-b.md": rule(
            "limits:\n  few: {per: day}\nactions:\n  go: {limit: few}",
            "def do_go(actor):\n    pass",
            title="B",
        ),
    }
    played = game(files=files)
    played.do("ben", "go")
    assert "in this game" in played.refused("ben", "go")


PROTECTED = "protected: [luck, go]\nactions:\n  go: {}\nvariables:\n  n: {of: player, type: integer}\n"


def test_no_override_of_a_barred_section_reaches_what_is_protected() -> None:
    base = rule(PROTECTED, "def luck(x):\n    return 1\ndef do_go(actor):\n    return luck(1)", title="A")
    more = rule(
        "overrides: [luck]\nguards:\n  g: {on: [go]}",
        'def luck(x):\n    return 2\ndef guard_g(actor, action, given):\n    return "halt"',
    )
    assert game(files={"10-a.md": base, "2-dynastic/20-b.md": more}).do("ben", "go") == 1
    assert "halt" in game(files={"10-a.md": base, "1-core/20-b.md": more}).refused("ben", "go")


def test_protection_may_name_its_sections_and_filters() -> None:
    base = rule(
        "protected: {names: [n], from: [core]}\nvariables:\n  n: {of: player, type: integer}", title="A"
    )
    more = rule(
        "filters:\n  f: {of: player, variable: n}", "def filter_f(ref, old, new):\n    return 9", title="B"
    )
    reached = game(files={"10-a.md": base, "2-dynastic/20-b.md": more})
    reached.run('put("players/ben", n=1)')
    assert reached["players.ben.n"] == 9
    spared = game(files={"10-a.md": base, "1-core/20-b.md": more})
    spared.run('put("players/ben", n=1)')
    assert spared["players.ben.n"] == 1


@pytest.mark.parametrize("spec", ["all", "{names: go}", "{from: dynastic}", "3"])
def test_a_protection_of_no_form_is_an_error(spec: str) -> None:
    assert "protected" in problems(f"protected: {spec}")


@pytest.mark.parametrize("spec", ["3", "{go: [a]}", "{go: {with: [a]}}", "go"])
def test_an_override_of_no_form_is_an_error(spec: str) -> None:
    assert "overrides" in problems(f"overrides: {spec}\nactions:\n  go: {{}}")


# ---- kinds of posts


def test_kinds_of_posts_say_whether_they_are_official_and_votable() -> None:
    played = game("posts:\n  story: {official: true, mood: calm}")
    played.run('say("story", "Once", "")')
    assert played.eval('[get("posts/1", v) for v in ["official", "votable", "status"]]') == [
        True,
        False,
        None,
    ]
    assert played.eval('get("kinds/story", "mood")') == "calm"
    assert played.eval('find("kinds", votable=True)') == ["kinds/motion"]


def test_a_kind_that_is_gone_makes_its_posts_plain() -> None:
    played = game("posts:\n  story: {official: true}")
    played.run('say("story", "Once", "")')
    played.enact({"repeal": "Own"})
    assert played.eval('get("posts/1", "official")') is False


# ---- prose


@pytest.mark.parametrize(
    ("quote", "reads"),
    [
        ("{{limits.few.gap}}", "10 hours"),
        ("{{limits.few.times}}", "3"),
        ("{{terms.emperor}}", "Mad Prince"),
        ("{{game.purse}}", "12"),
        ("{{variables.hue.choices}}", "red, green and blue"),
        ("{{variables.hue.open}}", "yes"),
        ("{{game.hidden}}", "{{game.hidden}}"),
        ("{{no.such.path}}", "{{no.such.path}}"),
    ],
)
def test_prose_quotes(quote: str, reads: str) -> None:
    declares = (
        "terms: {player: Commoner, players: Commoners, emperor: Mad Prince}\nlimits:\n  few: {per: day, times: 3, gap: 10h}\n"
        "variables:\n  purse: {type: integer, default: 12}\n  hue: {type: choice, choices: [red, green, blue], open: true}\n"
        "  hidden: {type: integer, tracked: secret}\n"
    )
    played = game(files={"10-own.md": rule(declares, prose=f"It is {quote}.", title="Own")})
    assert played["rules.Own.text"] == f"It is {reads}."


def test_a_quoted_number_follows_its_amendment() -> None:
    played = game(
        files={
            "10-own.md": rule(
                "limits:\n  few: {per: day, gap: 10h}", prose="Wait {{limits.few.gap}}.", title="Own"
            )
        }
    )
    played.enact({"amend": {"rule": "own", "in": "declarations", "set": {"limits.few.gap": "1d"}}})
    assert played["rules.Own.text"] == "Wait 1 day."


def test_terms_have_base_words() -> None:
    assert game().eval('[term("player"), term("emperor")]') == ["player", "emperor"]
    assert game("terms: {player: Guest}").eval('[term("player"), term("emperor")]') == ["Guest", "emperor"]


def test_words_of_the_game_are_replaced_one_by_one_by_what_stands_later_and_that_is_told() -> None:
    """What a rule leaves out stays: else an empty map renamed everybody, and nobody was told."""
    core = rule(
        "terms: {player: Guest, emperor: Host}\nclock: {zone: Europe/Berlin, week: sunday}", title="Own"
    )
    for declared, words, lines in (
        ("terms: {}\nclock: {}", ["Guest", "Host"], []),
        ("terms: {player: Guest}\nclock: {zone: Europe/Berlin}", ["Guest", "Host"], []),
        ("terms: {player: Bat}\nclock: {week: monday}", ["Bat", "Host"], [3, 4]),
    ):
        later = rule(declared, title="Later")
        played = game(files={"10-own.md": core, "2-dynastic/10-later.md": later})
        assert played.eval('[term("player"), term("emperor")]') == words
        assert played.world.law.declared.zone == "Europe/Berlin"
        differ = [
            each
            for each in check_ruleset(played.position.ruleset).findings
            if " replaces " in each.problem.what
        ]
        assert [each.problem.where.line for each in differ] == lines
        assert all(each.problem.where.rule == "Later" for each in differ)
