"""What somebody has pushed by hand and no game can read, or no folder can hold: it is named, nothing is half done, and what
is said to mend it does.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones, with_mallory
from support.depth import one_of

from nomicgit.git import process

LARGE = 3 << 20  # bytes
MOST = (
    2 << 20
)  # that are read of one file in these tests: of as many as a game may have, Git would pack and unpack each anew


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone, Clone]:
    """Ana's and Ben's clone of one game, which both may mend, and one of somebody who pushes by hand."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(process, "MOST_BYTES", MOST)
    return with_mallory(tmp_path, "--restore", "ana", "--restore", "ben", rules=FEW)


def pushed(mallory: Clone, what: str, path: str) -> str:
    """Somebody puts a link, a submodule or a very large file at a path, and pushes it; gives the commit."""
    file = mallory.folder / path
    if what == "submodule":
        mallory.git("rm", "-rq", "--cached", "--ignore-unmatch", path)
        mallory.git("update-index", "--add", "--cacheinfo", f"160000,{mallory.head},{path}")
    else:
        shutil.rmtree(file) if file.is_dir() else file.unlink(missing_ok=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        if what == "link":
            file.symlink_to("/etc/passwd")
        else:
            with file.open("wb") as opened:
                opened.truncate(LARGE)
        mallory.git("add", "--all")
    mallory.git("commit", "--quiet", "--message", "by hand")
    mallory.git("push", "--quiet")
    return mallory.head


def by_plumbing(mallory: Clone, mode: str, names: list[str], text: str = "x") -> str:
    """The same for a path that no folder holds; each of its folders is made by hand."""
    file = mallory.folder / ".git" / "blob"
    file.write_text(text, encoding="utf-8")
    oid, kind = mallory.git("hash-object", "-w", str(file)), "blob"
    for name in reversed(names[1:]):
        oid, mode, kind = tree(mallory, f"{mode} {kind} {oid}\t{name}\0"), "040000", "tree"
    before = mallory.git("ls-tree", "-z", "HEAD")
    whole = tree(mallory, before + f"{mode} {kind} {oid}\t{names[0]}\0")
    commit = mallory.git("commit-tree", whole, "-p", "HEAD", "-m", "by hand")
    mallory.git("update-ref", "refs/heads/main", commit)
    mallory.git("push", "--quiet")
    return commit


def tree(clone: Clone, entries: str) -> str:
    done = subprocess.run(
        ["git", "mktree", "-z"], cwd=clone.folder, input=entries.encode(), capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def as_recorded(clone: Clone) -> bool:
    """Whether the folder and the index are as the newest commit has them."""
    return not changed(clone)


def changed(clone: Clone) -> str:
    """What Git says of the folder."""
    return clone.git("status", "--porcelain", "--untracked-files=all")


PLACES = (
    "game/posts/2021/06/0009-x.md",
    "game/state/players/ana.yml",
    "game/game.yml",
    "game/ruleset",
    "game",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "path"),
    [
        pytest.param(what, path, marks=one_of(3, kind + place))
        for kind, what in enumerate(("link", "submodule", "large file"))
        for place, path in enumerate(PLACES)
    ],
)
def test_a_game_that_cannot_be_read_is_named_by_all_and_mended_as_they_say(
    clones: tuple[Clone, Clone, Clone], what: str, path: str
) -> None:
    ana, ben, mallory = clones
    good, bad = ben.head, pushed(mallory, what, path)
    mend = f"mend --to {good[:12]}"
    said = ben.play("sync", code=1)
    assert f"commit {bad[:12]}" in said
    assert mend in said
    assert ben.head == good  # nothing has moved
    assert as_recorded(ben)
    ben.play("comment", "1", "mine")
    ana.git("fetch", "--quiet")
    ana.git("reset", "--quiet", "--hard", "origin/main")  # and where Git has brought it along
    for command in ("status", "check", "sync", "verify", "rules", "comment 1 x"):
        code, said = ana.tried(*command.split())
        if command == "rules" and code == 0:
            continue  # it reads no more than it needs
        assert code == 1, command
        assert f"{bad[:12]}" in said, command
        assert mend in said, command
        assert "put a plain file in its place" not in said
    for clone in (ben, ana):
        clone.play(*mend.split())
        assert clone.play("status", "--json")
        assert as_recorded(clone)
        clone.play("sync")
        if clone is ben:
            assert "ben: comment" in ben.git("log", "--format=%s", "-1")
            assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_programs_and_submodules_beside_the_game_lie_as_git_lays_them(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, mallory = clones
    pushed(mallory, "large file", "large")
    pushed(mallory, "submodule", "sub")
    (mallory.folder / "my notes").write_text("x\n", encoding="utf-8")
    (mallory.folder / "run.sh").write_text("true\n", encoding="utf-8")
    (mallory.folder / "run.sh").chmod(0o755)
    mallory.git("add", "my notes", "run.sh")
    mallory.git("commit", "--quiet", "--message", "more")
    mallory.git("push", "--quiet")
    ben.play("sync")
    assert (ben.head, changed(ben)) == (mallory.head, "")
    mallory.git("rm", "-rq", "--ignore-unmatch", "large", "run.sh")
    mallory.git("rm", "-q", "--cached", "sub")
    (mallory.folder / "large").mkdir()
    (mallory.folder / "large" / "file").write_text("x\n", encoding="utf-8")
    mallory.git("add", "large")
    mallory.git("commit", "--quiet", "--message", "otherwise")
    mallory.git("push", "--quiet")
    ben.play("sync")
    assert (ben.head, changed(ben)) == (mallory.head, "")
    ana.play("post", "Mine")
    (ana.folder / "my plan").write_text("x\n", encoding="utf-8")
    (ana.folder / "my plan").chmod(0o755)
    ana.git("add", "my plan")
    ana.git("commit", "--quiet", "--message", "a program of Ana's")
    ana.play("sync")
    assert as_recorded(ana)
    assert ana.git("ls-tree", "HEAD", "my plan").startswith("100755")


@pytest.mark.slow
def test_a_name_that_no_folder_holds_is_left_out_and_told_with_its_commit(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, mallory = clones
    bad = by_plumbing(mallory, "100644", ["docs2", "x" * 300, "file"])
    ana.git("config", "--unset", "transfer.fsckObjects")  # whoever has founded the game has it refused
    for clone in (ana, ben):
        said = clone.play("sync")
        assert f"of the commit {bad[:12]} in the name of somebody" in said
        assert "300 bytes" in said
        assert clone.head == bad
        clone.play("comment", "1", "still playing")
    [remedy] = [line for line in said.splitlines() if "git commit" in line]
    ana.play("sync")
    words = remedy.partition("git commit --message ")[2]
    ben.git("commit", "--quiet", "--message", words.partition("'")[2].partition("'")[0])
    ben.play("sync")
    ana.play("sync")
    assert ana.head == ben.head
    assert as_recorded(ana)
    assert as_recorded(ben)
    assert ana.git("ls-tree", "HEAD", "docs2") == ""
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_a_game_that_is_called_otherwise_is_mended(clones: tuple[Clone, Clone, Clone]) -> None:
    _, ben, mallory = clones
    good = ben.head
    mallory.git("mv", "game", "GAME")
    mallory.git("commit", "--quiet", "--message", "by hand")
    mallory.git("push", "--quiet")
    assert f"nomicgit mend --to {good[:12]}" in ben.play("sync", code=1)
    ben.play("mend", "--to", good)
    ben.play("comment", "1", "still playing")
    ben.play("sync")
    assert as_recorded(ben)
    assert "verified" in ben.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize("ref", ["refs/tags/refs/heads/main", "refs/heads/refs/heads/main", "refs/tags/main"])
def test_a_name_like_the_branchs_stops_no_push(clones: tuple[Clone, Clone, Clone], ref: str) -> None:
    ana, ben, mallory = clones
    mallory.git("push", "--quiet", "origin", f"HEAD~1:{ref}")
    ana.play("post", "Mine")
    assert "pushed 1 commit" in ana.play("sync")
    bare = Clone(ana.folder.parent / "bare.git")
    assert bare.git("rev-parse", "refs/heads/main") == ana.head
    assert ana.git("for-each-ref", "refs/nomicgit/push") == ""
    ben.play("sync")
    assert ben.head == ana.head


@pytest.mark.slow
def test_a_forged_deed_that_breaks_a_file_is_named_and_nobody_is_told_to_edit_it(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    ben.play("comment", "1", "a deed")
    good = ben.git("rev-parse", "HEAD~1")
    file = ben.folder / "game" / "state" / "players" / "ana.yml"
    file.write_text("- 1\n", encoding="utf-8")
    ben.git("add", "--all")
    raw = ben.git("cat-file", "commit", "HEAD").replace(
        ben.git("rev-parse", "HEAD^{tree}"), ben.git("write-tree")
    )
    (ben.folder / ".git" / "forged").write_text(raw + "\n", encoding="utf-8")
    forged = ben.git("hash-object", "-w", "-t", "commit", str(ben.folder / ".git" / "forged"))
    ben.git("push", "--quiet", "origin", f"{forged}:main")
    ana.git("pull", "--quiet")
    for command in ("status", "check"):
        said = ana.play(command, code=1)
        assert f"the commit {forged[:12]} in the name of ben left game/state/players/ana.yml so" in said
        assert "nomicgit verify" in said
        assert "by hand" not in said
    said = ana.play("verify", code=1)
    assert f"fault  {forged[:12]}" in said
    assert f"mend --to {good[:12]}" in said
    ana.play("mend", "--to", good)
    ana.play("status")


@pytest.mark.slow
def test_what_was_fetched_and_forced_away_before_anybody_looked_is_named(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    before = ana.head
    ana.play("post", "Soon gone")
    ana.play("sync")
    gone = ana.head
    ben.git("fetch", "--quiet")
    ana.git("push", "--quiet", "--force", "origin", f"{before}:main")
    ben.git("fetch", "--quiet")
    for command in ("status", "verify", "sync"):
        assert f"ana: post ({gone[:12]})" in ben.play(command, code=1)
    assert f"let go of 1 deed: ana: post ({gone[:12]})" in ben.play("sync", "--accept")
    for command in ("status", "verify", "sync"):
        assert gone[:12] not in ben.play(command)


@pytest.mark.slow
def test_own_deeds_that_somebody_has_forced_away_are_named_and_set_aside(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, _, mallory = clones
    ana.play("post", "Mine")
    ana.play("sync")
    mine = ana.head
    mallory.git("push", "--quiet", "--force", "origin", "HEAD:main")
    assert "lacks now 1 deed: ana: post" in ana.play("sync", code=1)
    said = ana.play("sync", "--accept")
    assert f"yours: 1 deed: ana: post ({mine[:12]})" in said
    assert "let go of 1 deed" not in said
    assert mine[:12] not in ana.play("verify", "--accept")
    assert "again: ana: post" in ana.play("sync", "--again")


WAYS = {
    "an ignored file": (".venv/x", ".venv/x", ".venv/x"),
    "an untracked file": ("site/index.html", "site/index.html", "site/index.html"),
    "a file for a folder": ("site/index.html", "site", "site"),
    "a folder for a file": ("site", "site/my page", "site"),
    "an odd name": ("it's $mine/a b", "it's $mine/a b", "it's $mine/a b"),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_pushed_file_where_another_lies_is_told_and_the_told_command_makes_room(
    clones: tuple[Clone, Clone, Clone], way: str
) -> None:
    _, ben, mallory = clones
    path, own, lies = WAYS[way]
    (ben.folder / ".git" / "info" / "exclude").write_text(".venv\n", encoding="utf-8")
    for clone, place in ((mallory, path), (ben, own)):
        (clone.folder / place).parent.mkdir(parents=True, exist_ok=True)
        (clone.folder / place).write_text(f"{clone.folder.name}\n", encoding="utf-8")
    mallory.git("add", "--force", path)
    mallory.git("commit", "--quiet", "--message", "by hand")
    mallory.git("push", "--quiet")
    bad, before = mallory.head, ben.head
    said = ben.play("sync", code=1)
    assert f"{path}, of the commit {bad[:12]} in the name of somebody" in said
    assert "git stash" not in said
    assert ben.head == before
    told = said.partition("move yours away:\n")[2].partition("\n  then:")[0]
    subprocess.run(told, shell=True, cwd=ben.folder, check=True)
    ben.play("sync")
    assert ben.head == bad
    assert (ben.folder / path).read_text(encoding="utf-8") == "mallory\n"
    assert (ben.folder / own.replace(lies, f"{lies}.mine", 1)).read_text(encoding="utf-8") == "ben\n"


@pytest.mark.slow
def test_an_edit_of_a_recorded_file_is_still_put_aside(clones: tuple[Clone, Clone, Clone]) -> None:
    _, ben, mallory = clones
    pushed(mallory, "large file", "notes")
    ben.play("sync")
    pushed(mallory, "submodule", "notes")
    (ben.folder / "notes").unlink()
    (ben.folder / "notes").write_text("mine\n", encoding="utf-8")
    assert "git stash" in ben.play("sync", code=1)


@pytest.mark.slow
def test_what_no_folder_holds_is_its_pushers_whatever_time_that_tells(
    clones: tuple[Clone, Clone, Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, mallory = clones
    ana.git("config", "--unset", "transfer.fsckObjects")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2099-01-01T00:00:00Z")
    bad = by_plumbing(mallory, "100644", ["docs2", "x" * 300])
    ana.play("sync")
    ana.play("post", "Upon it")
    ana.play("sync")
    assert f"of the commit {bad[:12]} in the name of somebody" in ben.play("sync")


@pytest.mark.slow
def test_what_is_told_in_a_game_on_a_forge_works_where_no_push_may_be_forced(tmp_path: Path) -> None:
    """As its own ruleset has it: going on without what was forced away, and a mend of what left a line out."""
    ana, ben = game_in_clones(
        tmp_path, ("ana", "ben"), "--restore", "ana", "--github", "ana/attic", rules=FEW
    )
    before = ana.head
    ana.play("post", "Soon gone")
    ana.play("sync")
    ben.play("sync")
    ana.git("reset", "--quiet", "--keep", before)
    ana.play("post", "Instead")
    ana.git("push", "--quiet", "--force", "origin", "HEAD:main")
    Clone(tmp_path / "bare.git").git("config", "receive.denyNonFastForwards", "true")
    rewritten = ben.play("sync", code=1)
    steps = [line.strip() for line in rewritten.split("\n") if line.startswith("    ")]
    assert steps == ["nomicgit sync --accept", "nomicgit sync --again"]
    assert "let go of 1 deed" in ben.play("sync", "--accept")
    ana.play("sync", "--accept")
    ben.play("post", "There")
    ben.play("sync")
    ana.play("post", "Here")
    lawful = ana.head
    ana.git("fetch", "--quiet")
    ana.git("merge", "--quiet", "--no-edit", "origin/main")
    ana.git("push", "--quiet", "origin", "HEAD:main")
    steps = [line.strip() for line in ben.play("sync", code=1).split("\n") if line.startswith("    ")]
    assert steps == [f"nomicgit mend --to {lawful}"]
    said = ben.tried("sync", "--accept")[1] + ben.tried("verify")[1]
    assert "--force" not in said
    mend = next(line.split()[1:] for line in said.split("\n") if "nomicgit mend" in line)
    assert mend == ["mend", "--to", lawful]
    ana.git("fetch", "--quiet")
    ana.play(*mend, "--as", "ana")
    ana.git("push", "--quiet", "origin", "HEAD:main")
    ben.play("sync", "--accept")
    assert "verified" in ben.play("verify")
