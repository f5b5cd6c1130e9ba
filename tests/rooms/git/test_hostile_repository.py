"""Hostile repositories: what Git lets anyone commit, and what a folder handed over may hold. All of it is named, none of it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest
from hostile.forging import Forger
from hostile.small import FSCK, START, Small, git_in
from support.ids import renamed

from nomicgit.git import Repository
from nomicgit.git.layout import find
from nomicgit.git.process import command, try_run
from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Malformed, NomicError, Refused

CY = "game/state/players/cy.yml"
SECONDS = 60.0  # generous: a bomb would take hours


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small = Small.found(tmp_path_factory.mktemp("original") / "game")
    small.do("cy", "earn", n=3)
    return small.folder


@pytest.fixture
def small(original: Path, tmp_path: Path) -> Small:
    shutil.copytree(original, tmp_path / "game")
    return Small(tmp_path / "game", START + 60)


# Trees that Git takes and no game may hold.


def entry(small: Small, mode: str, name: bytes, content: bytes) -> bytes:
    """An entry for ``git mktree -z``."""
    if mode == "160000":
        return b"160000 commit " + b"1" * 40 + b"\t" + name + b"\0"
    oid = small.git("hash-object", "-w", "--stdin", given=content).strip()
    return f"{mode} blob {oid}\t".encode() + name + b"\0"


def with_entries(small: Small, folder: str, entries: list[bytes]) -> str:
    """The tree of the head, with more entries in one folder."""
    listed = small.git("ls-tree", "-z", f"HEAD:{folder}").encode()
    names = {each.split(b"\t", 1)[1] for each in entries}
    kept = b"".join(e + b"\0" for e in listed.split(b"\0")[:-1] if e.split(b"\t", 1)[1] + b"\0" not in names)
    tree = small.git("mktree", "-z", "--missing", given=kept + b"".join(entries)).strip()
    while folder:
        above, _, name = folder.rpartition("/")
        listed = small.git("ls-tree", "-z", f"HEAD:{above}" if above else "HEAD").encode()
        rest = b"".join(e + b"\0" for e in listed.split(b"\0")[:-1] if e.split(b"\t", 1)[1] != name.encode())
        line = f"040000 tree {tree}\t{name}\0".encode()
        tree, folder = small.git("mktree", "-z", "--missing", given=rest + line).strip(), above
    return tree


PLAYERS_FOLDER = "game/state/players"
TREES: dict[str, tuple[str, bytes, bytes]] = {
    "a link out of the repository": ("120000", b"cy.yml", b"/etc/passwd"),
    "a link into the Git folder": ("120000", b"cy.yml", b"../../../.git/config"),
    "a submodule": ("160000", b"cy.yml", b""),
    "a program": ("100755", b"cy.yml", b"name: cy\n"),
    "a tab and a line feed in a name": ("100644", b"a\tgame\nM\tgame.yml", b"x"),
    "a dash before a name": ("100644", b"-rf", b"x"),
    "a name of no alphabet": ("100644", b"\xff\xfe.yml", b"x"),
    "a name in other capitals": ("100644", b"CY.yml", b"name: cy\ngold: 99\n"),
    "a name in disguise": ("100644", "с\u0443.yml".encode(), b"x"),
    "a reversed name": ("100644", "\u202ey.yml".encode(), b"x"),
    "what is no YAML": ("100644", b"cy.yml", b"\x00\xff{{{"),
    "what is no map": ("100644", b"cy.yml", b"- 1\n"),
    "fields of other types": ("100644", b"cy.yml", b"name: [1]\nidle: 5\ngold: x\nmade: {a: 1}\nuses: 3\n"),
    "aliases": ("100644", b"cy.yml", b"a: &a [1]\nb: *a\n"),
}


@pytest.mark.parametrize("case", TREES)
def test_a_strange_file_is_named_and_stops_no_verification(small: Small, case: str) -> None:
    tree = with_entries(small, PLAYERS_FOLDER, [entry(small, *TREES[case])])
    forger = Forger(small)
    forged = forger.add("look here", {}, tree=tree)
    faults = small.faults()
    assert faults[forged.oid] == ["it changes the game and is no deed"]
    history = forger.commits()
    as_deed = forger.amend(len(history) - 2, lambda _: {"tree": tree})
    assert as_deed.oid in small.faults()


def test_a_link_is_never_followed_where_files_lie(small: Small) -> None:
    secret = small.folder.parent / "secret.yml"
    secret.write_text("name: cy\ngold: 77\n")
    tree = with_entries(small, PLAYERS_FOLDER, [entry(small, "120000", b"cy.yml", str(secret).encode())])
    Forger(small).add("look here", {}, tree=tree)
    with pytest.raises(Malformed, match="symbolic link"):
        small.value("players/cy gold")
    assert secret.read_text() == "name: cy\ngold: 77\n"


def test_a_bomb_of_folders_is_refused_in_time(small: Small) -> None:
    """Ten objects that claim ten thousand million files."""
    tree = small.git("mktree", "-z", given=entry(small, "100644", b"x.yml", b"x")).strip()
    for _ in range(9):
        lines = b"".join(f"040000 tree {tree}\t{n}\0".encode() for n in range(10))
        tree = small.git("mktree", "-z", given=lines).strip()
    bomb = f"040000 tree {tree}\tbomb\0".encode()
    forged = Forger(small).add("look here", {}, tree=with_entries(small, "game/state", [bomb]))
    began = time.monotonic()
    assert list(small.faults()) == [forged.oid]
    assert time.monotonic() - began < SECONDS


@pytest.mark.slow
def test_folders_without_end_are_refused(small: Small) -> None:
    tree = small.git("mktree", "-z", given=entry(small, "100644", b"x.yml", b"x")).strip()
    for _ in range(300):
        tree = small.git("mktree", "-z", given=f"040000 tree {tree}\td\0".encode()).strip()
    deep = f"040000 tree {tree}\tdeep\0".encode()
    forged = Forger(small).amend(1, lambda _: {"tree": with_entries(small, "game/state", [deep])})
    assert forged.oid in small.faults()


@pytest.mark.slow
def test_a_file_that_unpacks_to_far_more_is_not_unpacked(small: Small) -> None:
    size = 65 << 20
    head = b"blob %d\0" % size
    packer, digest = zlib.compressobj(9), sha1(head)
    packed = packer.compress(head)
    for _ in range(65):
        packed += packer.compress(bytes(1 << 20))
        digest.update(bytes(1 << 20))
    packed += packer.flush()
    oid = digest.hexdigest()
    folder = small.folder / ".git/objects" / oid[:2]
    folder.mkdir(exist_ok=True)
    (folder / oid[2:]).write_bytes(packed)
    assert len(packed) < 1 << 20
    tree = with_entries(small, PLAYERS_FOLDER, [f"100644 blob {oid}\tcy.yml\0".encode()])
    forger = Forger(small)
    forger.add("look here", {}, tree=tree)
    with pytest.raises(NomicError, match="has 68157440 bytes"):
        small.do("cy", "earn", n=1)
    assert small.faults()


@pytest.mark.parametrize(
    "attributes",
    ["* text eol=crlf\n", "* working-tree-encoding=UTF-16\n", "*.yml -diff ident\n", "* filter=evil\n"],
)
def test_attributes_change_no_bytes_of_the_game(small: Small, attributes: str) -> None:
    Forger(small).add("attributes", {".gitattributes": attributes.encode()})
    small.git("reset", "-q", "--hard")
    small.git("config", "filter.evil.clean", "sed s/gold/lead/")
    small.git("config", "filter.evil.smudge", "sed s/gold/lead/")
    game = Small(small.folder, small.at)
    small.git("checkout", "-q", "HEAD", "--", "game")
    files = {path: (small.folder / path).read_bytes() for path in (CY,)}
    if files[CY] == Forger(small).file(CY):
        game.do("cy", "earn", n=1)
    else:  # the work tree does not hold what the record holds: that is no place to write to
        with pytest.raises(
            NomicError, match=r"differ from the record: commit .* \.gitattributes lets Git change"
        ):
            game.do("cy", "earn", n=1)
    assert b"lead" not in Forger(small).file(CY)
    assert game.verified().faults == []


# Histories that end whoever replays them.


def with_law(small: Small, mechanics: str) -> str:
    """Put a guard into the law by hand, and forge a deed that it must be asked about; gives the deed's commit."""
    rule = f"---\ntitle: Evil\nguards:\n  g: {{on: all}}\n---\nWords.\n\n```starlark\n{mechanics}\n```\n"
    forger = Forger(small)
    earned = forger.commits()[-1]
    evil = forger.add("typo", {"game/ruleset/2-dynastic/90-evil.md": rule.encode()})
    message = renamed(earned.message)
    deed = forger.forge(earned, parents=(evil.oid,), tree=evil.tree, message=message)
    forger.point(deed)
    return deed.oid


HISTORIES: dict[str, str] = {
    "a parser that ends its process": "X = "
    + "-" * 200_000
    + "1\n\ndef guard_g(actor, action, given):\n    return X",
    "memory without end": (
        "def guard_g(actor, action, given):\n    x = []\n    for i in range(30):\n        x.append(str(i) * 300000000)\n"
        "    return x"
    ),
    "one operation without end": (
        "def guard_g(actor, action, given):\n    x = []\n    for i in range(60):\n        x = [x, x]\n    return repr(x)"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", HISTORIES)
def test_a_history_that_ends_its_replay_is_named(
    small: Small, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STEP", 2)
    deed = with_law(small, HISTORIES[case])
    began = time.monotonic()
    faults = small.faults()
    assert time.monotonic() - began < SECONDS
    assert any(deaths.HURT in what for what in faults[deed]), faults


# What else a folder holds that somebody hands over.


def marking(small: Small) -> tuple[Path, str]:
    """A program that leaves a mark when it is run, as a line for Git's settings."""
    mark = small.folder.parent / "mark"
    script = small.folder.parent / "script"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    return mark, str(script)


def played(small: Small) -> None:
    small.do("cy", "earn", n=1)
    assert small.verified().faults == []


Lay = Callable[[Small, str], None]


def hooks(small: Small, script: str) -> None:
    small.git("update-index", "--index-version", "4")  # of a form that Git itself writes
    for name in (
        "reference-transaction",
        "post-index-change",
        "post-commit",
        "pre-commit",
        "post-checkout",
        "update",
    ):
        shutil.copy(script, small.folder / ".git/hooks" / name)


def fsmonitor(small: Small, script: str) -> None:
    small.git("config", "core.fsmonitor", script)
    small.git("update-index", "--index-version", "4")
    (small.folder.parent / "mark").unlink(missing_ok=True)


def settings_that_run_programs(small: Small, script: str) -> None:
    for key in (
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "diff.external",
        "gpg.program",
        "alias.rev-list",
    ):
        small.git("config", key, script)
    small.git("config", "pager.log", script)
    small.git("config", "log.showSignature", "true")


@pytest.mark.parametrize("lay", [hooks, fsmonitor, settings_that_run_programs])
def test_nothing_that_lies_in_the_git_folder_is_run(small: Small, lay: Lay) -> None:
    mark, script = marking(small)
    lay(small, script)
    played(small)
    with Repository.open(small.folder) as repository:
        head = repository.resolve("main~0")
        assert head is not None
        assert repository.merge_base(head, head) == head
        list(repository.log(head, first_parent=False))
    assert not mark.exists()


@pytest.mark.slow
def test_what_a_partial_clone_lacks_is_fetched_from_nowhere(small: Small) -> None:
    mark, script = marking(small)
    for key, value in (
        ("extensions.partialClone", "evil"), ("remote.evil.promisor", "true"), ("remote.evil.url", f"ext::{script} %S"),
        ("protocol.ext.allow", "always"), ("core.repositoryFormatVersion", "1"),
    ):  # fmt: skip
        small.git("config", key, value)
    missing = small.git("rev-parse", f"HEAD:{CY}").strip()
    (small.folder / ".git/objects" / missing[:2] / missing[2:]).unlink()
    subprocess.run(["git", "cat-file", "-p", missing], cwd=small.folder, capture_output=True, check=False)
    assert mark.exists()  # Git itself would run it
    mark.unlink()
    with pytest.raises(Refused, match="a partial clone"):
        small.value("players/cy gold")
    layout = find(small.folder)  # and whoever passes by that is given nothing
    assert try_run(command(layout, "cat-file", "-p", missing)).returncode
    assert not mark.exists()


def test_a_folder_that_leads_elsewhere_is_not_written_through(small: Small) -> None:
    elsewhere = small.folder.parent / "elsewhere"
    shutil.move(small.folder / "game/state/players", elsewhere)
    (small.folder / "game/state/players").symlink_to(elsewhere)
    before = (elsewhere / "cy.yml").read_bytes()
    with pytest.raises(NomicError, match=r"local edits|symbolic link"):
        small.do("cy", "earn", n=1)
    assert (elsewhere / "cy.yml").read_bytes() == before


def test_environment_variables_do_not_lead_elsewhere(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git_in(tmp_path, "init", "-q", "other")
    small.git("gc", "-q")  # what is packed is read by Git itself
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other/.git/objects"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other/index"))
    small.do("cy", "earn", n=1)
    assert small.verified(tip=head_of(small)).faults == []
    assert not (tmp_path / "other/index").exists()


def head_of(small: Small) -> str:
    with Repository.open(small.folder) as repository:
        head = repository.head()
    assert head
    return head


def test_git_itself_finds_nothing_wrong_with_what_we_write(small: Small) -> None:
    small.do("cy", "story", title="ąć \u1e9e 雪 🜏 " + "x" * 60, body="雪\n" * 500)
    small.do("cy", "book", what={"ключ": ["🜏", "\u202e"], "a": {"b": "\x1b"}})
    assert small.git(*FSCK) == ""
    assert small.git("status", "--porcelain") == ""
    assert small.verified().faults == []
    assert os.path.exists(small.folder / CY)
