"""A pushed ``.gitattributes`` that lets Git change the game's files is named with its commit, and what is told to mend it does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clones import FEW, Clone, greeted_in_clones, settings

from nomicgit.git import Repository
from nomicgit.ground.patience import within
from nomicgit.record.seen.attributes import changing

HOSTILE = {
    "/game/** text eol=crlf": "eol=crlf",
    "/game/** working-tree-encoding=UTF-16": "working-tree-encoding=UTF-16",
}
OTHERS = {
    "[attr]plain text eol=crlf\n*.yml plain": True,
    '"/game/**" text eol=crlf': True,
    "*.yml ident": True,
    "game/** filter=lfs": True,
    "/GAME/** text eol=crlf": True,
    "game/game.yml !text eol=crlf": True,
    "* eol=crlf": False,  # of bytes, which the game's files are, Git turns no ends
    "/docs/** text eol=crlf": False,
    "*.png filter=lfs": False,
    "* text=auto": True,  # as a player's settings have it
    "game/state/** text": True,
    "[attr]plain -text\n* text\n/game/** plain": False,
    "* text\n*.md binary\n*.yml binary\ngame/signers -text": False,
    "game/posts/** !text": True,
    "* text eol=crlf\n/game/** -text": False,
    "* ident\n/game/** -ident": False,
    "# * ident": False,
}


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    monkeypatch.setenv("NO_COLOR", "1")
    return greeted_in_clones(tmp_path, rules=FEW)


def pushed(clone: Clone, more: str) -> str:
    """The commit that adds lines to the attributes."""
    with (clone.folder / ".gitattributes").open("a", encoding="utf-8") as file:
        file.write(f"{more}\n")
    clone.git("add", ".gitattributes")
    clone.git("commit", "--quiet", "--message", "By hand")
    clone.git("push", "--quiet")
    return clone.head


@pytest.mark.slow
@pytest.mark.parametrize("more", HOSTILE)
def test_what_lets_git_change_the_game_is_named_and_mended_as_told(
    clones: tuple[Clone, Clone], tmp_path: Path, more: str
) -> None:
    ana, ben = clones
    ben.play("comment", "1", "first")  # so that the next one writes into a file that is there
    bad = pushed(ben, more)
    pushed(ben, "# no more than a word")
    Clone(tmp_path).git("clone", "--quiet", "bare.git", "cy")
    cy = Clone(tmp_path / "cy")
    cy.play("me", "cy")
    for command in ("sync", "status", "check"):
        said = " ".join(
            (ana if command == "sync" else cy).play(command, code=int(command == "status")).split()
        )
        assert f"commit {bad[:12]} in the name of somebody: .gitattributes lets Git change" in said
        assert HOSTILE[more] in said
    brought = json.loads(ana.play("status", "--json", code=1))["attributes"]
    assert brought["commit"] == bad
    said = cy.play("comment", "1", "mine", code=1)
    assert bad[:12] in said
    assert "git stash" not in said
    mend = (
        brought["mend"]
        .replace("nomicgit sync", "true")
        .partition("\nthen, in each clone")[0]
        .partition("\n")[2]
    )
    subprocess.run(["sh", "-ec", mend], cwd=cy.folder, env=settings(), check=True, capture_output=True)
    cy.play("comment", "1", "mine")
    cy.play("sync")
    ana.play("sync")
    assert ana.head == cy.head
    assert "gitattributes" not in cy.play("status") + cy.play("check")
    assert [clone.git("status", "--porcelain", "--", "game") for clone in (ana, cy)] == ["", ""]


@pytest.mark.slow
def test_which_attributes_count(clones: tuple[Clone, Clone]) -> None:
    _, ben = clones
    was = (ben.folder / ".gitattributes").read_text(encoding="utf-8")
    counted = {}
    for more in OTHERS:
        (ben.folder / ".gitattributes").write_text(f"{was}{more}\n", encoding="utf-8")
        ben.git("commit", "--quiet", "--message", "By hand", "--", ".gitattributes")
        with Repository.open(ben.folder) as repository:
            counted[more] = changing(repository, ben.head) is not None
    assert counted == OTHERS


@pytest.mark.slow
def test_a_file_that_was_not_there_before_is_taken_out(clones: tuple[Clone, Clone]) -> None:
    _, ben = clones
    ben.git("rm", "--quiet", ".gitattributes")
    ben.git("commit", "--quiet", "--message", "By hand")
    pushed(ben, "* ident")
    assert "    git rm --quiet .gitattributes" in ben.play("status", code=1).split("\n")


GUARD = "/game/** -text\n"
DROPPED: dict[str, Callable[[str], str]] = {
    "the line": lambda was: was.replace(GUARD, ""),
    "the file": lambda _: "",
    "commented out": lambda was: was.replace(GUARD, f"# {GUARD}"),
    "overruled": lambda was: f"{was}/game/** text=auto\n",
}


@pytest.mark.slow
def test_a_line_that_is_only_taken_out_is_named_as_one_that_is_added(
    clones: tuple[Clone, Clone], tmp_path: Path
) -> None:
    """Git itself says so: in a clone of somebody whose settings turn line ends, the game's files are others."""
    ana, ben = clones
    file = ben.folder / ".gitattributes"
    was, good = file.read_text(encoding="utf-8"), ben.head
    for what, change in DROPPED.items():
        file.write_text(change(was), encoding="utf-8")
        if not change(was):
            file.unlink()
        ben.git("commit", "--quiet", "--all", "--message", "By hand")
        attributed = ben.git("check-attr", "text", "game/game.yml")
        assert not attributed.endswith(": unset"), what
        with Repository.open(ben.folder) as repository:
            brought = changing(repository, ben.head)
            assert changing(repository, good) is None
        assert brought is not None, what
        assert (brought.commit, brought.before, brought.names) == (ben.head, good, ("no -text",)), what
        bad = ben.head
        ben.git("reset", "--quiet", "--hard", bad if what == "the line" else good)
        if what == "the line":
            ben.git("push", "--quiet")
            said = " ".join(ana.play("sync").split())
            assert f"commit {bad[:12]} in the name of somebody: .gitattributes lets Git change" in said
            mend = (
                brought.mend.partition("\nthen, in each clone")[0]
                .partition("\n")[2]
                .replace("nomicgit sync", "git push --quiet")
            )
            subprocess.run(
                ["sh", "-ec", mend], cwd=ben.folder, env=settings(), check=True, capture_output=True
            )
            good = ben.head
            ana.play("sync")
            assert "attributes" not in ana.play("status")
    (ben.folder / "game" / ".gitattributes").write_text("* text\n", encoding="utf-8")
    ben.git("add", "game/.gitattributes")
    ben.git("commit", "--quiet", "--message", "In the game")
    ben.git("push", "--quiet")
    assert "it changes the game and is no deed" in ana.play("sync", code=1)


TIRING = {
    "a pattern of many stars": "/game/state/players/" + "*?" * 20 + "Z ident\n",
    "macros of macros": "[attr]m0 ident\n"
    + "".join(f"[attr]m{n} m{n - 1} m{n - 1}\n" for n in range(1, 60))
    + "* m59\n",
    "lines without end": "".join(f"no{n} text\n" for n in range(100_000)),
    "a line without end": "* " + "eol=crlf " * 100_000 + "\n",
}


@pytest.mark.parametrize("tiring", TIRING)
def test_what_would_tire_whoever_reads_it_is_named_at_once(tmp_path: Path, tiring: str) -> None:
    players = {f"game/state/players/{'x' * 40}{n}.yml": b"{}\n" for n in range(20)}
    guard = b"/game/** -text\n"
    with Repository.init(tmp_path) as repository:
        head: str | None = None
        for more in (b"", TIRING[tiring].encode()):
            tree = repository.tree_with(None, players | {".gitattributes": b"\n" + guard + more})
            parents = [head] if head else []
            head = repository.append(
                tree=tree, parents=parents, message="By hand", author="mallory", email="", at=0, expect=head
            )
        assert head is not None
        with within(5, ""):
            brought = changing(repository, head)
        assert brought is not None
        assert (brought.commit, brought.by) == (head, "mallory")
        assert changing(repository, repository.commit(head).parents[0]) is None
