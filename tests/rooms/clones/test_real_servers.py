"""A host behind real servers on the loopback: two players with keys of their own, and somebody hostile, at once."""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha1
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest
from support.clones import FEW, Clone, laid, settings
from support.depth import DEEP
from support.servers import apache, lighttpd, placed, program, ssh_as, sshd
from support.signing import bare_and_armour, keys_beside

ROOT = Path(__file__).parents[3]
PLAYERS, HOSTILE = ("ana", "ben"), "eve"
ALL = (*PLAYERS, HOSTILE)
GUEST = "mal"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everybody's keys, and a live game that takes signed deeds alone."""
    folder = tmp_path_factory.mktemp("servers")
    keys_beside(folder, *ALL, GUEST)
    words = [word for name in ALL for word in ("--player", name)]
    edition = laid(FEW, folder / "edition")
    Clone(folder).play("new", "game", "--edition", edition, *words, "--admin", "ben", "--restore", "ana")
    game = Clone(folder / "game")
    game.play("me", "ana", "--key", "../ana")
    game.play("signers", "--add", "../ana")
    for name in ALL[1:]:
        game.play("signers", "--of", name, "--add", f"../{name}", "--by", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    return folder


def docs(language: str, word: str) -> str:
    """A listing of docs/host.md in which a word stands."""
    parts = (ROOT / "docs" / "host.md").read_text(encoding="utf-8").split(f"```{language}\n")[1:]
    [listing] = [part.partition("```")[0] for part in parts if word in part.partition("```")[0]]
    return listing


def hosted(keys: Path, bare: Path) -> Clone:
    """The game in a bare repository that lets in lawful deeds alone."""
    Clone(keys).git("clone", "--quiet", "--bare", "game", str(bare))
    Clone(bare.parent).play("receive", "--install", str(bare))
    return Clone(bare)


def cloned(keys: Path, folder: Path, name: str, address: str, ssh: str = "") -> Clone:
    """Somebody's clone, by the server; it signs with a key of theirs."""
    how = ["-c", f"core.sshCommand={ssh}"] if ssh else []
    Clone(folder).git("clone", "--quiet", *how, address, name)
    clone = Clone(folder / name)
    clone.git("config", "nomicgit.player", name)
    clone.git("config", "nomicgit.key", str(keys / name))
    return clone


def told_of_another(clone: Clone, keys: Path) -> str:
    """Eve's own deed, told as Ana's and signed with Eve's key."""
    stored = subprocess.run(
        ["git", "cat-file", "commit", "HEAD"], cwd=clone.folder, capture_output=True, check=True
    )
    body = bare_and_armour(stored.stdout)[0].replace(b"eve", b"ana")
    line = ["ssh-keygen", "-Y", "sign", "-n", "git", "-f", str(keys / HOSTILE)]
    armour = subprocess.run(line, input=body, capture_output=True, check=True).stdout.strip()
    head, _, message = body.partition(b"\n\n")
    signed = head + b"\ngpgsig " + armour.replace(b"\n", b"\n ") + b"\n\n" + message
    line = ["git", "hash-object", "-w", "-t", "commit", "--stdin"]
    return (
        subprocess.run(line, cwd=clone.folder, input=signed, capture_output=True, check=True)
        .stdout.decode()
        .strip()
    )


def hashed(password: str) -> str:
    """A password as ``htpasswd -s`` writes it."""
    return "{SHA}" + b64encode(sha1(password.encode()).digest()).decode()


def play_at_once(keys: Path, bare: Clone, clones: dict[str, Clone]) -> None:
    """Two roll and sync, while somebody pushes a forged deed, another history and no branch; only what is lawful came in."""
    before = bare.git("rev-parse", "main")
    for clone in clones.values():
        clone.play("roll", "DICE6")
    eve = clones[HOSTILE]
    forged = told_of_another(eve, keys)
    sync = [sys.executable, "-m", "nomicgit", "sync"]
    pushes = [
        ["git", "push", "--force", "origin", what] for what in (f"{forged}:main", "HEAD~2:main", ":main")
    ]
    at_once = [
        subprocess.Popen(line, cwd=clone.folder, env=settings(), stdout=PIPE, stderr=STDOUT)
        for clone, line in [*((clones[name], sync) for name in PLAYERS), *((eve, line) for line in pushes)]
    ]
    said = [process.communicate(timeout=120)[0].decode() for process in at_once]
    assert [process.returncode for process in at_once] == [0, 0, 1, 1, 1], said
    new = bare.git("log", "--format=%an", f"{before}..main").split()
    assert sorted(new) == list(PLAYERS)
    rows = (bare.folder / "nomicgit" / "receive.log").read_text(encoding="ascii").splitlines()
    noted = [json.loads(row) for row in rows]
    assert {each["by"] for each in noted if not each["refused"]} == {*PLAYERS}
    assert {each["by"] for each in noted if each["refused"]} >= {HOSTILE}
    clones["ana"].play("sync")
    assert "verified" in clones["ana"].play("verify")
    bare.git("fsck", "--strict", "--connectivity-only")


def by_ssh(keys: Path, folder: Path, bare: Clone, at: int, where: str) -> None:
    """All of them play over SSH."""
    who = pwd.getpwuid(os.getuid()).pw_name
    clones = {
        name: cloned(keys, folder, name, f"{who}@127.0.0.1:{where}", ssh_as(keys / name, at)) for name in ALL
    }
    play_at_once(keys, bare, clones)


def test_players_with_keys_play_over_openssh(keys: Path, tmp_path: Path) -> None:
    for each in ("flock", "timeout"):
        program(each)
    bare = hosted(keys, tmp_path / "attic.git")
    [row] = docs("text", "git-shell").splitlines()
    authorized = tmp_path / "authorized_keys"
    rows = []
    for name in ALL:
        public = (keys / f"{name}.pub").read_text().rsplit(" ", 1)[0]
        assert "ssh-ed25519 AAAA… ana" in row
        rows.append(row.replace("GL_USER=ana", f"GL_USER={name}").replace("ssh-ed25519 AAAA… ana", public))
    authorized.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    with sshd(tmp_path, authorized) as at:
        by_ssh(keys, tmp_path, bare, at, str(bare.folder))
        line = [*ssh_as(keys / "ana", at).split(), "127.0.0.1", "echo", "a shell"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert "a shell\n" not in done.stdout


@pytest.mark.parametrize(
    ("server", "language"), [pytest.param(lighttpd, "lighttpd", marks=DEEP), (apache, "apache")]
)
def test_players_with_passwords_play_over_a_web_server(
    keys: Path, tmp_path: Path, server: Callable[[Path, str], AbstractContextManager[int]], language: str
) -> None:
    bare = hosted(keys, tmp_path / "attic.git")
    rows = [
        f"{name}:of-{name}" if language == "lighttpd" else f"{name}:{hashed(f'of-{name}')}" for name in ALL
    ]
    (tmp_path / "passwords").write_text("\n".join(rows), encoding="ascii")
    door, words = tmp_path / "git-http", docs("sh", "git-http-backend").replace("/srv/nomic", str(tmp_path))
    door.write_text(words, encoding="ascii")
    door.chmod(0o755)
    etc = "/etc/lighttpd" if language == "lighttpd" else "/etc/apache2"
    places = [("/srv/nomic", str(tmp_path)), (f"{etc}/nomic.passwords", str(tmp_path / "passwords"))]
    places += [("/opt/nomicgit/git-http", str(door))]
    places += [(f'server.{each}name := "git"\n', "") for each in ("user", "group") if language == "lighttpd"]
    with server(tmp_path, placed(docs(language, "git-http"), places)) as at:
        clones = {
            name: cloned(keys, tmp_path, name, f"http://{name}:of-{name}@127.0.0.1:{at}/git/attic.git")
            for name in ALL
        }
        play_at_once(keys, bare, clones)

        def gets_in(who: str) -> bool:
            line = ["git", "ls-remote", f"http://{who}127.0.0.1:{at}/git/attic.git"]
            quiet = settings() | {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false"}
            return subprocess.run(line, env=quiet, capture_output=True, check=False).returncode == 0

        assert [gets_in(who) for who in ("", "ana:of-ben@", "ana:of-ana@")] == [False, False, True]
        door.write_text(words.replace("-w 60", "--nonblock"), encoding="ascii")
        with (tmp_path / ".ana.lock").open() as busy:
            fcntl.flock(busy, fcntl.LOCK_EX)
            assert (gets_in("ana:of-ana@"), gets_in("ben:of-ben@")) == (False, True), "one at a time for each"
        connection = HTTPConnection("127.0.0.1", at)
        mine = {"Authorization": f"Basic {b64encode(b'ana:of-ana').decode()}"}
        connection.putrequest("POST", "/git/attic.git/git-receive-pack")
        for name, value in (mine | {"Content-Length": str((64 << 20) + 1)}).items():
            connection.putheader(name, value)
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


def test_gitolite_says_who_may_push_and_the_hook_what(keys: Path, tmp_path: Path) -> None:
    program("gitolite-shell")
    env = os.environ | {"HOME": str(tmp_path)}

    def gitolite(*words: str) -> None:
        subprocess.run([program("gitolite"), *words], env=env, check=True, capture_output=True)

    gitolite("setup", "-pk", str(keys / "ana.pub"))
    for name in (*ALL[1:], GUEST):
        (tmp_path / ".gitolite" / "keydir" / f"{name}.pub").write_bytes((keys / f"{name}.pub").read_bytes())
    rules = f"repo attic\n    RW+ = {' '.join(ALL)}\n    R = {GUEST}\n"
    (tmp_path / ".gitolite" / "conf" / "gitolite.conf").write_text(rules, encoding="ascii")
    gitolite("compile")
    gitolite("trigger", "POST_COMPILE")
    bare = Clone(tmp_path / "repositories" / "attic.git")
    bare.git("symbolic-ref", "HEAD", "refs/heads/main")
    bare.git("fetch", "--quiet", str(keys / "game"), "+HEAD:refs/heads/main")
    hook = bare.folder / "hooks" / "pre-receive"
    hook.write_text(
        docs("sh", "nomicgit receive").replace("/opt/nomicgit/bin/nomicgit", f"{sys.executable} -m nomicgit")
    )
    hook.chmod(0o755)
    with sshd(tmp_path, tmp_path / ".ssh" / "authorized_keys", f"SetEnv HOME={tmp_path}") as at:
        by_ssh(keys, tmp_path, bare, at, "attic")
        guest = cloned(keys, tmp_path, GUEST, "127.0.0.1:attic", ssh_as(keys / GUEST, at))
        line = ["git", "push", "origin", "HEAD~1:refs/heads/idea"]
        done = subprocess.run(
            line, cwd=guest.folder, env=settings(), capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert "DENIED" in done.stderr


def test_the_units_of_the_timer_are_ones_that_systemd_takes(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    for name, word in (("nomic.service", "[Service]"), ("nomic.timer", "[Timer]")):
        words = docs("ini", word)
        assert f"# /etc/systemd/system/{name}\n" in words
        words = words.replace("/opt/nomicgit/bin/nomicgit keep", "/bin/true").replace(
            "/opt/nomicgit/bin/mkdocs", "/bin/true"
        )
        (tmp_path / name).write_text(words.replace("User=keeper", "User=root"), encoding="utf-8")
    line = [analyze, "verify", "--man=no", str(tmp_path / "nomic.service"), str(tmp_path / "nomic.timer")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    own = [row for row in done.stderr.splitlines() if "nomic." in row]
    assert (done.returncode, own) == (0, [])
