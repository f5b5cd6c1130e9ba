"""Git fails for want of the machine: that is told as such, no commit is blamed for it, and nothing is recorded."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small

from nomicgit.git import Repository, process, upstream
from nomicgit.git.layout import Layout, layout_at
from nomicgit.git.process import kind_of, raw_commits
from nomicgit.git.strictly import bad_object
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Outage, Refused, Unreached

WAYS = {
    "it is killed": "kill -9 $$",
    "the disk is full": "echo 'fatal: write error: No space left on device' >&2; exit 128",
    "memory is short": "echo 'fatal: Out of memory, malloc failed (tried to allocate 9 bytes)' >&2; exit 128",
}
OUTAGE = 4


def failing(folder: Path, called: str, how: str) -> dict[str, str]:
    """An environment whose Git fails at one of its commands."""
    git = folder / "bin" / "git"
    git.parent.mkdir()
    git.write_text(
        f'#!/bin/sh\nfor word; do [ "$word" = {called} ] && {{ {how}; }}; done\nexec {shutil.which("git")} "$@"\n',
        encoding="utf-8",
    )
    git.chmod(0o755)
    return os.environ | {"PATH": f"{git.parent}{os.pathsep}{os.environ['PATH']}"}


def ended(small: Small, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "nomicgit", "-C", str(small.folder), *words]
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("called", "way"),
    [("index-pack", way) for way in WAYS]
    + [(called, "it is killed") for called in ("pack-objects", "rev-list", "cat-file")],
)
def test_verification_blames_no_commit(tmp_path: Path, called: str, way: str) -> None:
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=1)
    small.git("repack", "-adq")
    done = ended(small, failing(tmp_path, called, WAYS[way]), "verify")
    assert "fault" not in done.stdout, done
    assert "reset" not in done.stdout + done.stderr, done
    assert (done.returncode, "Traceback" in done.stderr) == (OUTAGE, False), done
    assert ended(small, dict(os.environ), "verify").returncode == 0


@pytest.mark.parametrize(("called", "asks"), [
    ("pack-objects", lambda layout, tip: bad_object(layout, tip, [])),
    ("cat-file", lambda layout, tip: list(raw_commits(layout, tip, first_parent=True))),
])  # fmt: skip
def test_a_git_that_ended_before_it_was_asked_is_an_outage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: str, asks: Callable[[Layout, str], object]
) -> None:
    """And no end of who reads what we say, for which nothing would be told."""
    small = Small.found(tmp_path / "game")
    tip = small.git("rev-parse", "HEAD").strip()
    monkeypatch.setenv("PATH", failing(tmp_path, called, "kill -9 $$")["PATH"])

    class Ended(subprocess.Popen[bytes]):
        def __init__(self, *how: Any, **more: Any) -> None:
            super().__init__(*how, **more)
            if called in self.args:  # type: ignore[operator]
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)

    monkeypatch.setattr(subprocess, "Popen", Ended)
    layout = layout_at(str(small.folder))
    assert layout is not None
    with pytest.raises(Outage):
        asks(layout, tip)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "most", "why"),
    [
        ("verify", 1, "the machine failed Git"),
        ("--as ben --at +1h act earn n=1", 0, "File too large"),
        ("me cy", 0, "the machine failed Git"),
    ],
)
def test_where_files_may_not_grow_no_commit_is_blamed_and_nothing_done(
    tmp_path: Path, command: str, most: int, why: str
) -> None:
    """As on a full disk: Git and we write nothing."""
    small = Small.found(tmp_path / "game")
    settings = small.git("config", "--list")
    line = f"ulimit -f {most}; exec {sys.executable} -m nomicgit -C {small.folder} {command}"
    unwritten = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1"
    }  # else Python 3.11 keeps half of what it compiles there
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, env=unwritten)
    assert (done.returncode, done.stdout) == (OUTAGE, ""), done
    assert why in done.stderr
    assert "try again" in done.stderr
    assert small.git("config", "--list") == settings
    assert small.git("status", "--porcelain") == ""
    assert [
        each.name for each in (small.folder / ".git/nomicgit").iterdir() if each.suffix[1:].isdigit()
    ] == []
    small.do("ben", "earn", n=1)


def test_a_fetch_that_cannot_be_noted_is_the_machines_failure(tmp_path: Path) -> None:
    """Git leaves out why it could not write a reference: the very system that refused it says so."""
    small = Small.found(tmp_path / "game")
    small.git("clone", "--quiet", "--bare", ".", str(tmp_path / "there"))
    small.git("remote", "add", "origin", str(tmp_path / "there"))
    small.git("fetch", "--quiet")
    small.git("branch", "--quiet", "--set-upstream-to=origin/main")
    limited = failing(tmp_path, "fetch", "trap '' XFSZ") | {"PYTHONDONTWRITEBYTECODE": "1"}
    line = f"ulimit -f 0; exec {sys.executable} -m nomicgit -C {small.folder} sync"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, env=limited)
    assert (done.returncode, done.stdout) == (OUTAGE, ""), done
    assert f"couldn't write '{small.folder}/.git/refs/nomicgit/untaken.lock': File too large" in done.stderr
    assert ended(small, dict(os.environ), "sync").returncode == 0


def test_a_push_that_was_ended_may_have_arrived_and_a_lock_that_was_left_is_taken_away(
    tmp_path: Path,
) -> None:
    small = Small.found(tmp_path / "game")
    small.git("clone", "--quiet", "--bare", ".", str(tmp_path / "there"))
    small.git("remote", "add", "origin", str(tmp_path / "there"))
    small.git("fetch", "--quiet")
    small.git("branch", "--quiet", "--set-upstream-to=origin/main")
    small.do("cy", "earn", n=1)
    lock = small.folder / ".git/refs/remotes/origin/main.lock"
    git = shutil.which("git")
    push = f'touch {lock}; {git} "$@"; kill -9 $$'
    done = ended(small, failing(tmp_path, "push", push), "sync")
    assert done.returncode == OUTAGE, done
    assert "what was to be pushed may have reached origin/main all the same" in done.stderr
    assert "nothing is recorded" not in done.stderr
    assert (
        small.git("ls-remote", "origin", "refs/heads/main").split()[0]
        == small.git("rev-parse", "HEAD").strip()
    )
    assert lock.exists()
    again = ended(small, dict(os.environ), "sync")
    assert again.returncode == 1, again
    [take] = [each.strip() for each in again.stderr.splitlines() if each.startswith("    rm ")]
    subprocess.run(take, shell=True, check=True)
    assert ended(small, dict(os.environ), "sync").returncode == 0


@pytest.mark.parametrize(
    "said",
    [
        "fatal: cannot update ref 'refs/x': couldn't write '{file}.lock'",
        "error: couldn't close '{file}.lock'",
        "error: failed to write new configuration file {file}.lock",
        "fatal: sha1 file '{file}' write error. Out of diskspace",
        "fatal: Unable to write new index file",
    ],
)
@pytest.mark.parametrize("theirs", [False, True])
def test_what_git_cannot_write_and_leaves_out_why(tmp_path: Path, said: str, theirs: bool) -> None:
    """Words as they stand in Git's program; from the other side they are none of this machine's."""
    line = ("remote: " if theirs else "") + said.format(file=tmp_path / "file")
    if theirs:
        process.refuse_outage(1, line)
        return
    with pytest.raises(Outage) as outage:
        process.refuse_outage(1, f"hint: no more\n{line}\n")
    assert line in outage.value.problem.what


@pytest.mark.slow
def test_a_deed_whose_files_git_cannot_note_is_told_as_recorded(tmp_path: Path) -> None:
    """Of an index that Git writes itself."""
    small = Small.found(tmp_path / "game")
    small.git("update-index", "--index-version", "4")
    words = "echo 'fatal: Unable to write new index file' >&2; exit 128"
    done = ended(
        small, failing(tmp_path, "--index-info", words), "--as", "ben", "--at", "+1h", "act", "earn", "n=1"
    )
    assert done.returncode == OUTAGE, done
    head = small.git("rev-parse", "HEAD").strip()
    assert f"the deed is recorded, as commit {head[:12]}" in done.stderr
    assert "nothing is recorded" not in done.stderr


def test_what_is_written_is_waited_for_where_no_thread_is_lent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, synced = Small.found(tmp_path / "game"), []
    fsync = os.fsync

    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    def waits(file: int) -> None:
        synced.append(os.readlink(f"/dev/fd/{file}") if os.path.exists(f"/dev/fd/{file}") else str(file))
        fsync(file)

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(os, "fsync", waits)
    small.do("cy", "dig", name="Nave")
    assert len([each for each in synced if "tmp_obj" in each]) > 4
    assert small.value("players/cy gold") is not None


@pytest.mark.slow
def test_a_host_that_takes_a_connection_and_says_nothing_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sooner = tuple(each.replace(f"={upstream.SILENCE}", "=1") for each in upstream._OURS)
    assert sooner != upstream._OURS
    monkeypatch.setattr(upstream, "_OURS", sooner)
    with Repository.init(tmp_path) as repository, socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/game.git"
        with pytest.raises(Refused, match="Operation too slow"):
            Upstream(repository, address, "refs/heads/main", "refs/remotes/origin/main").heads("")


@pytest.mark.parametrize(("called", "asks"), [
    ("init", lambda folder: Repository.init(folder / "new")),
    ("for-each-ref", lambda folder: Upstream.of(Repository.open(folder / "game"))),
])  # fmt: skip
def test_a_git_that_does_not_know_what_it_is_asked_for_is_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: str, asks: Callable[[Path], object]
) -> None:
    Small.found(tmp_path / "game")
    game = tmp_path / "game"  # wherever the tests are played: there need be no repository
    older = failing(tmp_path, called, f"exec {shutil.which('git')} -C {game} {called} --what-older-ones-lack")
    monkeypatch.setenv("PATH", older["PATH"])
    with pytest.raises(Refused) as refused:
        asks(tmp_path)
    told = refused.value.problems[0]
    assert (
        told.what
        == "this Git does not know what it is asked for (error: unknown option `what-older-ones-lack')"
    )
    assert told.mend == f"install Git {process.OLDEST} or newer"


def test_what_git_says_in_lines_is_told_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "printf 'error: one\\n  hint: another\\n' >&2; exit 1"
    monkeypatch.setenv("PATH", failing(tmp_path, "init", lines)["PATH"])
    with pytest.raises(Refused, match="failed: error: one; hint: another"):
        Repository.init(tmp_path / "new")


@pytest.mark.parametrize(
    ("said", "away"),
    [
        ("fatal: unable to access 'https://a.example/b.git/': Could not resolve host: a.example", True),
        ("curl: (7) Failed to connect to a.example port 443 after 9 ms: Couldn't connect to server", True),
        ("ssh: Could not resolve hostname a.example: Name or service not known", True),
        ("ssh: connect to host a.example port 22: Connection timed out", True),
        ("ssh: connect to host a.example port 22: Network is unreachable", True),
        ("error: RPC failed; curl 28 Operation timed out after 300000 milliseconds", False),
        ("Connection reset by a.example port 22", False),
        ("fatal: 'origin' does not appear to be a git repository", False),
    ],
)
def test_no_network_is_known_by_what_is_said_before_the_other_side_has_heard_anything(
    said: str, away: bool
) -> None:
    assert issubclass(kind_of(said), Unreached) is away
