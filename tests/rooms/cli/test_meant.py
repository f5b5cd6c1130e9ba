"""Words that help: what was meant by a name that nothing has, and an example to copy of every action."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from support.parlour import RULES, Parlour, parlour

from nomicgit.law.declaring import PLAYER_NAME, fitting, why_no_id
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.meant import rule

TABLE = """\
---
title: Table
variables:
  set: {of: player, type: map, keys: text, values: integer}
  host: {type: player}
  warmth: {of: player, type: integer}
collections:
  seats: {key: {prefix: s}, called: name, fields: {name: text}, founding: {s1: {name: hearth}}}
settles:
  warming: {of: player, watches: [cups]}
actions:
  sit: {with: {seat: seats}}
  lay:
    summary: Lay the table
    with:
      places: {type: map, keys: {type: choice, choices: [cup, spoon]}, values: {type: integer, min: 2}}
      host: player
      silver: {type: boolean, default: false}
      rule: {type: rule, default: null}
  dish: {with: {foods: {type: list, items: {type: choice, choices: [cake, bread]}}}}
  clear: {by: emperor}
  pour: {}
  burn: {with: {code: mechanics}}
---
A player may lay the table.

```starlark
def do_lay(actor, places, host, silver, rule):
    put(actor, set=places)
    put("game", host=host)

def do_dish(actor, foods):
    pass

def do_sit(actor, seat):
    pass

def do_clear(actor):
    pass

def do_burn(actor, code):
    pass

def do_pour(actor):
    gain(actor, "cups", 1)

def settle_warming(player):
    put(player, warmth=10 * get(player, "cups") + roll(6))
```
"""


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-table.md": TABLE})


@pytest.mark.slow
def test_near_names_are_told_and_an_example_is_done_as_it_says(game: Parlour) -> None:
    _near_names(game)
    _examples(game)
    _by_chance(game)
    _posts(game)


def _near_names(game: Parlour) -> None:
    for command, meant in {
        ("rules", "teaa"): "Tea",
        ("rules", "PROPOSLS"): "Proposals",
        ("--as", "bne", "brew"): "",
        ("--as", "bne", "act", "brew"): "ben",
        ("--as", "ana", "act", "lay", "places={cup: 2}", "host=bne"): "ben",
        ("--as", "ana", "act", "lay", "places={cup: 2}", "host=ben", "rule=Taebl"): "Table",
        ("--as", "ana", "act", "lay", "places={cpu: 2}", "host=ben"): "cup?",
        ("--as", "ana", "act", "sit", "seat=harth"): "hearth?",
        ("state", "players.bne.cups"): "players.ben.cups",
        ("state", "players.ben.cusp"): "players.ben.cups",
        ("state", "plyers.ben"): "players.ben",
        ("state", "game.hots"): "game.host",
        ("act", "resovle"): "resolve? See",
        ("propse",): "propose? (",
    }.items():
        said = game.nomic(
            *command, code=2 if command[-1] in ("brew", "propse") and "act" not in command else 1
        ).err
        assert not meant or f"did you mean {meant}" in said, (command, said)
    assert "did you mean" not in game.nomic("act", "zwxq", code=1).err
    for foods, right in {"bread, cake": "[bread, cake]", "bread": "[bread]", "bred": "[cake]"}.items():
        said = game.nomic("--as", "ana", "act", "dish", f"foods={foods}", code=1).err
        assert said == f"refused: foods: {foods} must be a list\n  write {right}\n"
    assert "did you mean cake?" in game.nomic("--as", "ana", "act", "dish", "foods=[bread, cak]", code=1).err
    colon = game.nomic("--as", "ana", "act", "dish", "foods:cake", code=2).err
    assert colon.endswith("write:\n  nomicgit act dish foods=cake\n")
    both = game.nomic("--as", "ana", "vote", "99", "fro", code=1).err.splitlines()
    assert both[1:] == [
        "  see the numbers of posts: nomicgit posts",
        "refused: icon: fro must be one of for, against",
        "  did you mean for?",
    ]
    assert "bne is no player here: did you mean ben?" in game.nomic("--as", "bne", "status").out
    assert "zed is no player here: nomicgit join" in game.nomic("--as", "zed", "status").out

    changes = {
        "Table": {"repeal": "Tabel"},
        "Moon": {"status": {"Mooon": "inactive"}},
        "Tea": {"together": [{"amend": {"rule": "Teaa", "remove": "It is drunk hot."}}]},
        "players.ana.cups": {"set": {"players.anna.cups": 1}},
        "players.ana.set": {"set": {"players.ana.sett": {}}},
        "cy": {"player": {"name": "cyy", "admin": True}},
    }
    given = [word for change in changes.values() for word in ("--change", json.dumps(change))]
    said = game.nomic("--as", "ana", "propose", "--title", "T", *given, "--dry-run", "--json").json
    for name, each in zip(changes, said["foreseen"]["changes"], strict=True):
        assert each["remarks"][0].startswith(f"did you mean {name}"), each
    fine = json.dumps({"repeal": "Table"})
    said = game.nomic("--as", "ana", "propose", "--title", "T", "--change", fine, "--dry-run", "--json").json
    assert said["foreseen"]["changes"][0]["remarks"] == []


def _posts(game: Parlour) -> None:
    game.nomic("--as", "ana", "propose", "--title", "Sun")
    for command, meant in {
        ("vote", "for", "2"): "the number comes first: nomicgit vote 2 for",
        ("vote", "#2", "for"): "write 2, the number alone",
        ("act", "resolve", "matter=#2"): "write 2, the number alone",
        ("posts", "#2"): "write 2, the number alone",
        ("try", "#2"): "write 2, the number alone",
        ("posts", "Sun"): "a number is wanted: that title is of post 2",
        ("posts", "Nothing"): "see:\n    nomicgit posts",
    }.items():
        assert meant in game.nomic("--as", "ben", *command, code=1).err
    assert "write" not in game.nomic("--as", "ben", "vote", "99", "for", code=1).err
    assert "write" not in game.nomic("--as", "ben", "vote", "2", "#2", code=1).err


def _examples(game: Parlour) -> None:
    head = game.git("rev-parse", "HEAD")
    page = game.nomic("--as", "ana", "actions", "lay").out
    [command] = [line.partition("for example: ")[2] for line in page.splitlines() if "for example: " in line]
    assert command == "nomicgit act lay places='{cup: 2}' host=ben"
    assert page.rpartition("it would be done now:")[2].split("\n") == [
        "", "    players.ana.set.cup: nothing → 2", "    game.host: nothing → ben", "",
    ]  # fmt: skip
    refused = game.nomic("--as", "ana", "actions", "clear", "--json").json["actions"][0]
    assert (refused["example"], refused["done"]) == ("nomicgit act clear", False)
    assert "that is for the emperor" in refused["now"][0]
    assert (
        "write: nomicgit act burn code=CODE  (put in CODE: mechanics)\n"
        in game.nomic("--as", "ana", "actions", "burn").out
    )
    assert game.git("rev-parse", "HEAD") == head
    game.nomic("--as", "ana", *shlex.split(command)[1:])
    assert yaml.safe_load((game.folder / "game/state/players/ana.yml").read_text())["set"] == {"cup": 2}


def _by_chance(game: Parlour) -> None:
    """What only a throw of dice has shown is told as an example, wherever something is tried; what draws nothing is not."""
    said = "for example, by dice that the deed throws anew"
    as_ana, warm = ("--as", "ana"), ("--change", "{set: {players.ben.cups: 6}}")
    assert f"it would be done now ({said}):" in game.nomic(*as_ana, "actions", "pour").out
    assert said in game.nomic(*as_ana, "act", "pour", "--dry-run").out
    game.nomic(*as_ana, "propose", "--title", "Warm", *warm)
    assert f"gamestate, {said}:" in game.nomic("try", "1").out
    tried = [
        ("actions", "pour"),
        ("act", "pour", "--dry-run"),
        ("try", "1"),
        ("actions", "lay"),
        ("act", "lay", "places={}", "host=cy", "--dry-run"),
    ]
    plain = [game.nomic(*as_ana, *command, "--json").json for command in tried]
    shown = [each["actions"][0] if "player" in each else each for each in plain]
    assert [each["chance"] for each in shown] == [True, True, True, False, False]
    poured = game.nomic(*as_ana, "act", "pour")
    assert said not in poured.out
    assert "players.ana.warmth" in poured.out


def test_a_title_without_quotes_is_told_as_the_number_with_what_stood_behind_it(game: Parlour) -> None:
    game.nomic("--as", "ana", "propose", "--title", "The Tavern")
    refused = game.nomic("--as", "ben", "vote", "The", "Tavern", "for", code=1).err
    assert "  a number is wanted, of the post of that title: nomicgit vote 1 for\n" in refused
    assert game.nomic("--as", "ben", "vote", "1", "for")


def test_what_is_open_to_nobody_known_is_refused_with_near_names(game: Parlour) -> None:
    refused = game.nomic("actions", "--player", "annna", code=1).err
    assert refused == "refused: there is no player annna\n  did you mean ana?\n"
    assert "there is no player zoe" in game.nomic("actions", "--player", "zoe", code=1).err


BRINGS = "{add-rule: {title: Duels, declares: {actions: {duel: {}}}, mechanics: 'def do_duel(actor): note(actor)'}}"


@pytest.mark.slow
def test_an_action_that_a_pending_matter_would_bring_is_told_with_that_matter(game: Parlour) -> None:
    assert "    matter: matter (there is none)\n" in game.nomic("actions", "vote", "--player", "ben").out
    game.nomic("--as", "ana", "propose", "--title", "Duels", "--change", BRINGS)
    game.nomic("--as", "ana", "propose", "--title", "Peace", "--change", "{run: 'destroy(\"players/cy\")'}")
    for words in (("actions", "duel"), ("act", "duel")):
        refused = game.nomic("--as", "ben", *words, code=1).err
        assert (
            "  post 1, Duels, would bring it, once enacted; see what that does:\n    nomicgit try 1\n"
            in refused
        )
    assert "would bring it" not in game.nomic("actions", "dual", code=1).err
    assert "    matter: matter (1, 2)\n" in game.nomic("actions", "vote", "--player", "ben").out
    assert (
        "closes" not in game.nomic("try", "2").out
    )  # who has left is told to have left, and not for each action
    [post] = (game.folder / "game/posts/2021/06").glob("0002-*.md")
    post.write_text(post.read_text().replace("at: 2021-06-07T00", "at: 2021-06-07T03"))
    game.git("commit", "-qam", "Later")  # the law writes no such time, a hand may
    assert "2  Peace  (proposal by ana, dated 3 h ahead)" in game.nomic("--as", "ben", "status", code=1).out


DESK = """\
---
title: Desk
actions:
  take-back: {with: {deed: deed}}
---
A player may take a deed back.

```starlark
def do_take_back(actor, deed_):
    pass
```
"""


def test_a_deed_is_named_by_its_commit_and_recorded_by_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-desk.md": DESK})
    game.nomic("--as", "ana", "act", "brew")
    head, message = game.git("rev-parse", "HEAD"), game.git("log", "-1", "--format=%B")
    [own] = [line.partition(": ")[2] for line in message.splitlines() if line.startswith("Nomic-Id: ")]
    for commit in (head, head[:10]):
        game.nomic("--as", "ana", "act", "take-back", f"deed={commit}")
        assert f'"deed":"{own}"' in game.git("log", "-1", "--format=%B").replace(" ", "")
    pretends = game.git("commit-tree", "-p", head, "-m", "x\n\nNomic-Id: none", "HEAD^{tree}")
    refused = game.nomic("--as", "ana", "act", "take-back", f"deed={pretends}", code=1).err
    assert f"there is no deed {pretends}" in refused
    assert "a deed is named by its commit" in refused


def test_a_title_for_a_number_is_told_with_the_number(game: Parlour) -> None:
    for title in ("Torches", "Lanterns", "Lanterns"):
        game.nomic("--as", "ana", "propose", "--title", title)
    refused = game.nomic("--as", "ben", "vote", "torches", "for", code=1).err
    assert "there is no post torches" in refused
    assert "  a number is wanted, of the post of that title: nomicgit vote 1 for\n" in refused
    assert "nomicgit vote 1 for\n" in game.nomic("--as", "ben", "vote", "Torchs", "for", code=1).err
    several = game.nomic("--as", "ben", "vote", "Lanterns", "against", code=1).err
    assert "nomicgit vote 2 against or nomicgit vote 3 against\n" in several
    assert "nomicgit posts" in game.nomic("--as", "ben", "vote", "zzz", "for", code=1).err
    game.nomic("--as", "ana", "act", "cfj", "title=A")
    for number in ("7", "B"):  # as far from a title of one letter as any other
        assert "vote 4" not in game.nomic("--as", "ben", "vote", number, "for", code=1).err
    assert "a number is wanted: that title is of post 1\n" in game.nomic("posts", "Torches", code=1).err
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ana", "act", "resolve", "matter=1", "as=enacted")
    game.nomic("--as", "ana", "propose", "--title", "Torches")
    assert "title: nomicgit vote 5 for\n" in game.nomic("--as", "ben", "vote", "Torches", "for", code=1).err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("idle", "fay", "reason=asked"), "nomicgit idle fay --reason asked"),
        (("propose", "title=Tea time", "body=Hot."), "nomicgit propose --title 'Tea time' --body Hot."),
        (
            ("propose", "Tea"),
            "nomicgit propose --title Tea\nor, of a branch of that name:\n  nomicgit propose --branch Tea",
        ),
    ],
)
def test_what_is_an_option_and_typed_as_something_else_is_told_as_an_option(
    game: Parlour, typed: Sequence[str], meant: str
) -> None:
    assert re.search(
        rf"(the title is an option|here a parameter is given otherwise than by .*; write):\n  {meant}\n",
        game.nomic(*typed, code=2).err,
    )


@pytest.mark.parametrize(
    "typed",
    ["propose --title TITLE", "propose --title Sun --tag TAG", "act propose title=Sun body=BODY"],
)
def test_what_stands_in_a_shown_command_for_a_text_is_none(game: Parlour, typed: str) -> None:
    said = game.nomic("--as", "ana", "--dry-run", *typed.split(), code=1).err
    assert f"{typed.split()[-1].rpartition('=')[2]} stands for what is to be put there" in said


def test_names_that_nobody_has_are_asked_back(game: Parlour) -> None:
    game.nomic("--as", "ana", "act", "brew")
    for words, wrong, right in (
        (("log", "--by", "zed"), "nobody is called zed, or was", "see:\n    nomicgit state players"),
        (("log", "--by", "bem"), "nobody is called bem, or was", "did you mean ben?"),
        (("log", "--action", "bew"), "no deed is of the action bew", "did you mean brew?"),
        (("log", "--by", "zed", "--json"), "nobody is called zed, or was", "nomicgit state players"),
        (("state", "cy"), "nothing stands at cy", "did you mean players.cy?"),
        (("state", "cy.cups"), "nothing stands at cy.cups", "did you mean players.cy.cups?"),
        (("state", "hosst"), "nothing stands at hosst", "did you mean game.host?"),
        (("--as", "fay", "act", "brew"), "you are no player", ""),
        (("--as", "Dee Dee", "act", "brew"), "'Dee Dee' is no name of a player", "such as Dee-Dee"),
    ):  # fmt: skip
        refused = game.nomic(*words, code=1)
        assert wrong in refused.all
        assert right in refused.all
        assert ("nomicgit --as fay join" in refused.all) is False  # nobody can join here
    assert game.nomic("log", "--by", "cy").out == "no deed is by cy\n"
    assert game.nomic("log", "--action", "pour").out == "no deed is of the action pour\n"
    assert json.loads(game.nomic("log", "--by", "cy", "--json").out) == []
    assert len(game.nomic("log", "--by", "ana", "--json").json) == 1


def test_whoever_is_on_no_roster_is_told_the_way_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lobby = "---\ntitle: Lobby\nactions:\n  join: {by: anyone}\n  undo: {with: {deed: deed}}\n---\nProse.\n\n"
    code = '```starlark\ndef do_join(actor):\n    create("players", actor)\n\ndef do_undo(actor, deed_):\n    pass\n```\n'
    game = parlour(tmp_path, capsys, {**RULES, "1-core/30-lobby.md": lobby + code})
    refused = game.nomic("--as", "fay", "vote", "1", "for", code=1).err
    assert "you are no player" in refused
    assert "  come on the roster first: nomicgit --as fay join\n" in refused
    ids = game.nomic("--as", "ana", "undo", "1", code=1).err
    assert "there is no deed 1" in ids
    assert (
        "  a deed is named by its commit, as the log and the journal of the site show it:\n    nomicgit log\n"
        in ids
    )


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("Dee Dee", "Dee-Dee"), ("José", "Jose"), ("d'Artagnan", "d-Artagnan"), ("a--b", "a-b"), (" ana ", "ana"), ("x" * 50, "x" * 39),
        ("---", ""), ("名", ""), ("_ana_", "ana"), ("a - b", "a-b"), ("con.", ""), ("the clock", ""), ("a" * 39 + " b", "a" * 39),
    ],
)  # fmt: skip
def test_a_name_that_would_do_is_one(name: str, fit: str) -> None:
    assert fitting(name) == fit
    assert not fit or (PLAYER_NAME.fullmatch(fit) is not None and why_no_id("players", fit) == "")


def test_several_names_in_one_are_told_to_be_said_each_by_itself(game: Parlour) -> None:
    for player in ("ana,ben", "ana, ben"):
        said = game.nomic("actions", "--player", player, code=1).err
        assert "those are 2 names: say each by itself, such as ana" in said
    assert "names: say each" not in game.nomic("actions", "--player", "ana,", code=1).err


def test_a_rule_is_meant_by_a_slip_in_one_word_of_its_title() -> None:
    rules = Ruleset.read(
        {
            f"2-dynastic/{n}0-{'abc'[n - 1]}.md": f"---\ntitle: {title}\n---\nIt stands.\n"
            for n, title in enumerate(("The Tavern", "The Market of Salt", "The Mill"), 1)
        }
    )
    assert rule(rules, "tavren") == "did you mean The Tavern?"
    assert rule(rules, "slat") == "did you mean The Market of Salt?"
    assert rule(rules, "quarry") == ""
    assert rule(rules, "tavern") == "did you mean The Tavern?"


@pytest.mark.parametrize("name", ["null", "True", "no", "ON", "off", "1", "007", "1_000", "0x1F", "0b1"])
def test_a_name_that_yaml_reads_as_something_else_is_none(name: str) -> None:
    """So does another reader than ours; in quotes all of them could be, and nobody would write these."""
    assert not isinstance(yaml.safe_load(name), str)
    assert "not every reader takes it for a text" in why_no_id("players", name)
    assert not why_no_id("players", f"x{name}")
    assert "a sentence with it" in why_no_id("players", "Nothing")
