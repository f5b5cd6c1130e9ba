"""What the exit codes 1 and 2 mean, of every command: 2, the command line is wrong; 1, it is refused, or something is wrong."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import click
import pytest
from support.parlour import Parlour, parlour

from nomicgit.cli import main
from nomicgit.cli.app import app
from nomicgit.cli.contents import MODULES
from nomicgit.cli.failures import told
from nomicgit.git import Repository

NEEDS_NO_GAME = ("completion", "editions")
WORDS = {
    "completion": ["bash"], "new": ["--edition", "nonesuch", "--player", "ana"], "propose": ["--title", "x"], "keys": ["show"],
    "cfj": ["--title", "x"], "rehouse": ["--away"], "site": ["export", "out"], "order": ["roll"],
    "post": ["x"], "act": ["nosuch"],
}  # fmt: skip
"""What a command needs that no declaration says."""
NONE_OF_THE_GAME = [
    ["posts", "--kind", "zed"], ["posts", "99"], ["posts", "--kind", "prposal"], ["state", "zed"], ["state", "players.zed"],
    ["rules", "zed"], ["try", "99"], ["check", "zed"], ["verify", "zed"], ["--as", "cy", "actions", "zed"],
    ["--as", "cy", "act", "zed"], ["--as", "zed", "act", "brew"], ["--as", "cy", "vote", "99", "for"],
    ["rehouse", "--github", "a/b", "--resolves", "zed"], ["rehouse", "--github", "a/b", "--account", "zed=1"],
]  # fmt: skip

NEW = ["new", "x", "--edition", "steam"]
NO_LINE = [
    [*NEW, "--player", "ana", "--player", "ana"], [*NEW, "--player", "ana", "--idle", "Ana"], [*NEW, "--player", "Ana Banana"],
    [*NEW, "--player", "ana", "--practice", "--start", "yesterday"], [*NEW, "--player", "ana", "--orders", "never"],
    ["--at", "+5x", "status"], ["--at", "12h", "status"], ["status", "--at", "noon"], ["log", "--limit", "-1"],
    *(["propose", "--title", "T", "--change", change] for change in ("{amend: {rule: a", "just words", "{repeal: on}")),
    ["propose", "--title", "T", "--changes", "nosuch.yml"], ["propose", "--title", "T", "--changes", "words.yml"],
]  # fmt: skip
"""Command lines that are wrong, whatever a game holds."""


def ended(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    code = left.value.code
    return code if isinstance(code, int) else 0


def needed(name: str) -> list[str]:
    """Something for all that a command must be given."""
    context = click.Context(app)
    command = app.get_command(context, name)
    assert command is not None
    words: list[str] = []
    for each in command.params:
        if each.required:
            word = each.type.choices[0] if isinstance(each.type, click.Choice) else "1"
            words += [word] if isinstance(each, click.Argument) else [each.opts[0], str(word)]
    return WORDS.get(name, words)


@pytest.mark.parametrize("name", MODULES)
def test_a_wrong_line_is_2_and_a_place_without_a_game_is_1(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1").write_text("")
    assert ended(name, "--no-such-option") == 2
    assert "no such option" in capsys.readouterr().err.casefold()
    code = ended(name, *needed(name))
    said = capsys.readouterr()
    assert code == (0 if name in NEEDS_NO_GAME else 1), (said.out, said.err)


def test_what_this_game_has_not_is_1_whatever_sort_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game: Parlour = parlour(tmp_path, capsys)
    for words in NONE_OF_THE_GAME:
        assert "Usage:" not in game.nomic(*words, code=1).err, words


def test_what_no_game_could_take_is_2_in_a_game_and_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game: Parlour = parlour(tmp_path, capsys)
    (tmp_path / "bare").mkdir()
    for folder in (game.folder, tmp_path / "bare"):
        monkeypatch.chdir(folder)
        Path("words.yml").write_text("- {amend: [")
        for words in NO_LINE:
            assert ended(*words) == 2, words
            said = capsys.readouterr()
            assert words[0] == "propose" or "Usage:" in said.err, (words, said.err)
            assert not Path("x").exists(), words


def test_that_memory_is_short_is_the_machines_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(MemoryError(), as_json=False) == 4
    assert capsys.readouterr().err.startswith("error: memory is short\n  nothing is recorded; ")


@pytest.mark.parametrize("there", [True, False])
def test_what_was_taken_away_again_is_not_told_as_recorded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """The disk is full when the founding's commit stands, and its files are to be laid into the folder."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Repository, "bring_along", full)
    if there:
        Path("game").mkdir()
    assert ended("--json", "new", "game", "--edition", "steam", "--no-keys", "--player", "ana") == 4
    out, err = capsys.readouterr()
    assert "No space left on device" in err
    assert "nothing is recorded; mend that and try again" in err
    assert "recorded before" not in err
    assert "recorded" not in json.loads(out)
    assert [*tmp_path.rglob("*")] == ([tmp_path / "game"] if there else [])


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("file/game", "Not a directory"),
        ("/dev/null", "this is no folder"),
        ("/proc/game", "keeps no folders"),
    ],
)
def test_where_no_folder_can_be_made_it_is_named_as_it_was_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, place: str, why: str
) -> None:
    if place.startswith("/") and not Path(place).parent.exists():
        pytest.skip("only some systems have that place")
    (tmp_path / "file").write_text("", "utf-8")
    whole = str(tmp_path / place)
    assert ended("new", whole, "--edition", "steam", "--no-keys", "--player", "ana") == 1
    said = capsys.readouterr().err
    assert f"({whole})" in said
    assert why in said
    assert "name another place" in said
    assert "/.game." not in said


def test_no_repository_at_an_address_is_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To wait for the network would not help: the address is wrong."""
    place = parlour(tmp_path, capsys)
    monkeypatch.chdir(place.folder)
    for words in (
        ("remote", "add", "origin", str(tmp_path / "nowhere")),
        ("config", "branch.main.remote", "origin"),
        ("config", "branch.main.merge", "refs/heads/main"),
    ):
        place.git(*words)
    assert ended("sync") == 1
    assert "nowhere' does not appear to be a git repository" in capsys.readouterr().err
