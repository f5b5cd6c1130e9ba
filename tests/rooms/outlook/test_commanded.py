"""How an action is asked for on the command line: in one way, on the site and in the terminal, that the commands themselves take."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from support.parlour import RULES, parlour

from nomicgit import editions
from nomicgit.cli.app import app
from nomicgit.outlook.commanded import OWN, command, order
from nomicgit.physics.numbers import NEWEST
from nomicgit.site.acts import example


@pytest.mark.parametrize("name", OWN)
def test_a_command_takes_what_is_told_of_it(name: str) -> None:
    face = app.get_command(click.Context(app), name)
    assert face is not None
    options = {word: each for each in face.params for word in each.opts if isinstance(each, click.Option)}
    places = [each for each in face.params if isinstance(each, click.Argument)]
    placed = [key for key, option in OWN[name].items() if not option]
    assert [(each.metavar or each.name or "").strip("[]").lower() for each in places] == placed
    assert {option for option in OWN[name].values() if option} <= options.keys()
    needed = {each.name for each in places if each.required} | {
        key for key, option in OWN[name].items() if option and options[option].required
    }
    assert needed <= OWN[name].keys()


@pytest.mark.parametrize("edition", editions.names())
def test_every_action_with_a_command_of_its_own_is_shown_with_it(edition: str) -> None:
    actions = NEWEST.law(editions.load(edition)).declared.actions
    shown = {name: example(action) for name, action in actions.items() if not action.always_private}
    assert shown["propose"] == "nomicgit propose --title TITLE"
    assert shown["vote"].startswith("nomicgit vote MATTER ICON")
    assert {name for name, line in shown.items() if line.split()[1] == name} == OWN.keys() & shown.keys()
    assert all(line.split()[1] in ("act", name) for name, line in shown.items())


@pytest.mark.slow
def test_a_line_is_the_deed_that_it_stands_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = parlour(tmp_path, capsys, RULES)
    actions = NEWEST.law(editions.load("dungeon")).declared.actions
    game.nomic("--as", "ana", "propose", "--title", "Sun")
    changes = [{"repeal": "Moon"}, {"repeal": "Tea"}]
    ways: dict[str, dict[str, object]] = {
        "propose": {"title": "-5 o'clock", "tags": ["Core", "More tea"], "changes": changes},
        "vote": {"matter": "1", "icon": "for"},
        "resolve": {"matter": "1", "as": "enacted"},
    }
    codes = {"resolve": 1}  # nobody is for it
    for name, given in ways.items():
        line = command(
            actions[name], given, lambda value: shlex.quote(value if isinstance(value, str) else str(value))
        )
        assert line.startswith(f"nomicgit {name} "), line
        pairs = [f"{key}={value}" for key, value in given.items()]
        own = game.nomic(
            "--as", "ben", "--dry-run", *shlex.split(line)[1:], "--json", code=codes.get(name, 0)
        )
        act = game.nomic("--as", "ben", "--dry-run", "act", name, *pairs, "--json", code=codes.get(name, 0))
        if name in codes:
            assert own.err == act.err != ""
        else:
            assert (own.json["effects"], own.json["made"]) == (act.json["effects"], act.json["made"])


def test_an_order_to_copy_says_that_what_everybody_sees_is_meant() -> None:
    actions = NEWEST.law(editions.load("werewolf")).declared.actions
    assert order(actions["leave"], {}, str) == "nomicgit order leave --yes"
    assert order(actions["target-no-one"], {}, str) == "nomicgit order target-no-one"
