"""A site that lies: a real server gives another page, another key or another script, and a clone that asks it notices.

Files are changed on their way by the server, as whoever serves them could.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import pytest
from fakegithub import FakeGitHub
from support.parlour import commands
from support.places import ROOT
from support.served import Handler, Server
from support.servers import program
from support.sites import build
from support.visiting import PRACTICE, nomic

from nomicgit.record.game import Game
from nomicgit.site import compared

pytest.importorskip("mkdocs")
pytest.importorskip("pyrage")
pytestmark = pytest.mark.slow

LIES: dict[str, tuple[bytes, bytes]] = {}
"""What the server puts in the place of some bytes of a file, by its address."""
EVIL = b"age1evilevilevilevilevilevilevilevilevilevilevilevilevilevilevil"
PLAYERS = ("ana", "ben", "cy", "dee", "eli")


class Liar(Handler):
    """Serves files, but for what it puts in their place."""

    def do_GET(self) -> None:  # noqa: N802 - the name that the server asks for
        """Serve a file, changed on its way where it is to be."""
        old, new = LIES.get(self.path, (b"", b""))
        if not old:
            super().do_GET()
            return
        file = Path(self.translate_path(self.path))
        data = (file / "index.html" if file.is_dir() else file).read_bytes()
        assert old in data
        data = data.replace(old, new)
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def lying(folder: Path, keys: Path) -> Iterator[str]:
    """A site behind TLS, as a forge serves it; gives its address."""
    made = ["-keyout", f"{keys}/key", "-out", f"{keys}/cert", "-nodes", "-subj", "/CN=127.0.0.1"]
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "ed25519", *made, "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    server = Server(("127.0.0.1", 0), functools.partial(Liar, directory=str(folder)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(keys / "cert", keys / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


Built = Callable[[Game, str, str, Path], Path]


def once(folder: Path) -> Built:
    """What makes the site of a commit as it was at a time: each is made when it is asked for first, and lies in a folder."""
    build_it, sites = compared._built, dict[tuple[str, str], Path]()

    def built(game: Game, commit: str, at: str, scratch: Path) -> Path:
        if (commit, at) not in sites:
            sites[commit, at] = build_it(game, commit, at, Path(mkdtemp(dir=folder)))
        return sites[commit, at]

    return built


class There(NamedTuple):
    """A game that keeps secrets, its site as it lies there and as it is served, what that page says to whom it seals, and who
    makes the site that it is held against.
    """

    folder: Path
    site: Path
    address: str
    recipient: bytes
    certificate: Path
    built: Built


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[There]:
    scratch = tmp_path_factory.mktemp("lying")
    game, site = scratch / "game", scratch / "site"
    everybody = [part for player in PLAYERS for part in ("--player", player)]
    with lying(site, scratch) as address:
        told = ["--github", "nomic-club/game", "--restore", "ana", "--keeper", "ana", *PRACTICE]
        nomic("new", str(game), "--edition", "assassin", *everybody, "--emperor", "ana", *told)
        nomic("-C", str(game), "rehouse", "--github", "nomic-club/game", "--site", address, "--by", "ana")
        build(game / "mkdocs.yml", site)
        [line] = [row for row in (game / "game/sealed/keys.yml").read_text().splitlines() if "age1" in row]
        yield There(
            game,
            site,
            address,
            line.rpartition(" ")[2].strip("'\"").encode(),
            scratch / "cert",
            once(scratch),
        )


@pytest.fixture
def asked(there: There, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Commands in a clone that trusts the server's certificate, and to which the server tells the truth at first."""
    monkeypatch.setenv("SSL_CERT_FILE", str(there.certificate))
    monkeypatch.setattr(compared, "_built", there.built)
    yield commands(capsys, "-C", str(there.folder))
    LIES.clear()


def test_what_is_served_as_it_was_built_is_no_lie(there: There, asked: Any) -> None:
    said = json.loads(asked("site", "compare", "--whole", "--json").out)
    assert (said["sound"], said["unlike"], said["site"]) == (True, [], there.address)
    assert said["same"] > 100


def test_another_page_another_key_and_another_script_are_found(there: There, asked: Any) -> None:
    LIES.update({
        "/letters/": (b"Letters", b"Papers"),
        "/act/note/": (there.recipient, EVIL),
        "/assets/orders.js": (b'"use strict";', b'fetch("?" + document.cookie);'),
    })  # fmt: skip
    said = json.loads(asked("site", "compare", "--json", code=1).out)
    assert said["unlike"] == ["act/note/index.html", "assets/orders.js", "letters/index.html"]
    assert EVIL.decode() in said["problem"]["what"]
    LIES.clear()
    LIES["/rules/notes/"] = (b"Notes", b"Debts")
    assert json.loads(asked("site", "compare", "--whole", "--json", code=1).out)["unlike"] == [
        "rules/notes/index.html"
    ]


def test_the_library_that_seals_is_found_when_it_is_another(there: There, asked: Any) -> None:
    """By nothing but a blank at its end, and where it is not there."""
    age = there.site / "assets" / "age.js"
    told = re.search(
        r"`assets/age\.js`.*?SHA-256 is `([0-9a-f]{64})`", (ROOT / "docs/secrets.md").read_text(), re.DOTALL
    )
    assert told is not None
    assert told[1] == hashlib.sha256(age.read_bytes()).hexdigest()
    end = age.read_bytes()[-40:]
    assert age.read_bytes().count(end) == 1
    LIES["/assets/age.js"] = (end, end + b" ")
    assert json.loads(asked("site", "compare", "--json", code=1).out)["unlike"] == ["assets/age.js"]
    LIES.clear()
    kept = age.rename(age.with_suffix(".kept"))
    try:
        said = json.loads(asked("site", "compare", "--json", code=1).out)
    finally:
        kept.rename(age)
    assert said["unlike"] == ["assets/age.js"]


def test_each_script_and_style_of_the_site_is_found_when_it_is_another(there: There, asked: Any) -> None:
    run = sorted(
        file.relative_to(there.site).as_posix()
        for file in there.site.rglob("*")
        if file.suffix in (".css", ".js", ".mjs", ".wasm")
    )
    assert {"assets/age.js", "assets/orders.js", "assets/letters.js"} <= set(run)
    for name in run:
        begins = (there.site / name).read_bytes()[:60]
        LIES[f"/{name}"] = (begins, b" " + begins)
    assert json.loads(asked("site", "compare", "--json", code=1).out)["unlike"] == run


def test_a_site_that_says_to_be_of_another_commit_is_found(there: There, asked: Any) -> None:
    LIES["/api/game.json"] = (b'"commit": "', b'"commit": "0000')
    assert "which this clone does not have" in asked("site", "compare", code=1).out
    LIES["/api/game.json"] = (b'"at"', b'"when"')
    assert "does not say of which commit it was made" in asked("site", "compare", code=1).all


def test_the_doctor_finds_a_site_that_seals_to_another_key(
    there: There, asked: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with FakeGitHub(tmp_path / "forge") as github:
        github.settings |= {"pages": "workflow"}
        monkeypatch.setenv("GITHUB_API_URL", github.url)
        monkeypatch.setenv("GITHUB_TOKEN", github.token(github.user("ada", role="admin")))
        assert "the site is not the one" not in asked("doctor", code=1).out
        LIES["/assets/age.js"] = (b"Encrypter", b"Encrypted")
        assert "wrong: assets/age.js: the site is not the one" in asked("doctor", code=1).out
        LIES.clear()
        LIES["/act/tell/"] = (there.recipient, EVIL)
        found = asked("doctor", code=1).out
        assert "wrong: act/tell/index.html: the site is not the one that this clone makes" in found
        assert EVIL.decode() in found
        monkeypatch.delenv("SSL_CERT_FILE")
        assert "not seen: whether the site is the one that this clone makes" in asked("doctor", code=1).out


def test_a_site_for_which_programs_of_others_run_is_not_built_here(
    there: There, asked: Any, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(there.folder), str(clone)], check=True)
    with (clone / "mkdocs.yml").open("a") as settings:
        settings.write("hooks: [evil.py]\n")
    (clone / "evil.py").write_text("raise SystemExit('run')\n")
    subprocess.run(["git", "-C", str(clone), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(clone), "commit", "-qm", "Ours is nicer"], check=True)
    was, evil = (
        subprocess.check_output(["git", "-C", str(clone), "rev-parse", name]).strip()
        for name in ("HEAD~", "HEAD")
    )
    LIES["/api/game.json"] = (was, evil)
    said = asked("-C", str(clone), "site", "compare", code=1).all
    assert "does not build what these settings name (hooks)" in said
