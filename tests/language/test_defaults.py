"""A default that is amended changes nothing that exists; what exists later has the new one."""

from __future__ import annotations

from typing import Any

import pytest

from language.tiny import Game, game
from nomicgit.law.variables import MISSING

BARN = """
variables:
  hay: {of: game, type: integer, default: 2}
  oats: {of: player, type: integer, default: 2}
  mark: {of: post, type: integer, default: 2}
  stamp: {of: matter, type: integer, default: 2}
  hidden: {of: player, type: integer, default: 2, tracked: secret}
collections:
  pigs: {key: {prefix: p}, fields: {fat: {type: integer, default: 2}}}
  cells:
    key: {columns: [A], rows: [1, 2, 3]}
    all: true
    founding: {A3: {fat: 7}}
    fields: {fat: {type: integer, default: 2}}
"""
PATHS = (
    "game.hay",
    "players.ben.oats",
    "players.ben.hidden",
    "pigs.p1.fat",
    "cells.A1.fat",
    "cells.A2.fat",
    "cells.A3.fat",
)


def barn(*, secrets: bool = True) -> Game:
    played = game(BARN, secrets=secrets)
    played.run(
        'create("pigs")\nput("cells/A1", fat=3)\nput("cells/A1", fat=2)\nsay("note", "One", "")\nsay("motion", "Two", "")'
    )
    return played


def amended(played: Game, **paths: Any) -> list[str]:
    """Amend what the barn declares; a path has two underscores where others have a dot."""
    changes = {name.replace("__", "."): value for name, value in paths.items()}
    return played.enact({"amend": {"rule": "own", "in": "declarations", "set": changes}})


def all_to(played: Game, value: int) -> list[str]:
    names = ("hay", "oats", "mark", "stamp", "hidden")
    return amended(
        played,
        **{f"variables__{name}__default": value for name in names},
        **{f"collections__{kind}__fields__fat__default": value for kind in ("pigs", "cells")},
    )


@pytest.mark.parametrize("secrets", [True, False])
def test_whatever_exists_keeps_its_value(secrets: bool) -> None:
    played = barn(secrets=secrets)
    before = [played[path] for path in PATHS]
    posts = played.eval('[get(post, "mark") for post in find("posts")]')
    assert before == [2, 2, 2, 2, 2, 2, 7]
    assert all_to(played, 5) == [""]
    assert [played[path] for path in PATHS] == before
    assert played.eval('[get(post, "mark") for post in find("posts")]') == [*posts, 2]
    assert played.eval('get("posts/2", "stamp")') == 2


@pytest.mark.parametrize(
    ("more", "told"), [([], []), ([{"set": {"cells.A2.fat": 5}}], [("cells.A2.fat", 2, 5)])]
)
def test_what_becomes_of_cells_is_told_from_what_they_had(more: list[Any], told: list[Any]) -> None:
    """A cell for which nothing was stored takes its value down, which is no change."""
    played = barn()
    five = {"collections.cells.fields.fat.default": 5}
    assert not any(played.enact({"amend": {"rule": "own", "in": "declarations", "set": five}}, *more))
    assert played.last is not None
    changes = [(each["path"], each["old"], each["new"]) for each in played.last.effects]
    assert [each for each in changes if each[0].startswith("cells.")] == told


@pytest.mark.parametrize("secrets", [True, False])
def test_what_exists_later_has_the_new_default(secrets: bool) -> None:
    played = barn(secrets=secrets)
    all_to(played, 5)
    played.run('create("pigs")\ncreate("players", "zed")')
    later = played.eval('say("motion", "Later", "")')
    assert played.eval(f'[get("{later}", "mark"), get("{later}", "stamp")]') == [5, 5]
    assert [played[path] for path in ("pigs.p2.fat", "players.zed.oats", "players.zed.hidden")] == [5, 5, 5]


def test_a_cell_that_comes_later_has_the_new_default() -> None:
    played = barn()
    all_to(played, 5)
    amended(played, collections__cells__key={"columns": ["A"], "rows": [1, 2, 3, 4]})
    assert [played[f"cells.A{row}.fat"] for row in (1, 2, 3, 4)] == [2, 2, 7, 5]


def test_what_was_laid_at_the_founding_stays() -> None:
    played = barn()
    amended(played, collections__cells__founding={"A2": {"fat": 9}})
    assert [played[f"cells.A{row}.fat"] for row in (1, 2, 3)] == [2, 2, 7]


def test_each_of_several_amendments_holds_from_then_on() -> None:
    played = barn()
    for value in (5, 8, 2):
        all_to(played, value)
        played.run('say("note", "Later", "")')
    marks = played.eval('[get(post, "mark") for post in find("posts", kind="note")]')
    assert marks == [2, 5, 8, 2]


def test_a_reset_gives_the_default_of_now() -> None:
    played = barn()
    all_to(played, 5)
    played.run('reset("posts/1")\nreset("players/ben")')
    assert played.eval('get("posts/1", "mark")') == 5
    assert played["players.ben.oats"] == 5


def test_a_former_default_that_is_illegal_now_is_put_right() -> None:
    played = barn()
    amended(played, variables__mark={"of": "post", "type": "integer", "default": 5, "min": 4})
    assert played.eval('get("posts/1", "mark")') == 5


def test_nothing_is_kept_of_a_variable_that_is_gone() -> None:
    played = barn()
    all_to(played, 5)
    assert played.enact({"repeal": "own"}) == [""]
    assert played.position.store.value("open", "defaults") is MISSING
