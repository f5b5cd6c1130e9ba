"""What is told is what is right there: of a word that YAML takes for a truth, and of who waits for an answer."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from support.clones import FEW, TALK, game_in_clones
from support.depth import DEEP
from support.parlour import Nomic, Said, commands

from nomicgit.record.game import Game
from nomicgit.site import posts
from nomicgit.site.onlooking import Look

FOUND = "--practice --start 2021-06-07T00:00:00Z --player ana --player ben --admin ben".split()


@pytest.fixture
def nomic(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nomic:
    """Run a command in a folder; it must end as told."""
    monkeypatch.chdir(tmp_path)
    return commands(capsys)


def test_who_finds_no_stairs_in_the_dungeon_is_told_so(nomic: Nomic) -> None:
    nomic("new", "dungeon", "--edition", "dungeon", "--no-keys", *FOUND)
    said = nomic("-C", "dungeon", "--as", "ben", "act", "find-stairs", "choice=increase").out
    assert "ben finds no stairs: the die shows more than their Kills\n" in said
    change = ("--change", "{add-rule: {title: Lamps, text: They are lit.}}")
    tagged = nomic(
        "-C", "dungeon", "--as", "ben", "propose", "--title", "Lamps", "--tag", "Core", *change
    ).out
    assert (
        "no rule speaks of the tag Core, so it does nothing" in tagged
    )  # Conf is no tag, but what a status is called


@pytest.mark.slow
def test_in_hiatus_what_is_open_with_something_else_is_told_so(nomic: Nomic) -> None:
    nomic("new", "werewolf", "--edition", "werewolf", "--no-keys", *FOUND)
    here = ("-C", "werewolf", "--as", "ben")
    nomic(*here, "propose", "--title", "A")
    made = nomic(*here, "dov", "--title", "Won").out
    assert "changes" not in made  # a declaration of victory is to bring none
    assert "2  Won  (declaration of victory by ben," in nomic(*here, "status").out
    refused = nomic(*here, "vote", "1", "for", code=1).err
    assert ", vote (of something else), " in refused
    nomic(*here, "vote", "2", "for")
    assert "  an admin: ben\n" in nomic("-C", "werewolf", "--as", "ana", "resolve", "2", code=1).err


@pytest.mark.slow
def test_a_word_of_truth_is_told_where_a_text_would_be_right(nomic: Nomic) -> None:
    nomic("new", "steam", "--edition", "steam", "--emperor", "ana", *FOUND)

    def refused(change: str, code: int = 1) -> str:
        propose = ("-C", "steam", "--as", "ana", "--dry-run", "propose", "--title", "T")
        return nomic(*propose, "--change", change, code=code).err

    for change, right in {
        "{status: {dormancy: on}}": "in which dormancy is active or inactive",
        "{amend: yes}": "takes a mapping with `rule`",
        "{together: [{amend: yes}]}": "takes a mapping with `rule`",
        "{together: off}": "it must be a list of changes",
        "{player: {name: ben, admin: yes}}": "`admin` must be true or false",
    }.items():
        said = refused(change)
        assert right in said, change
        assert "not a text" not in said, change
    for change in (
        "{repeal: on}",
        "{set: {game.x: on}}",
        "{together: [{repeal: on}]}",
        "{add-rule: {title: on, text: A.}}",
    ):
        assert 'where a text is meant, as among choices, put it in quotes: "on"' in refused(change, 2), change
    both = refused("{amend: {rule: on}}", 2)
    assert "needs one of replace" in both
    assert 'put it in quotes: "on"' in both
    rules_without_text(nomic)
    petitions_name_who_answers(nomic)


def rules_without_text(nomic: Nomic) -> None:
    """A rule that would have no text is told, and submitted all the same."""

    def told(change: str) -> Said:
        return nomic("-C", "steam", "--as", "ana", "--dry-run", "propose", "--title", "T", "--change", change)

    wordless = "the rule “{}” then has no text (in a change `text: …` gives it one"
    for change, title in {
        "{add-rule: {title: Moon}}": "Moon",
        '{add-rule: {title: Moon, text: " "}}': "Moon",
        "{together: [{add-rule: {title: Moon}}]}": "Moon",
    }.items():
        said = told(change)
        assert wordless.format(title) in said.out + said.err, (change, said)
    for change in (
        "{add-rule: {title: Moon, text: It shines.}}",
        "{together: [{add-rule: {title: Moon}}, {amend: {rule: Moon, text: It shines.}}]}",
    ):
        said = told(change)
        assert "no text" not in said.out + said.err, (change, said)


def petitions_name_who_answers(nomic: Nomic) -> None:
    """Who waits is told for whom; who answers, by which command."""
    nomic("-C", "steam", "--as", "gus", "join")
    told = {who: nomic("-C", "steam", "--as", who, "status").out for who in ("gus", "ana", "ben")}
    assert "gus, you have asked to join, and wait for an admin: ben\n" in told["gus"]
    assert "gus has asked to join, and waits for an admin: ben\n" in told["ana"]
    assert "gus has asked to join, and waits for an answer: nomicgit act admit newcomer=gus\n" in told["ben"]
    assert [who for who, page in told.items() if "act admit" in page] == ["ben"]


def test_an_order_with_a_word_of_truth_for_a_map(nomic: Nomic) -> None:
    nomic("new", "assassin", "--edition", "assassin", *FOUND)
    for word in ("yes", "walk"):
        said = nomic("-C", "assassin", "--as", "ana", "order", "note", f"street={word}", code=1).err
        assert said.startswith("refused: street: it must be a map with an action\n")
        assert said.endswith("  write {action: arrive-in-town, location: LOCATIONS}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(edition, marks=() if edition == "dungeon" else DEEP)
        for edition in ("assassin", "crypt", "dungeon", "steam", "werewolf")
    ],
)
def test_a_title_and_the_time_of_an_enactment_are_foretold_as_they_come_true(
    edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nomic = commands(capsys, "-C", str(tmp_path))
    people = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
    start = (
        "--practice",
        "--start",
        "2021-06-07T00:00:00Z",
        "--no-keys",
        "--emperor",
        "ana",
        "--admin",
        "ben",
    )
    nomic("new", str(tmp_path), "--edition", edition, *people, *start)
    nameless = "{together: [{add-rule: {title: ' ', text: The lamps are lit.}}]}"
    given = ("--title", "Haste", "--change", nameless)
    proposed = nomic("--as", "cy", "--at", "+1h", "propose", *given).out
    tried = nomic("try", "1").out
    for voter in ("ben", "dee"):
        nomic("--as", voter, "vote", "1", "for")
    early = nomic("--as", "ben", "resolve", "1", code=1).err
    [at] = re.findall(r"it can be done from (\S+)Z \(in ", early)
    moment = datetime.fromisoformat(at)
    sooner = f"{(moment - timedelta(seconds=1)).isoformat()}Z"
    nomic("--as", "ben", "--at", sooner, "--dry-run", "resolve", "1", code=1)
    nomic("--as", "ben", "--at", f"{at}Z", "resolve", "1")
    [file] = [
        each for each in (tmp_path / "game/ruleset").rglob("*.md") if "The lamps are lit." in each.read_text()
    ]
    [title] = re.findall(r"^title: (.*)$", file.read_text(), re.MULTILINE)
    for said in (proposed, tried):
        assert f"is called “{title}” then; its slug is {file.stem.partition('-')[2]}" in said


@pytest.mark.slow
def test_what_a_guest_has_said_is_told_as_that_also_when_a_player_takes_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    talk = TALK.replace("comment: {with", "comment: {by: anyone, with")
    (ana,) = game_in_clones(tmp_path, ("ana",), rules={**FEW, "1-core/20-talk.md": talk})
    ana.play("--as", "ana", "post", "T")
    ana.play("--as", "zoe", "comment", "1", "as a guest")
    ana.play("--as", "cy", "comment", "1", "as a player")
    ana.play("--as", "ana", "propose", "--title", "Zoe", "--change", "{rename-player: {from: cy, to: zoe}}")
    ana.play("--as", "ben", "vote", "2", "for")
    ana.play("--as", "ben", "resolve", "2")
    said = ana.play("posts", "1")
    assert re.findall(r"^(zoe.*), 2021.*\n  \| (.*)$", said, re.MULTILINE) == [
        ("zoe (a guest)", "as a guest"),
        ("zoe", "as a player"),
    ]
    game = Game.open(ana.folder)
    with game.repository:
        page = posts.of_post(Look.at_time(game, game.head.author_time), 1)
    assert sum(str(each.body).count("zoe (a guest)") for each in page.sections) == 1
