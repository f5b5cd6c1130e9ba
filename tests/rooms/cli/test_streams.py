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
if when == "before anything is heard":
    import nomicgit.cli.app
    sys.modules["nomicgit.cli.app"].folding = lambda _: interrupt()
from nomicgit.__main__ import begin
begin()
"""
"""Interrupts itself as it comes to load a module, or as it ends."""


ENDED = """\
import os, signal, sys, time
how = sys.argv.pop(1)
from nomicgit.cli.bodies import deeds
from nomicgit.ground import watch
watch.PATIENCE = 0.02

def told(*_):
    watch.enter("_drag", None)
    if how == "interrupted":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)
    os.kill(os.getpid(), signal.Signals[how])

deeds._foreseen = told
from nomicgit.__main__ import begin
begin()
"""
"""Ends within the law while it tells of a deed that is done: by a signal, or since somebody interrupts it there."""


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


FULL = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a stream that is always full"
)


@pytest.mark.slow
@FULL
@pytest.mark.parametrize("command", ["status", "status --json", "--version"])
def test_a_stream_that_takes_no_more_is_told_in_a_line(small: Small, command: str) -> None:
    ended = shell(small, f"{HERE} {command} >/dev/full")
    assert (ended.returncode, ended.stderr) == (4, "error: No space left on device\n")
    assert shell(small, f"{HERE} {command} >/dev/full 2>&1").returncode == 4


@pytest.mark.slow
@FULL
@pytest.mark.parametrize(("command", "code"), [("nonsense", 2), ("act nonsense", 1)])
def test_what_cannot_be_told_is_told_by_the_exit_code(small: Small, command: str, code: int) -> None:
    assert shell(small, f"{HERE} {command} 2>/dev/full").returncode == code


def onto_nobody(small: Small, command: str) -> subprocess.CompletedProcess[str]:
    """A command whose output nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "nomicgit", *command.split()]
    with open(writer, "wb") as pipe:
        return subprocess.run(
            line, cwd=small.folder, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )


@pytest.mark.slow
def test_a_pipe_that_nobody_reads_any_more_ends_it_without_a_word_as_sigpipe_ends_others(
    small: Small,
) -> None:
    ended = onto_nobody(small, "rules")
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.slow
@FULL
@pytest.mark.parametrize("more", ["", " --json"])
@pytest.mark.parametrize("stream", ["nobody reads it", ">/dev/full", ">/dev/full 2>&1"])
def test_a_deed_that_is_done_and_cannot_be_told_is_told_apart(small: Small, stream: str, more: str) -> None:
    """By its exit code, and where the other stream takes it by its commit: nobody does it again."""
    command = DEED + more
    ended = shell(small, f"{HERE} {command} {stream}") if stream[0] == ">" else onto_nobody(small, command)
    head = git_in(small.folder, "rev-parse", "HEAD").strip()
    assert ended.returncode == 5
    named = f"recorded before that, and not to be done again: commit {head[:10]}\n"
    assert ended.stderr.endswith(named if "2>&1" not in stream else "")
    assert small.value("players/ben gold") == 11
    assert small.faults() == {}
    assert git_in(small.folder, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("when", "code", "done"),
    [
        ("click", -signal.SIGINT, False),
        ("nomicgit.cli.app", -signal.SIGINT, False),
        ("before anything is heard", 130, False),
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "code"), [("SIGSEGV", 4), ("SIGPROF", 4), ("SIGKILL", 4), ("interrupted", 130)]
)
def test_what_ends_it_after_a_deed_is_done_has_nothing_done_twice(small: Small, how: str, code: int) -> None:
    command = [sys.executable, "-c", ENDED, how, *DEED.split()]
    ended = subprocess.run(command, cwd=small.folder, capture_output=True, text=True, check=False)
    head = git_in(small.folder, "rev-parse", "HEAD").strip()
    assert ended.returncode == code, ended
    assert f"not to be done again: commit {head[:10]}\n" in ended.stderr
    assert "nothing is recorded" not in ended.stderr
    assert small.value("players/ben gold") == 11
    assert git_in(small.folder, "rev-list", "--count", "HEAD").strip() == "2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "Été, 雪"),
        ("PYTHONIOENCODING=latin-1", "Été, \\u96ea"),
    ],
)
def test_letters_that_a_locale_has_not_are_taken_and_shown_as_far_as_they_can_be(
    small: Small, environment: str, shown: str
) -> None:
    title = "Été, 雪"
    done = shell(
        small, f"{environment} {HERE} --as ben --at +1h act story title='{title}' body=b && echo done"
    )
    assert done.stdout.endswith("done\n"), done
    assert title in git_in(small.folder, "log", "-1", "--format=%B")
    seen = subprocess.run(
        ["bash", "-c", f"{environment} {HERE} posts"], cwd=small.folder, capture_output=True, check=False
    )
    assert seen.returncode == 0, seen
    assert shown in seen.stdout.decode("latin-1" if "latin" in environment else "utf-8")
