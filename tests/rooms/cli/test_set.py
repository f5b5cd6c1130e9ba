"""What people put into variables by hand: words stay as they stand, whoever writes them, by whatever door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import Clone, game_in_clones

from nomicgit.ground.problems import Refused
from nomicgit.outlook.meant import type_at
from nomicgit.record.game import Game
from nomicgit.steward import saying

SIGNS = """{add-rule: {title: Signs, text: Signs hang on the wall., declares: {variables: {
  sign: {of: game, type: text, by_hand: true}, hats: {of: player, type: integer, by_hand: true},
  motto: {of: player, type: text, by_hand: true}, scribble: {of: game, type: any, by_hand: true},
  labels: {of: game, type: map, keys: text, values: text, by_hand: true}}}}}"""


@pytest.fixture(scope="module")
def wall(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A game in which texts, a number, and anything at all are kept by hand."""
    [ana] = game_in_clones(tmp_path_factory.mktemp("wall"), ("ana",))
    ana.play("--as", "ben", "--at", "+1h", "propose", "--title", "Signs", "--tag", "Core", "--change", SIGNS)
    for name in ("ana", "cy", "dee"):
        ana.play("--as", name, "vote", "1", "for")
    ana.play("--as", "ben", "--at", "+12h", "resolve", "1")
    return ana


def stored(wall: Clone, path: str) -> object:
    """What lies in the file of the gamestate."""
    kind, *rest = path.split(".")
    game = Game.open(wall.folder)
    value: object = game.tree.entity(kind if kind == "game" else f"{kind}/{rest.pop(0)}")
    for part in rest:
        assert isinstance(value, dict)
        value = value[part]
    return value


WORDS = [
    "Deal #7 # and more", "''", '"so"', "12", "it's: 'q'", "null", "[a, b]", "One.\n\nTwo: # three\n", "{x", "- a\n- b", "true",
]  # fmt: skip


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("path", ["game.sign", "players.cy.motto", "game.labels.door"])
def test_the_words_of_a_text_are_taken_as_they_stand(wall: Clone, path: str, words: str) -> None:
    wall.play("--as", "cy", "set", path, words)
    assert stored(wall, path) == words
    wall.play("--as", "cy", "set", path, "")
    assert stored(wall, path) == ""
    wall.play("--as", "cy", "act", "set", f"value={words}", f"path={path}")
    assert stored(wall, path) == words


def test_a_text_comes_whole_from_a_file(wall: Clone) -> None:
    said = "Roses # are red\n\nviolets: 'blue'\n"
    Path(wall.folder, "sign.txt").write_text(said, encoding="utf-8")
    wall.play("--as", "cy", "set", "game.sign", "@sign.txt")
    assert stored(wall, "game.sign") == said
    Path(wall.folder, "sign.txt").unlink()


def test_what_is_no_text_is_read_as_yaml(wall: Clone) -> None:
    wall.play("--as", "cy", "set", "players.cy.hats", "3")
    assert stored(wall, "players.cy.hats") == 3
    assert "hats" in wall.play("--as", "cy", "set", "players.cy.hats", "3 # many", code=1)
    wall.play("--as", "cy", "set", "game.labels", "{door: in}")
    assert stored(wall, "game.labels") == {"door": "in"}
    for typed, value in (
        ("12", 12),
        ("[1, 2]", [1, 2]),
        ("'12'", "12"),
        ("Deal #7 # more", "Deal #7 # more"),
    ):
        wall.play("--as", "cy", "set", "game.scribble", typed)
        assert stored(wall, "game.scribble") == value


def test_a_forge_takes_words_as_a_clone_does(wall: Clone) -> None:
    law = Game.open(wall.folder).law
    said = saying.parameters(
        law.declared.actions["set"], ["value=Deal #7 # 12", "path=game.sign"], lambda path: type_at(law, path)
    )
    assert said == {"path": "game.sign", "value": "Deal #7 # 12"}
    with pytest.raises(Refused, match="TITLE stands for what is to be put there"):
        saying.parameters(law.declared.actions["propose"], ["title=TITLE"], lambda path: type_at(law, path))


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("players.cy.hat", "no rule in force declares hat of players\n  did you mean players.cy.hats?"),
        ("player.cy.hats", "no rule in force declares player\n  did you mean players"),
        ("game.zzzzzz", "no rule in force declares zzzzzz of game"),
    ],
)
def test_a_variable_that_nobody_declares_is_said(wall: Clone, path: str, told: str) -> None:
    assert told in wall.play("--as", "cy", "set", path, "3", code=1)


@pytest.mark.slow
def test_what_is_tracked_is_not_set(wall: Clone) -> None:
    assert "ask by a Call for Judgement" in wall.play(
        "--as", "cy", "set", "players.cy.puissance", "3", code=1
    )
    assert json.loads(wall.play("log", "--limit", "1", "--json"))
