"""Types: what values a variable or a parameter may have."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import game, rule


def variable(spec: str, code: str = "", more: str = "") -> Any:
    return game(f"variables:\n  x: {spec}\n{more}", code)


# ---- what each type starts with


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("{type: text}", ""),
        ("{type: integer}", 0),
        ("{type: integer, min: 3}", 3),
        ("{type: integer, min: -3}", 0),
        ("{type: number, step: 0.5, min: 1.5}", 1.5),
        ("{type: boolean}", False),
        ("{type: choice, choices: [a, b]}", None),
        ("{type: choice, choices: [a, b], default: b}", "b"),
        ("{type: datetime}", None),
        ("{type: date}", None),
        ("{type: player}", None),
        ("{type: list}", []),
        ("{type: set}", []),
        ("{type: map}", {}),
        ("{type: record, fields: {a: text}}", None),
        ("{type: any}", None),
        ("{type: no-such-type}", None),
        ("{type: list, default: [1, 2]}", [1, 2]),
    ],
)
def test_a_variable_starts_with(spec: str, value: Any) -> None:
    assert variable(spec)["game.x"] == value


# ---- what each type takes and refuses


@pytest.mark.parametrize(
    ("spec", "written", "value"),
    [
        ("{type: text}", '"ä\\n"', "ä\n"),
        ("{type: integer}", "7", 7),
        ("{type: integer, below_zero: allow}", "-7", -7),
        ("{type: integer, min: -5}", "-5", -5),
        ("{type: integer, max: 5}", "5", 5),
        ("{type: integer}", "4.0", 4),
        ("{type: number, step: 0.5}", "2.5", 2.5),
        ("{type: number, step: 0.5}", "2.0", 2),
        ("{type: number, step: 0.1}", "0.1 + 0.2", 0.3),
        ("{type: boolean}", "True", True),
        ("{type: choice, choices: [a, 3]}", "3", 3),
        ("{type: choice, choices: [a, b]}", "None", None),
        ("{type: datetime}", '"2021-06-07T01:02:03Z"', "2021-06-07T01:02:03Z"),
        ("{type: date}", '"2021-06-07"', "2021-06-07"),
        ("{type: player}", '"players/ben"', "ben"),
        ("{type: player}", '"Ben"', "ben"),
        ("{type: rule}", '"rules/bench"', "bench"),
        ("{type: rule}", '"Bench"', "bench"),
        ("{type: list}", "[1, [2]]", [1, [2]]),
        ("{type: list, items: player}", '["players/ben"]', ["ben"]),
        ("{type: set, items: integer}", "[10, 9, 9]", [9, 10]),
        ("{type: set, items: {type: choice, choices: [z, y]}}", '["y", "z"]', ["z", "y"]),
        ("{type: set, items: [z, y]}", '["y", "z"]', ["z", "y"]),
        ("{type: set, items: text}", '["b", "a", "b"]', ["a", "b"]),
        ("{type: list, unique: true}", '["b", "a"]', ["b", "a"]),
        ("{type: map, keys: player, values: integer}", '{"players/ben": 2}', {"ben": 2}),
        ("{type: map, keys: integer, values: text}", '{"10": "j", "3": "c"}', {"3": "c", "10": "j"}),
        (
            "{type: record, fields: {a: text, b: {type: integer, default: 4}}}",
            '{"a": "x"}',
            {"a": "x", "b": 4},
        ),
        ("{type: any}", '{"a": [1, None, True]}', {"a": [1, None, True]}),
        ("{type: no-such-type}", '["free"]', ["free"]),
    ],
)
def test_a_type_takes(spec: str, written: str, value: Any) -> None:
    played = variable(spec)
    played.run(f'put("game", x={written})')
    assert played["game.x"] == value
    assert type(played["game.x"]) is type(value)


@pytest.mark.parametrize(
    ("spec", "written", "why"),
    [
        ("{type: text}", "3", "x: 3 must be a text"),
        ("{type: text}", "None", "a value is needed"),
        ("{type: integer}", '"3"', "must be a number"),
        ("{type: integer}", "True", "must be a number"),
        ("{type: integer}", "1.5", "must be a whole number"),
        ("{type: integer}", "-1", "-1 is below 0"),
        ("{type: integer, min: 2}", "1", "1 is below 2"),
        ("{type: integer, max: 5}", "6", "6 is above 5"),
        ("{type: integer}", "10000000000000000", "more than 16 digits"),
        ("{type: number, step: 0.5}", "0.3", "multiple of 0.5"),
        ("{type: number}", "0.5", "must be a whole number"),
        ("{type: boolean}", "1", "must be true or false"),
        ("{type: choice, choices: [a, b]}", '"c"', "must be one of a, b"),
        ("{type: datetime}", '"2021-06-31T00:00:00Z"', "must be a time"),
        ("{type: datetime}", '"2021-06-07"', "must be a time"),
        ("{type: date}", '"2021-6-7"', "must be a date"),
        ("{type: player}", '"players/nobody"', "no player nobody"),
        ("{type: post}", '"posts/9"', "no post 9"),
        ("{type: rule}", '"No such"', "No such"),
        ("{type: deed}", '"deeds/zz"', "no deed zz"),
        ("{type: list}", '"abc"', "must be a list"),
        ("{type: list, unique: true}", '["a", "a"]', "twice"),
        ("{type: list, max: 1}", "[1, 2]", "at most 1"),
        ("{type: list, min: 1, default: [1]}", "[]", "at least 1"),
        ("{type: list, items: integer}", '["a"]', "must be a number"),
        ("{type: map}", "[1]", "must be a map"),
        ("{type: map, keys: integer}", '{"x": 1}', "must be a number"),
        ("{type: map, values: integer}", '{"a": "b"}', "a: b must be a number"),
        ("{type: record, fields: {a: text}}", "{}", "a: a value is needed"),
        ("{type: record, fields: {a: text}}", '{"a": "", "z": 1}', "z is none of a"),
        ("{type: any}", "len", "a function is no value that can be handed on or kept"),
        ("{type: any}", "range(3)", "a range is no value that can be handed on or kept"),
    ],
)
def test_a_type_refuses(spec: str, written: str, why: str) -> None:
    assert why in variable(spec).fails(f'put("game", x={written})')


def test_the_law_sees_entities_as_refs_and_files_keep_ids() -> None:
    played = variable("{type: map, keys: player, values: {type: list, items: player}}")
    played.run('put("game", x={"players/ben": ["players/cy"]})')
    assert played.world.store.value("game", "x") == {"ben": ["cy"]}
    assert played.eval('get("game", "x") == {"players/ben": ["players/cy"]}') is True


def test_keys_that_are_integers_are_texts_in_the_order_of_numbers() -> None:
    played = variable("{type: map, keys: integer, values: text}")
    played.run('put("game", x={"10": "j", "3": "c"})')
    assert list(played["game.x"]) == ["3", "10"]
    played.enact({"rename": {"rule": "own", "to": "Renamed"}})
    assert played["game.x"] == {"3": "c", "10": "j"}


def test_untyped_lists_and_maps_keep_refs_as_they_are_written() -> None:
    played = variable("{type: any}")
    played.run('put("game", x=["players/ben"])')
    assert played.world.store.value("game", "x") == ["players/ben"]


def test_maps_are_sorted_by_key_unless_ordered() -> None:
    played = variable("{type: map}", more="  y: {type: map, ordered: true}")
    played.run('put("game", x={"b": 1, "a": 2}, y={"b": 1, "a": 2})')
    assert list(played["game.x"]) == ["a", "b"]
    assert list(played["game.y"]) == ["b", "a"]


def test_the_law_sees_an_ordered_map_in_its_order() -> None:
    played = variable("{type: map, ordered: true}")
    played.run('put("game", x={"b": 1, "a": 2})')
    assert played.eval('[key for key in get("game", "x")]') == ["b", "a"]


def test_the_law_sees_a_catalogue_in_its_order() -> None:
    played = game("catalogues:\n  gems: {ruby: {}, opal: {}}")
    assert played.eval('[key for key in catalogue("gems")]') == ["ruby", "opal"]


def test_a_text_of_a_player_is_never_decoded() -> None:
    played = variable(
        "{type: text}", "def do_go(actor, x):\n    put('game', x=x)", more="actions:\n  go: {with: {x: text}}"
    )
    played.do("ben", "go", x="\0list[1]")
    assert played.eval('type(get("game", "x"))') == "string"


def test_a_matter_is_a_votable_post() -> None:
    played = variable("{type: matter}")
    played.run('say("note", "", "")')
    played.do("ana", "move")
    assert "no votable matter" in played.fails('put("game", x="posts/1")')
    played.run('put("game", x="posts/2")')
    assert played["game.x"] == "2"


def test_a_deed_is_named_by_its_id() -> None:
    played = variable("{type: deed}")
    played.run("pass")
    played.run('put("game", x="deeds/deed-1")')
    assert played.eval('get(get("game", "x"), "action")') == "actions/bench"


# ---- types named by collections and catalogues


def test_a_collection_is_a_type() -> None:
    played = variable("{type: rooms}", more="collections:\n  rooms: {key: {prefix: r}}")
    played.run('put("game", x=create("rooms"))')
    assert played["game.x"] == "r1"
    assert played.eval('get("game", "x")') == "rooms/r1"
    assert "no r7 among the rooms" in played.fails('put("game", x="rooms/r7")')


def test_a_collection_called_by_a_field_takes_that_field() -> None:
    spec = "collections:\n  rooms: {key: {prefix: r}, called: label, fields: {label: text}}"
    played = variable("{type: rooms}", more=spec)
    played.run('create("rooms", label="Hall"); create("rooms", label="Attic"); create("rooms", label="Hall")')
    played.run('put("game", x="Attic")')
    assert played["game.x"] == "r2"
    assert "several of the rooms are called Hall" in played.fails('put("game", x="Hall")')
    secret = spec.replace("label: text", "label: {type: text, tracked: secret}")
    played = variable("{type: rooms}", more=secret)
    played.run('create("rooms", label="Attic")')
    assert "no Attic among the rooms" in played.fails('put("game", x="Attic")')


def test_a_collection_whose_ids_are_made_of_a_field_takes_that_field() -> None:
    spec = "collections:\n  rats: {key: {slug: name}, fields: {name: text}}"
    played = variable("{type: rats}", more=spec)
    played.run('create("rats", name="Old Rat"); create("rats", name="Rat"); create("rats", name="Rat")')
    for called, id_ in (("Old Rat", "old-rat"), ("rat-2", "rat-2")):
        played.run(f'put("game", x="{called}")')
        assert played["game.x"] == id_
    assert "several of the rats are called Rat" in played.fails('put("game", x="Rat")')


def test_a_catalogue_is_a_type_of_its_keys() -> None:
    played = variable("{type: gems}", more="catalogues:\n  gems: {ruby: {}, opal: {}}")
    played.run('put("game", x="opal")')
    assert "none of the gems: ruby, opal" in played.fails('put("game", x="coal")')


def test_a_set_of_a_catalogue_is_kept_in_its_order() -> None:
    played = variable("{type: set, items: gems}", more="catalogues:\n  gems: {ruby: {}, opal: {}}")
    played.run('put("game", x=["opal", "ruby"])')
    assert played["game.x"] == ["ruby", "opal"]


ORDERS = """
  orders:
    march: {with: {who: player, far: {type: integer, default: 1}}}
    rest: {}
"""


def test_an_entry_is_typed_by_the_row_that_its_action_names() -> None:
    played = variable("{type: entry, catalogue: orders}", more="catalogues:" + ORDERS)
    played.run('put("game", x={"action": "march", "who": "players/ben"})')
    assert played["game.x"] == {"action": "march", "who": "ben", "far": 1}
    assert played.eval('get("game", "x")["who"] == "players/ben"') is True


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('{"action": "march"}', "who: a value is needed"),
        ('{"action": "rest", "who": "players/ben"}', "who is none of"),
        ('{"action": "sing"}', "sing is none of the orders"),
        ('{"who": "players/ben"}', "must be a map with an action"),
    ],
)
def test_an_entry_that_fits_no_row_is_refused(written: str, why: str) -> None:
    played = variable("{type: entry, catalogue: orders}", more="catalogues:" + ORDERS)
    assert why in played.fails(f'put("game", x={written})')


def test_an_entry_reads_as_it_stands_without_its_catalogue() -> None:
    played = variable("{type: entry, catalogue: orders}")
    played.run('put("game", x={"action": "sing", "loud": True})')
    assert played["game.x"] == {"action": "sing", "loud": True}


def test_a_record_kept_under_a_map_is_checked_key_by_key() -> None:
    played = variable("{type: map, values: {type: record, fields: {n: integer}}}")
    assert "a: n: z must be a number" in played.fails('put("game", x={"a": {"n": "z"}})')


def test_a_default_by_function_in_a_record_is_asked_for() -> None:
    played = variable(
        "{type: record, fields: {who: {type: player, default: {by: first}}}}",
        'def first():\n    return "players/cy"',
    )
    played.run('put("game", x={})')
    assert played.world.store.value("game", "x") == {"who": "cy"}


# ---- options


def test_numbers_clamp_where_the_game_says_so() -> None:
    played = variable(
        "{type: integer, max: 5}", more="  y: {type: integer, below_zero: refuse}\nnumbers: clamp"
    )
    played.run('put("game", x=9)')
    assert played["game.x"] == 5
    played.run('put("game", x=-9)')
    assert played["game.x"] == 0
    assert "-1 is below 0" in played.fails('put("game", y=-1)')


def test_one_variable_may_clamp_where_the_game_refuses() -> None:
    played = variable("{type: integer, below_zero: clamp}")
    played.run('put("game", x=-9)')
    assert played["game.x"] == 0


def test_a_parameter_out_of_its_range_is_refused_though_numbers_clamp() -> None:
    played = game(
        "numbers: clamp\nactions:\n  go: {with: {n: {type: integer, max: 3}}}",
        "def do_go(actor, n):\n    pass",
    )
    assert "n: 4 is above 3" in played.refused("ana", "go", n=4)


def test_the_change_set_clamps_too() -> None:
    played = variable("{type: integer, below_zero: clamp}")
    assert played.enact({"set": {"game.x": -4}}) == [""]
    assert played["game.x"] == 0


def test_a_value_takes_its_normal_form() -> None:
    played = variable(
        "{type: text, normal: _lower}",
        "def _lower(value):\n    return value.lower()\ndef do_go(actor, word):\n    put('game', x=word + '!')",
        more="actions:\n  go: {with: {word: {type: text, normal: _lower}}}",
    )
    played.do("ana", "go", word="LOUD")
    assert played["game.x"] == "loud!"


def test_the_law_judges_what_is_legal() -> None:
    played = game(
        "variables:\n  x: {of: player, type: integer, legal: even}",
        'def even(player, value):\n    return "" if value % 2 == 0 else name(player) + " wants an even number"',
    )
    played.run('put("players/ben", x=4)')
    assert "x: ben wants an even number" in played.fails('put("players/ben", x=5)')


def test_a_derived_value_is_computed_and_cannot_be_put() -> None:
    played = game(
        "variables:\n  a: {of: player, type: integer}\n  b: {of: player, type: integer, derived: twice}",
        'def twice(player):\n    return get(player, "a") * 2',
    )
    played.run('put("players/ben", a=4)')
    assert played["players.ben.b"] == 8
    assert "b is derived" in played.fails('put("players/ben", b=4)')
    assert "derived" in played.enact({"set": {"players.ben.b": 4}})[0]
    assert played.eval('find("players", b=8)') == ["players/ben"]


def test_a_derived_value_that_hangs_on_the_time_is_computed_anew() -> None:
    played = variable(
        "{type: boolean, derived: late}", 'def late(ref):\n    return now() > "2021-06-07T01:00:00Z"'
    )
    assert played["game.x"] is False
    assert played.eval('get("game", "x")', after="2h") is True


def test_derived_values_in_a_circle_are_a_defect() -> None:
    played = variable(
        "{type: integer, derived: one}",
        'def one(ref):\n    return get(ref, "y")\ndef two(ref):\n    return get(ref, "x")',
        more="  y: {type: integer, derived: two}",
    )
    assert "x of game is derived from itself" in played.fails('get("game", "x")')


def test_a_derived_value_only_reads() -> None:
    played = variable(
        "{type: integer, derived: bad}", 'def bad(ref):\n    put("game", y=1)', more="  y: {type: integer}"
    )
    assert "only reads" in played.fails('get("game", "x")')


def test_a_default_by_function_is_asked_once_and_stored() -> None:
    played = game(
        "variables:\n  x: {of: player, type: text, default: {by: _start}}\n  n: {of: game, type: integer}",
        'def _start(player):\n    return id(player) + str(get("game", "n"))',
    )
    assert played["players.ben.x"] == "ben0"
    played.run('put("game", n=1)\ncreate("players", "eli")')
    assert played["players.ben.x"] == "ben0"
    assert played["players.eli.x"] == "eli1"


def test_a_default_by_function_of_a_parameter_is_asked_with_nothing() -> None:
    played = game(
        "actions:\n  go: {with: {n: {type: integer, default: {by: five}}}}",
        "def five():\n    return 5\ndef do_go(actor, n):\n    return n",
    )
    assert played.do("ana", "go") == 5
    assert played.do("ana", "go", n=6) == 6


def test_a_new_declaration_gives_defaults_to_those_already_there() -> None:
    played = game()
    declares = {"variables": {"x": {"of": "player", "type": "text", "default": {"by": "start"}}}}
    mechanics = "def start(player):\n    return id(player)"
    assert played.enact(
        {"add-rule": {"title": "X", "text": "X.", "declares": declares, "mechanics": mechanics}}
    ) == [""]
    assert played["players.cy.x"] == "cy"
    assert played.world.store.value("players/cy", "x") == "cy"


def test_transient_values_are_gone_at_the_end_of_the_deed() -> None:
    played = variable("{type: integer, transient: true, default: 7}", more="  y: {type: integer}")
    played.run('put("game", x=9)\nput("game", y=get("game", "x"))')
    assert played["game.y"] == 9
    assert played["game.x"] == 7
    assert "x" not in played.world.store.fields("game")


def test_a_secret_is_refused_where_nothing_can_be_sealed() -> None:
    declares = "variables:\n  x: {of: player, type: integer, tracked: secret}"
    assert game(declares).eval('get("players/ben", "x")') == 0
    open_game = game(declares, secrets=False)
    assert "no keys" in open_game.fails('put("players/ben", x=3)')
    open_game.run('put("players/ben", x=0)')


SECRETIVE = """
variables:
  x: {of: player, type: integer, tracked: secret}
  y: {type: integer}
schedule:
  whisper: {every: day 06:00}
  ring: {every: day 07:00}
"""
WHISPER = """
def schedule_whisper():
    put("game", y=100)
    put("players/ben", x=3)
def schedule_ring():
    put("game", y=get("game", "y") + 1)
"""


@pytest.mark.slow
def test_a_due_event_that_cannot_keep_its_secret_is_skipped_alone() -> None:
    played = game(SECRETIVE, WHISPER, secrets=False)
    played.run("pass", after="2d")
    assert played["game.y"] == 2
    assert len(played.notes) == 2
    assert all("whisper" in note and "no keys" in note for note in played.notes)


def test_a_due_event_that_only_tells_is_skipped_alone() -> None:
    played = game(
        SECRETIVE, WHISPER.replace('put("players/ben", x=3)', 'tell("players/ben", "psst")'), secrets=False
    )
    played.run("pass", after="1d")
    assert played["game.y"] == 1
    assert played.told == []


def test_a_change_that_would_keep_a_secret_is_skipped_alone() -> None:
    played = game(SECRETIVE, WHISPER, secrets=False)
    why = played.enact({"set": {"players.ben.x": 3}}, {"set": {"game.y": 5}})
    assert ["no keys" in reason for reason in why] == [True, False]
    assert played["game.y"] == 5
    assert "x" not in (played.world.store.fields("players/ben") or {})


def test_a_secret_that_goes_with_the_deed_is_no_bar_to_a_change() -> None:
    declares = "variables:\n  x: {of: player, type: integer, tracked: secret, transient: true}"
    assert game(declares, secrets=False).enact({"set": {"players.ben.x": 3}}) == [""]


def test_what_a_declaration_says_beyond_its_options_is_read_by_the_law() -> None:
    played = game("variables:\n  x: {of: player, type: integer, stat: false, by_hand: true, permanent: true}")
    assert played.eval('[get("variables/x", "stat"), get("variables/x", "by_hand"), get("variables/x", "of")]') == [
        False, True, "player",
    ]  # fmt: skip
    assert played.eval('find("variables", of="player", permanent=True)') == ["variables/x"]


# ---- what becomes illegal


def narrowed(spec: str, path: str, value: Any, code: str = "", laid: str = "") -> Any:
    played = game(f"variables:\n  x: {spec}", code)
    played.run(laid)
    assert played.enact(
        {"amend": {"rule": "own", "in": "declarations", "set": {f"variables.x.{path}": value}}}
    ) == [""]
    return played["game.x"]


def test_a_narrowed_range_gives_the_default() -> None:
    assert narrowed("{type: integer, max: 9, default: 1}", "max", 5, laid='put("game", x=8)') == 1


def test_a_narrowed_range_leaves_what_is_still_legal() -> None:
    assert narrowed("{type: integer, max: 9, default: 1}", "max", 5, laid='put("game", x=4)') == 4


def test_an_illegal_value_becomes_what_invalid_says() -> None:
    code = "def capped(ref, value):\n    return 5"
    assert narrowed("{type: integer, max: 9, invalid: capped}", "max", 5, code, 'put("game", x=8)') == 5


def test_an_illegal_value_given_back_by_invalid_stays() -> None:
    code = "def kept(ref, value):\n    return value"
    assert narrowed("{type: integer, max: 9, invalid: kept}", "max", 5, code, 'put("game", x=8)') == 8


def test_an_illegal_element_leaves_its_list() -> None:
    spec = "{type: list, items: {type: choice, choices: [a, b, c]}}"
    assert narrowed(spec, "items.choices", ["a", "c"], laid='put("game", x=["a", "b", "c"])') == ["a", "c"]


def test_an_illegal_value_leaves_its_map() -> None:
    spec = "{type: map, values: {type: choice, choices: [a, b]}}"
    assert narrowed(spec, "values.choices", ["a"], laid='put("game", x={"k": "a", "l": "b"})') == {"k": "a"}


def test_an_illegal_element_leaves_the_list_in_a_map() -> None:
    spec = "{type: map, values: {type: list, items: [a, b]}}"
    assert narrowed(spec, "values.items", ["a"], laid='put("game", x={"k": ["a", "b"], "l": ["a"]})') == {
        "k": ["a"], "l": ["a"],
    }  # fmt: skip


def test_a_list_too_long_by_now_keeps_its_beginning() -> None:
    assert narrowed("{type: list, max: 3}", "max", 2, laid='put("game", x=[1, 2, 3])') == [1, 2]


@pytest.mark.parametrize(
    ("spec", "written", "left"),
    [
        ("{type: player}", '"players/ben"', None),
        ("{type: list, items: player}", '["players/ben", "players/cy"]', ["cy"]),
        ("{type: map, keys: player}", '{"players/ben": 1, "players/cy": 2}', {"cy": 2}),
        ("{type: map, values: player}", '{"a": "players/ben", "b": "players/cy"}', {"b": "cy"}),
        ("{type: player, invalid: kept}", '"players/ben"', "ben"),
    ],
)
def test_who_named_a_leaver_is_healed_in_the_same_unit(spec: str, written: str, left: Any) -> None:
    played = game(f"variables:\n  x: {spec}", "def kept(ref, value):\n    return value")
    played.run(f'put("game", x={written})')
    played.run('destroy("players/ben")')
    assert played["game.x"] == left


def test_who_named_a_post_that_is_gone_is_healed() -> None:
    played = variable("{type: list, items: post}")
    played.run('say("note", "", ""); say("note", "", ""); put("game", x=["posts/1", "posts/2"])')
    played.run('destroy("posts/1")')
    assert played["game.x"] == ["2"]


def test_an_idle_value_kept_by_invalid_is_a_ref_that_does_not_exist() -> None:
    played = game("variables:\n  x: {type: player, invalid: kept}", "def kept(ref, value):\n    return value")
    played.run('put("game", x="players/ben"); destroy("players/ben")')
    assert played.eval('exists(get("game", "x"))') is False


def test_a_permanent_variable_outlives_a_reset() -> None:
    played = game(
        "variables:\n  x: {of: player, type: integer}\n  y: {of: player, type: integer, permanent: true}"
    )
    played.run('put("players/ben", x=3, y=4)')
    assert sorted(played.eval('reset("players/ben")')) == ["x"]
    assert (played["players.ben.x"], played["players.ben.y"]) == (0, 4)


def test_reset_of_what_is_illegal_alone() -> None:
    played = game(
        "variables:\n  x: {of: player, type: integer, legal: few}\n  y: {of: player, type: integer}\n  n: {type: integer, default: 9}",
        'def few(player, value):\n    return "too many" if value > get("game", "n") else ""',
    )
    played.run('put("players/ben", x=8, y=8)\nput("game", n=5)')
    assert played.eval('reset("players/ben", only="illegal")') == ["x"]
    assert (played["players.ben.x"], played["players.ben.y"]) == (0, 8)


def test_the_plural_form_of_a_second_rule_is_no_type() -> None:
    files = {"20-more.md": rule("collections:\n  rooms: {key: {prefix: r}}", title="More")}
    played = game("variables:\n  x: {type: room}", files=files)
    played.run('put("game", x="anything")')
    assert played["game.x"] == "anything"
