"""Streams that are closed or full, and interruptions at any moment: no traceback, and a deed is done or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hostile.small import Small, git_in

DEED = "--as ben --at +1h act earn n=1"
HERE = f"{sys.executable} -m nomicgit"

INTERRUPTED = """\
import atexit, os, signal, sys
when = sys.argv.pop(1)

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

class Seeker:
    def find_spec(self, name, path=None, target=None):
        if name == when:
            interrupt()

sys.meta_path.insert(0, Seeker())
if when == "the end":
    atexit.register(interrupt)
from nomicgit.__main__ import begin
begin()
"""
"""Interrupts itself as it comes to load a module, or as it ends."""


@pytest.fixture(autouse=True)
def buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python writes as it does for whoever plays: what it keeps back it would write once more as it ends."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game")


def shell(small: Small, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", line], cwd=small.folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_deed_is_done_where_streams_are_closed(small: Small, streams: str) -> None:
    """The files that it writes get the numbers of none of them."""
    ended = shell(small, f"{HERE} {DEED} {streams} && {HERE} status --json {streams}")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert small.value("players/ben gold") == 11
    assert small.faults() == {}
    assert git_in(small.folder, "status", "--porcelain") == ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a stream that is always full")
@pytest.mark.parametrize("command", ["status", "status --json", "--version"])
def test_a_stream_that_takes_no_more_is_told_in_a_line(small: Small, command: str) -> None:
    ended = shell(small, f"{HERE} {command} >/dev/full")
    assert (ended.returncode, ended.stderr) == (1, "error: No space left on device\n")
    assert shell(small, f"{HERE} {command} >/dev/full 2>&1").returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a stream that is always full")
@pytest.mark.parametrize(("command", "code"), [("nonsense", 2), ("act nonsense", 1)])
def test_what_cannot_be_told_is_told_by_the_exit_code(small: Small, command: str, code: int) -> None:
    assert shell(small, f"{HERE} {command} 2>/dev/full").returncode == code


@pytest.mark.slow
@pytest.mark.parametrize(("command", "gold"), [("rules", 10), (DEED, 11), (f"{DEED} --json", 11)])
def test_a_pipe_that_nobody_reads_any_more_ends_it_without_a_word(
    small: Small, command: str, gold: int
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "nomicgit", *command.split()]
    with open(writer, "wb") as pipe:
        ended = subprocess.run(
            line, cwd=small.folder, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, "")
    assert small.value("players/ben gold") == gold
    assert small.faults() == {}
    assert git_in(small.folder, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("when", "code", "done"),
    [
        ("click", -signal.SIGINT, False),
        ("nomicgit.cli.app", -signal.SIGINT, False),
        ("nomicgit.record.game", 130, False),
        ("the end", -signal.SIGINT, True),
    ],
)
def test_an_interruption_shows_no_traceback(small: Small, when: str, code: int, done: bool) -> None:
    command = [sys.executable, "-c", INTERRUPTED, when, *DEED.split()]
    ended = subprocess.run(command, cwd=small.folder, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.strip()) == (code, "")
    assert small.value("players/ben gold") == (11 if done else 10)
    assert git_in(small.folder, "status", "--porcelain") == ""
