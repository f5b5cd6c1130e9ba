"""Collections and catalogues: keys of every form, founding, additions, merging."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import Game, game, problems, rule
from nomicgit.ground.problems import Refused


def collection(spec: str, more: str = "", code: str = "", **founding: Any) -> Game:
    return game(f"collections:\n  rooms:\n    {spec}\n{more}", code, **founding)


# ---- keys


def test_a_key_given_by_a_field() -> None:
    played = collection("{key: label, fields: {label: text, size: integer}}")
    assert played.eval('create("rooms", label="Hall", size=3)') == "rooms/Hall"
    assert played["rooms.Hall.size"] == 3


def test_a_key_given_beside_the_fields() -> None:
    played = collection("{key: label, fields: {label: text}}")
    assert played.eval('create("rooms", "Attic")') == "rooms/Attic"


def test_a_key_that_is_taken_is_refused() -> None:
    played = collection("{key: label, fields: {label: text}}")
    assert "there is a Hall among the rooms already" in played.fails(
        'create("rooms", label="Hall"); create("rooms", label="Hall")'
    )


@pytest.mark.parametrize("name", ["", "a/b", "-a", "a\\nb", "x" * 81])
def test_an_id_must_be_fit_for_a_file(name: str) -> None:
    assert "cannot name one of the rooms" in collection("{key: label, fields: {label: text}}").fails(
        f'create("rooms", label="{name}")'
    )


def test_a_prefix_counts_up_from_the_highest_ever_used() -> None:
    played = collection("{key: {prefix: r}}")
    played.run('create("rooms"); create("rooms"); destroy("rooms/r2")')
    assert played.eval('create("rooms")') == "rooms/r3"


def test_a_prefix_goes_on_after_what_was_given_by_hand() -> None:
    played = collection("{key: {prefix: r}}")
    played.run('create("rooms", "r7")')
    assert played.eval('create("rooms")') == "rooms/r8"


def test_a_slug_is_made_of_a_field_and_kept_apart() -> None:
    played = collection("{key: {slug: label}, fields: {label: text}}")
    assert played.eval('[create("rooms", label="The Hall!"), create("rooms", label="the hall")]') == [
        "rooms/the-hall", "rooms/the-hall-2",
    ]  # fmt: skip


FAVOURS = "{key: {of: [holder, lender]}, fields: {holder: player, lender: player, n: integer}}"


def test_a_key_of_fields_joins_them() -> None:
    played = collection(FAVOURS)
    assert played.eval('create("rooms", holder="players/ben", lender="players/cy")') == "rooms/ben-cy"


def test_a_key_of_fields_is_found_under_the_names_of_before_and_after_a_rename() -> None:
    played = collection(FAVOURS, more="variables:\n  x: {of: player, type: list, items: player}\n")
    played.run('create("rooms", holder="players/ben", lender="players/cy", n=2)')
    assert played.enact({"rename-player": {"from": "ben", "to": "Benny"}}) == [""]
    assert played.ids("rooms") == ["ben-cy"]
    assert played["rooms.Benny-cy.holder"] == "Benny"
    assert played["rooms.Benny-cy.n"] == played["rooms.ben-cy.n"] == 2
    assert played.enact({"set": {"rooms.benny-cy.n": 3, "rooms.dee-benny.n": 4}}) == [""]
    assert (played["rooms.Benny-cy.n"], played.ids("rooms")) == (3, ["ben-cy", "dee-ben"])


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("{columns: [A, B], rows: [1, 2]}", ["A1", "B1", "A2", "B2"]),
        ("{rows: [A, B], columns: [1, 2]}", ["A1", "A2", "B1", "B2"]),
    ],
)
def test_a_grid_has_every_key_row_by_row(key: str, ids: list[str]) -> None:
    played = collection(f"{{key: {key}, all: true, fields: {{deep: integer}}}}")
    assert played.eval('find("rooms")') == [f"rooms/{i}" for i in ids]
    assert played.eval('[exists("rooms/A1"), exists("rooms/C1")]') == [True, False]


GRID = "{key: {columns: [A, B], rows: [1, 2]}, all: true, fields: {deep: {type: integer, default: 4}}, founding: {B1: {deep: 9}}}"


def test_nothing_is_added_to_a_grid_or_taken_out() -> None:
    played = collection(GRID)
    assert "nothing is added to rooms" in played.fails('create("rooms", "C1")')
    assert "nothing is taken out of rooms" in played.fails('destroy("rooms/A1")')


def test_cells_that_nobody_touched_are_not_stored() -> None:
    played = collection(GRID)
    assert played.world.store.ids("rooms") == []
    assert (played["rooms.A1.deep"], played["rooms.B1.deep"]) == (4, 9)
    played.run('put("rooms/B2", deep=1)\nput("rooms/A1", deep=4)')
    assert played.world.store.ids("rooms") == ["B2"]


def test_a_cell_that_was_touched_goes_on_in_its_place() -> None:
    played = collection(GRID)
    played.run('put("rooms/B2", deep=1)\nput("rooms/A1", deep=3)')
    assert played.eval('find("rooms")') == ["rooms/A1", "rooms/B1", "rooms/A2", "rooms/B2"]


FROM = "{from: beasts, fields: {strength: integer, alive: {type: boolean, default: true}, food: meals}}"
BEASTS = """
catalogues:
  beasts: {Owl: {strength: 2, food: mice}, Bear: {strength: 9, food: honey}}
  meals: {mice: {}, honey: {}}
"""


def test_a_collection_may_be_the_keys_of_a_catalogue() -> None:
    played = collection(FROM, BEASTS)
    assert played.eval('find("rooms")') == ["rooms/Owl", "rooms/Bear"]
    assert played.eval('[get("rooms/Bear", "strength"), get("rooms/Bear", "alive")]') == [9, True]
    assert played.eval('find("rooms", strength=2)') == ["rooms/Owl"]


def test_what_a_catalogue_holds_of_an_entity_cannot_be_put() -> None:
    played = collection(FROM, BEASTS)
    played.run('put("rooms/Bear", alive=False)')
    assert played["rooms.Bear.alive"] is False
    assert "strength" in played.fails('put("rooms/Bear", strength=1)')
    assert played["rooms.Bear.strength"] == 9


def test_what_a_catalogue_holds_follows_its_amendment() -> None:
    played = collection(FROM, BEASTS)
    path = "catalogues.beasts.Bear.strength"
    assert played.enact({"amend": {"rule": "own", "in": "declarations", "set": {path: 10}}}) == [""]
    assert played["rooms.Bear.strength"] == 10


def test_entities_come_in_the_order_of_making() -> None:
    played = collection("{key: label, fields: {label: text}}")
    played.run(
        'create("rooms", "z"); create("rooms", "a"); create("rooms", "m"); destroy("rooms/z"); create("rooms", "z")'
    )
    assert played.eval('[id(room) for room in find("rooms")]') == ["a", "m", "z"]


# ---- founding, fields, additions


def test_founding_entities_are_there_from_the_start() -> None:
    played = collection(
        "{key: {prefix: r}, fields: {size: integer, owner: player}, founding: {r1: {size: 3, owner: ben}, r2: {}}}"
    )
    assert played.ids("rooms") == ["r1", "r2"]
    assert (played["rooms.r1.size"], played["rooms.r1.owner"]) == (3, "ben")
    assert played.eval('create("rooms")') == "rooms/r3"


NEIGHBOURS = """collections:
  rooms:
    key: {prefix: r}
    fields: {next: {type: list, items: rooms}, of: houses}
    founding: {r1: {next: [r2], of: mill}, r2: {next: [r1]}}
  houses: {key: name, fields: {name: text, best: rooms}, founding: {mill: {best: r2}}}
"""


def test_founding_entities_may_name_one_another() -> None:
    played = game(NEIGHBOURS)
    assert (played["rooms.r1.next"], played["rooms.r2.next"]) == (["r2"], ["r1"])
    assert (played["rooms.r1.of"], played["houses.mill.best"]) == ("mill", "r2")


def test_a_founding_entity_that_cannot_be_is_told_where_it_stands() -> None:
    text = NEIGHBOURS.replace("next: [r1]", "next: [r9]")
    with pytest.raises(Refused) as refusal:
        game(text)
    [problem] = refusal.value.problems
    assert problem.what == "next: there is no r9 among the rooms"
    file, line = problem.where.file, problem.where.line
    assert file
    assert "r2: {next: [r9]}" in rule(text, title="Own").split("\n")[line - 1]


@pytest.mark.slow
def test_the_founding_entities_of_a_rule_enacted_later_are_made() -> None:
    played = game()
    rooms = {
        "key": {"prefix": "r"},
        "fields": {"n": "integer", "next": "rooms"},
        "founding": {"r1": {"n": 3, "next": "r2"}, "r2": {"next": "r1"}},
    }
    change = {"add-rule": {"title": "R", "text": "R.", "declares": {"collections": {"rooms": rooms}}}}
    assert played.enact(change) == [""]
    assert (played["rooms.r1.n"], played["rooms.r1.next"], played["rooms.r2.next"]) == (3, "r2", "r1")


def test_a_field_that_nobody_declares_is_refused() -> None:
    assert "declares colour of rooms" in collection("{key: {prefix: r}}").fails(
        'create("rooms", colour="red")'
    )


def test_a_field_of_the_wrong_type_is_refused_at_making() -> None:
    assert "size: big must be a number" in collection("{key: {prefix: r}, fields: {size: integer}}").fails(
        'create("rooms", size="big")'
    )


def test_fields_take_the_options_of_variables() -> None:
    played = collection("{key: {prefix: r}, fields: {n: {type: integer, max: 3, default: 2}}}")
    played.run('create("rooms")')
    assert played["rooms.r1.n"] == 2
    assert "above 3" in played.fails('put("rooms/r1", n=4)')


MORE = rule("collections:\n  rooms: {fields: {colour: {type: text, default: grey}}}", title="Colours")


def test_a_second_declaration_adds_fields() -> None:
    played = collection(
        "{key: {prefix: r}, fields: {n: integer}, founding: {r1: {}}}", files={"50-colours.md": MORE}
    )
    assert played["rooms.r1.colour"] == "grey"
    assert played.eval('create("rooms", colour="red")') == "rooms/r2"


def test_added_fields_go_with_their_rule() -> None:
    played = collection("{key: {prefix: r}, founding: {r1: {}}}", files={"50-colours.md": MORE})
    assert played.enact({"repeal": "Colours"}) == [""]
    assert played.eval('get("rooms/r1", "colour", "none")') == "none"
    assert "colour" not in (played.world.store.fields("rooms/r1") or {})


def test_fields_added_to_a_collection_not_in_force_rest() -> None:
    played = game(files={"50-colours.md": MORE})
    assert played.eval('known("rooms")') is False


def test_a_collection_goes_with_its_rule() -> None:
    played = collection("{key: {prefix: r}, founding: {r1: {}}}")
    assert played.enact({"repeal": "Own"}) == [""]
    assert played.ids("rooms") == []
    assert played.eval('exists("rooms/r1")') is False


def test_a_collection_of_an_inactive_rule_is_kept() -> None:
    text = rule("collections:\n  rooms: {key: {prefix: r}, fields: {n: integer}}", title="Rooms")
    played = game(files={"3-special-case/10-rooms.md": text})
    played.run('create("rooms", n=5)')
    assert played.enact({"status": {"Rooms": "inactive"}}) == [""]
    assert played.eval('get("rooms/r1", "n", "gone")') == "gone"
    assert played.enact({"status": {"Rooms": "active"}}) == [""]
    assert played["rooms.r1.n"] == 5


def test_the_label_and_other_attributes_are_read_by_the_law() -> None:
    assert collection("{key: {prefix: r}, label: room}").eval('get("collections/rooms", "label")') == "room"


# ---- catalogues


def test_catalogues_merge_by_entry() -> None:
    files = {"50-more.md": rule("catalogues:\n  gems: {opal: {price: 2}}", title="More")}
    played = game("catalogues:\n  gems: {ruby: {price: 5}}", files=files)
    assert played.eval('catalogue("gems")') == {"ruby": {"price": 5}, "opal": {"price": 2}}


def test_the_same_entry_twice_is_an_error() -> None:
    files = {"50-more.md": rule("catalogues:\n  gems: {ruby: {price: 2}}", title="More")}
    assert "ruby is declared twice" in problems("catalogues:\n  gems: {ruby: {price: 5}}", files=files)


def test_an_entry_that_is_overridden_is_replaced() -> None:
    files = {"50-more.md": rule("catalogues:\n  gems: {ruby: {price: 2}}\noverrides: [ruby]", title="More")}
    played = game("catalogues:\n  gems: {ruby: {price: 5}}", files=files)
    assert played.eval('catalogue("gems")["ruby"]["price"]') == 2


def test_entries_may_be_lists() -> None:
    played = game("catalogues:\n  words: {fruit: [apple, fig], colours: [red]}")
    assert played.eval('catalogue("words")["fruit"][1]') == "fig"


def test_what_a_catalogue_gives_is_a_copy() -> None:
    played = game("catalogues:\n  gems: {ruby: {price: 5}}")
    played.run('catalogue("gems")["ruby"]["price"] = 9')
    assert played.eval('catalogue("gems")["ruby"]["price"]') == 5


def test_a_catalogue_that_nobody_declares_is_a_defect() -> None:
    assert "declares a catalogue gems" in game().fails('catalogue("gems")')


def test_a_catalogue_may_not_be_named_like_a_type() -> None:
    assert "text" in problems("catalogues:\n  text: {a: {}}")


def test_a_collection_may_not_be_named_like_a_type() -> None:
    assert "player" in problems("collections:\n  player: {key: {prefix: p}}")
    assert "posts" in problems("collections:\n  posts: {key: {prefix: p}}")


@pytest.mark.parametrize(
    "spec", ["{key: {of: 3}}", "{key: {nonsense: a}}", "{key: 3}", "{key: {columns: [A]}}"]
)
def test_a_key_of_no_form_is_an_error(spec: str) -> None:
    assert "collections.rooms.key" in problems(f"collections:\n  rooms: {spec}")
