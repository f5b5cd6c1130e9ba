"""A bare repository that lets in lawful deeds alone: pushed to by players, by somebody by hand, by several at once."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest
from fakegithub import cgi
from support.clones import Clone, settings

from nomicgit.clones import receiving
from nomicgit.git import Repository
from nomicgit.git.incoming import Move, Pushed
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.record import pushes

PYTHON = [sys.executable]
NAMES = ("ana", "ben", "cy")
LOG, LAWFUL = "nomicgit/receive.log", "nomicgit/lawful"


class Host:
    """A bare repository on which a live game is played, and the clones of its players; Cy is up to no good."""

    def __init__(self, folder: Path, address: Callable[[str], str] | None = None) -> None:
        self.bare = Clone(folder / "bare.git")
        here = Clone(folder)
        here.git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
        here.play("receive", "--install", "bare.git")
        players = [word for name in NAMES for word in ("--player", name)]
        here.play("new", "ana", "--edition", "dungeon", *players, "--admin", "ben", "--restore", "ana")
        where = address or (lambda _: str(self.bare.folder))
        self.ana, self.ben, self.cy = (Clone(folder / name) for name in NAMES)
        self.ana.git("remote", "add", "origin", where("ana"))
        self.ana.git("push", "--quiet", "--set-upstream", "origin", "main")
        for name in NAMES[1:]:
            here.git("clone", "--quiet", where(name), name)
        for clone in (self.ana, self.ben, self.cy):
            clone.play("me", clone.folder.name)

    @property
    def tip(self) -> str:
        return self.bare.git("rev-parse", "main")

    def refused(self, *what: str) -> str:
        """What Cy is told who pushes this by hand; nothing has changed."""
        before = self.bare.git("for-each-ref")
        done = subprocess.run(
            ["git", "push", "origin", *what], cwd=self.cy.folder, env=settings(), capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode != 0, done.stderr
        assert self.bare.git("for-each-ref") == before
        lines = (line.strip() for line in done.stderr.splitlines() if line.startswith("remote: "))
        return " ".join(line.removeprefix("remote: ").strip() for line in lines)

    def noted(self) -> list[dict[str, object]]:
        lines = (self.bare.folder / LOG).read_text(encoding="ascii").splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setenv("NO_COLOR", "1")
    return Host(tmp_path)


def committed(clone: Clone, tree: str, message: str, at: int = 1623024000) -> str:
    """A commit by hand upon a clone's head."""
    who = f"ana <ana@nomicgit.invalid> {at} +0000"
    return clone.stored(
        "commit",
        f"tree {tree}\nparent {clone.head}\nauthor {who}\ncommitter {who}\n\n{message}".encode(),
    )


def bombed(clone: Clone) -> str:
    """A commit whose tree holds ten folders that hold ten folders, eight times over."""
    oid, mode = clone.stored("blob", b"x"), b"100644"
    for _ in range(8):
        entries = (mode + b" d%d\0" % n + bytes.fromhex(oid) for n in range(10))
        oid, mode = clone.stored("tree", b"".join(entries)), b"40000"
    game = bytes.fromhex(clone.git("rev-parse", "HEAD:game"))
    tree = clone.stored("tree", b"40000 bomb\0" + bytes.fromhex(oid) + b"40000 game\0" + game)
    return committed(clone, tree, "By hand")


def told_otherwise(clone: Clone, change: Callable[[str], str], later: int = 0) -> str:
    """The newest deed of a clone, not pushed yet, told otherwise, with headers that fit."""
    message, at = clone.git("log", "-1", "--format=%B"), int(clone.git("log", "-1", "--format=%at"))
    tree = clone.git("rev-parse", "HEAD^{tree}")
    clone.git("reset", "--quiet", "--hard", "HEAD~1")
    return committed(clone, tree, change(message) + "\n", at + later)


@pytest.mark.slow
def test_nothing_but_lawful_deeds_comes_in(host: Host) -> None:
    host.ana.play("roll", "DICE6")
    assert "pushed 1 commit" in host.ana.play("sync")
    host.cy.play("sync")
    was = host.tip
    assert was == host.ana.head

    host.cy.play("roll", "DICE6")
    lawful = host.cy.head
    forged = told_otherwise(host.cy, lambda text: text.replace("Nomic-By: cy", "Nomic-By: ana"))
    said = host.refused(f"{forged}:main")
    assert f"the commit {forged[:12]} in the name of ana (ana: roll): its message says" in said
    assert "nomicgit sync" in said
    later = "2031-01-01T00:00:00Z"
    host.cy.git("reset", "--quiet", "--hard", lawful)
    at = int(host.cy.git("log", "-1", "--format=%at"))
    ahead = told_otherwise(
        host.cy,
        lambda text: "\n".join(
            f"Nomic-At: {later}" if line.startswith("Nomic-At") else line for line in text.splitlines()
        ),
        1924992000 - at,
    )
    assert f"it is dated {later}, ahead of this clock" in host.refused(f"{ahead}:main")

    (host.cy.folder / "game" / "state" / "game.yml").write_text("won: cy\n", encoding="utf-8")
    host.cy.git("commit", "--quiet", "--all", "--message", "I have won")
    by_hand = host.cy.head
    said = host.refused("HEAD:main", "HEAD:refs/heads/mine")
    assert f"the commit {by_hand[:12]} in the name of somebody: it changes the game and is no deed" in said
    assert f"git reset --keep {was[:12]}" in said
    host.cy.git("reset", "--quiet", "--hard", was)

    host.cy.git("reset", "--quiet", "--hard", "HEAD~1")
    host.cy.play("roll", "DICE6")
    rewritten = host.cy.head
    assert f"the game is at {was[:12]}, and {rewritten[:12]} does not go on from it" in host.refused(
        "+HEAD:main"
    )
    host.cy.git("merge", "--quiet", "--strategy", "ours", "--message", "Ours", was)
    assert "puts another line in place of it, and merges what is here" in host.refused("HEAD:main")
    host.cy.git("reset", "--quiet", "--hard", was)
    host.cy.git("merge", "--quiet", "--strategy", "ours", "--message", "Theirs", rewritten)
    assert "this merge in the name of somebody leaves out 1 deed: cy: roll" in host.refused("HEAD:main")
    host.cy.git("reset", "--quiet", "--hard", was)

    assert "lays down what no clone holds" in host.refused(f"{bombed(host.cy)}:main")
    huge = committed(host.cy, host.cy.git("rev-parse", "HEAD^{tree}"), "x" * (5 << 20) + "\n")
    assert "it brings a commit of" in host.refused(f"{huge}:refs/heads/huge")
    zeros = host.cy.stored("blob", bytes((64 << 20) + 1))
    packed = committed(host.cy, host.cy.stored("tree", b"100644 zeros\0" + bytes.fromhex(zeros)), "Zeros\n")
    assert f"it brings a file of {(64 << 20) + 1} bytes" in host.refused(f"{packed}:refs/heads/zeros")
    many = [f"HEAD:refs/heads/many{n}" for n in range(101)]
    assert "it moves 101 branches and tags, more than 100" in host.refused(*many)
    listed = "".join(f"{was} refs/heads/flood/b{n:05}\n" for n in range(10_000))
    (host.cy.folder / ".git" / "packed-refs").write_text(f"# pack-refs with: sorted\n{listed}", "ascii")
    flood = "refs/heads/flood/*:refs/heads/flood/*"
    assert "it moves too many branches and tags" in host.refused(flood)
    (host.cy.folder / ".git" / "packed-refs").write_text(f"{was} refs/heads/main\n", "ascii")
    assert "reads like the game's branch" in host.refused("HEAD:refs/tags/main")
    assert "reads like the game's branch" in host.refused("HEAD:refs/heads/MAIN")
    assert "calls where it stands" in host.refused("HEAD:refs/heads/HEAD")
    for space in ("heads", "tags"):
        assert "the beginning of a commit's id" in host.refused(f"HEAD:refs/{space}/{host.tip[:12]}")
    assert "reads like the game's branch" in host.refused("HEAD:refs/tags/refs/heads/main")
    assert "is neither a branch nor a tag" in host.refused("HEAD:refs/replace/" + was)
    assert "cannot be taken away" in host.refused(":main")

    host.cy.git("push", "--quiet", "origin", "HEAD:refs/heads/idea", "HEAD:refs/tags/v1")
    host.cy.git("push", "--quiet", "--force", "origin", f"{rewritten}:refs/heads/idea")
    host.cy.git("push", "--quiet", "origin", ":refs/heads/idea")
    (host.bare.folder / LAWFUL).unlink()
    host.ben.play("sync")
    host.ben.play("roll", "DICE6")
    assert "pushed 1 commit" in host.ben.play("sync")
    assert host.tip == host.ben.head
    assert "verified" in host.ben.play("verify")
    host.bare.git("fsck", "--strict", "--connectivity-only")
    noted = host.noted()
    assert [each["references"] for each in noted if each["refused"]].count(101) == 1
    assert not noted[-1]["refused"]
    assert noted[-1]["moves"] == [["refs/heads/main", was, host.tip]]


class Served(ThreadingHTTPServer):
    """Git over HTTP for one folder; who pushes is the first part of the path."""

    folder: Path


class Door(BaseHTTPRequestHandler):
    server: Served

    def _serve(self) -> None:
        path, _, query = self.path.partition("?")
        _, who, rest = path.split("/", 2)
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = cgi.serve(self.server.folder, self.command, f"/{rest}", query, headers, body, who)
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = _serve  # noqa: N815 - the names that the server asks for

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def door(folder: Path) -> Iterator[str]:
    """The address under which ``git http-backend`` serves a folder."""
    with Served(("127.0.0.1", 0), Door) as server:
        server.folder = folder
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
def test_of_several_who_push_at_once_each_gets_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with door(tmp_path) as address:
        host = Host(tmp_path, lambda name: f"{address}/{name}/bare.git")
        clones = (host.ana, host.ben, host.cy)
        for clone in clones:
            clone.play("roll", "DICE6")
        by_hand = committed(host.cy, host.cy.stored("tree", b""), "By hand\n")
        sync, force = (
            [*PYTHON, "-m", "nomicgit", "sync"],
            ["git", "push", "--force", "origin", f"{by_hand}:main"],
        )
        at_once = [
            subprocess.Popen(line, cwd=clone.folder, env=settings(), stdout=PIPE, stderr=STDOUT)
            for clone, line in [*((clone, sync) for clone in clones), (host.cy, force)]
        ]
        said = [process.communicate(timeout=60)[0].decode() for process in at_once]
        assert [process.returncode for process in at_once] == [0, 0, 0, 1], said
        assert "hook declined" in said[-1]
        assert by_hand[:12] in said[-1] or "the game is at" in said[-1]
        log = host.bare.git("log", "--format=%an", "main").split("\n")
        assert sorted(log) == ["ana", "ben", "cy", "founder"]
        assert {each["by"] for each in host.noted()} == set(NAMES)


def test_a_hook_that_is_there_stays_and_a_work_tree_is_no_host(
    git: Callable[..., str], tmp_path: Path
) -> None:
    git("init", "--quiet", "--bare", "bare.git")
    git("init", "--quiet", "worked")
    hook = tmp_path / "bare.git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    here = Clone(tmp_path)
    assert "there is a hook already" in here.play("receive", "--install", "bare.git", code=1)
    assert hook.read_text() == "#!/bin/sh\n"
    assert "only a bare repository" in here.play("receive", "--install", "worked", code=1)


def test_a_host_says_whether_it_guards_and_a_full_one_is_told_as_that(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, hook = Clone(host.bare.folder.parent), host.bare.folder / "hooks" / "pre-receive"
    text = hook.read_text(encoding="utf-8")
    assert "asks about each push" in here.play("receive", "--check", "bare.git")
    hook.write_text(
        "#!/bin/sh\necho 'fatal: write error: No space left on device' >&2\nexit 1\n", encoding="utf-8"
    )
    assert "it is not nomicgit's" in here.play("receive", "--check", "bare.git", code=1)
    host.ana.play("post", "Hello")
    said = host.ana.play("sync", code=1)
    assert "whoever owns that place must make room" in said
    assert "No space left on device" in said
    assert "waits in this clone" in said
    hook.write_text(text, encoding="utf-8")
    hook.chmod(0o644)
    host.bare.git("config", "receive.fsckObjects", "false")
    told = json.loads(here.play("receive", "--check", "bare.git", "--json", code=1))
    assert [each["what"] for each in told["findings"]] == [
        "Git does not run it: every push comes in",
        "receive.fsckObjects is not true",
    ]
    hook.unlink()
    assert "there is no hook" in here.play("receive", "--check", "bare.git", code=1)
    here.play("receive", "--install", "bare.git")
    assert "asks about each push" in here.play("receive", "--check", "bare.git")
    host.ana.play("sync")


@pytest.mark.slow
def test_as_another_hook_it_lets_nothing_in(git: Callable[..., str], tmp_path: Path) -> None:
    """Git asks ``update`` of each reference apart, once the objects are in, and tells it nothing on standard input."""
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    git("init", "--quiet", "here")
    here, hook = Clone(tmp_path / "here"), tmp_path / "bare.git" / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    one = here.git("commit-tree", here.stored("tree", b""), "-m", "x")
    for words in ("", ' "$@"'):
        hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m nomicgit receive{words}\n")
        hook.chmod(0o755)
        line = ["git", "push", "../bare.git", f"{one}:refs/heads/main", f"{one}:refs/heads/idea"]
        done = subprocess.run(
            line, cwd=here.folder, env=settings(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert done.stderr.count("[remote rejected]") == 2
        assert ("not what Git tells the hook pre-receive" in done.stderr) == (words == "")
        assert git("-C", "bare.git", "for-each-ref") == ""


ENDLESS = """\
import select
from nomicgit.cli import main
from nomicgit.cli.bodies import receive
from nomicgit.clones import receiving
receive.PATIENCE, receiving.receive = 0.2, lambda *_: select.select([], [], [], 20)
main(["receive"])
"""
"""Looks at a push for much longer than it has patience."""


@pytest.mark.slow
def test_a_push_that_takes_longer_than_anybody_waits_is_refused(
    git: Callable[..., str], tmp_path: Path
) -> None:
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    git("init", "--quiet", "here")
    here, bare = Clone(tmp_path / "here"), Clone(tmp_path / "bare.git")
    Clone(tmp_path).play("receive", "--install", "bare.git")
    hook = bare.folder / "hooks" / "pre-receive"
    hook.write_text(f"#!/bin/sh\nexec {shlex.join([*PYTHON, '-c', ENDLESS])}\n")
    one = here.git("commit-tree", here.stored("tree", b""), "-m", "x")
    line = ["git", "push", "../bare.git", f"{one}:refs/heads/main"]
    done = subprocess.run(line, cwd=here.folder, env=settings(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "refused: this takes longer than 0.2 seconds" in done.stderr
    assert "git push origin COMMIT:BRANCH" in done.stderr
    assert bare.git("for-each-ref") == ""
    assert bare.git("count-objects", "-v").startswith("count: 0\n")
    [row] = (bare.folder / LOG).read_text(encoding="ascii").splitlines()
    assert json.loads(row)["refused"][0].startswith("this takes longer")


def test_what_git_tells_a_hook_is_read_strictly(git: Callable[..., str], tmp_path: Path) -> None:
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    zero, one = "0" * 40, "1" * 40
    said = f"{zero} {one} refs/heads/main\n".encode()
    apart = {"GIT_QUARANTINE_PATH": "apart"}
    options = {"GIT_PUSH_OPTION_COUNT": "2", "GIT_PUSH_OPTION_0": "a", "GIT_PUSH_OPTION_1": "b"}
    told = Pushed.read(said, apart | options)
    assert told == Pushed((Move("refs/heads/main", None, one),), "apart", ("a", "b"), "")
    for wrong in (b"", b"x\n", said.replace(b" refs", b"  refs"), said[:30]):
        with pytest.raises(Malformed, match="not what Git tells"):
            Pushed.read(wrong, apart)
    with pytest.raises(Malformed, match="not what Git tells"):
        Pushed.read(said, {})  # its objects are in already
    bare = Repository.open(tmp_path / "bare.git")
    with pytest.raises(Refused, match="cannot be taken away"):
        receiving.receive(bare, Pushed((Move("refs/heads/main", one, None),)), 0)


def test_what_would_stand_afterwards_is_counted_and_told_apart(
    git: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "MOST_STANDING", 3)
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    here = Clone(tmp_path / "bare.git")
    one = here.git("commit-tree", here.stored("tree", b""), "-m", "x")
    for name in ("heads/a", "heads/b", "tags/a"):
        here.git("update-ref", f"refs/{name}", one)
    bare = Repository.open(here.folder)

    def pushed(*refs: str) -> None:
        """A push that makes these, and takes away those with a minus before them."""
        news = {ref.removeprefix("-"): None if ref.startswith("-") else one for ref in refs}
        receiving.receive(
            bare, Pushed(tuple(Move(ref, None if new else one, new) for ref, new in news.items())), 0
        )

    with pytest.raises(Refused, match="4 branches and tags would be here, more than 3"):
        pushed("refs/heads/c")
    pushed("refs/heads/c", "-refs/heads/a")
    pushed("refs/heads/a", "-refs/heads/b")
    for wrong in (
        "MAIN",
        "Main/x",
        "ma\u200cin",
        "HEAD",
        "head",
        "HEAD/x",
        "A",
        "a/b",
        "-x",
        "\udcff",
        "x\u202ey",
    ):
        with pytest.raises(Refused, match="choose another name"):
            pushed(f"refs/heads/{wrong}", "-refs/heads/b")
    for wrong in ("Main", "HEAD", "A"):
        with pytest.raises(Refused, match="choose another name"):
            pushed(f"refs/tags/{wrong}", "-refs/heads/b")
    with pytest.raises(
        Refused, match="refs/heads/Idea is one with refs/heads/idea where capitals do not count"
    ):
        pushed("refs/heads/idea", "refs/heads/Idea", "-refs/heads/a", "-refs/heads/b")
    Clone(tmp_path).play("receive", "--branches", "idea/*", code=2)
    here.git("config", "nomicgit.branches", "idea/* draft-?")
    bare = Repository.open(here.folder)
    pushed("refs/heads/idea/more", "refs/heads/draft-1", "-refs/heads/a", "-refs/heads/b")
    for wrong in ("idea", "draft-10", "Idea/more", "orders/x"):
        with pytest.raises(Refused, match=f"no branch is called {wrong} here"):
            pushed(f"refs/heads/{wrong}", "-refs/heads/b")
    pushed("refs/tags/idea", "-refs/heads/b")
    here.git("config", "--unset", "nomicgit.branches")
    bare = Repository.open(here.folder)
    for name in ("MAIN", "B"):
        here.git("update-ref", f"refs/heads/{name}", one)
    pushed("-refs/heads/MAIN")


@pytest.mark.slow
def test_attributes_that_let_git_change_the_game_are_not_let_in(host: Host) -> None:
    path = host.cy.folder / ".gitattributes"
    was = path.read_text(encoding="utf-8")
    path.write_text(was + "/game/** text eol=crlf\n", encoding="utf-8")
    host.cy.git("commit", "--quiet", "--all", "--message", "Line ends")
    said = host.refused("main")
    assert f"commit {host.cy.head[:12]} in the name of somebody: .gitattributes lets Git change" in said
    path.write_text(was, encoding="utf-8")
    host.cy.git("commit", "--quiet", "--all", "--message", "As it was")
    host.cy.git("push", "--quiet")
    assert host.tip == host.cy.head


@pytest.mark.slow
def test_a_deed_that_brings_a_large_branch_along_is_not_let_in(host: Host) -> None:
    """Whoever enacts it runs what they like, and all others would have to fetch it, also what its end has no more."""
    game, cy = host.cy.head, host.cy
    cy.git("switch", "--quiet", "--create", "idea")
    (cy.folder / "big.bin").write_bytes(bytes(9 << 20))
    cy.git("add", ".")
    cy.git("commit", "--quiet", "--message", "More")
    large = cy.head
    cy.git("rm", "--quiet", "big.bin")
    cy.git("commit", "--quiet", "--message", "Less")
    idea = cy.head
    cy.git("switch", "--quiet", "main")
    cy.play("roll", "DICE6")
    told = cy.git("cat-file", "commit", "HEAD").replace(f"parent {game}\n", f"parent {game}\nparent {idea}\n")
    enacted = cy.stored("commit", f"{told}\n".encode())
    said = host.refused(f"{enacted}:main")
    assert (
        f"the commit {enacted[:12]} merges a branch whose commit {large[:12]} lays down big.bin, of 9437184"
        in said
    )
    cy.git("push", "--quiet", "origin", "main")


def test_one_who_pushes_brings_so_much_in_a_day_and_the_log_is_not_made_to_forget(
    git: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    objects = tmp_path / "objects"
    objects.mkdir()
    (objects / "pack").write_bytes(b"x" * 1000)
    bare, now = Repository.open(tmp_path / "bare.git"), 1_800_000_000
    mine = Pushed((), str(objects), (), "cy")
    monkeypatch.setattr(pushes, "MOST_OF_A_DAY", 2000)
    monkeypatch.setattr(pushes, "LONGEST", 100)
    for at, problems in ((now - 86_401, []), (now - 3, ["it was refused"]), (now - 2, []), (now - 1, [])):
        pushes.refuse_much(bare, mine, at)
        pushes.note(bare, mine, at, problems)
    with (tmp_path / "bare.git" / "nomicgit" / "receive.log").open("a") as log:
        log.write('{"by": "cy", "refused": []}\n{"by": "cy", "refused": []')  # cut off
    with pytest.raises(Refused, match="cy has pushed 0 MiB in a day"):
        pushes.refuse_much(bare, mine, now)
    for other in (Pushed((), str(objects), (), "ana"), Pushed((), str(objects)), Pushed((), "", (), "cy")):
        pushes.refuse_much(bare, other, now)
    pushes.refuse_much(bare, mine, now + 86_400)
    logs = sorted((tmp_path / "bare.git" / "nomicgit").iterdir())
    assert [json.loads(each.read_text().splitlines()[0])["at"][-3:] for each in logs] == [
        "59Z",
        "58Z",
        "57Z",
        "59Z",
    ]


@pytest.mark.parametrize(
    "lays", [os.mkfifo, lambda path: path.symlink_to(path.with_name("elsewhere")), os.mkdir]
)
def test_what_is_no_plain_file_where_a_host_notes_pushes_is_neither_waited_for_nor_written_through(
    git: Callable[..., str], tmp_path: Path, lays: Callable[[Path], None]
) -> None:
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "pack").write_bytes(b"x")
    bare, pushed = Repository.open(tmp_path / "bare.git"), Pushed((), str(tmp_path / "objects"), (), "cy")
    log, lawful = (tmp_path / "bare.git" / name for name in (LOG, LAWFUL))
    (log.parent / "elsewhere").parent.mkdir()
    (log.parent / "elsewhere").write_bytes(b"")
    for path in (log, lawful):
        lays(path)
    with pytest.raises(Refused, match=r"receive\.log: pushes are noted in a plain file, and this is none"):
        pushes.note(bare, pushed, 1_800_000_000, [])
    with pytest.raises(Refused, match="take it away"):
        pushes.refuse_much(bare, pushed, 1_800_000_000)
    assert receiving._known_lawful(bare) == []
    assert (log.parent / "elsewhere").read_bytes() == b""
    log.rename(log.with_suffix(".log.1"))
    with pytest.raises(Refused, match=r"receive\.log\.1: pushes are noted"):
        pushes.refuse_much(bare, pushed, 1_800_000_000)


def test_files_that_a_small_pack_unfolds_to_are_counted_together(
    git: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    git("init", "--quiet", "--bare", "pushed.git")
    there = Clone(tmp_path / "pushed.git")
    for letter in (b"a", b"b"):
        there.stored("blob", letter * 600)
    brought = Pushed((Move("refs/heads/idea", None, "1" * 40),), str(there.folder / "objects"))
    monkeypatch.setattr(receiving, "MOST_OF_FILES", 1000)
    with pytest.raises(Refused, match="it brings files of 1200 bytes, more than 1000"):
        receiving.receive(Repository.open(tmp_path / "bare.git"), brought, 0)
