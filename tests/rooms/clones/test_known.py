"""A clone remembers what it has seen: a history that lacks pushed deeds is named, own deeds may be taken back."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hostile.small import Small, git_in

from nomicgit.cli import main
from nomicgit.clones.syncing import sync
from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NOTHING, Outage, Refused
from nomicgit.ground.remedies import commands
from nomicgit.record.seen.known import look

IDENTITY = ("-c", "user.name=mallory", "-c", "user.email=m@x.invalid")


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Small, Small]:
    """Two clones of one game of three deeds, which lies in a bare repository; both have looked at it."""
    first = Small.found(tmp_path / "game")
    for n in (1, 2):
        first.do("cy", "earn", n=n)
    git_in(tmp_path, "clone", "-q", "--bare", "game", "hub.git")
    for name in ("one", "other"):
        git_in(tmp_path, "clone", "-q", "hub.git", name)
    one, other = Small(tmp_path / "one", first.at), Small(tmp_path / "other", first.at)
    assert told(one) == told(other) == ""
    return one, other


def told(small: Small) -> str:
    """What status would tell of what was lost."""
    with Repository.open(small.folder) as repository:
        lost = look(repository)
        return str(lost) if lost else ""


def said(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    """The exit code and the words of a command."""
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), *command])
    return int(ended.value.code or 0), capsys.readouterr().out


@pytest.mark.slow
def test_what_is_fetched_and_pushed_in_order_is_no_news(clones: tuple[Small, Small]) -> None:
    one, other = clones
    one.do("dee", "roll", sides=20)
    one.git("push", "-q")
    assert told(one) == ""
    other.git("pull", "-q")
    assert told(other) == ""
    other.do("eli", "earn", n=1)
    other.git("push", "-q")
    one.git("fetch", "-q")
    assert told(one) == ""


def rewritten(clones: tuple[Small, Small]) -> str:
    """A roll is pushed and seen by the other, taken back, rolled again, and pushed by force: gives the first one."""
    one, other = clones
    roll = one.do("dee", "roll", sides=20).commit
    one.git("push", "-q")
    other.git("pull", "-q")
    assert told(other) == ""
    one.git("reset", "-q", "--hard", "HEAD~1")
    one.do("dee", "roll", after=0, sides=20)
    one.git("push", "-q", "--force")
    other.git("fetch", "-q")
    other.git("reset", "-q", "--keep", "origin/main")
    return roll


@pytest.mark.slow
def test_a_forced_push_is_named_after_a_pull(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str]
) -> None:
    roll, other = rewritten(clones), clones[1]
    assert told(other) == f"origin/main has been rewritten: it lacks 1 deed: dee: roll ({roll[:12]})"
    code, words = said(other, capsys, "status")
    assert (code, "lost: origin/main has been rewritten" in words, "sync --accept" in words) == (
        1,
        True,
        False,
    ), "nothing is there that this clone lacks"
    code, words = said(other, capsys, "status", "--json")
    assert (code, json.loads(words)["lost"]["deeds"]) == (1, [roll])
    code, words = said(other, capsys, "verify")
    assert (code, "lacks 1 deed: dee: roll" in words, "1 found wanting" in words) == (1, True, True)
    assert "fault  origin/main has been rewritten" in words
    assert "in the name of" not in words, "no commit of the branch is at fault"
    [fault] = json.loads(said(other, capsys, "verify", "--json")[1])["faults"]
    assert (list(fault), fault["what"][:11]) == (["what"], "origin/main")


@pytest.mark.slow
def test_what_was_seen_stays_in_the_clone_and_may_be_let_go_of(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str]
) -> None:
    roll, other = rewritten(clones), clones[1]
    assert told(other)
    other.git("reflog", "expire", "--expire=now", "--all")
    other.git("gc", "-q", "--prune=now")
    assert other.git("cat-file", "-t", roll) == "commit\n"
    assert said(other, capsys, "verify", "--accept")[0] == 0
    assert told(other) == ""
    assert said(other, capsys, "status")[0] == 0


def test_a_shorter_history_is_named(clones: tuple[Small, Small], tmp_path: Path) -> None:
    _, other = clones
    gone = other.head()
    git_in(tmp_path / "hub.git", "update-ref", "refs/heads/main", f"{gone}~1")
    other.git("fetch", "-q")
    assert told(other) == f"origin/main has been rewritten: it lacks 1 deed: cy: earn ({gone[:12]})"


def test_a_rewriting_under_a_fast_forward_is_told_as_the_merge_that_it_is(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = clones
    gone = one.head()
    one.git("reset", "-q", "--hard", "HEAD~1")
    one.do("cy", "earn", n=5)
    one.git(*IDENTITY, "merge", "-q", "-s", "ours", "-m", "Merge branch 'main'", "origin/main")
    one.git("push", "-q")
    other.git("pull", "-q", "--ff-only")
    assert told(other) == ""
    code, words = said(other, capsys, "status")
    assert code == 1
    assert f"no deed: commit {other.head()[:12]}" in words
    assert "it merges another line of play, and leaves its deeds out" in words
    assert other.git("merge-base", "--is-ancestor", gone, "HEAD") == ""


def test_own_deeds_that_nobody_was_sent_may_be_taken_back(clones: tuple[Small, Small]) -> None:
    one, _ = clones
    one.do("cy", "earn", n=1)
    assert told(one) == ""
    one.git("reset", "-q", "--hard", "HEAD~1")
    assert told(one) == ""


@pytest.mark.slow
def test_a_commit_that_is_no_deed_may_be_taken_out(clones: tuple[Small, Small]) -> None:
    one, other = clones
    one.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", "notes")
    one.git("push", "-q")
    other.git("pull", "-q")
    assert told(other) == ""
    one.git("reset", "-q", "--hard", "HEAD~1")
    one.git("push", "-q", "--force")
    other.git("fetch", "-q")
    assert told(other) == ""


def test_a_game_that_follows_nothing_knows_nothing(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    assert told(small) == ""
    assert small.git("for-each-ref", "refs/nomicgit") == ""


@pytest.mark.slow
def test_anybodys_commit_is_asked_for(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = clones
    own = one.do("dee", "roll", sides=20).commit
    code, words = said(other, capsys, "verify", "--known", own)
    assert (code, "this clone has no such commit: git fetch, and ask again" in words) == (1, True)
    other.git("fetch", "-q", str(one.folder), "main")
    code, words = said(other, capsys, "verify", "--known", own)
    assert (code, f"lacks 1 deed: dee: roll ({own[:12]})" in words) == (1, True)
    assert said(one, capsys, "verify", "--known", own)[0] == 0
    assert said(one, capsys, "verify", "--known", other.head())[0] == 0


@pytest.mark.slow
def test_what_sync_refused_to_follow_is_named_by_status_and_verify_too(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, other = clones
    gone, before = one.head(), other.git("rev-parse", "origin/main")
    one.git("reset", "-q", "--hard", "HEAD~1")
    one.git("push", "-q", "--force")
    code, words = said(other, capsys, "sync", "--json")
    assert code == 1
    assert other.git("rev-parse", "origin/main") == before
    for command in ("status", "verify"):
        code, words = said(other, capsys, command)
        assert (code, f"lacks 1 deed: cy: earn ({gone[:12]})" in words) == (1, True), words
    with Repository.open(other.folder) as repository:
        upstream = Upstream.of(repository)
        assert upstream is not None
        with pytest.raises(Refused) as refused:
            sync(repository, upstream, other.at)
    steps = commands(refused.value.problems[0].mend)
    assert "--accept" not in str(steps), "nothing is there that this clone lacks"
    back = "\n".join(steps)
    git_in(tmp_path / "hub.git", "update-ref", "refs/tags/refs/heads/main", one.head())
    subprocess.run(["sh", "-ec", back], cwd=other.folder, check=True, capture_output=True)
    assert git_in(tmp_path / "hub.git", "rev-parse", "refs/heads/main").strip() == gone
    for command in ("sync", "status", "verify"):
        assert said(other, capsys, command)[0] == 0, command


@pytest.mark.slow
def test_what_sync_refused_to_follow_may_be_let_go_of(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, other = clones
    git_in(tmp_path / "hub.git", "update-ref", "refs/heads/main", f"{other.head()}~1")
    assert said(other, capsys, "sync")[0] == said(other, capsys, "status")[0] == 1
    assert said(other, capsys, "sync", "--accept")[0] == 0
    assert said(other, capsys, "status")[0] == said(other, capsys, "verify")[0] == 0


def test_a_clone_that_nothing_can_be_written_to_is_looked_at(
    clones: tuple[Small, Small], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system that is read alone, where Git says so of every reference."""
    one, other = clones
    other.do("cy", "earn", n=3)
    git_in(other.folder, "push", "-q", "origin", "HEAD")
    git_in(one.folder, "pull", "-q")

    def full(*_: object) -> None:
        raise Outage("the machine failed Git: Read-only file system", NOTHING)

    monkeypatch.setattr(Repository, "point_all", full)
    for command in ("status", "verify"):
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(one.folder), command])
        assert ended.value.code == 0, capsys.readouterr().err
