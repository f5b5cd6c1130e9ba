"""Names that cannot be recorded: refused where they are written, in their unit, whatever door they come through.

What a game holds afterwards is asked of Git itself: every path must be one that all systems can keep, and no two differ in
capitals only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small, small_law
from support.depth import is_deep

from nomicgit.ground.problems import NomicError
from nomicgit.law.variables import MISSING

HOSTILE = (
    "", ".", "..", "...", "../x", "a/b", "/", "\\", "a\\b", ".git", ".gitmodules", "a\nb", "a\tb", "\x00", "\x1b[2J", "a\u202eb",
    " a", "a ", "con", "NUL", "com1.txt", "Lpt9", "x" * 81, "x" * 5000, "é", "e\u0301", "雪", "a:b", "a*b", 'a"b', "-", "--help", "~",
    "Ab", "aB", "ab", "AB", "Con.x", "null", "1", "-1", "a.", "posts", "game", "__proto__", "\ud800",
)  # fmt: skip
TWINS = ("Ab", "aB")
DOORS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "an entity of a program": lambda n: {"run": f"create('things', {json.dumps(n)})"},
    "an entity by its field": lambda n: {"run": f"create('things', n={json.dumps(n)})"},
    "an entity by a path": lambda n: {"set": {f"things.{json.dumps(n, ensure_ascii=False)}": {"light": 1}}},
    "a path": lambda n: {"set": {n: 1}},
    "a field by a path": lambda n: {"set": {f"players.ana.{json.dumps(n, ensure_ascii=False)}": 1}},
    "a key of a map": lambda n: {"set": {f"game.stock.{json.dumps(n, ensure_ascii=False)}": 1}},
    "a player": lambda n: {"run": f"create('players', {json.dumps(n)})"},
    "a new name of a player": lambda n: {"rename-player": {"from": "ana", "to": n}},
    "a rule": lambda n: {"add-rule": {"title": n, "text": "It is so."}},
    "a slug of a rule": lambda n: {"add-rule": {"title": "Hope", "slug": n, "text": "It is so."}},
    "a rule of a section": lambda n: {"add-rule": {"title": "Hope", "section": n, "text": "It is so."}},
    "a collection": lambda n: _declares({"collections": {n: {"key": "n", "fields": {"n": "text"}, "founding": {"x": {}}}}}),
    "a founding entity": lambda n: _declares({"collections": {"pots": {"key": "n", "fields": {"n": "text"}, "founding": {n: {}}}}}),
    "a grid": lambda n: _declares({"collections": {"cells": {"key": {"columns": [n], "rows": [""]}, "all": True}}}),
    "a field": lambda n: _declares({"collections": {"pots": {"key": "k", "fields": {"k": "text", n: "integer"}, "founding": {"x": {}}}}}),
    "a variable": lambda n: _declares({"variables": {n: {"of": "player", "type": "integer"}}}),
    "an action": lambda n: _declares({"actions": {n: {}}}),
    "a limit": lambda n: _declares({"limits": {n: {"per": "day"}}}),
    "a kind of post": lambda n: _declares({"posts": {n: {"votable": True}}}),
    "a scenario": lambda n: {"scenario": {"name": n, "text": "name: x\nsteps: []\n"}},
    "a post": lambda n: {"run": f"say('story', {json.dumps(n)}, 'It was night.')"},
    "a kind of a post": lambda n: {"run": f"say({json.dumps(n)}, 'T', 'It was night.')"},
    "who is barred": lambda n: {"bar": n},
    "a form of change": lambda n: {n: {}},
}  # fmt: skip
THINGS = """\
---
title: Things
collections:
  things: {key: n, fields: {n: text, light: integer}}
variables:
  stock: {type: map, keys: text, values: integer}
---
There are things.
"""
DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def _declares(declares: dict[str, Any]) -> dict[str, Any]:
    return {"add-rule": {"title": "More", "text": "There is more.", "declares": declares}}


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game", small_law({"2-dynastic/90-things.md": THINGS}))


def plays_on(small: Small) -> None:
    """The game holds nothing that a system cannot keep, goes on, and is verified."""
    assert small.git("status", "--porcelain") == ""
    paths = small.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")[:-1]
    for path in paths:
        for part in path.split("/"):
            assert re.fullmatch(r"[A-Za-z0-9._-]{1,255}", part, re.ASCII), path
            assert not DEVICE.fullmatch(part), path
    assert len({path.lower() for path in paths}) == len(paths)
    small.do("eli", "earn", n=1)
    assert small.faults() == {}


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_a_name_comes_in_or_its_change_is_skipped_and_the_rest_is_done(
    small: Small, door: str, request: pytest.FixtureRequest
) -> None:
    """Hostile names at one door, one after the other: so twins meet, too. Of the others one of six, which are others at each
    door; in the deep profile all.
    """
    number = list(DOORS).index(door)
    others = [name for name in HOSTILE if name not in TWINS][number % 6 :: 6]
    for count, name in enumerate(HOSTILE if is_deep(request.config) else (*others, *TWINS), 1):
        try:
            done = small.do(
                "cy", "propose", title="A change", changes=[DOORS[door](name), {"uphold": "the rest"}]
            )
        except NomicError:
            continue  # refused where it is written, by whoever writes it
        for voter in ("cy", "dee"):
            small.do(voter, "vote", matter=done.outcome.result, icon="for")
        notes = small.do("ben", "resolve", matter=done.outcome.result).outcome.notes
        assert "Upheld: the rest" in notes, (count, name, notes)
    plays_on(small)


@pytest.mark.parametrize(
    "name", ["../../game.yml", "..", "things.../x", "", "a..b", '"', "game", "posts.1", "things.ab.cd.ef"]
)
def test_a_path_that_is_none_is_skipped_and_told(small: Small, name: str) -> None:
    try:
        notes = small.enact({"set": {name: 1}}, {"set": {"players.cy.gold": 50}}).outcome.notes
    except NomicError:
        assert small.value("posts/1 title") is MISSING  # refused where it is proposed
    else:
        assert any(note.startswith("Skipped: ") for note in notes), notes
        assert small.value("players/cy gold") == 50
    plays_on(small)


def test_an_event_that_makes_twins_is_skipped_and_the_game_goes_on(tmp_path: Path) -> None:
    """Without a check in the event's own unit every later deed would fail where it is recorded."""
    code = "schedule: {twins: {every: day 12:00}}\n---\nTwins.\n\n```starlark\n"
    code += 'def schedule_twins():\n    create("things", "ab")\n    create("things", "Ab")\n```\n'
    more = {"2-dynastic/90-things.md": THINGS, "2-dynastic/95-twins.md": f"---\ntitle: Twins\n{code}"}
    small = Small.found(tmp_path / "game", small_law(more))
    notes = small.do("cy", "earn", n=1, after=86_400).outcome.notes
    assert any("did not happen" in note and "differ in capitals only" in note for note in notes), notes
    assert small.ids("things") == []
    plays_on(small)


def test_players_join_under_names_that_all_systems_keep(small: Small) -> None:
    for name in (*HOSTILE, "ANA", "Ben"):
        try:
            small.do(name, "join")
        except NomicError:
            continue
    plays_on(small)
    assert set(small.ids("players")) & {"con", "NUL", "Lpt9", "ANA", "Ben"} == set()
    assert len({name.lower() for name in small.ids("players")}) == len(small.ids("players"))


KEPT = (
    ("player", "forge"), ("player", "admin"), ("player", "idle"), ("player", "name"), ("player", "uses"), ("player", "made"),
    ("post", "status"), ("matter", "status"), ("post", "forge"), ("matter", "votable"), ("matter", "hash"), ("post", "author"),
    ("game", "uses"), ("game", "barred"), ("dynasty", "emperor"), ("open", "clocks"), ("used", "names"), ("settings", "name"),
    ("players", "gold"), ("rules", "title"),
)  # fmt: skip


@pytest.mark.parametrize(("of", "name"), KEPT)
def test_no_law_declares_what_the_program_keeps(small: Small, of: str, name: str) -> None:
    variable = {"of": of, "type": "any", "default": None, "by_hand": True}
    notes = small.enact(_declares({"variables": {name: variable}})).outcome.notes
    assert any(note.startswith("Skipped: ") and name in note for note in notes), notes
    plays_on(small)


def test_nobody_is_given_the_account_of_another(small: Small) -> None:
    small.enact(
        _declares({"variables": {"forge": {"of": "player", "type": "any", "default": None, "by_hand": True}}})
    )
    with pytest.raises(NomicError, match="forge"):
        small.do("cy", "set", path="players.ana.forge", value={"github": 666, "login": "mallory"})
    plays_on(small)
