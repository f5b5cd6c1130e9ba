"""Actions: who, with what, when open, how often; guards."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import Game, game, problems, rule
from nomicgit.ground import clock
from nomicgit.law.linking import BUILTINS, RESERVED
from nomicgit.physics.words import WORDS


def action(
    options: str = "{}", code: str = "def do_go(actor):\n    return actor", more: str = "", **other: Any
) -> Game:
    return game(f"actions:\n  go: {options}\n{more}", code, **other)


def test_an_action_is_carried_out_by_its_function() -> None:
    assert action().do("ben", "go") == "players/ben"


def test_hyphens_of_a_name_become_underscores() -> None:
    assert game("actions:\n  go-far: {}", "def do_go_far(actor):\n    return 1").do("ben", "go-far") == 1


def test_an_action_that_nobody_declares_is_refused() -> None:
    assert "no rule in force declares an action fly" in action().refused("ben", "fly")


def test_an_action_without_its_function_is_refused() -> None:
    assert "do_go" in action(code="def other():\n    pass").refused("ben", "go")


WORDY = sorted({*WORDS, *BUILTINS} - {"dice"})  # `dice` is what a test may fix


@pytest.mark.parametrize("end", ["", "_"])
def test_a_parameter_may_be_called_like_any_word_of_the_language(end: str) -> None:
    """Its function takes it as it is declared, or with one more ``_``; reserved words only with it."""
    names = [*WORDY, "law", "host", "function", "self", "world", *(sorted(RESERVED) if end else [])]
    declares = "actions:\n  go: {with: {" + ", ".join(f'"{name}": text' for name in names) + "}}"
    code = f"def do_go(actor, {', '.join(name + end for name in names)}):\n    return [{', '.join(name + end for name in names)}]"
    assert game(declares, code).do("ben", "go", **{name: name.upper() for name in names}) == [
        name.upper() for name in names
    ]


# ---- by


@pytest.mark.parametrize("by", ["emporer", "[emporer, _nobody]", "gone"])
def test_a_by_that_nobody_defines_bars_everybody(by: str) -> None:
    played = action(f"{{by: {by}}}", emperor="ana", admins=["ana"])
    for who in ("ana", "ben", "stranger"):
        assert "which says who may do it" in played.refused(who, "go")


def test_a_by_that_somebody_defines_lets_in_beside_one_that_nobody_does() -> None:
    assert action("{by: [emporer, player]}").do("ben", "go") == "players/ben"


@pytest.mark.parametrize(
    ("by", "who", "why"),
    [
        ("player", "zed", "you are idle"),
        ("player", "stranger", "you are no player"),
        ("emperor", "ben", "for the emperor ("),
        ("admin", "ben", "admin"),
        ("[emperor, admin]", "cy", "for the emperor ("),
        ("_second", "cy", "only ben"),
    ],
)
def test_by_bars(by: str, who: str, why: str) -> None:
    code = 'def do_go(actor):\n    pass\ndef _second(actor):\n    return "" if actor == "players/ben" else "only ben"'
    played = action(f"{{by: {by}}}", code, idle=["zed"], admins=["dee"])
    assert why in played.refused(who, "go")


@pytest.mark.parametrize(
    ("by", "who"),
    [("player", "ben"), ("emperor", "ana"), ("admin", "dee"), ("[emperor, admin]", "dee"), ("_second", "ben"),
     ("anyone", "zed"), ("anyone", "stranger"),  ("[emperor, _second]", "ben")],
)  # fmt: skip
def test_by_lets_in(by: str, who: str) -> None:
    code = 'def do_go(actor):\n    return 1\ndef _second(actor):\n    return "" if actor == "players/ben" else "only ben"'
    played = action(f"{{by: {by}}}", code, idle=["zed"], admins=["dee"])
    assert played.do(who, "go") == 1


def test_idle_ones_are_let_in_where_the_action_says_so() -> None:
    assert action("{idle: true}", idle=["zed"]).do("zed", "go") == "players/zed"


def test_an_idle_admin_is_barred_like_any_idle_player() -> None:
    assert "idle" in action("{by: admin}", idle=["zed"], admins=["zed"]).refused("zed", "go")


def test_the_clock_is_no_player() -> None:
    assert "no player" in action().refused(None, "go")
    assert "no player" in action("{by: anyone}").refused(None, "go")


# ---- with


def take(kind: str, code: str = "", **other: Any) -> Game:
    return action(f"{{with: {{x: {kind}}}}}", code + "\ndef do_go(actor, x):\n    return [x]", **other)


@pytest.mark.parametrize(
    ("kind", "given", "seen"),
    [
        ("integer", 3, 3),
        ("player", "BEN", "players/ben"),
        ("player", "zed", "players/zed"),
        ("{type: choice, choices: [a, b]}", "b", "b"),
        ("{type: list, items: player}", ["cy"], ["players/cy"]),
        ("rule", "Bench", "rules/bench"),
        ("rule", "1.2", "rules/bench"),
        ("{type: rule, where: {section: core}}", "Bench", "rules/bench"),
        ("any", {"a": None}, {"a": None}),
    ],
)
def test_parameters_are_typed(kind: str, given: Any, seen: Any) -> None:
    assert take(kind, idle=["zed"]).do("ana", "go", x=given) == [seen]


@pytest.mark.parametrize(
    ("kind", "given", "why"),
    [
        ("integer", "3", "x: 3 must be a number"),
        ("integer", None, "x: a value is needed"),
        ("player", "nobody", "x: there is no player nobody"),
        ("{type: player, active: true}", "zed", "x: zed is idle"),
        ("{type: choice, choices: [a, b]}", "c", "x: c must be one of a, b"),
        ("{type: rule, where: {section: dynastic}}", "Bench", "dynastic"),
        ("{type: integer, which: _odd}", 4, "x: 4 is even"),
    ],
)
def test_parameters_are_refused(kind: str, given: Any, why: str) -> None:
    code = 'def _odd(value):\n    return "" if value % 2 else str(value) + " is even"'
    assert why in take(kind, code, idle=["zed"]).refused("ana", "go", x=given)


def test_where_decides_between_equal_titles() -> None:
    files = {"1-core/20-a.md": rule(title="Twins"), "2-dynastic/20-b.md": rule(title="Twins")}
    played = take("{type: rule, where: {section: dynastic}}", files=files)
    assert played.do("ana", "go", x="Twins") == ["rules/b"]
    assert "Twins" in take("rule", files=files).refused("ana", "go", x="Twins")


def test_a_parameter_without_a_default_is_needed() -> None:
    assert "x: a value is needed" in take("text").refused("ana", "go")


def test_a_default_makes_a_parameter_optional() -> None:
    assert take("{type: text, default: hush}").do("ana", "go") == ["hush"]
    assert take("{type: player, default: null}").do("ana", "go") == [None]


def test_a_parameter_that_nobody_declares_is_refused() -> None:
    assert "go has no parameter y (it has x)" in take("text").refused("ana", "go", x="", y=1)


def test_a_parameter_named_like_a_word_gets_an_underscore() -> None:
    played = game(
        "actions:\n  go: {with: {type: text, name: text, deed: text, in: text}}",
        "def do_go(actor, type_, name_, deed_, in_):\n    return type_ + name_ + deed_ + in_",
    )
    assert played.do("ana", "go", type="a", name="b", deed="c", **{"in": "d"}) == "abcd"


def test_the_keyword_of_a_call_has_no_underscore() -> None:
    played = game(
        "collections:\n  rooms: {key: {prefix: r}, fields: {name: text, type: text}}\n"
        "actions:\n  build: {with: {name: text}}\n  twice: {with: {name: text}}",
        'def do_build(actor, name_):\n    create("rooms", name=name_, type="big")\n'
        'def do_twice(actor, name_):\n    do("build", actor, name=name_)\n    do("build", actor, name=name_)',
    )
    played.do("ana", "twice", name="Hall")
    assert [played[f"rooms.{i}.name"] for i in ("r1", "r2")] == ["Hall", "Hall"]
    assert played.eval('find("rooms", name="Hall", type="big")') == ["rooms/r1", "rooms/r2"]


# ---- the order of a deed


ORDER = """
limits:
  daily: {per: day}
guards:
  first: {on: [go]}
actions:
  go: {with: {x: {type: integer, which: _which}}, by: _by, limit: daily}
"""
ORDER_CODE = """
def _by(actor):
    return "by" if id(actor) == "ben" else ""

def _which(value):
    return "which" if value == 1 else ""

def guard_first(actor, action, given):
    return "guard" if given["x"] == 2 else ""

def can_go(actor):
    return "can" if id(actor) == "cy" else ""

def do_go(actor, x):
    require(x != 3, "do")
"""


@pytest.mark.parametrize(
    ("who", "x", "why"),
    [("ben", 1, "by"), ("cy", 1, "which"), ("cy", 2, "guard"), ("cy", 3, "can"), ("dee", 3, "do")],
)
def test_a_deed_is_asked_in_order(who: str, x: int, why: str) -> None:
    assert game(ORDER, ORDER_CODE).refused(who, "go", x=x).endswith(why)


def test_a_refused_deed_gives_its_limit_back() -> None:
    played = game(ORDER, ORDER_CODE)
    played.refused("dee", "go", x=3)
    played.do("dee", "go", x=4)
    assert "the limit daily" in played.refused("dee", "go", x=4)


def test_can_is_asked_with_the_actor_alone_and_its_reason_names_the_rule() -> None:
    assert "rule Own: can" in game(ORDER, ORDER_CODE).refused("cy", "go", x=4)


# ---- limits


def limited(spec: str, code: str = "", **other: Any) -> Game:
    return game(
        f"limits:\n  few: {spec}\nactions:\n  go: {{limit: few}}\n  run: {{limit: few}}",
        code + "\ndef do_go(actor):\n    pass\ndef do_run(actor):\n    pass", **other,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("per", "within", "after"),
    [("day", "23h", "24h"), ("week", "6d", "7d"), ("month", "23d", "24d")],
)
def test_a_limit_counts_by_calendar_periods(per: str, within: str, after: str) -> None:
    played = limited(f"{{per: {per}}}")
    played.do("ben", "go")
    assert "once" in played.refused("ben", "go", after=within)
    again = limited(f"{{per: {per}}}")
    again.do("ben", "go")
    again.do("ben", "go", after=after)


def test_a_limit_of_the_dynasty_begins_anew_with_it() -> None:
    played = limited("{per: dynasty}")
    played.do("ben", "go")
    assert "in this dynasty" in played.refused("ben", "go", after="400d")
    played.run('put("dynasty", began=now())', after="1h")
    played.do("ben", "go")


def test_a_limit_of_the_game_never_ends() -> None:
    played = limited("{per: game}")
    played.do("ben", "go")
    assert "in this game" in played.refused("ben", "go", after="4000d")


def test_a_limit_may_allow_several_times() -> None:
    played = limited("{per: day, times: 2}")
    played.do("ben", "go")
    played.do("ben", "go")
    assert "2 times" in played.refused("ben", "go")


def test_a_limit_counts_for_each_player_and_action() -> None:
    played = limited("{per: day}")
    for who in ("ben", "cy"):
        played.do(who, "go")
        played.do(who, "run")


def test_a_shared_limit_counts_all_its_actions_together() -> None:
    played = limited("{per: day, shared: true}")
    played.do("ben", "go")
    assert "few" in played.refused("ben", "run")
    played.do("cy", "run")


def test_a_communal_limit_counts_everybody_together() -> None:
    played = limited("{per: day, communal: true}")
    played.do("ben", "go")
    assert "few" in played.refused("cy", "go")
    played.do("cy", "run")


def test_a_communal_limit_may_be_shared() -> None:
    played = limited("{per: day, communal: true, shared: true}")
    played.do("ben", "go")
    assert "few" in played.refused("cy", "run")


def test_a_gap_must_pass_between() -> None:
    played = limited("{per: day, times: 9, gap: 10h}")
    played.do("ben", "go")
    assert "10 hours between; again from 2021-06-07T10:00:00Z" in played.refused("ben", "go", after="9h")
    played.do("ben", "go", after="1h")


def test_a_gap_reaches_over_midnight() -> None:
    played = limited("{per: day, gap: 10h}")
    played.do("ben", "go", after="23h")
    assert "10 hours" in played.refused("ben", "go", after="2h")


def test_a_gap_longer_than_a_month_is_kept() -> None:
    played = limited("{per: month, gap: 50d}")
    played.do("ben", "go")
    assert "7 weeks" in played.refused("ben", "go", after="40d") or "50 days" in played.refused("ben", "go")
    played.do("cy", "go")
    played.do("ben", "go", after="10d")


def test_times_and_gap_may_be_functions_of_the_actor() -> None:
    code = 'def _many(actor):\n    return 2 if id(actor) == "ben" else 1\ndef _gap(actor):\n    return "1h"'
    played = limited("{per: day, times: {by: _many}, gap: {by: _gap}}", code)
    played.do("ben", "go")
    assert "1 hour between" in played.refused("ben", "go")
    played.do("ben", "go", after="1h")
    played.do("cy", "go")
    assert "once" in played.refused("cy", "go", after="2h")


def test_an_action_without_a_limit_is_at_will() -> None:
    played = action()
    for _ in range(3):
        played.do("ben", "go")


def test_a_limit_not_in_force_binds_nobody() -> None:
    played = action("{limit: nowhere}")
    played.do("ben", "go")
    played.do("ben", "go")


def test_limits_count_by_the_days_of_the_games_zone() -> None:
    played = game(
        "clock: {zone: Asia/Tokyo}\nlimits:\n  few: {per: day}\nactions:\n  go: {limit: few}",
        "def do_go(actor):\n    pass",
    )
    played.do("ben", "go", after="14h")
    played.do("ben", "go", after="1h")


def test_a_month_in_which_the_clocks_go_back_is_a_whole_one() -> None:
    played = game(
        "clock: {zone: Europe/Berlin}\nlimits:\n  few: {per: month, times: 2}\nactions:\n  go: {limit: few}",
        "def do_go(actor):\n    pass",
        at=clock.instant("2021-09-30T22:00:00Z"),  # the first of October in Berlin
    )
    played.do("ben", "go")
    played.do("ben", "go", after="31d30m")
    assert "2 times, and that was used this month" in played.refused("ben", "go", after="1m")
    played.do("ben", "go", after="30m")


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["{per: hour}", "{per: day, gap: soon}", "{}", "{per: day, times: many}"])
def test_a_limit_of_no_form_is_an_error(spec: str) -> None:
    assert "limits.few" in problems(f"limits:\n  few: {spec}")


# ---- guards


@pytest.mark.parametrize(
    "on",
    ["all", "[go]", "[{section: core}]", "[{rule: own}]", "[{tag: rash}]", "[{by: player}]", "[{limit: few}]", "[other, {tag: rash}]",
     "[{rule: parent}]"],
)  # fmt: skip
def test_a_guard_stands_before(on: str) -> None:
    files = {
        "10-parent.md": rule(title="Parent"),
        "10-parent/10-own.md": rule(
            "actions:\n  go: {tags: [rash], limit: few}", "def do_go(actor):\n    pass", title="Own"
        ),
        "20-guard.md": rule(
            f"guards:\n  no: {{on: {on}}}",
            'def guard_no(actor, action, given):\n    return "halt"',
            title="G",
        ),
    }
    assert "halt" in game(files=files).refused("ben", "go")


@pytest.mark.parametrize(
    "on",
    ["[run]", "[{section: dynastic}]", "[{rule: g}]", "[{tag: calm}]", "[{by: emperor}]", "[{limit: many}]"],
)
def test_a_guard_does_not_stand_before(on: str) -> None:
    code = 'def do_go(actor):\n    pass\ndef guard_no(actor, action, given):\n    return "halt"'
    action("{tags: [rash], limit: few}", code, f"guards:\n  no: {{on: {on}}}").do("ben", "go")


@pytest.mark.parametrize("besides", ["[go]", "[{tag: rash}]", "all"])
def test_a_guard_excepts(besides: str) -> None:
    code = 'def do_go(actor):\n    pass\ndef guard_no(actor, action, given):\n    return "halt"'
    action("{tags: [rash]}", code, f"guards:\n  no: {{on: all, except: {besides}}}").do("ben", "go")


def test_guards_are_asked_in_ruleset_order_and_the_first_refusal_is_told() -> None:
    files = {
        f"2-dynastic/{n}0-g{n}.md": rule(
            f"guards:\n  g{n}: {{on: [go]}}",
            f'def guard_g{n}(actor, action, given):\n    return "halt {n}"',
            title=f"G{n}",
        )
        for n in (2, 1)
    }
    assert "halt 1" in action(files=files).refused("ben", "go")


def test_a_guard_sees_the_action_as_a_ref_and_the_parameters_typed() -> None:
    code = (
        "def do_go(actor, who):\n    pass\n"
        'def guard_no(actor, action, given):\n    return action + " " + given["who"] + " " + get(action, "part")'
    )
    played = action("{with: {who: player}, part: wings}", code, "guards:\n  no: {on: [go]}")
    assert "actions/go players/cy wings" in played.refused("ben", "go", who="cy")


def test_a_guard_is_asked_for_steps_by_do_but_not_for_plain_calls() -> None:
    code = """
        def do_go(actor):
            do("run", actor)
        def do_run(actor):
            pass
        def do_walk(actor):
            do_run(actor)
        def guard_no(actor, action, given):
            return "halt"
        """
    played = action("{}", code, "  run: {}\n  walk: {}\nguards:\n  no: {on: [run]}")
    assert "halt" in played.refused("ben", "go")
    played.do("ben", "walk")


def test_a_guard_is_never_asked_for_the_clock() -> None:
    code = (
        'def schedule_daily():\n    put("game", n=1)\ndef guard_no(actor, action, given):\n    return "halt"'
    )
    played = game(
        "variables:\n  n: {type: integer}\nschedule:\n  daily: {every: day 06:00}\nguards:\n  no: {on: all, except: [bench]}",
        code,
    )
    played.run("pass", after="7h")
    assert played["game.n"] == 1


def test_a_guard_may_refuse_by_the_word() -> None:
    code = 'def do_go(actor):\n    pass\ndef guard_no(actor, action, given):\n    refuse("by the word")'
    assert "by the word" in action("{}", code, "guards:\n  no: {on: [go]}").refused("ben", "go")


# ---- listings


def test_open_is_what_by_guards_can_and_limit_let_through() -> None:
    played = game(ORDER, ORDER_CODE)
    assert "go" not in played["actions.ben"]
    assert "go" not in played["actions.cy"]
    assert "go" in played["actions.dee"]
    played.do("dee", "go", x=4)
    assert "go" not in played["actions.dee"]


def test_where_no_parameter_is_needed_a_dry_run_decides() -> None:
    code = (
        'def do_go(actor):\n    roll(6)\n    require(id(actor) != "ben", "not ben")\n    put("game", got=1)'
    )
    played = action(code=code)
    assert "go" not in played["actions.ben"]
    assert "go" in played["actions.cy"]
    assert played["game.got"] is None


def test_where_a_parameter_is_needed_no_dry_run_is_made() -> None:
    code = 'def do_go(actor, x):\n    refuse("never")'
    assert "go" in action("{with: {x: integer}}", code)["actions.ben"]


def test_can_stands_in_the_place_of_the_dry_run() -> None:
    code = 'def do_go(actor):\n    refuse("never")\ndef can_go(actor):\n    return ""'
    assert "go" in action("{}", code)["actions.ben"]


def test_a_guard_sees_no_parameters_in_a_listing() -> None:
    code = 'def do_go(actor, x):\n    pass\ndef guard_no(actor, action, given):\n    return "halt" if given == None else ""'
    played = action("{with: {x: integer}}", code, "guards:\n  no: {on: [go]}")
    assert "go" not in played["actions.ben"]
    played.do("ben", "go", x=1)


# ---- defects of what declarations name


@pytest.mark.parametrize(
    "options",
    ["{by: _bad}", "{with: {x: {type: integer, default: 1, which: _bad}}}", "{with: {x: {type: text, default: a, normal: _bad}}}",
     "{with: {x: {type: text, default: {by: _bad}}}}", "{limit: few}"],
)  # fmt: skip
def test_a_defect_in_what_a_declaration_names_is_a_refusal(options: str) -> None:
    code = "def _bad(a=None):\n    return 1 + nothing()\ndef do_go(actor, x=None):\n    pass"
    played = action(options, code, "limits:\n  few: {per: day, times: {by: _bad}}")
    given = {} if "x:" not in options or "default: {by" in options else {"x": "b" if "text" in options else 2}
    assert "no rule in force defines nothing" in played.refused("ben", "go", **given)


def test_a_defect_in_can_is_a_refusal() -> None:
    code = "def can_go(actor):\n    return 1 + nothing()\ndef do_go(actor):\n    pass"
    assert "defines nothing" in action("{}", code).refused("ben", "go")


# ---- parameters added by another rule


ADDED = """
overrides: {go: {with: {power: {type: integer, default: 1}}}, do_go: }
"""


def test_a_rule_adds_parameters_that_others_read_by_asked() -> None:
    more = rule(
        "overrides: {go: {with: {power: integer}}}",
        'def strength():\n    return asked("power", 0)',
        title="More",
    )
    played = game(
        "actions:\n  go: {with: {x: integer}}",
        "def do_go(actor, x):\n    return strength()",
        files={"50-more.md": more},
    )
    assert played.do("ben", "go", x=1, power=7) == 7
    assert "power: a value is needed" in played.refused("ben", "go", x=1)


def test_parameters_added_to_an_action_not_in_force_rest() -> None:
    more = rule("overrides: {go: {with: {power: integer}}}", title="More")
    game(files={"50-more.md": more}).run("pass")


# ---- private


@pytest.mark.slow
def test_a_private_action_may_be_ordered_by_a_message(tmp_path: Any) -> None:
    from language.tiny import played

    own = rule(
        "variables:\n  n: {type: integer}\nactions:\n  go: {private: true, with: {n: integer}}\n  run: {}",
        'def do_go(actor, n):\n    put("game", n=n)\n    tell(actor, "done")\ndef do_run(actor):\n    pass',
    )
    scenario = """
        name: s
        players: [ana, ben]
        emperor: ana
        steps:
          - {by: ben, tell: {to: emperor, act: go, with: {n: 3}}, expect: {game.n: 3, told.ben.0: done}}
          - {by: ben, tell: {to: emperor, act: run}, refused: no private action}
          - {by: ben, tell: {to: emperor, act: go, with: {n: -1}}, refused: below 0}
        """
    assert played(tmp_path, {"10-own.md": own}, scenario) == []
