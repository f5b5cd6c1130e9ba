"""How an action is asked for on the command line: in one way, on the site and in the terminal, that the commands themselves take."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from support.parlour import RULES, parlour

from nomicgit import editions
from nomicgit.cli.app import app
from nomicgit.cli.seat import Seat
from nomicgit.ground import files
from nomicgit.outlook.commanded import OWN, besides, command, order
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
    for name, line in shown.items():
        behind, rest = besides(actions[name], str.upper)
        told = set(_parsed(" ".join([line, *behind]).replace("OUTCOME", "failed"))) | set(
            _parsed(rest) if rest else ()
        )
        assert {key.replace("-", "_") for key in told} == actions[name].parameters.keys(), name


def _parsed(line: str) -> dict[str, object]:
    """What the command of a line takes from it, by the parameters of its action."""
    _, name, *words = shlex.split(line)
    face = app.get_command(click.Context(app), name)
    assert face is not None
    with click.Context(app, obj=Seat()) as parent:
        params = {key: each for key, each in face.make_context(name, words, parent).params.items() if each}
    if name == "act":
        pairs = dict(pair.split("=", 1) for pair in params.get("given", ()))
        return {key: files.read(text, key) if key in LISTS else text for key, text in pairs.items()}
    keys = {each.name: option for each in face.params for option in each.opts}
    ways = {option: key for key, option in OWN[name].items() if option}
    placed = iter(key for key, option in OWN[name].items() if not option)
    by_name = {each.name: next(placed) for each in face.params if isinstance(each, click.Argument)}
    given = {by_name.get(str(key)) or ways[keys[str(key)]]: value for key, value in params.items()}
    texts = {key: " ".join(value) if key == "text" else value for key, value in given.items()}
    return {
        key: [files.read(each, key) if key == "changes" else each for each in value]
        if key in LISTS
        else value
        for key, value in texts.items()
    }


LISTS = {"tags": ["Core", "More tea"], "changes": [{"uphold": "x, y"}, {"repeal": "Moon"}]}


@pytest.mark.parametrize("name", OWN)
def test_of_words_with_an_equals_sign_what_is_advised_means_the_same(name: str) -> None:
    meant: dict[str, object] = {
        key: LISTS.get(key, "failed" if key == "as" else f"{key} of it") for key in OWN[name]
    }
    for last in ("said as it is", "-and so on"):
        meant |= {"text": last} if "text" in meant else {}
        pairs = [
            f"{key}={value if isinstance(value, str) else files.write_flow(value)}"
            for key, value in meant.items()
        ]
        if pairs:
            with pytest.raises(click.UsageError) as refused:
                _parsed(shlex.join(["nomicgit", name, *pairs]))
            line = refused.value.message.rpartition("write:\n")[2]
            assert "\n" not in line
            assert _parsed(line) == meant


@pytest.mark.parametrize(
    "typed", ["comment post=2", "vote matter=3", "cfj 'tags=[a'", "propose title=Sun body=x noname=y"]
)
def test_no_line_is_advised_that_its_command_would_not_take(typed: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        _parsed(f"nomicgit {typed}")
    assert "write:\n" not in refused.value.message
    assert f"by: nomicgit act {typed.split()[0]} " in refused.value.message


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
