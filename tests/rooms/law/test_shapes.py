"""The shape of changes, and the rules that they name."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgit.law.shapes import malformed, named, resolved


def test_the_names_that_a_change_writes() -> None:
    change = {
        "together": [
            {"move": {"rule": "Votes", "under": None, "after": "2.1"}},
            {"repeal": "Gear"},
            {"status": {"Favours": "active"}},
            {"amend": {"rule": "Votes", "add": "X.", "after": "Gear"}},
        ]
    }
    assert named(change) == ["Votes", "2.1", "Gear", "Favours"]


def test_names_become_slugs_and_quotes_stay() -> None:
    change = {"amend": {"rule": "Votes", "add": "X.", "after": "Votes"}}
    assert resolved(change, str.lower) == {"amend": {"rule": "votes", "add": "X.", "after": "Votes"}}
    assert resolved({"together": [{"repeal": "Votes"}]}, str.lower) == {"together": [{"repeal": "votes"}]}
    assert resolved({"status": {"Votes": "active"}}, str.lower) == {"status": {"votes": "active"}}


@pytest.mark.parametrize(
    "change",
    [
        {"add-rule": {"title": "X", "text": "x"}},
        {"set": {"players.cy.puissance": 3}},
        {"player": {"name": "cy", "admin": True}},
        {"rename-player": {"from": "cy", "to": "dee"}},
        {"bar": "cy"},
        {"scenario": {"name": "x", "text": None}},
        {"uphold": "It stands."},
        {"undo": "d1"},
        {"run": "put('game', x=1)"},
        {"together": [{"repeal": "X"}, {"together": [{"bar": "cy"}]}]},
        {"terms": {"player": "Elf", "emperor": "King"}},
    ],
)
def test_well_formed_changes(change: dict[str, Any]) -> None:
    assert malformed(change) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("repeal", "a change is a mapping with one key"),
        ({"repeal": "X", "bar": "y"}, "a change is a mapping with one key"),
        ({"explode": 1}, "explode is no form of change"),
        ({"repeal": " "}, "repeal: it must be a text that is not blank"),
        ({"add-rule": {"title": "X", "colour": "red"}}, "add-rule: has no key colour"),
        ({"rename": {"rule": "X"}}, "rename: lacks `to`"),
        ({"move": {"rule": "X"}}, "move: needs one of section, under, after, before"),
        ({"amend": {"rule": "X"}}, "amend: in prose needs one of replace, remove, add, move, text"),
        ({"amend": {"rule": "X", "in": "attic", "text": ""}}, "amend: `in` must be prose"),
        ({"amend": {"rule": "X", "replace": "a"}}, "amend: lacks `with`"),
        ({"amend": {"rule": "X", "move": "a"}}, "amend: needs one of after, before, below, above"),
        ({"amend": {"rule": "X", "in": "mechanics", "set": {"f": 1}}}, "amend: `set` must be a mapping"),
        ({"amend": {"rule": "X", "in": "declarations", "set": {"limits..x": 1}}}, "amend: `set` must be a mapping from paths, and"),
        ({"set": {"../../game.yml": 1}}, "set: it must be a mapping from paths, and ../../game.yml is none"),
        ({"status": {"X": "asleep"}}, "status: it must be a mapping in which X is active or inactive"),
        ({"status": {"X": "inactve"}}, "status: it must be a mapping in which X is active or inactive (did you mean inactive?)"),
        ({"amend": {"rule": "X", "add": "a", "at": "strat"}}, "amend: `at` must be start or end (did you mean start?)"),
        ({"terms": {"king": "X"}}, "terms: it must be a mapping whose keys are player, players, emperor"),
        ({"player": {"name": "cy", "admin": 1}}, "player: `admin` must be true or false"),
        ({"together": []}, "together: it must be a list of changes"),
        ({"together": [{"bar": "x"}, {"bar": 3}]}, "together, 2: bar: it must be a text"),
        ({"uphold": "a\u202eb"}, r"a\u202eb holds a control or direction character"),
    ],
)  # fmt: skip
def test_malformed_changes_are_told_what_is_wrong(change: Any, says: str) -> None:
    found = malformed(change)
    assert len(found) == 1
    assert found[0].what.startswith(says)
