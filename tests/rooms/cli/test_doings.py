"""What a deed says that it did, on the command line, in the journal, in its commit and on the site's pages."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hostile.small import small_law
from support.clones import Clone
from support.parlour import commands

from nomicgit.ground.wording import in_words

FOUND = "new . --edition steam --practice --start 2021-06-07T00:00:00Z --emperor ana --admin ben"
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
Act = Callable[..., str]


@pytest.fixture
def act(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Act:
    """Run a command in a game of steam; gives what it said."""
    monkeypatch.chdir(tmp_path)

    nomic = commands(capsys)

    def run(*arguments: str, code: int = 0) -> str:
        said = nomic(*arguments, code=code)
        return said.err if code else said.out

    run(*FOUND.split(), *(word for name in PLAYERS for word in ("--player", name)))
    run("--as", "ana", "--at", "+1h", "act", "set-treasury", "treasury={iron: 3, coal: 2}", "guard-level=2")
    return run


def kept(path: str) -> dict[str, Any]:
    """A file of the gamestate, as another reader of YAML has it."""
    values: dict[str, Any] = yaml.safe_load(Path("game/state", path).read_text())
    return values


def test_every_changed_value_is_said_those_within_a_map_too(act: Act) -> None:
    said = act(
        "--as", "ana", "--at", "+24h", "act", "set-treasury", "treasury={iron: 7, coal: 2}", "guard-level=1"
    )
    assert said.splitlines()[1:] == ["  game.treasury.iron: 3 → 7", "  game.guard_level: 2 → 1"]
    assert kept("game.yml")["treasury"]["iron"] == 7


def test_what_a_deed_made_is_said_with_its_id_in_words_and_as_json(act: Act) -> None:
    offer = ("act", "offer-trade", "section=one-time", "sought={iron: 2}", "offered={coal: 1}")
    tried = json.loads(act("--as", "cy", "--dry-run", *offer, "--json"))
    (made,) = tried["made"]
    effects = {each["path"]: each["new"] for each in tried["effects"]}
    said = act("--as", "cy", *offer)
    name = made.replace("/", ".")
    assert f"made: {name} (" in said
    assert "sought (iron 2)" in said
    assert "offered (coal 1)" in said
    fields = kept(f"{made}.yml")
    assert fields["sought"] == {"iron": 2}
    for field in fields.keys() - {"made"}:
        assert effects.get(f"{name}.{field}") == fields[field]


def test_a_value_of_another_shape_is_met_with_one_of_the_catalogue(
    act: Act, capsys: pytest.CaptureFixture[str]
) -> None:
    for given, right in (("items=3", "write [iron]"), ("steal=3", "write {PLAYER: {coal: 1}}")):
        refused = commands(capsys)("--as", "cy", "act", "scavenge", given, code=1).err
        assert f"  {right}\n" in refused


@pytest.mark.slow
def test_a_number_that_the_law_stops_is_said_to_be_at_its_end(act: Act) -> None:
    rule = Path("game/ruleset/2-dynastic/99-purse.md")
    text = "---\ntitle: Purse\nvariables:\n  marks: {of: player, type: integer, max: 10, default: 4}\nactions:\n  fill: {by: player}\n"
    rule.write_text(
        f'{text}---\nFill it.\n\n```starlark\ndef do_fill(actor):\n    gain(actor, "marks", 4)\n```\n',
        "utf-8",
    )
    for line in (
        "switch -qc purse",
        "add -A",
        "-c user.name=x -c user.email=x@x commit -qm Purse",
        "switch -q main",
    ):
        subprocess.run(["git", *line.split()], check=True)
    act("--as", "cy", "--at", "+25h", "propose", "--branch", "purse")
    for name in PLAYERS[:4]:
        act("--as", name, "vote", "1", "for")
    act("--as", "ben", "--at", "+13h", "resolve", "1")
    first = act("--as", "cy", "act", "fill")
    assert "  players.cy.marks: 4 → 8\n" in first
    assert "  players.cy.marks: 8 → 10, the most it may be\n" in act("--as", "cy", "act", "fill")
    assert kept("players/cy.yml")["marks"] == 10


@pytest.mark.slow
def test_what_is_gone_is_said_on_one_line_with_all_that_it_was(act: Act) -> None:
    act("--as", "cy", "act", "offer-trade", "section=one-time", "sought={iron: 2}", "offered={coal: 1}")
    [file] = Path("game/state/trade_offers").glob("*.yml")
    name, kept_ = f"trade_offers.{file.stem}", kept(f"trade_offers/{file.name}")
    gone = ("--as", "cy", "act", "remove-trade", f"offer={file.stem}")
    assert json.loads(act("--dry-run", *gone, "--json"))["gone"] == [f"trade_offers/{file.stem}"]
    act("--as", "cy", "propose", "--title", "No trade", "--change", "{repeal: Trading}")
    repealed = json.loads(act("try", "1", "--json"))["values"]
    assert [each["path"] for each in repealed if each["path"].startswith(name)] == [name]
    [whole] = (each for each in repealed if each["path"] == name)
    assert (whole["old"]["sought"], whole["new"]) == (kept_["sought"], None)
    [_, *said] = act(*gone).splitlines()
    assert [line.partition(" (")[0] for line in said] == [f"  gone: {name}"]
    assert "sought (iron 2)" in said[0]
    assert "offered (coal 1)" in said[0]
    assert not file.exists()


def test_everything_that_came_into_being_is_said_however_long_it_is(act: Act) -> None:
    said = act("--as", "ana", "--at", "+1h", "act", "set-trade-routes")
    for file in sorted(Path("game/state/trade_routes").glob("*.yml")):
        path = yaml.safe_load(file.read_text())["path"]
        (line,) = (each for each in said.splitlines() if f"trade_routes.{file.stem}.path: " in each)
        assert all(county in line for county in path[:2])
        assert ", ".join(path) in line or re.search(r" and \d+ more$", line)
    assert said.count(".path: ") == len(list(Path("game/state/trade_routes").glob("*.yml"))) == 7


@pytest.mark.slow
def test_what_others_gained_is_said(act: Act) -> None:
    coal = ("cfj", "--title", "Coal", "--change", "{set: {players.cy.coal: 5}}")
    number = json.loads(act("--as", "ben", *coal, "--json"))["post"]
    for who in ("ana", "cy", "dee", "eli"):
        act("--as", who, "vote", str(number), "for")
    assert "players.cy.coal: 0 → 5" in act("--as", "ben", "--at", "+12h", "resolve", str(number))
    said = act("--as", "cy", "act", "transfer", "to=dee", "resources={coal: 3}")
    assert said.splitlines()[1:] == ["  players.cy.coal: 5 → 2", "  players.dee.coal: 0 → 3"]
    subject = subprocess.check_output(["git", "log", "-1", "--format=%s"], text=True)
    assert subject == "cy: transfer dee; resources: coal 3\n"
    assert "cy: transfer dee; resources: coal 3" in act("log", "--limit", "1")


@pytest.mark.slow
def test_maps_and_lists_stand_in_the_subject_and_on_the_pages_of_the_journal(
    act: Act, tmp_path: Path
) -> None:
    subject = subprocess.check_output(["git", "log", "-1", "--format=%s"], text=True)
    assert subject == "ana: set-treasury 2; treasury: coal 2, iron 3\n"
    act("site", "export", str(tmp_path / "pages"))
    for page in ("index.md", "journal.md", "players/ana.md"):
        text = (tmp_path / "pages" / page).read_text()
        assert "treasury: coal 2, iron 3" in text, page


def test_an_action_is_told_with_what_each_parameter_takes(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = "one of coal, iron, wood, quicksilver, caffeine, cogs, gems"
    said = act("--as", "cy", "actions", "offer-trade").splitlines()
    assert "    section: one of one-time, conditional" in said
    assert f"    sought: map of {resources} to integer, at least 1" in said
    assert "    condition: map of any to any, else nothing" in said
    line = "nomicgit act offer-trade section="
    monkeypatch.setenv("_NOMICGIT_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "3")
    assert act().split("\n")[1::3] == ["section=one-time", "section=conditional"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"iron": 3, "coal": 2}, "iron 3, coal 2"),
        ({"hats": ["red", "blue"], "of": {"cy": True}}, "hats (red, blue), of (cy true)"),
        ([], "none"),
        ({}, "none"),
        ("", '""'),
        (None, "null"),
        ("two\nlines", "two lines"),
        (
            [{"amend": {"rule": "resolution-of-proposals", "set": {"waiting": "10h", "more": "12h"}}}],
            "amend (rule resolution-of-proposals, set (waiting 10h, …))",
        ),
        ([f"room-{n}" for n in range(30)], "room-0, room-1, room-2, room-3, room-4, room-5 and 24 more"),
        ("x" * 200, "x" * 45 + "… (200 letters)"),
    ],
)  # fmt: skip
def test_a_value_in_words(value: object, said: str) -> None:
    assert in_words(value) == said


@pytest.mark.parametrize("most", [40, 60])
def test_however_much_a_value_holds_its_words_are_few(most: int) -> None:
    long: object = "word " * 50
    for _ in range(4):
        for value in ([long] * 50, {f"{n}" * 70: long for n in range(50)}):
            assert len(in_words(value, most)) <= most + len(", and 49 more")
        long = [long, {"a": long}]


@pytest.mark.slow
def test_a_vote_says_its_matter_and_an_enactment_its_rules(act: Act) -> None:
    changes = ("{add-rule: {title: Moonlight, text: It shines.}}", "{repeal: trade-routes}",
               "{amend: {rule: raiding, text: Raids are rare.}}")  # fmt: skip
    listed = [word for change in changes for word in ("--change", change)]
    act("--as", "ana", "propose", "--title", "More light", *listed)
    for name in PLAYERS[1:]:
        assert act("--as", name, "vote", "01", "for").startswith(f"{name}: vote FOR 1 More light  (")
    rules = json.loads(act("--as", "ben", "--at", "+48h", "resolve", "1", "--json"))["rules"]
    assert rules == {"added": ["Moonlight"], "amended": ["Raiding"], "repealed": ["Trade Routes"]}


def test_what_is_said_stands_behind_a_colon_and_an_icon_used_again_is_told(act: Act) -> None:
    act("--as", "cy", "post", "--title", "Fog", "--body", "It rolls in.")
    assert "a post has one title" in act("--as", "cy", "post", "Fog", "--title", "Rain", code=2)
    act("--as", "cy", "propose", "--title", "Lamps")
    said = [
        act("--as", "dee", "vote", "2", icon, "Well.").partition("  (")[0]
        for icon in ("for", "for", "against")
    ]
    assert said == ["dee: vote FOR 2 Lamps", "dee: vote FOR 2 Lamps, as before", "dee: vote AGAINST 2 Lamps"]
    act("--as", "dee", "comment", "1", "hm")
    subjects = subprocess.check_output(["git", "log", "-5", "--format=%s"], text=True).splitlines()
    assert subjects[:2] == ["dee: comment 1: hm (post 1)", "dee: vote against 2: Well."]
    assert "dee: comment 1: hm (post 1)\n" in act("log", "--limit", "1")
    assert "more than 16 digits" in act(
        "--as", "ana", "act", "set-treasury", f"guard-level={'1' * 17}", code=1
    )
    rule = re.search(r"\n  its rule: .+ \(nomicgit rules (.+)\)\n", act("--as", "cy", "actions", "comment"))
    assert rule
    assert [*Path("game/ruleset").rglob(f"*-{rule[1]}.md")]


def test_a_vote_that_an_enactment_takes_back_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, text in small_law().texts.items():
        (tmp_path / "rules" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rules" / path).write_text(text)
    (tmp_path / "game").mkdir()
    monkeypatch.chdir(tmp_path / "game")
    nomic = commands(capsys)
    players = (word for name in PLAYERS for word in ("--player", name))
    nomic(*FOUND.replace("steam", "../rules").split(), *players)
    nomic(
        "--as", "cy", "--at", "+1m", "propose", "--title", "Gift", "--change", "{set: {players.cy.gold: 11}}"
    )
    nomic("--as", "dee", "--at", "+1m", "vote", "1", "for")
    nomic("--as", "eli", "--at", "+1m", "vote", "1", "against")
    votes = Path("game/posts/2021/06/0001-gift.comments.yml")
    log = subprocess.check_output(
        ["git", "log", "--format=%h %(trailers:key=Nomic-Id,valueonly)", "--abbrev=10"], text=True
    )
    commit, deed = re.findall(r"(\w+) (2021.*)", log)[1]
    nomic("--as", "ana", "--at", "+1m", "propose", "--title", "Undo", "--change", f'{{undo: "{commit}"}}')
    assert yaml.safe_load(Path("game/posts/2021/06/0002-undo.md").read_text().split("---")[1])["changes"] == [
        {"undo": deed}
    ]
    for name in ("44", "nope", "0000000000"):
        said = nomic(
            "--dry-run", "--as", "ana", "propose", "--title", "Undo", "--change", f'{{undo: "{name}"}}'
        ).out
        assert f"there is no deed {name} whose effects are known" in said
        assert (
            "change 1: a deed is named by its commit, as the log and the journal of the site show it" in said
        )
    for voter in ("ana", "cy"):
        nomic("--as", voter, "--at", "+1m", "vote", "2", "for")
    assert [each["by"] for each in yaml.safe_load(votes.read_text())] == ["dee", "eli"]
    for word in (("--dry-run",), ()):
        said = nomic("--as", "ben", "--at", "+1m", *word, "act", "resolve", "matter=2").out
        assert said.splitlines()[1:] == [
            "  posts.2.status: pending → enacted",
            "  taken back on post 1: dee: FOR",
        ]
    assert [each["by"] for each in yaml.safe_load(votes.read_text())] == ["eli"]


@pytest.mark.slow
def test_whose_vote_counts_no_more_since_they_left_and_came_back_is_asked_for_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    names = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    founded = ("--practice", "--start", "2021-06-07T00:00:00Z", "--admin", "ana")
    Clone(tmp_path).play("new", "game", "--edition", "dungeon", *names, *founded)
    game = Clone(tmp_path / "game")
    game.play("--as", "ben", "propose", "--title", "Moon")
    game.play("--as", "cy", "vote", "1", "for")
    game.play("--as", "cy", "act", "leave")
    assert "cy: no vote: they have left" in game.play("status", "--as", "ben")
    game.play("--as", "cy", "--at", "+1h", "join")
    game.play("--as", "ana", "act", "admit", "newcomer=cy")
    status = game.play("status", "--as", "cy")
    assert "cy: no vote: they voted before they joined again, and may vote anew" in status
    assert "cy, these need your vote: 1" in status
    assert game.play("--as", "cy", "vote", "1", "for").startswith("cy: vote FOR 1 Moon  (")
    assert "cy, nothing needs your vote" in game.play("status", "--as", "cy")
    assert game.play("--as", "cy", "vote", "1", "for").startswith("cy: vote FOR 1 Moon, as before  (")
