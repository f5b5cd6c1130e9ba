"""Commits that somebody has pushed and no clone can take in: each is named with whoever made it, nothing moves, and the
command that is told takes it out for all.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from support.clones import FEW, Clone, with_mallory
from support.depth import is_deep, one_of

from nomicgit.clones import receiving
from nomicgit.clones.syncing import sync
from nomicgit.git import Repository
from nomicgit.git.incoming import Move, Pushed
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id
from nomicgit.record.seen import arrivals
from nomicgit.steward import lookout


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone, Clone]:
    """The clone of Ana, who has founded the game, Ben's, and one of somebody who pushes by hand."""
    monkeypatch.setenv("NO_COLOR", "1")
    return with_mallory(tmp_path, rules=FEW)


def entry(mode: str, name: str, oid: str) -> bytes:
    return f"{mode} {name}\0".encode() + bytes.fromhex(oid)


def beside_the_game(mallory: Clone, *entries: bytes) -> str:
    """A tree that has the game, and more entries before it."""
    game = entry("40000", "game", mallory.git("rev-parse", "HEAD:game"))
    return mallory.stored("tree", b"".join([*entries, game]))


def pushed(
    mallory: Clone,
    tree: str,
    who: str = "mallory <m@example.invalid> 1623024000 +0000",
    says: str = "By hand",
) -> str:
    """A commit of a tree upon the branch, pushed past whatever looks at objects; gives its id."""
    head = f"author {who}\ncommitter {who}\n" if who else ""
    body = f"tree {tree}\nparent {mallory.head}\n{head}\n{says}\n"
    commit = mallory.stored("commit", body.encode())
    mallory.git("push", "--quiet", "origin", f"{commit}:refs/heads/main")
    return commit


def bomb(mallory: Clone, deep: int = 8, blob: bytes = b"x") -> str:
    oid, mode = mallory.stored("blob", blob), "100644"
    for _ in range(deep):
        oid, mode = mallory.stored("tree", b"".join(entry(mode, f"d{n}", oid) for n in range(10))), "40000"
    return beside_the_game(mallory, entry("40000", "bomb", oid))


def empty_bomb(mallory: Clone) -> str:
    oid = mallory.stored("tree", b"")
    for _ in range(8):
        oid = mallory.stored("tree", b"".join(entry("40000", f"d{n}", oid) for n in range(10)))
    return beside_the_game(mallory, entry("40000", "bomb", oid))


def twice(mallory: Clone) -> str:
    blob = mallory.stored("blob", b"x")
    return beside_the_game(mallory, entry("100644", "a", blob), entry("100644", "a", blob))


UNFIT = {
    "a bomb of folders": (bomb, "mallory", "lays down what no clone holds"),
    "a bomb of empty folders": (empty_bomb, "mallory", "lays down what no clone holds"),
    "many large files": (
        lambda clone: bomb(clone, 4, bytes(200_000)),
        "mallory",
        "lays down 2000000000 bytes",
    ),
    "a name twice": (twice, "mallory", "a name stands twice"),
    "no author": (beside_the_game, "nobody", "it is no commit"),
}


def some(cases: Iterable[str]) -> list[Any]:
    """One of two in every profile."""
    return [pytest.param(each, marks=one_of(2, number)) for number, each in enumerate(cases)]


@pytest.mark.slow
@pytest.mark.parametrize("what", some(UNFIT))
def test_what_no_clone_takes_in_is_named_and_taken_out_as_is_told(
    clones: tuple[Clone, Clone, Clone], what: str
) -> None:
    _, ben, mallory = clones
    make, who, why = UNFIT[what]
    good, bad = (
        ben.head,
        pushed(mallory, make(mallory), "" if who == "nobody" else f"{who} <m@x> 1623024000 +0000"),
    )
    ben.play("comment", "1", "mine")
    mine = ben.head
    for _ in range(2):
        said = ben.play("sync", code=1)
        assert f"the commit {bad[:12]} in the name of {who}, which was pushed to origin/main," in said
        assert why in said
        assert "git fsck" not in said
        assert ben.head == mine
        later = ben.play("status", code=1)
        assert "the last sync moved nothing: " in later
        assert bad[:12] in later
        assert f"error: the last sync moved nothing: the commit {bad[:12]}" in ben.play("check", code=1)
        assert "not looked at" in ben.play("verify")
    obey(ben, said)
    assert "pushed 1 commit" in ben.play("sync")
    assert ben.git("rev-parse", "HEAD~1") == good
    assert "moved nothing" not in ben.play("status")
    assert "verified" in ben.play("verify")


def obey(clone: Clone, said: str) -> None:
    """Do what a refusal tells: its Git commands, word for word."""
    told = [line.strip() for line in said.split("\n") if line.startswith("    git ")]
    assert [line.split()[1] for line in told] == ["update-ref", "push"]
    for command in told:
        clone.git(*shlex.split(command)[1:])


@pytest.mark.slow
def test_a_damaged_commit_that_git_has_fetched_is_named_by_status(clones: tuple[Clone, Clone, Clone]) -> None:
    _, ben, mallory = clones
    bad = pushed(mallory, beside_the_game(mallory), "")
    ben.git("fetch", "--quiet")
    said = ben.play("status", code=1)
    assert f"the commit {bad[:12]} in the name of nobody" in said
    obey(ben, said)
    ben.play("sync")
    ben.play("status")


@pytest.mark.slow
@pytest.mark.parametrize("what", some(["a name twice", "no author"]))
def test_a_new_clone_of_what_nobody_can_read_names_the_commit(
    clones: tuple[Clone, Clone, Clone], what: str
) -> None:
    """Git lays it down without a word; what takes it out is what a clone is told that has not taken it in."""
    _, ben, mallory = clones
    bad = pushed(mallory, UNFIT[what][0](mallory), "" if what == "no author" else "mallory <m@x> 1 +0000")
    mallory.git("clone", "--quiet", "../bare.git", "../new")
    new = Clone(ben.folder.parent / "new")
    for words in ("status", "verify", "check", "log", "sync"):
        said = new.play(words, code=1)
        assert f"the commit {bad[:12]} in the name of " in said, words
        assert "git fsck" not in said, words
    obey(new, said)
    [out] = [line for line in new.play("sync", code=1).splitlines() if line.startswith("    git reset ")]
    new.git(*shlex.split(out)[1:])
    new.play("sync")
    assert "verified" in new.play("verify")


@pytest.mark.slow
def test_deeds_upon_what_is_taken_out_are_told(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, mallory = clones
    pushed(mallory, bomb(mallory, 2))
    ana.play("sync")
    ana.play("post", "Upon it")
    ana.play("sync")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(arrivals, "MOST_PATHS", 99)
        said = ben.play("sync", code=1)
    assert f"takes out 1 deed: ana: post ({ana.head[:12]})" in said
    ben.play("sync")
    assert ben.head == ana.head


@pytest.mark.parametrize("bound", ["MOST_PATHS", "MOST_BYTES"])
def test_what_lies_beside_the_game_is_bounded_however_many_commits_bring_it(
    clones: tuple[Clone, Clone, Clone], monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """Each of three commits brings as much as one may; all in one push, and the one that makes it too much is named."""
    _, ben, mallory = clones
    blob, tops, bad = mallory.stored("blob", b"x" * 100), list[bytes](), list[str]()
    folder = mallory.stored("tree", b"".join(entry("100644", f"f{n:02}", blob) for n in range(20)))
    for top in "abc":
        each = mallory.stored("tree", b"".join(entry("40000", f"d{n}", folder) for n in range(2)))
        tops.append(entry("40000", top, each))
        bad.append(pushed(mallory, beside_the_game(mallory, *tops)))
        mallory.git("reset", "--quiet", "--soft", bad[-1])
    monkeypatch.setattr(arrivals, bound, 100 if bound == "MOST_PATHS" else 10_000)
    said = ben.play("sync", code=1)
    lies = [line.split() for line in mallory.git("ls-tree", "-r", "-t", "-l", bad[2]).splitlines()]
    beside = [words for words in lies if words[4].partition("/")[0] in "abc"]
    much = f"{len(beside)} files and folders"
    if bound == "MOST_BYTES":
        much = f"{sum(int(words[3]) for words in beside if words[3] != '-')} bytes"
    assert f"the commit {bad[2][:12]} in the name of mallory" in said
    assert f"has {much} lie beside the game" in said
    assert not (ben.folder / "a").exists()
    obey(ben, said)
    ben.play("sync")
    assert (ben.head, ben.git("ls-files", "a", "b", "c").count("\n") + 1) == (bad[1], 80)


WHO = "mallory <m@example.invalid>"
BEYOND = f"{WHO} 99999999999999999999 +0000"


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a name twice", "no author"])
def test_what_nobody_can_read_is_named_to_the_founder_too(
    clones: tuple[Clone, Clone, Clone], what: str
) -> None:
    ana, _, mallory = clones
    make, who, why = UNFIT[what]
    bad = pushed(mallory, make(mallory), "" if who == "nobody" else f"{who} <m@x> 1623024000 +0000")
    said = ana.play("sync", code=1)
    assert f"the commit {bad[:12]} in the name of {who}" in said
    assert why in said
    obey(ana, said)
    ana.play("sync")


@pytest.mark.slow
def test_a_change_of_the_game_dated_beyond_all_years_is_named(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, mallory = clones
    game = mallory.stored("tree", b"")
    good, bad = ana.head, pushed(mallory, mallory.stored("tree", entry("40000", "game", game)), BEYOND)
    for clone in (ana, ben):
        said = clone.play("sync", code=1)
        assert f"the commit {bad[:12]} in the name of mallory" in said
        assert clone.head == good
    ben.git("pull", "--quiet")
    said = ben.play("status", code=1)
    assert f"commit {bad[:12]} in the name of mallory, 9999-12-31T23:59:59Z" in said
    assert good[:12] in said


def sorted_beside(mallory: Clone, *entries: tuple[str, str]) -> str:
    """A tree that has the game, and a file of each name, or what is said, in Git's order."""
    blob = mallory.stored("blob", b"x\n")
    named = {"game": entry("40000", "game", mallory.git("rev-parse", "HEAD:game"))}
    named |= {name: entry("100644", name, oid or blob) for name, oid in entries}
    return mallory.stored("tree", b"".join(named[name] for name in sorted(named, key=str.encode)))


def named_so(*names: str) -> Callable[[Clone], bytes]:
    return lambda mallory: plain(mallory, sorted_beside(mallory, *((name, "") for name in names)))


def plain(mallory: Clone, tree: str, *more: str, says: str = "By hand\n") -> bytes:
    who = "mallory <m@example.invalid> 1623024000 +0000"
    lines = (f"tree {tree}", f"parent {mallory.head}", f"author {who}", f"committer {who}", *more, "", says)
    return "\n".join(lines).encode()


def by_whom(mallory: Clone, *authors: str) -> bytes:
    lines = plain(mallory, mallory.git("rev-parse", "HEAD^{tree}")).decode().split("\n")
    return "\n".join([*lines[:2], *authors, *lines[3:]]).encode()


def unsorted(mallory: Clone) -> bytes:
    blob, game = mallory.stored("blob", b"x\n"), mallory.git("rev-parse", "HEAD:game")
    entries = (entry("40000", "game", game), entry("100644", "a", blob))
    return plain(mallory, mallory.stored("tree", b"".join(entries)))


def modules(mallory: Clone) -> bytes:
    blob = mallory.stored("blob", b'[submodule "../../x"]\n\tpath = x\n\turl = -u./payload\n')
    return plain(mallory, sorted_beside(mallory, (".gitmodules", blob)))


REFUSED = "is a name that Git refuses"
FOLDED = "are one name where capitals do not count"
ODD_COMMITS: dict[str, tuple[Callable[[Clone], bytes], str]] = {
    "Git's own folder": (named_so(".git"), REFUSED),
    "in capitals": (named_so(".GIT"), REFUSED),
    "with a letter that is not seen": (named_so(".g\u200cit"), REFUSED),
    "as an old Windows has it": (named_so("git~1"), REFUSED),
    "as a stream of Windows": (named_so(".git::$INDEX_ALLOCATION"), REFUSED),
    "behind a backslash": (named_so("a\\.git"), REFUSED),
    "the folder above": (named_so(".."), REFUSED),
    "capitals only": (named_so("Notes", "notes"), FOLDED),
    "another game": (named_so("GAME"), FOLDED),
    "one letter in two ways": (
        named_so("caf\u00e9", "cafe\u0301"),
        r"'cafe\u0301' and 'caf\xe9' are one name where it does not count how letters are written",
    ),
    "a folder out of order": (unsorted, "holds what Git does not take: treeNotSorted"),
    "a submodule with an option for its address": (modules, "holds what Git does not take: gitmodules"),
    "a NUL among the headers": (
        lambda mallory: plain(mallory, mallory.git("rev-parse", "HEAD^{tree}"), "note \0"),
        "holds what Git does not take: nulInHeader",
    ),
    "a date that overflows": (
        lambda mallory: by_whom(mallory, f"author {BEYOND}"),
        "holds what Git does not take: badDateOverflow",
    ),
    "a date of five thousand digits": (
        lambda mallory: by_whom(mallory, f"author {WHO} {'9' * 5000} +0000"),
        "holds what Git does not take: badDateOverflow",
    ),
    "two authors": (
        lambda mallory: by_whom(mallory, f"author {WHO} 1623024000 +0000", f"author {WHO} 1623024000 +0000"),
        "holds what Git does not take: multipleAuthors",
    ),
    "a NUL in its message": (
        lambda mallory: plain(mallory, mallory.git("rev-parse", "HEAD^{tree}"), says="By\0hand\n"),
        "holds what Git does not take: nulInCommit",
    ),
    "ten thousand parents": (
        lambda mallory: plain(mallory, mallory.git("rev-parse", "HEAD^{tree}")).replace(
            b"author", b"parent %s\n" % mallory.head.encode() * 9_999 + b"author", 1
        ),
        "merges 9999 commits, more than 99",
    ),
    "a deed that Git alone reads": (
        lambda mallory: plain(
            mallory,
            mallory.git("rev-parse", "HEAD^{tree}"),
            "encoding IBM037",
            says="ana: wins\n\nNomic-Action: win\n".encode("cp037").decode("latin-1"),
        ),
        "says that its message is written in IBM037",
    ),
    "a book for a message": (
        lambda mallory: plain(mallory, mallory.git("rev-parse", "HEAD^{tree}"), says="x" * (5 << 20)),
        "is a commit of 5243",
    ),
}


@pytest.mark.slow
def test_no_clone_takes_in_what_another_cannot_and_nobody_is_stuck(
    clones: tuple[Clone, Clone, Clone], request: pytest.FixtureRequest
) -> None:
    """Each, or but for the deep profile one of three, is named in a clone with a strict Git and in one without, by verify, and
    by a host; and is taken out as is told.
    """
    ana, ben, mallory = clones
    assert (
        ana.git("config", "transfer.fsckObjects"),
        ben.git("config", "--default", "", "transfer.fsckObjects"),
    ) == ("true", "")
    good = ben.head
    for what in ODD_COMMITS if is_deep(request.config) else [*ODD_COMMITS][1::3]:
        make, why = ODD_COMMITS[what]
        bad = mallory.stored("commit", make(mallory))
        mallory.git("push", "--quiet", "origin", f"{bad}:refs/heads/main")
        by_git = "Git does not take" in why
        again = ((ben, []), (ben, ["--dry-run"])) if by_git else ()
        for place, (clone, how) in enumerate(((ana, []), (ben, []), *again)):
            if place == 2:
                upon = mallory.git("commit-tree", "-p", bad, "-m", "What lies there stays", f"{bad}^{{tree}}")
                mallory.git("push", "--quiet", "origin", f"{upon}:refs/heads/main")
            said = clone.play("sync", *how, code=1)
            assert (
                f"the commit {bad[:12]} in the name of mallory, which was pushed to origin/main," in said
            ), what
            assert why in said, what
            assert clone.head == good
        said_then = " ".join(mallory.play("verify", bad, code=1).split())
        assert f"fault {bad[:12]}: it " in said_then, what
        assert why in said_then, what
        if not by_git:
            with (
                Repository.open(ana.folder.parent / "bare.git") as bare,
                pytest.raises(Refused, match=bad[:12]),
            ):
                receiving.receive(bare, Pushed((Move("refs/heads/main", good, bad),)), 0)
        assert "the last sync moved nothing: " in ben.play("status", code=1)
        obey(ben, said)
        ana.play("sync")
    ben.play("sync")
    assert (ana.head, ben.head) == (good, good)
    assert "moved nothing" not in ben.play("status")


def deep(mallory: Clone, folders: int) -> str:
    """A tree that has the game, and beside it a folder that is so many folders deep."""
    with Repository.open(mallory.folder) as repository:
        oid, mode = mallory.stored("blob", b"x"), "100644"
        for _ in range(folders):
            oid, mode = repository.write("tree", entry(mode, "d", oid)), "40000"
    return beside_the_game(mallory, entry("40000", "deep", oid))


@pytest.mark.slow
def test_a_folder_that_is_deep_holds_nobody_up(clones: tuple[Clone, Clone, Clone]) -> None:
    """Git complains of each of its folders where it looks for attributes there: more than anybody listens to."""
    ana, ben, mallory = clones
    bad = pushed(mallory, deep(mallory, 3000))
    ben.git("fetch", "--quiet")
    ben.git("update-ref", "HEAD", "refs/remotes/origin/main")
    for clone, words in ((ana, "sync"), (ben, "verify"), (ben, "status"), (ben, "check")):
        said = clone.play(words, code=1)
        assert f"{bad[:12]}" in said
        assert "64 folders deep" in said
    obey(ana, ana.play("sync", code=1))
    ana.play("sync")


BESIDE: dict[str, Callable[[Clone], str]] = {
    "GAME and game are one name": lambda mallory: beside_the_game(
        mallory,
        entry("40000", "GAME", mallory.stored("tree", entry("100644", "x", mallory.stored("blob", b"x")))),
    ),
    "Notes and notes are one name": lambda mallory: mallory.stored(
        "tree",
        entry("100644", "Notes", mallory.stored("blob", b"x"))
        + entry("40000", "game", mallory.git("rev-parse", "HEAD:game"))
        + entry("100644", "notes", mallory.stored("blob", b"y")),
    ),
    "there are too many files": bomb,
}


@pytest.mark.slow
@pytest.mark.parametrize("why", some(BESIDE))
def test_what_git_alone_has_brought_in_and_not_every_clone_holds_is_named_by_whoever_looks(
    clones: tuple[Clone, Clone, Clone], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "MOST_PATHS", 999)
    _, ben, mallory = clones
    good, bad = ben.head, pushed(mallory, BESIDE[why](mallory))
    ben.git("fetch", "--quiet")
    ben.git("update-ref", "HEAD", "refs/remotes/origin/main")
    for each in (("post", "Upon it"), ("status",), ("check",)):
        said = ben.play(*each, code=1)
        assert f"the commit {bad[:12]} in the name of mallory" in said
        assert why in said
    told = json.loads(ben.play("status", "--json", code=1))["unheld"]
    assert (told["commit"], told["by"]) == (bad, "mallory")
    obey(ben, "".join(f"    {command}\n" for command in told["commands"]))
    ben.git("update-ref", "HEAD", good)
    for words in ("status", "check"):
        assert bad[:12] not in ben.play(words)


@pytest.mark.slow
def test_a_commit_of_ones_own_that_others_cannot_take_in_is_not_pushed(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    _, ben, _ = clones
    for name in ("Notes", "notes"):
        (ben.folder / name).write_text("x\n", encoding="utf-8")
    ben.git("add", "Notes", "notes")
    ben.git("commit", "--quiet", "--message", "Two notes")
    said = ben.play("sync", code=1)
    assert f"your own commit {ben.head[:12]} lays down what not every clone holds" in said
    ben.git("rm", "-q", "notes")
    ben.git("commit", "--quiet", "--amend", "--message", "A note")
    assert "pushed 1 commit" in ben.play("sync")


def link(mallory: Clone) -> str:
    there = mallory.stored("blob", b"../.git")
    return beside_the_game(
        mallory, entry("40000", "docs", mallory.stored("tree", entry("120000", "x", there)))
    )


def two_forms(mallory: Clone) -> str:
    return sorted_beside(mallory, ("caf\u00e9", ""), ("cafe\u0301", ""))


def headed(mallory: Clone, header: str, says: str = "By hand") -> str:
    """A commit of what is there, with one more header."""
    who = "mallory <m@example.invalid> 1623024000 +0000"
    body = f"tree {mallory.git('rev-parse', 'HEAD^{tree}')}\nparent {mallory.head}\nauthor {who}\ncommitter {who}\n{header}\n{says}\n"
    commit = mallory.stored("commit", body.encode())
    mallory.git("push", "--quiet", "origin", f"{commit}:refs/heads/main")
    return commit


BROUGHT: dict[str, tuple[Callable[[Clone], str], str]] = {
    "a link": (lambda mallory: pushed(mallory, link(mallory)), "lays down a symbolic link, docs/x"),
    "two forms": (lambda mallory: pushed(mallory, two_forms(mallory)), "how letters are written"),
    "an encoding": (lambda mallory: headed(mallory, "encoding UTF-7\n"), "written in UTF-7"),
    "a NUL": (lambda mallory: headed(mallory, "", "By\0hand"), arrivals.UNTAKEN),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", some(BROUGHT))
def test_upon_what_git_alone_has_brought_in_nothing_is_pushed_and_each_clone_lets_go_of_it(
    clones: tuple[Clone, Clone, Clone], what: str
) -> None:
    """Nobody's own deeds are lost by it, whoever has looked meanwhile, and who puts the branch back, is told the same."""
    ana, ben, mallory = clones
    make, why = BROUGHT[what]
    good, bad = ben.head, make(mallory)
    ben.play("comment", "1", "mine")
    for clone in (ana, ben):
        clone.git("-c", "transfer.fsckObjects=false", "pull", "--quiet", "--rebase")
    for clone in (ana, ben):  # with nothing to push, and with a deed
        first = ("sync",) if clone is ben else ("comment", "1", "upon")
        for words in (first, ("sync", "--dry-run"), ("sync",), ("status",), ("check",)):
            said = clone.play(*words, code=1)
            assert f"the commit {bad[:12]} in the name of mallory" in said, words
            assert why in said, words
            assert said.count("docs/x") == (what == "a link"), words  # not also as what a build would follow
        told = clone.play("sync", code=1)
        assert "nothing is pushed" in told
    assert ben.git("ls-remote", "origin", "refs/heads/main").split()[0] == bad
    obey(ana, told)
    said = ana.play("status", code=1)
    assert "your own commit" not in said
    assert "not pushed" not in said
    assert "git reset" not in said
    ben.git("fetch", "--quiet")
    assert "1 own commit is not pushed" in ben.play("status", code=1)
    for clone in (ana, ben):
        said = clone.play("sync")
        assert "your own" not in said
        assert clone.git("status", "--porcelain") == ""
        assert not {each.name for each in clone.folder.rglob("*")} & {"x", "caf\u00e9", "cafe\u0301"}
        for word in ("status", "check", "verify"):
            assert bad[:12] not in clone.play(word)
    assert ana.head == good
    assert ben.git("rev-parse", "HEAD~1") == good
    assert ben.git("log", "-1", "--format=%s").startswith("ben: comment")
    assert ben.git("ls-remote", "origin", "refs/heads/main").split()[0] == ben.head


@pytest.mark.slow
def test_whoever_has_merged_what_no_clone_takes_in_is_told_to_go_back_once_it_is_taken_out(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    _, ben, mallory = clones
    good, bad = ben.head, pushed(mallory, link(mallory))
    ben.play("comment", "1", "mine")
    mine = ben.head
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit")
    said = ben.play("sync", code=1)
    assert f"the commit {bad[:12]} in the name of mallory" in said
    assert "your own commit" not in said
    obey(ben, said)
    said = ben.play("sync", code=1)
    assert f"your own commit {ben.head[:12]} merges the commit {bad[:12]} in the name of mallory" in said
    [back] = [line for line in said.split("\n") if line.startswith("    git ")]
    ben.git(*shlex.split(back)[1:])
    assert ben.head == mine
    assert "pushed 1 commit" in ben.play("sync")
    assert ben.git("rev-parse", "HEAD~1") == good


def unseen(clone: Clone, text: str) -> None:
    """A comment of Ben's by a program that looks at nothing before."""
    with Repository.open(clone.folder) as repository:
        game = Game(repository, repository.commit(str(repository.head())))
        given = {"post": "1", "text": text}
        game.act(Deed(new_id(game.last()), "ben", "comment", given, game.last()))


@pytest.mark.slow
def test_a_line_that_no_clone_takes_in_is_never_offered_to_be_had_back(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    """Ben has pulled it and pushed a deed upon it by Git alone; Ana takes both out."""
    ana, ben, mallory = clones
    good, bad = ben.head, pushed(mallory, link(mallory))
    ben.git("pull", "--quiet")
    unseen(ben, "mine")
    ben.git("push", "--quiet", "origin", "main:main")
    with Repository.open(ben.folder) as repository:  # as a steward has it that has seen both
        [told] = lookout.amiss(repository, good, ben.head, 0)
    assert f"{bad[:12]} in the name of mallory, which lays down a symbolic link" in told
    assert "--force-with-lease" not in told
    obey(ana, ana.play("sync", code=1))
    unseen(ben, "mine too")
    for words in ("sync", "status"):
        said = ben.play(words, code=1)
        assert "git push" not in said
        assert "git rebase" not in said
        assert "your own commit" not in said
        assert "    nomicgit sync --accept" in said
    assert f"{bad[:12]} in the name of mallory" in ben.play("sync", code=1)
    assert "yours: 1 deed: ben: comment" in ben.play("sync", "--accept")
    assert ben.git("rev-parse", "HEAD~1") == good
    assert "verified" in ben.play("verify")


def in_game(mallory: Clone, mode: str, text: str, path: str = "game/game.yml", **how: str) -> bytes:
    """A commit that lays something into the game."""
    oid = mallory.head if mode == "160000" else mallory.stored("blob", text.encode())
    mallory.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
    tree = mallory.git("write-tree")
    mallory.git("read-tree", "HEAD")
    return plain(mallory, tree, **how)


def settings_of(clone: Clone) -> str:
    return (clone.folder / "game" / "game.yml").read_text(encoding="utf-8")


def swallowed(mallory: Clone, deed: bytes) -> bytes:
    """A merge that keeps nothing of a line with a deed."""
    other = mallory.stored("commit", deed)
    mine = plain(mallory, mallory.git("rev-parse", "HEAD^{tree}"))
    return mine.replace(b"author", b"parent %s\nauthor" % other.encode(), 1)


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1\n"
NO_DEED = "it changes the game and is no deed"
IN_GAME: dict[str, tuple[Callable[[Clone, bytes], bytes], str]] = {
    "a link": (lambda clone, _: in_game(clone, "120000", "/etc/passwd"), NO_DEED),
    "a submodule": (lambda clone, _: in_game(clone, "160000", "", "game/ruleset/x"), NO_DEED),
    "a program": (lambda clone, _: in_game(clone, "100755", settings_of(clone)), NO_DEED),
    "a pointer to a large file": (lambda clone, _: in_game(clone, "100644", POINTER), NO_DEED),
    "a NUL in the message": (
        lambda clone, _: in_game(clone, "100644", "x", says="By\0hand\n"),
        arrivals.UNTAKEN,
    ),
    "another founding": (
        lambda clone, _: plain(
            clone,
            clone.git("rev-parse", "HEAD^{tree}"),
            says=clone.git("log", "--format=%B", "--max-parents=0") + "\n",
        ),
        "it founds a game where one is already",
    ),
    "a merge that swallows": (swallowed, "leaves"),
    "a deed in another encoding, of which ASCII stays that": (
        lambda _, deed: deed.replace(b"\n\n", b"\nencoding ISO-8859-1\n\n", 1),
        "headers",
    ),
    "a deed with a NUL": (lambda _, deed: deed.replace(b"\n\n", b"\n\n\0", 1), arrivals.UNTAKEN),
    "a deed of odd bytes": (
        lambda _, deed: deed.replace(b"author ben", b"author b\xff\x1b[31mn", 1),
        "author",
    ),
    "a deed of two authors": (
        lambda _, deed: deed.replace(b"committer", b"author x <x> 1 +0000\ncommitter", 1),
        arrivals.UNTAKEN,
    ),
    "a deed merged twice": (
        lambda clone, deed: deed.replace(b"author", b"parent %s\nauthor" % clone.head.encode(), 1),
        "merges",
    ),
}


@pytest.mark.slow
def test_every_odd_commit_is_named_and_upon_it_nothing_moves(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, mallory = clones
    good = ben.head
    ben.play("comment", "1", "mine")
    deed = subprocess.run(
        ["git", "cat-file", "commit", "HEAD"], cwd=ben.folder, capture_output=True, check=True
    ).stdout
    mallory.git("fetch", "--quiet", "../ben", "main")
    ben.git("reset", "--quiet", "--hard", good)
    for what, (make, why) in IN_GAME.items():
        bad = mallory.stored("commit", make(mallory, deed))
        mallory.git("push", "--quiet", "--force", "origin", f"{bad}:refs/heads/main")
        for clone, command in ((ben, ["sync", "--accept"]), (mallory, ["verify", bad])):
            code, told = clone.tried(*command)
            said = " ".join(told.split())
            assert (code, bad[:12] in said) == (1, True), (what, said)
            assert why in said, what
            assert "\x1b" not in said, what
        assert ben.head == good
        with Repository.open(ana.folder.parent / "bare.git") as bare, pytest.raises(Refused, match=bad[:12]):
            receiving.receive(bare, Pushed((Move("refs/heads/main", good, bad),)), 0)
        mallory.git("push", "--quiet", "--force", "origin", f"{good}:refs/heads/main")
    ben.play("sync", "--accept")
    assert ben.head == good


BEFORE_A_BRANCH: dict[str, tuple[Callable[[Clone], str], str, str]] = {
    "a link": (lambda m: beside_the_game(m, entry("120000", "a-link", m.stored("blob", b"../x"))), "", "a symbolic link"),
    "capitals": (lambda m: beside_the_game(m, entry("40000", "GAME", m.git("rev-parse", "HEAD:game"))), "", "not every clone"),
    "an encoding": (lambda m: m.git("rev-parse", "HEAD^{tree}"), "encoding UTF-7\n", "written in UTF-7"),
    "a name twice": (twice, "", "a name stands twice"),
    "a large file": (lambda m: beside_the_game(m, entry("100644", "big.bin", m.stored("blob", bytes(9 << 20)))), "",
                     "lays down big.bin, of 9437184 bytes the largest of its files: all together they have 94"),
    "many files": (
        lambda m: beside_the_game(m, *(entry("100644", f"b{n}", m.stored("blob", bytes([n]) * (1 << 20))) for n in range(9))),
        "", "of 1048576 bytes the largest of its files: all together they have 94",
    ),
}  # fmt: skip


def branch_after(mallory: Clone, tree: str, header: str) -> tuple[str, str]:
    """A branch that changes one rule, after a commit which is that of a tree with one more header: that commit, and the head."""
    who = "mallory <m@example.invalid> 1623024000 +0000"
    body = f"tree {tree}\nparent {mallory.head}\nauthor {who}\ncommitter {who}\n{header}\nFirst\n"
    bad = mallory.stored("commit", body.encode())
    rule = max((mallory.folder / "game/ruleset").rglob("*.md"))
    rule.write_text(rule.read_text(encoding="utf-8").rstrip() + "\nMore of it.\n", encoding="utf-8")
    mallory.git("add", "game")
    own = f"tree {mallory.git('write-tree')}\nparent {bad}\nauthor {who}\ncommitter {who}\n\nThen\n"
    head = mallory.stored("commit", own.encode())
    mallory.git("reset", "-q", "--hard")
    mallory.git("update-ref", "refs/heads/idea", head)
    return bad, head


@pytest.mark.slow
@pytest.mark.parametrize("what", some(BEFORE_A_BRANCH))
def test_a_commit_behind_a_branch_that_no_clone_takes_in_is_refused_and_comes_in_with_no_enactment(
    clones: tuple[Clone, Clone, Clone], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ana, ben, mallory = clones
    poison, header, why = BEFORE_A_BRANCH[what]
    bad, head = branch_after(mallory, poison(mallory), header)
    said = mallory.play("propose", "--as", "ben", "--title", "More", "--branch", "idea", code=1)
    assert f"the branch holds the commit {bad[:12]} in the name of mallory, which" in said
    assert why in said
    with monkeypatch.context() as lawless:  # whoever proposes runs what they like
        lawless.setattr(arrivals, "refuse_brought", lambda *_: None)
        mallory.play("propose", "--as", "ben", "--title", "More", "--branch", "idea")
    mallory.git("push", "-q", "origin", "main", "idea")
    for clone in (ana, ben):
        clone.git("-c", "fetch.fsckObjects=false", "fetch", "-q", "origin", "idea")
        assert clone.git("cat-file", "-t", head) == "commit"
    ana.play("sync")
    ana.play("vote", "2", "for")
    ana.play("sync")
    ben.play("sync")
    ben.play("vote", "2", "for")
    ben.play("resolve", "2", "--at", "+50h")
    assert "More of it." in ben.git("grep", "-h", "More of it", "HEAD", "--", "game/ruleset")
    assert len(ben.git("log", "-1", "--format=%P").split()) == 1
    assert "pushed" in ben.play("sync")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_a_merge_that_brings_in_what_others_cannot_take_is_told_as_that(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    _, ben, mallory = clones
    bad, head = branch_after(mallory, BEFORE_A_BRANCH["a link"][0](mallory), "")
    mallory.git("push", "-q", "origin", "idea")
    before = ben.head
    ben.git("fetch", "-q", "origin", "idea")
    ben.git("merge", "-q", "-s", "ours", "--no-edit", head)
    merge = ben.head
    ben.play("post", "Upon it")
    said = ben.play("sync", code=1)
    assert f"your own commit {merge[:12]} merges the commit {bad[:12]} in the name of mallory, which" in said
    assert "do again what goes with it: 1 deed: ben: post" in said
    [back] = [line.split() for line in said.split("\n") if "git reset" in line]
    ben.git(*shlex.split(" ".join(back[1:])))
    assert ben.head == before


@pytest.mark.slow
def test_how_far_what_came_was_looked_at_is_told(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, _, mallory = clones
    for name in ("a", "b", "c"):
        (mallory.folder / name).write_text(name, encoding="utf-8")
        mallory.git("add", name)
        mallory.git("commit", "--quiet", "--message", name)
    mallory.git("push", "--quiet")
    steps = list[tuple[int, int]]()
    with Repository.open(ana.folder) as repository:
        upstream = Upstream.of(repository)
        assert upstream is not None
        sync(repository, upstream, 2**40, progress=lambda *each: steps.append(each))
    assert steps[:3] == [(1, 3), (2, 3), (3, 3)]
