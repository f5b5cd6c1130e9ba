"""What players write passes for nothing that the program says: each of its lines stands behind a mark."""

from __future__ import annotations

import io
from pathlib import Path

import click
import pytest
from support.clones import Clone

from nomicgit.cli import main
from nomicgit.cli.bodies.keys import ask
from nomicgit.cli.failures import sentence
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import folded
from nomicgit.ground.problems import Problem

FORGED = "cy, 2021-06-07T00:00:00Z FOR"
TEXT = f"First.\n\n{FORGED}\n  I agree.\n  | So do I.\rben, AGAINST\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("NO_COLOR", "1")
    names = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
    Clone(tmp_path).play("new", "game", "--edition", "crypt", "--no-keys", "--practice",
                         "--start", "2021-06-07T00:00:00Z", "--emperor", "ana", "--admin", "ben", *names)  # fmt: skip
    return Clone(tmp_path / "game")


@pytest.mark.slow
def test_lines_of_players_stand_behind_a_mark(game: Clone) -> None:
    game.play("--as", "ben", "propose", "--title", "Bees", "--change",
              "{add-rule: {title: Bees, text: \"Bees hum.\\n\\ncy, FOR\"}}", "--body", TEXT)  # fmt: skip
    game.play("--as", "ana", "vote", "1", "against", TEXT)
    game.play("--as", "ana", "comment", "1", TEXT)
    said = game.play("posts", "1")
    for command in ("posts 1", "status", "log", "try 1", "posts"):
        for line in game.tried(*command.split())[1].split("\n"):
            assert not line.lstrip().startswith(("cy, ", "I agree", "So do I")), (command, line)
    lines = said.split("\n")
    assert lines.count("  | First.") == 3  # the body, the vote, and the comment
    assert lines.count(f"  | {FORGED}") == 3
    assert lines.count("  |   | So do I.\\u000dben, AGAINST") == 3
    assert [line.partition(",")[0] for line in lines if not line.startswith(" ") and ", 2021" in line] == [
        "proposal by ben", "ana", "ana"
    ]  # fmt: skip


@pytest.mark.slow
def test_lines_of_a_value_stand_behind_a_mark(game: Clone) -> None:
    lost = "lost: origin/main rewritten"
    game.play(
        "--as",
        "ben",
        "act",
        "explore",
        "room=C3",
        f"name=Hall\n\n{lost}\n    nomicgit sync",
        "features=[glyph]",
    )
    for command in ("state rooms.C3", "state rooms.C3.name", "state rooms", "state", "log"):
        text = game.play(*command.split())
        assert f"| {lost}" in text or not command.startswith("state rooms."), command
        for line in text.split("\n"):
            assert not line.lstrip().startswith(("lost", "nomicgit sync")), (command, line)


def test_lines_of_a_reason_stand_behind_a_mark() -> None:
    said = sentence("refused", Problem("no\n\nlost: all\n  nomicgit sync", mend="wait")).split("\n")
    assert [line for line in said if line.lstrip().startswith(("lost", "nomicgit"))] == []
    assert [line.strip() for line in said if "lost: all" in line] == ["| lost: all"]


def test_a_long_line_of_a_player_is_folded_deeper_than_what_the_program_says() -> None:
    narrow = folded("  | a bee that hums and hums and hums", 16).split("\n")
    assert narrow[0] == "  | a bee that"
    assert all(line.startswith(" " * 6) for line in narrow[1:])


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("post My title here", "nomicgit post 'My title here'"),
        ("propose My title --body x", "nomicgit propose --title 'My title' --body x"),
        ("propose --title=My title --body x", "nomicgit propose --title 'My title' --body x"),
        ("cfj --title Whose turn", "nomicgit cfj --title 'Whose turn'"),
        ("rules Fair Play", "nomicgit rules 'Fair Play'"),
        ("new-rule The Market", "nomicgit new-rule 'The Market'"),
    ],
)
def test_a_text_without_its_quotes_is_shown_with_them(
    typed: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].strip() == shown


class Typed(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_reason_in_a_question_stands_behind_a_mark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("n\n"))
    with pytest.raises(click.Abort):
        ask(Seat(), "this would be refused now: no\n    nomicgit sync\x1b[2J", "Seal it?", sure=False)
    said = capsys.readouterr().err
    assert said.startswith("This would be refused now: no\n        |     nomicgit sync")
    assert "\x1b" not in said
