"""Units, and a law that changes while it runs."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import bounded, game, problems, rule
from nomicgit.ground.problems import NomicError
from nomicgit.law.variables import MISSING

N = "variables:\n  n: {of: player, type: integer}\n  log: {type: list}\n"


def new(
    title: str, declares: dict[str, Any] | None = None, mechanics: str = "", **more: Any
) -> dict[str, Any]:
    added = {"title": title, "text": "Words.", "declares": declares or {}, "mechanics": mechanics}
    return {"add-rule": added | more}


# ---- units, whole or not at all


def test_a_refused_deed_changes_nothing_and_says_nothing() -> None:
    played = game(N)
    before = dict(played.world.store.fields("players/ben") or {})
    assert "no" in played.fails(
        'put("players/ben", n=1)\nsay("note", "", "")\ntell("players/ben", "x")\nnote("y")\nrefuse("no")'
    )
    assert played.world.store.fields("players/ben") == before
    assert played.ids("posts") == []


def test_a_refused_change_is_skipped_and_the_others_go_on() -> None:
    played = game(N)
    whys = played.enact(
        {"set": {"players.ben.n": -1}},
        {"set": {"players.ben.n": 4}},
        {"run": 'put("players/cy", n=1)\nrefuse("no")'},
    )
    assert ["below 0" in whys[0], whys[1], "no" in whys[2]] == [True, "", True]
    assert (played["players.ben.n"], played["players.cy.n"]) == (4, 0)


def test_a_change_that_a_settle_refuses_is_skipped() -> None:
    code = 'def settle_s(ref):\n    require(get(ref, "n") < 3, "too much")'
    played = game(N + "settles:\n  s: {of: player, watches: [n]}", code)
    assert played.enact({"set": {"players.ben.n": 3}}, {"set": {"players.ben.n": 2}})[1] == ""
    assert played["players.ben.n"] == 2


def test_spent_fuel_refuses_the_whole_deed() -> None:
    played = game(N, physics=bounded(fuel=2000))
    played.as_first_decided()
    loop = 'for i in range(100000):\n    exists("game")'
    assert "fuel" in played.refused("ana", "bench", code=f'put("players/ben", n=1)\n{loop}')
    assert played["players.ben.n"] == 0


def test_the_law_cannot_call_itself_for_ever() -> None:
    played = game(N, "def deep(x):\n    return deep(x + 1)\ndef round(x):\n    return call('round', x)")
    assert played.fails("deep(1)")
    assert played.fails("round(1)")


# ---- a defect says where


def test_a_defect_names_rule_and_line() -> None:
    played = game("actions:\n  go: {}", 'def do_go(actor):\n    x = {}\n    return x["key"]')
    why = played.refused("ben", "go")
    assert "10-own.md:11" in why
    assert "rule Own" in why


@pytest.mark.parametrize(
    "code",
    ["nothing()", "1 + 'a'", "[][3]", "{}['a']", "get('game', 'no')", "None.x", "fail('boom')", "7 // 0"],
)
def test_defects_of_an_action_are_refusals(code: str) -> None:
    played = game("actions:\n  go: {}", f"def do_go(actor):\n    return {code}")
    assert "the law of go is defective" in played.refused("ben", "go")


# ---- the law changes


def test_words_read_the_newest_declarations_at_once() -> None:
    played = game(N)
    rename = {"amend": {"rule": "own", "in": "declarations", "set": {"variables.n.max": 3}}}
    whys = played.enact(rename, {"set": {"players.ben.n": 4}}, {"set": {"players.ben.n": 3}})
    assert [whys[0], "above 3" in whys[1], whys[2]] == ["", True, ""]


def test_an_action_runs_on_as_it_was_when_its_law_is_amended() -> None:
    code = """
        def told():
            return "old"
        def do_go(actor):
            refuse(apply({"amend": {"rule": "own", "in": "mechanics", "set": {"told": "def told():\\n    return 'new'"}}}))
            put("game", got=told())
        """
    played = game("actions:\n  go: {}", code)
    played.do("ben", "go")
    assert played["game.got"] == "old"
    assert played.eval("told()") == "new"


def test_listeners_are_those_of_the_law_before() -> None:
    played = game(N + "when: {bang: hear}", 'def hear():\n    add("game", "log", "old")')
    played.enact(
        {"amend": {"rule": "own", "in": "mechanics", "replace": '"old"', "with": '"new"'}},
        {"run": 'emit("bang")'},
    )
    assert played["game.log"] == ["old"]
    played.run('emit("bang")')
    assert played["game.log"] == ["old", "new"]


def test_a_listener_that_meets_what_is_repealed_is_passed_over() -> None:
    files = {"50-more.md": rule("variables:\n  m: {type: integer}", title="More")}
    played = game(
        N + "when: {bang: hear}", 'def hear():\n    add("game", "log", 1)\n    get("game", "m")', files=files
    )
    assert played.enact({"repeal": "More"}, {"run": 'emit("bang")'}) == ["", ""]
    assert played["game.log"] == []
    assert not any("defective" in note for note in played.notes)


def test_settles_and_filters_are_of_the_newest_law() -> None:
    played = game(N)
    settle = new(
        "S",
        {"settles": {"s": {"of": "player", "watches": ["n"]}}},
        'def settle_s(ref):\n    add("game", "log", id(ref))',
    )
    flt = new(
        "F",
        {"filters": {"f": {"of": "player", "variable": "n"}}},
        "def filter_f(ref, old, new):\n    return new + 1",
    )
    played.enact(settle, flt, {"set": {"players.ben.n": 1}})
    assert played["players.ben.n"] == 2
    assert played["game.log"][:5] == ["ana", "ben", "cy", "dee", "ana"]
    assert "ben" in played["game.log"][5:]


def test_the_tally_is_frozen_before_the_changes() -> None:
    code = 'def tally(matter):\n    return {"n": get("players/ben", "n")}'
    played = game(N + "views:\n  tally: {of: matter}", code)
    played.run('put("players/ben", n=2)')
    played.enact({"set": {"players.ben.n": 7}})
    assert played["posts.0.tally"] == {"n": 2}


def test_a_name_called_that_nobody_defines_is_found_when_it_is_called() -> None:
    played = game(code="def luck(x):\n    return gone(x) if x else 1")
    assert played.eval("luck(0)") == 1
    assert "no rule in force defines gone" in played.fails("luck(1)")


def test_what_does_not_parse_is_submitted_by_nobody() -> None:
    played = game(N)
    for mechanics in ("def f(:", "x = 1 +", "while True:\n    pass", "load('a', 'b')"):
        why = played.refused(
            "ana", "move", changes=[{"repeal": "Y"}, new("X", mechanics=mechanics)], after=""
        )
        assert why.startswith("change 2, add-rule: mechanics:1:"), why
    assert played.ids("posts") == []


def test_what_does_not_compile_is_no_change() -> None:
    played = game(N)
    for mechanics in ("def players():\n    pass", "f()"):
        assert played.enact(new("X", mechanics=mechanics)) != [""], mechanics
    assert played["rules.X.number"] == played["rules.Y.number"]


def test_two_definitions_of_a_name_are_no_change() -> None:
    played = game(N, "def luck(x):\n    return 1")
    assert "defined already" in played.enact(new("X", mechanics="def luck(x):\n    return 2"))[0]
    assert played.eval("luck(1)") == 1


def test_a_name_whose_definition_goes_stands_for_what_is_undefined() -> None:
    files = {"50-more.md": rule(code="def luck(x):\n    return 1", title="More")}
    played = game(N, "def use_luck():\n    f = luck\n    return f(1)", files=files)
    assert played.eval("use_luck()") == 1
    assert played.enact({"repeal": "More"}) == [""]
    assert "no rule in force defines luck" in played.fails("use_luck()")


def test_a_name_only_read_that_nobody_defines_is_no_change() -> None:
    assert game(N).enact(new("X", mechanics="def f():\n    g = gone\n    return g")) != [""]


def test_a_name_only_read_that_nobody_defines_is_told_of_a_program_by_its_name() -> None:
    played = game(N)
    for body in ("note(zork)", "x = 1\nput('players/ben', n=zork)", "zork"):
        [why] = played.enact({"run": body})
        assert why.startswith(
            f"nobody defines zork (the program of this change:{body.count(chr(10)) + 1}:"
        ), why
    assert "no rule in force defines zork" in played.enact({"run": "zork()"})[0]


def test_a_function_named_like_a_word_is_an_error() -> None:
    assert "players is a word of the language" in problems(code="def players():\n    return []")


def test_constants_and_private_functions_of_a_file_are_its_own() -> None:
    code = "SIZE = {0}\ndef _mine():\n    return SIZE\ndef size_{1}():\n    return _mine()"
    files = {"50-b.md": rule(code=code.format(2, "b"), title="B")}
    assert game(code=code.format(1, "a"), files=files).eval("[size_a(), size_b()]") == [1, 2]


def test_a_variable_goes_with_its_rule_and_begins_anew() -> None:
    played = game(N)
    declares = {"variables": {"m": {"of": "player", "type": "integer", "default": 1}}}
    played.enact(new("M", declares))
    played.run('put("players/ben", m=5)')
    assert played.enact({"repeal": "m"}) == [""]
    assert played.eval('get("players/ben", "m", "gone")') == "gone"
    assert "m" not in (played.world.store.fields("players/ben") or {})
    played.enact(new("M again", declares))
    assert played["players.ben.m"] == 1


def test_a_variable_of_an_inactive_rule_is_kept() -> None:
    files = {"3-special-case/10-m.md": rule("variables:\n  m: {of: player, type: integer}", title="M")}
    played = game(N, "def nothing():\n    pass", files=files)
    played.run('put("players/ben", m=5)')
    played.enact({"status": {"M": "inactive"}})
    assert played.eval('[get("players/ben", "m", "gone"), known("m")]') == ["gone", False]
    played.enact({"status": {"M": "active"}})
    assert played["players.ben.m"] == 5


def test_a_variable_that_moves_to_another_rule_in_one_change_is_kept() -> None:
    played = game(N, files={"50-b.md": rule("variables:\n  m: {of: player, type: integer}", title="B")})
    played.run('put("players/ben", m=5)')
    moved = new("C", {"variables": {"m": {"of": "player", "type": "integer"}}})
    assert played.enact({"together": [{"repeal": "B"}, moved]}) == [""]
    assert played["players.ben.m"] == 5


def test_together_is_all_or_nothing() -> None:
    played = game(N)
    whys = played.enact({"together": [{"set": {"players.ben.n": 3}}, {"repeal": "Nonsense"}]})
    assert "Nonsense" in whys[0]
    assert played["players.ben.n"] == 0


def test_a_rule_begins_once_though_several_changes_follow() -> None:
    played = game(N)
    started = new("X", {"when": {"begins": "start"}}, 'def start():\n    add("game", "log", "x")')
    played.enact(started, {"set": {"players.ben.n": 1}}, new("Y"), {"rename": {"rule": "own", "to": "Z"}})
    assert played["game.log"] == ["x"]


def test_a_program_of_a_change_may_call_the_laws_functions() -> None:
    played = game(N, "def half(x):\n    return divide(x, 2)")
    assert played.enact({"run": 'put("players/ben", n=half(9))'}) == [""]
    assert played["players.ben.n"] == 4
    assert "`)` closes nothing" in played.fails("refuse(apply({'run': 'put(n=)'}))")


def test_named_idle_players_of_a_change_are_taken_as_active() -> None:
    played = game(
        N + "actions:\n  give: {with: {to: {type: player, active: true}}}",
        'def do_give(actor, to):\n    gain(to, "n", 1)',
        idle=["zed"],
    )
    played.run('refuse(apply({"run": \'do("give", "players/ana", to="zed")\'}, counting=["players/zed"]))')
    assert played["players.zed.n"] == 1


# ---- undoing deeds


def test_an_undo_takes_back_the_net_effects_and_the_use_of_the_limit() -> None:
    declares = N + "limits:\n  few: {per: day}\nactions:\n  go: {limit: few}\n"
    played = game(declares, 'def do_go(actor):\n    gain(actor, "n", 3)\n    add("game", "log", 1)')
    played.do("ben", "go")
    played.run('gain("players/ben", "n", 2)\nadd("game", "log", 2)')
    assert played.enact({"undo": "deed-1"}) == [""]
    assert (played["players.ben.n"], played["game.log"]) == (2, [2])
    played.do("ben", "go")


def test_an_undo_leaves_what_has_changed_meanwhile() -> None:
    played = game("variables:\n  x: {type: text}")
    played.run('put("game", x="a")')
    played.run('put("game", x="b")')
    played.enact({"undo": "deed-1"})
    assert played["game.x"] == "b"
    assert any("Not taken back" in note for note in played.notes)


def test_an_undo_never_goes_below_the_minimum() -> None:
    played = game(N)
    played.run('gain("players/ben", "n", 3)')
    played.run('lose("players/ben", "n", 2)')
    played.enact({"undo": "deed-1"})
    assert played["players.ben.n"] == 0


ROOMS = "collections:\n  rooms: {key: {prefix: r}, fields: {light: {type: integer}}}"


def test_an_undo_takes_away_what_the_deed_made() -> None:
    played = game(ROOMS)
    played.run('create("rooms")\ncreate("rooms", light=4)')
    assert played.enact({"undo": "deed-1"}) == [""]
    assert (played.ids("rooms"), played.notes) == ([], [])


def test_an_undo_leaves_what_the_deed_made_and_others_changed_and_says_so() -> None:
    played = game(ROOMS)
    played.run('create("rooms")\ncreate("rooms")')
    played.run('put("rooms/r1", light=1)')
    played.enact({"undo": "deed-1"})
    assert played.ids("rooms") == ["r1"]
    assert any("Not taken back" in note and "rooms/r1" in note for note in played.notes)


def test_an_undo_brings_back_what_the_deed_took_away_in_its_place() -> None:
    played = game(ROOMS)
    played.run('create("rooms")\ncreate("rooms", light=4)\ncreate("rooms")')
    played.run('destroy("rooms/r2")')
    assert played.enact({"undo": "deed-2"}) == [""]
    assert (played.ids("rooms"), played["rooms.r2.light"]) == (["r1", "r2", "r3"], 4)


def test_an_undo_leaves_alone_what_came_in_the_place_of_what_went() -> None:
    played = game(
        "collections:\n  rooms: {key: label, fields: {label: text}}\nvariables:\n  n: {type: integer}"
    )
    played.run('create("rooms", id="a")')
    played.run('destroy("rooms/a")')
    played.run('create("rooms", id="a")\nput("game", n=1)')
    played.enact({"undo": "deed-2"})
    assert any("rooms/a" in note for note in played.notes)
    played.enact({"undo": "deed-3"})
    assert (played.ids("rooms"), played["game.n"]) == ([], 0)


def test_an_unknown_deed_cannot_be_undone() -> None:
    assert "no deed" in game(N).enact({"undo": "deed-77"})[0]


# ---- renaming a player


def test_a_new_name_stands_wherever_the_old_one_stood() -> None:
    declares = (
        "variables:\n  a: {type: player}\n  b: {type: list, items: player}\n  c: {type: map, keys: player, values: player}\n"
        "  d: {type: record, fields: {who: player}}\n  e: {of: player, type: integer}\n"
    )
    played = game(declares)
    played.run(
        'put("game", a="players/ben", b=["players/ben"], c={"players/ben": "players/ben"}, d={"who": "players/ben"})'
    )
    played.run('put("players/ben", e=4)\nput("dynasty", emperor="players/ben")')
    assert played.enact({"rename-player": {"from": "Ben", "to": "zoe"}}) == [""]
    assert [played[f"game.{v}"] for v in "abcd"] == ["zoe", ["zoe"], {"zoe": "zoe"}, {"who": "zoe"}]
    assert (played["players.zoe.e"], played["dynasty.emperor"]) == (4, "zoe")
    assert played.eval("[name(p) for p in players()]") == ["ana", "zoe", "cy", "dee"]
    assert played["players.ben"] is MISSING
    assert "cannot be a name" in played.enact({"rename-player": {"from": "zoe", "to": "cy"}})[0]


# ---- equal states are equal bytes


def test_equal_states_are_equal_however_they_came_about() -> None:
    from nomicgit.ground import files

    one, other = (game("variables:\n  x: {type: map}\n  y: {type: set}") for _ in range(2))
    one.run('put("game", x={"a": 1, "b": 2}, y=["q", "p"])')
    other.run('mark("game", "x", "b", 2)\nadd("game", "y", "p")')
    other.run('mark("game", "x", "a", 1)\nadd("game", "y", "q")')
    assert files.write(dict(one.world.store.fields("game") or {})) == files.write(
        dict(other.world.store.fields("game") or {})
    )


def test_a_change_knows_its_matter_while_it_is_carried_out() -> None:
    seen = "filters:\n  moon: {of: game, variable: moon}\nvariables:\n  moon: {of: game, type: integer}\n  by: {of: game, type: text}"
    played = game(
        seen, "def filter_moon(ref, old, new):\n    put('game', by=str(deed()['matter']))\n    return new"
    )
    played.enact({"set": {"game.moon": 3}})
    assert str(played["game.by"]).startswith("posts/")


@pytest.mark.parametrize(
    ("code", "mend"),
    [
        ("x = sum([1])", "write total(list)"),
        ("x = total(range(3))", "write list(range(n))"),
        ("put('game', out=len)", "call it, with ( and )"),
        ("x = total([True, 2])", ""),
        ("x = 1 + 'a'", "write str(number) in a text"),
    ],
)
def test_what_breaks_says_what_to_write(code: str, mend: str) -> None:
    with pytest.raises(NomicError) as broken:
        game("", "").run(code)
    assert mend in str(broken.value)
    assert "serde" not in str(broken.value)
