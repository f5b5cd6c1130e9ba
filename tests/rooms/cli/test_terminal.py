"""What a terminal shows: lines that are broken between words, numbers of things, tables."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.visiting import founded

from nomicgit.cli import terminal
from nomicgit.cli.terminal import folded, many, wide

FOUND = "new . --edition crypt --practice --start 2021-06-07T00:00:00Z --emperor ana --admin ben --player ana --player ben"


@pytest.fixture(scope="module")
def attic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of two players, at which all tests look."""
    folder = tmp_path_factory.mktemp("attic")
    on_pipe(folder, *FOUND.split())
    return folder


def on_pipe(folder: Path, *command: str) -> str:
    line = [sys.executable, "-m", "nomicgit", "-C", str(folder), *command]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def on_terminal(folder: Path, columns: int, *command: str) -> str:
    """What a command shows on a terminal of so many columns, on either stream."""
    ours, its = os.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm"}
    line = [sys.executable, "-m", "nomicgit", "-C", str(folder), *command]
    with subprocess.Popen(line, stdout=its, stderr=its, env=environment):
        os.close(its)
        shown = b""
        while part := _more(ours):
            shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def _more(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["keep", "letters --as cy", "keys move --yes", "post Hi --as cy"])
def test_a_first_replay_says_how_far_it_has_come(tmp_path: Path, command: str) -> None:
    game = founded(tmp_path, "assassin", "ana", "ben", "cy")
    (game / ".git/nomicgit/strays").unlink()
    subprocess.run(["git", "-C", str(game), "remote", "remove", "origin"], check=True)
    assert "0 of 1 commits" in on_terminal(game, 2_000, *command.split())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["status", "actions --player ana", "rules Votes", "--as ana resolve 7"])
def test_a_terminal_gets_lines_broken_between_words(attic: Path, command: str) -> None:
    whole, narrow = (on_terminal(attic, columns, *command.split()) for columns in (2_000, 50))
    assert max(map(wide, narrow.split("\n"))) <= 50 < max(map(wide, whole.split("\n")))
    assert narrow.split() == whole.split()


@pytest.mark.slow
def test_what_is_no_terminal_and_what_machines_read_is_left_alone(attic: Path) -> None:
    assert any(len(line) > 80 for line in on_pipe(attic, "rules", "Votes").splitlines())
    assert json.loads(on_terminal(attic, 50, "state", "--json"))["collections"]["rooms"] == 63


def test_what_follows_is_set_in() -> None:
    assert folded("  cost: 3 Puissance and more", 16) == "  cost: 3\n    Puissance\n    and more"
    assert folded("\x1b[1mone\x1b[0m two three", 7) == "\x1b[1mone\x1b[0m two\n  three"
    assert folded("x" * 30, 7) == "x" * 30


@given(st.text(st.sampled_from("ab字 \x1b"), max_size=60), st.integers(4, 30))
def test_folding_keeps_every_word(line: str, columns: int) -> None:
    made = folded(line, columns)
    assert made.split() == line.split()
    for each in made.split("\n"):
        assert wide(each) <= columns or " " not in each.strip(" ")


@pytest.mark.slow
def test_one_is_one_thing(tmp_path: Path) -> None:
    assert [many(n, "deed") for n in (0, 1, 2)] == ["0 deeds", "1 deed", "2 deeds"]
    on_pipe(tmp_path, *"new . --edition assassin --player ana --admin ana".split())
    assert "\n1 active Assassin, 0 idle" in on_pipe(tmp_path, "status")
    assert "verified: 1 deed, 0 other commits" in on_pipe(tmp_path, "verify")
    assert "1 player, 0 posts" in on_pipe(tmp_path, "check")


@pytest.mark.slow
def test_a_collection_is_a_table_and_raw_only_as_json(attic: Path) -> None:
    head, first, *rest = on_pipe(attic, "state", "rooms").partition("\n\n")[2].splitlines()
    assert head.split() == ["rooms", "explored", "name", "colour", "label", "cornerstone"]
    assert first.split() == ["A1", "#997068", "yes"]
    assert len(rest) == 62
    assert list(json.loads(on_pipe(attic, "state", "rooms", "--json"))["A1"])
    assert on_pipe(attic, "state", "favours") == "there are no favours\n"
    assert on_pipe(attic, "state", "players").splitlines()[1].split()[0] == "ana"


@pytest.mark.slow
def test_a_grid_is_a_map_and_a_table_is_no_wider_than_the_terminal(attic: Path) -> None:
    shown = on_pipe(attic, "state", "rooms")
    drawn, _, table = shown.partition("\n\n")
    head, *rows = drawn.split("\n")
    [row] = [row for row in rows if row.startswith("4")]
    assert head.split() == list("ABCDEFGHI")
    assert [row[0] for row in rows] == list("1234567")
    assert row.index("Crypt Entrance") == head.index("E")  # as its rule lays it, at E4
    assert row[: head.index("F")].split()[1:5] == ["."] * 4

    for part in on_terminal(attic, 50, "state", "rooms").split("\n\n"):
        lines = part.rstrip("\n").split("\n")
        assert max(map(wide, lines)) <= 50
        assert len(lines) in (8, 64)  # of each part all rows
    cells = [line.split() for line in table.split("\n")]
    apart = [line.split() for line in on_terminal(attic, 50, "state", "rooms").split("\n") if "E4" in line]
    [whole] = [row for row in cells if row[:1] == ["E4"]]
    assert [word for line in apart for word in line[1:]] == whole[1:]


def test_what_takes_a_while_is_said_to_whoever_watches_and_taken_back(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "UNTOLD", 0.05)
    with terminal.waited("trying"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0), "nobody watches"
    monkeypatch.setattr(terminal, "tty", lambda: True)
    before = signal.getsignal(signal.SIGALRM)
    with terminal.waited("trying"):
        pass
    assert capfd.readouterr().err == ""
    with terminal.waited("trying"):
        signal.pause()  # until the alarm that it has set
    assert capfd.readouterr().err == "trying …\r\033[K"
    assert signal.getsignal(signal.SIGALRM) == before
