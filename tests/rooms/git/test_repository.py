"""The record layer against Git itself: what it writes Git reads, and the other way round."""

from __future__ import annotations

import os
import resource
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile.processes import exit_code, forked

from nomicgit.git import Raced, Repository, branch, layout, process, worktree
from nomicgit.ground.problems import Ambiguous, Malformed, NomicError, Outage, Refused

Git = Callable[..., str]
FSCK = ("fsck", "--strict", "--full", "--no-dangling")
NOON = 1_800_000_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "game"


@pytest.fixture
def repo(home: Path) -> Repository:
    """A repository with one commit of three files, checked out."""
    found = Repository.init(home)
    deed(found, {"README.md": b"hello\n", "game/a.yml": b"a: 1\n", "game/state/b.yml": b"b: 1\n"})
    return found


def append(repo: Repository, changes: dict[str, bytes | None], message: str = "a deed") -> str:
    """A commit with these changes on top of the branch."""
    head = repo.head()
    base = repo.commit(head).tree if head else None
    tree = repo.tree_with(base, changes)
    parents = [head] if head else []
    return repo.append(
        tree=tree, parents=parents, message=message, author="Cy", email="cy@example.org", at=NOON, expect=head
    )


def deed(repo: Repository, changes: dict[str, bytes | None]) -> str:
    """A commit with these changes, brought along into the work tree."""
    with repo.locked():
        head = repo.head()
        old = repo.commit(head).tree if head else None
        new = append(repo, changes)
        assert repo.bring_along(old, repo.commit(new).tree, changes) == []
    return new


def tree(repo: Repository) -> str:
    head = repo.head()
    assert head
    return repo.commit(head).tree


# Objects


@pytest.mark.parametrize("content", [b"", b"x", b"line\n" * 5000, bytes(range(256))])
def test_a_blob_has_the_id_that_git_gives_it(repo: Repository, git: Git, home: Path, content: bytes) -> None:
    oid = repo.write("blob", content)
    assert oid == git("hash-object", "--stdin", given=content).strip()
    assert git("cat-file", "-s", oid, cwd=home).strip() == str(len(content))
    assert repo.read(oid) == ("blob", content)


def test_a_tree_is_what_mktree_makes_with_folders_sorted_as_if_ending_in_a_slash(
    repo: Repository, git: Git, home: Path
) -> None:
    names = ["a", "a.b", "a-b", "ab/x", "a0", "b/c/d", "C", "b.yml", "b-/q"]
    made = repo.tree_with(None, {name: name.encode() for name in names})
    assert git("mktree", cwd=home, given=git("ls-tree", made, cwd=home).encode()).strip() == made
    assert sorted(git("ls-tree", "-r", "--name-only", made, cwd=home).split()) == sorted(names)
    assert sorted(path for path, _ in repo.walk(made)) == sorted(names)
    assert git(*FSCK, cwd=home) == ""


def test_a_tree_id_is_told_without_storing_anything(repo: Repository, home: Path) -> None:
    def stored() -> set[Path]:
        return set((home / ".git/objects").rglob("*"))

    before, changes = stored(), {"game/new.yml": b"n", "README.md": None}
    told = repo.tree_id(tree(repo), changes)
    assert stored() == before
    assert sorted(repo.tree(told)) == ["game"]
    with pytest.raises(Outage, match=f"{told} is missing"):
        repo.tree_with(told, {"game/x": b"x"})
    head = repo.head()
    assert head
    with pytest.raises(Outage, match=f"{told} is missing"):
        repo.append(tree=told, parents=[head], message="m", author="Cy", email="", at=NOON, expect=head)
    assert repo.tree_with(tree(repo), changes) == told


def test_files_are_put_and_taken_out_and_empty_folders_vanish(repo: Repository) -> None:
    made = repo.tree_with(tree(repo), {"game/state/b.yml": None, "game/c/d.yml": b"d", "game/none.yml": None})
    assert [path for path, _ in repo.walk(made)] == ["README.md", "game/a.yml", "game/c/d.yml"]
    assert [path for path, _ in repo.walk(made, "game/c")] == ["game/c/d.yml"]
    assert repo.file(made, "game/c/d.yml") == b"d"
    assert repo.file(made, "game/c") is None
    assert repo.entry(made, "game/state") is None
    assert repo.entry(made, "README.md/x") is None
    assert repo.tree_with(made, dict.fromkeys(("README.md", "game/a.yml", "game/c/d.yml"))) == (
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    )


def test_trees_tell_what_differs(repo: Repository) -> None:
    old = tree(repo)
    new = repo.tree_with(old, {"game/a.yml": b"a: 2\n", "README.md": None, "x/y/z": b"z"})
    assert sorted(path for path, _, _ in repo.changed(old, new)) == ["README.md", "game/a.yml", "x/y/z"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a//b",
        "/a",
        "a/",
        "..",
        "a/../b",
        ".",
        ".git/config",
        "a/.GIT/x",
        ".git.",
        ".gitmodules",
        "a b",
        "ä",
        "a\\b",
        "a\nb",
        "a:b",
        "a~1",
        "x" * 256,
        "-\u200crf",
    ],
)
def test_odd_names_are_refused(repo: Repository, path: str) -> None:
    with pytest.raises(Refused):
        repo.tree_with(tree(repo), {path: b""})


def test_what_could_not_be_stored_leaves_nothing(
    repo: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = {path.name for path in (home / ".git/objects").rglob("*")}
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            repo.tree_with(tree(repo), {"game/a.yml": b"a: 1000\n", "game/b.yml": b"b: 1000\n"})
    assert [p for p in (home / ".git/objects").rglob("*") if p.is_file() and p.name not in before] == []
    stored = repo.tree_with(tree(repo), {"game/a.yml": b"a: 1000\n", "game/b.yml": b"b: 1000\n"})
    assert Repository.open(home).file(stored, "game/a.yml") == b"a: 1000\n"


def test_what_was_refused_half_way_leaves_nothing(repo: Repository, home: Path) -> None:
    before = set((home / ".git/objects").rglob("*"))
    with pytest.raises(Refused):
        repo.tree_with(tree(repo), {"game/0.yml": b"new\n", "game/a.yml/x": b""})
    assert [path for path in set((home / ".git/objects").rglob("*")) - before if path.is_file()] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"game": b""},
        {"game": None},
        {"game/a.yml/x": b""},
        {"n/x": b"", "n": b""},
        {"n": b"", "n/x": b""},
        {"readme.md": b""},
        {"GAME/x": b""},
    ],
)
def test_what_cannot_be_on_a_disk_at_once_is_refused(
    repo: Repository, changes: dict[str, bytes | None]
) -> None:
    with pytest.raises(Refused):
        repo.tree_with(tree(repo), changes)


def test_foreign_names_and_modes_are_carried_on_but_not_read_as_files(
    repo: Repository, git: Git, home: Path
) -> None:
    (home / "läufer \udcff").write_bytes(b"1")
    (home / "run.sh").write_bytes(b"2")
    (home / "run.sh").chmod(0o755)
    (home / "link").symlink_to("/etc/passwd")
    git("add", "-A", cwd=home)
    base = git("write-tree", cwd=home).strip()
    made = repo.tree_with(base, {"game/a.yml": b"a: 3\n"})
    assert git("diff-tree", "-r", "--name-only", base, made, cwd=home) == "game/a.yml\n"
    assert repo.file(made, "run.sh") == b"2"
    with pytest.raises(Malformed, match="symbolic link"):
        repo.file(made, "link")
    with pytest.raises(Malformed, match="symbolic link"):
        list(repo.walk(made))


def loose(home: Path, oid: str) -> Path:
    return home / ".git/objects" / oid[:2] / oid[2:]


@pytest.mark.parametrize(
    "content",
    [b"blob 3\0abcd", b"blob 5\0abcd", b"blob 4\0abcX", b"blub 4\0abcd", b"blob 04\0abcd", b"blob", b""],
)
def test_a_damaged_object_is_told(repo: Repository, home: Path, content: bytes) -> None:
    oid = repo.write("blob", b"abcd")
    loose(home, oid).unlink()
    loose(home, oid).write_bytes(zlib.compress(content))
    with pytest.raises(Outage, match=f"{oid} is damaged"):
        repo.read(oid)
    loose(home, oid).write_bytes(b"no zlib")
    with pytest.raises(Outage, match=f"{oid} is damaged"):
        repo.read(oid)
    loose(home, oid).write_bytes(zlib.compress(b"blob 4\0abcd") + b"more")
    with pytest.raises(Outage, match=f"{oid} is damaged"):
        repo.read(oid)


@pytest.mark.parametrize("cut", [0, 3])
def test_a_damaged_tree_is_told(repo: Repository, cut: int) -> None:
    rows = b"".join(b"100644 %s\0%s" % (name, bytes(20)) for name in (b"a", b"a" if not cut else b"b"))
    oid = repo.write("tree", rows[: len(rows) - cut])
    with pytest.raises(Malformed, match="an entry is cut off, or a name stands twice"):
        repo.tree(oid)


def test_more_files_or_folders_than_any_game_has_are_refused(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = repo.tree_with(None, {f"f{n}": b"" for n in range(11)})
    deep = repo.tree_with(None, {"a/b/c/d/e/f": b""})
    monkeypatch.setattr("nomicgit.git.trees._MOST_DEEP", 3)
    assert len(list(repo.changed(None, many, 11))) == 11
    with pytest.raises(Refused, match="too many files"):
        list(repo.changed(None, many, 10))
    with pytest.raises(Refused, match="more than 3 folders deep"):
        list(repo.changed(None, deep))


def test_an_object_emptied_by_a_power_failure_is_written_again(repo: Repository, home: Path) -> None:
    oid = repo.write("blob", b"abcd")
    loose(home, oid).chmod(0o644)
    loose(home, oid).write_bytes(b"")
    assert repo.write("blob", b"abcd") == oid
    assert repo.blob(oid) == b"abcd"


def test_missing_objects_wrong_ids_and_wrong_kinds_are_told(repo: Repository) -> None:
    with pytest.raises(Outage, match="is missing"):
        repo.read("1" * 40)
    for name in ("", "main", "1" * 39, "../../HEAD"):
        with pytest.raises(Malformed, match="no id"):
            repo.read(name)
    with pytest.raises(Malformed, match="is a tree, not a blob"):
        repo.blob(tree(repo))


def test_an_object_that_is_too_large_is_refused_unread(
    repo: Repository, git: Git, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = loose(home, "1" * 40)
    bomb.parent.mkdir(exist_ok=True)
    bomb.write_bytes(zlib.compress(b"blob 99999999999\0" + bytes(100_000)))
    with pytest.raises(Refused, match="99999999999 bytes"):
        repo.read("1" * 40)
    bomb.unlink()
    large = append(repo, {"large": os.urandom(5000)})
    small = append(repo, {"small": b"small"})
    oid = repo.entry(repo.commit(large).tree, "large")
    assert oid
    git("gc", "-q", cwd=home)
    monkeypatch.setattr(process, "MOST_BYTES", 2000)
    with pytest.raises(Refused, match="5000 bytes"):
        repo.blob(oid[1])
    assert repo.file(repo.commit(small).tree, "small") == b"small"
    with pytest.raises(Refused, match="5000 bytes"):
        repo.write("blob", bytes(5000))


def test_many_files_are_read_at_once(repo: Repository, git: Git, home: Path) -> None:
    append(repo, {f"many/{n}": b"packed %d" % n for n in range(450)})
    git("gc", "-q", cwd=home)
    append(repo, {f"more/{n}": b"loose %d" % n for n in range(5)})
    files = dict(repo.walk(tree(repo)))
    found = repo.blobs(files.values())
    assert found[files["many/449"]] == b"packed 449"
    assert found[files["more/4"]] == b"loose 4"
    assert len(found) == 458
    for wrong in ("1" * 40, tree(repo)):
        with pytest.raises((Malformed, Outage), match=wrong):
            repo.blobs([*files.values(), wrong, files["README.md"]])
    assert repo.blobs(files.values()) == found


# The branch


def test_a_commit_reads_as_it_was_written(repo: Repository, git: Git, home: Path) -> None:
    message = "dice: föur\n\nNomic-Id: 1\n\nlast \u2028 line"
    first = repo.head()
    made = append(repo, {"x": b"1"}, message)
    commit = repo.commit(made)
    assert (commit.oid, commit.parents, commit.message) == (made, (first,), message + "\n")
    assert (commit.author, commit.email, commit.author_time) == ("Cy", "cy@example.org", NOON)
    shown = git("log", "-1", "--format=%H|%T|%P|%an|%ae|%at|%cn|%ct|%s", cwd=home).strip()
    assert shown == f"{made}|{commit.tree}|{first}|Cy|cy@example.org|{NOON}|Cy|{NOON}|dice: föur"


def test_git_finds_nothing_wrong_with_many_commits(repo: Repository, git: Git, home: Path) -> None:
    made = [append(repo, {f"game/{n % 7}/{n}.yml": b"%d" % n, "game/a.yml": b"%d" % n}) for n in range(40)]
    assert git(*FSCK, cwd=home) == ""
    assert git("rev-list", "main", cwd=home).split()[:40] == made[::-1]
    assert [commit.oid for commit in repo.log(made[-1])][:40] == made[::-1]
    assert git("reflog", "--format=%H %gs", "main", cwd=home).split("\n")[:40] == [
        f"{oid} commit: a deed" for oid in made[::-1]
    ]


def test_packed_objects_and_branches_are_read_and_built_upon(repo: Repository, git: Git, home: Path) -> None:
    for n in range(5):
        last = append(repo, {f"game/{n}.yml": b"%d" % n})
    git("gc", "-q", "--prune=now", cwd=home)
    assert not (home / ".git/refs/heads/main").exists()
    again = Repository.open(home)
    assert again.head() == last
    assert len(list(again.log(last))) == 6
    assert again.file(again.commit(last).tree, "game/4.yml") == b"4"
    new = append(again, {"game/5.yml": b"5"})
    assert (again.head(), again.commit(new).parents) == (new, (last,))
    git("pack-refs", "--all", cwd=home)
    assert again.head() == new
    assert git(*FSCK, cwd=home) == ""


def test_a_repository_packed_while_it_is_open_stays_readable(repo: Repository, git: Git, home: Path) -> None:
    blob = repo.write("blob", b"loose still")
    git("gc", "-q", cwd=home)
    last = append(repo, {"game/x.yml": b"x"})
    git("gc", "-q", "--prune=now", cwd=home)
    assert Repository.open(home).commit(last).tree == repo.commit(last).tree
    assert repo.file(tree(repo), "game/x.yml") == b"x"
    with pytest.raises(Outage, match="missing"):
        repo.blob(blob)


def test_a_long_log_is_read_to_its_end(repo: Repository, git: Git, home: Path) -> None:
    made = [repo.head(), *(append(repo, {"n": b"%d" % n}) for n in range(130))]
    tip = made[-1]
    assert tip
    assert [commit.oid for commit in repo.log(tip)] == made[::-1]
    assert [commit.oid for commit in repo.log(tip, first_parent=False)] == made[::-1]
    first = next(repo.log(tip, first_parent=False))
    assert first == repo.commit(tip)
    git("clone", "-q", "--depth=3", f"file://{home}", "shallow")
    with Repository.open(home.parent / "shallow") as shallow:
        assert [commit.oid for commit in shallow.log(tip)] == made[:-4:-1]


def test_the_log_follows_first_parents_past_a_merge(repo: Repository, git: Git, home: Path) -> None:
    git("switch", "-qc", "side", cwd=home)
    git("commit", "-q", "--allow-empty", "-m", "side", cwd=home)
    side = git("rev-parse", "side", cwd=home).strip()
    git("switch", "-q", "main", cwd=home)
    first = repo.head()
    assert first
    merge = repo.append(
        tree=tree(repo), parents=[first, side], message="enact", author="Cy", email="", at=NOON, expect=first
    )
    assert [commit.oid for commit in repo.log(merge)] == [merge, first]
    assert {commit.oid for commit in repo.log(merge, first_parent=False)} == {merge, first, side}
    assert git(*FSCK, cwd=home) == ""


@pytest.mark.slow
def test_a_lost_race_is_refused_and_changes_nothing(repo: Repository, git: Git, home: Path) -> None:
    first, other = repo.head(), Repository.open(home)
    assert first
    new = append(repo, {"x": b"1"})

    def late(expect: str | None) -> str:
        parents = [expect] if expect else []
        return other.append(
            tree=tree(other), parents=parents, message="late", author="Di", email="", at=NOON, expect=expect
        )

    for expect in (first, None):
        with pytest.raises(Raced, match="somebody was faster"):
            late(expect)
    assert repo.head() == new
    git("update-ref", "refs/heads/main", first, cwd=home)
    assert late(first) == repo.head()
    assert not (home / ".git/refs/heads/main.lock").exists()


def test_a_branch_moved_by_git_in_the_last_moment_is_a_lost_race(
    repo: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, lay = repo.head(), repo._objects.lay

    def slow(kind: str, body: bytes) -> str:
        oid = lay(kind, body)
        if kind == "commit":
            (home / ".git/refs/heads/main").write_text(moved + "\n")
        return oid

    moved = append(repo, {"x": b"1"})
    (home / ".git/refs/heads/main").write_text(f"{first}\n")
    monkeypatch.setattr(repo._objects, "lay", slow)
    with pytest.raises(Raced):
        append(repo, {"y": b"2"})
    assert repo.head() == moved
    assert not (home / ".git/refs/heads/main.lock").exists()


@pytest.mark.slow
def test_two_processes_lose_nothing(repo: Repository, git: Git, home: Path) -> None:
    def player(name: str) -> Callable[[], None]:
        def play() -> None:
            mine = Repository.open(home)
            for n in range(20):
                while True:
                    try:
                        append(mine, {f"game/{name}/{n}.yml": b"%d" % n}, f"{name} {n}")
                        break
                    except Raced:
                        continue

        return play

    children = [forked(player(name)) for name in ("cy", "di")]
    assert [exit_code(child) for child in children] == [0, 0]
    assert len(list(repo.walk(tree(repo), "game/cy"))) == len(list(repo.walk(tree(repo), "game/di"))) == 20
    assert git("rev-list", "--count", "main", cwd=home).strip() == "41"
    assert git(*FSCK, cwd=home) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"author": ""},
        {"author": "a\nb"},
        {"author": "<x"},
        {"author": " x"},
        {"email": "a>b"},
        {"message": " \n"},
        {"message": "a\0b"},
        {"message": "\ud800"},
        {"at": -1},
        {"at": 1.5},
        {"at": True},
        {"at": 10**15},
        {"tree": "1" * 40},
        {"tree": "x"},
        {"parents": ["2" * 40]},
        {"parents": []},
    ],
)
def test_a_commit_that_git_would_not_like_is_refused(repo: Repository, wrong: dict[str, Any]) -> None:
    head = repo.head()
    right: dict[str, Any] = {
        "tree": tree(repo),
        "parents": [head],
        "message": "m",
        "author": "Cy",
        "email": "",
    }
    with pytest.raises((NomicError, Outage)):
        repo.append(**(right | {"at": NOON, "expect": head} | wrong))
    assert repo.head() == head


def test_a_lock_left_by_a_dead_git_is_cleared_and_a_live_one_respected(
    repo: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branch, "_TURNS", 2)
    left = home / ".git/refs/heads/main.lock"
    left.touch()
    os.utime(left, (NOON - 10**9, NOON - 10**9))
    new = append(repo, {"x": b"1"})
    with repo.locked():
        left.touch()
        os.utime(left, (NOON + 10**9, NOON + 10**9))
        with pytest.raises(Refused, match="another Git command"):
            append(repo, {"y": b"1"})
    assert left.exists()
    assert repo.head() == new


# Crashes


CALLS = (
    "open",
    "write",
    "pwrite",
    "fsync",
    "rename",
    "replace",
    "unlink",
    "mkdir",
    "rmdir",
    "utime",
    "ftruncate",
)


def crash_at(turn: int) -> None:
    """End this process at the n-th call that could change the disk; a write is torn in two."""
    count = 0

    def patched(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == turn:
                if name in ("write", "pwrite"):
                    call(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
                os._exit(7)
            return call(*args, **named)

        return counting

    for name in CALLS:
        setattr(os, name, patched(name, getattr(os, name)))


@pytest.mark.slow
def test_a_crash_at_any_moment_leaves_the_old_state_or_the_new(
    repo: Repository, git: Git, home: Path
) -> None:
    seen, behind = set(), 0
    for turn in range(1, 1000):
        old = repo.head()
        changes: dict[str, bytes | None] = {
            "game/a.yml": b"turn %d\n" % turn,
            f"game/new/{turn}.yml": b"new\n",
            f"game/new/{turn - 1}.yml": None,
        }

        def child(turn: int = turn, changes: dict[str, bytes | None] = changes) -> None:
            crash_at(turn)
            deed(repo, changes)

        code = exit_code(forked(child))
        new = repo.head()
        assert new
        moved = new != old
        seen.add(moved)
        behind += moved and bool(repo.local_edits(changes, tree(repo)))
        assert repo.commit(new).parents == (old,) or not moved
        assert repo.file(tree(repo), f"game/new/{turn}.yml") == (b"new\n" if moved else None)
        if turn % 8 == 0:
            assert git(*FSCK, cwd=home) == ""
        with repo.locked():
            assert repo.local_edits(changes, tree(repo)) == []
            assert [path.name for path in (home / ".git").rglob("*.lock")] == ["nomicgit.lock"]
        assert git("status", "--porcelain", cwd=home) == ""
        if not moved:
            deed(repo, changes)
        if code == 0:
            break
        assert code == 7
    assert turn > 50
    assert behind > 5
    assert seen == {True, False}
    assert git(*FSCK, cwd=home) == ""


# The work tree


def test_after_a_deed_nothing_is_left_to_commit(repo: Repository, git: Git, home: Path) -> None:
    assert git("status", "--porcelain", cwd=home) == ""
    deed(repo, {"game/a.yml": b"a: 2\n", "game/state/b.yml": None, "new/deep/c.yml": b"c", "-rf": b"d"})
    assert git("status", "--porcelain", cwd=home) == ""
    assert (home / "game/a.yml").read_bytes() == b"a: 2\n"
    assert not (home / "game/state").exists()
    assert git("ls-files", cwd=home).split() == ["-rf", "README.md", "game/a.yml", "new/deep/c.yml"]
    git("write-tree", cwd=home)
    assert git("diff-files", "--name-only", cwd=home) == ""
    git("commit", "-qa", "--allow-empty", "-m", "by hand", cwd=home)
    assert git("diff", "--name-only", "HEAD~1", cwd=home) == ""


def test_local_edits_are_found(repo: Repository, home: Path) -> None:
    paths = [
        "README.md",
        "game/a.yml",
        "game/state/b.yml",
        "new.yml",
        "other.yml",
        "under/x.yml",
        "game/state",
    ]
    assert repo.local_edits(paths[:-1], tree(repo)) == []
    (home / "README.md").write_bytes(b"hellO\n")
    (home / "game/a.yml").unlink()
    (home / "new.yml").write_bytes(b"")
    (home / "other.yml").symlink_to("/etc/passwd")
    (home / "under").symlink_to("/etc")
    edited = ["README.md", "game/a.yml", "new.yml", "other.yml", "under/x.yml"]
    assert repo.local_edits(paths, tree(repo)) == edited


@pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="needs Linux: counts what a process holds open"
)
def test_many_and_deep_folders_are_brought_and_none_stays_open(
    repo: Repository, git: Git, home: Path
) -> None:
    names = [f"posts/{number}/a.md" for number in range(2 * worktree._OPEN)]
    names += ["d/" * 50 + "a.md", "posts/5/deeper/b.md"]
    before = len(os.listdir("/proc/self/fd"))
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + worktree._OPEN + 30, usual[1]))
    try:
        deed(repo, dict.fromkeys(names, b"a\n"))
        deed(repo, dict.fromkeys(names[:-1]))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert len(os.listdir("/proc/self/fd")) == before
    assert git("status", "--porcelain", cwd=home) == ""
    assert [path.relative_to(home).as_posix() for path in (home / "posts").rglob("*")] == [
        "posts/5", "posts/5/deeper", "posts/5/deeper/b.md"
    ]  # fmt: skip


def test_a_folder_goes_and_comes_at_once(repo: Repository, git: Git, home: Path) -> None:
    deed(repo, {"posts/a.md": b"a\n"})
    deed(repo, {"posts/a.md": None, "posts/later/b.md": b"b\n"})
    assert (home / "posts/later/b.md").read_bytes() == b"b\n"
    assert git("status", "--porcelain", cwd=home) == ""


def test_an_edit_made_in_the_meantime_is_left_alone_and_shows(repo: Repository, git: Git, home: Path) -> None:
    old = tree(repo)
    changes: dict[str, bytes | None] = {"game/a.yml": b"a: 2\n", "README.md": b"bye\n"}
    new = repo.commit(append(repo, changes)).tree
    (home / "game/a.yml").write_bytes(b"a: 9\n")
    assert repo.bring_along(old, new, changes) == ["game/a.yml"]
    assert (home / "game/a.yml").read_bytes() == b"a: 9\n"
    assert git("status", "--porcelain", cwd=home) == " M game/a.yml\n"


def test_an_edit_of_the_same_size_in_the_same_second_still_shows(
    repo: Repository, git: Git, home: Path
) -> None:
    (home / "mine").write_bytes(b"1")
    git("add", "mine", cwd=home)
    (home / "mine").write_bytes(b"2")
    deed(repo, {"game/a.yml": b"a: 2\n"})
    assert git("status", "--porcelain", cwd=home) == "AM mine\n"


def test_an_edit_made_at_the_very_moment_shows(
    repo: Repository, git: Git, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def hasty(source: str, name: str, **how: int) -> None:
        replace(source, name, **how)
        (home / "game/a.yml").write_bytes(b"a: 9\n")
        os.utime(home / "game/a.yml", (1, 1))  # so that Git trusts what the index says of it

    monkeypatch.setattr(os, "replace", hasty)
    deed(repo, {"game/a.yml": b"a: 2\n"})
    assert git("status", "--porcelain", cwd=home) == " M game/a.yml\n"


def test_a_link_in_the_place_of_a_file_is_an_edit_whatever_it_leads_to(repo: Repository, home: Path) -> None:
    (home / "game/a.yml").rename(home / "elsewhere.yml")
    (home / "game/a.yml").symlink_to(home / "elsewhere.yml")
    assert repo.local_edits(["game/a.yml"], tree(repo)) == ["game/a.yml"]


def test_symbolic_links_are_never_followed(repo: Repository, home: Path) -> None:
    outside = home.parent / "outside"
    outside.mkdir()
    old = tree(repo)
    changes: dict[str, bytes | None] = {"game/a.yml": b"a: 2\n", "link/x.yml": b"x"}
    new = repo.commit(append(repo, changes)).tree
    (home / "link").symlink_to(outside)
    with pytest.raises(Refused, match="symbolic link"):
        repo.bring_along(old, new, changes)
    assert list(outside.iterdir()) == []
    assert (home / "game/a.yml").read_bytes() == b"a: 1\n"


@pytest.mark.parametrize("version", ["4", "split", "conflict"])
def test_an_index_of_another_form_is_left_to_git(
    repo: Repository, git: Git, home: Path, version: str
) -> None:
    if version == "split":
        git("update-index", "--split-index", cwd=home)
    elif version == "4":
        git("update-index", "--index-version=4", cwd=home)
    else:
        blob = repo.write("blob", b"?")
        staged = "".join(f"100644 {blob} {stage}\tclash\n" for stage in (1, 2, 3))
        git("update-index", "--index-info", cwd=home, given=staged.encode())
    deed(repo, {"game/a.yml": b"a: 2\n", "game/state/b.yml": None})
    assert git("status", "--porcelain", cwd=home).replace("UD clash", "DU clash").split("\n")[:-1] == (
        ["UU clash"] if version == "conflict" else []
    )


def test_a_damaged_index_is_not_touched() -> None:
    made = worktree.index_with(None, 0, {"a": worktree.index_entry("a", ("100644", "1" * 40), None)})
    assert made
    assert worktree.index_with(made, 0, {})
    for at in range(len(made)):
        assert worktree.index_with(made[:at] + bytes([made[at] ^ 1]) + made[at + 1 :], 0, {}) is None
        assert worktree.index_with(made[:at], 0, {}) is None


def test_entries_stand_in_order_whichever_way_they_come() -> None:
    made = {
        path: worktree.index_entry(path, ("100644", "1" * 40), None)
        for path in ("a", "a.b", "a/b", "ab", "b/c", "z")
    }
    whole = worktree.index_with(None, 0, made)
    assert whole is not None
    some = worktree.index_with(None, 0, {path: made[path] for path in ("b/c", "a", "z")})
    assert worktree.index_with(some, 0, {path: made[path] for path in ("ab", "a/b", "a.b", "a")}) == whole
    new = {path: worktree.index_entry(path, ("100644", "2" * 40), None) for path in ("0", "a.a")}
    more = worktree.index_with(whole, 0, {**new, "x": None})
    assert more is not None
    assert worktree.index_with(more, 0, {**dict.fromkeys(new), "y": None}) == whole


# Where and which


def test_the_repository_is_found_from_within(repo: Repository, home: Path) -> None:
    for path in (home, home / "game/state", str(home / "game"), home / ".git"):
        found = Repository.open(path)
        assert (found.root, found.git_dir, found.branch) == (str(home), str(home / ".git"), "refs/heads/main")
    assert Repository.init(home).head() == repo.head()


def test_where_there_is_no_repository_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nomicgit new"):
        Repository.open(tmp_path)
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    with pytest.raises(Malformed, match="does not lead"):
        Repository.open(tmp_path)


def test_a_linked_work_tree_has_its_own_branch_and_index(repo: Repository, git: Git, home: Path) -> None:
    git("worktree", "add", "-q", "-b", "practice", "../practice", cwd=home)
    linked = Repository.open(home.parent / "practice" / "game")
    assert (linked.root, linked.branch) == (str(home.parent / "practice"), "refs/heads/practice")
    first = repo.head()
    new = deed(linked, {"game/a.yml": b"a: 7\n"})
    assert git("status", "--porcelain", cwd=home.parent / "practice") == ""
    assert git("rev-parse", "practice", cwd=home).strip() == new
    assert (repo.head(), git("status", "--porcelain", cwd=home)) == (first, "")


@pytest.mark.usefixtures("repo")
def test_a_bare_repository_has_no_work_tree(git: Git, home: Path) -> None:
    git("clone", "-q", "--bare", str(home), "bare.git")
    bare = Repository.open(home.parent / "bare.git")
    assert bare.root is None
    old = tree(bare)
    new = append(bare, {"game/a.yml": b"a: 2\n"})
    assert bare.local_edits(["game/a.yml"], old) == []
    assert bare.bring_along(old, bare.commit(new).tree, {"game/a.yml": b"a: 2\n"}) == []
    assert git(*FSCK, cwd=home.parent / "bare.git") == ""


def test_a_detached_head_is_refused(repo: Repository, git: Git, home: Path) -> None:
    git("checkout", "-q", "--detach", cwd=home)
    with pytest.raises(Refused, match="git switch"):
        repo.head()


def test_a_branch_with_a_slash_and_no_commit_yet(git: Git, tmp_path: Path) -> None:
    found = Repository.init(tmp_path / "new", branch="games/first")
    assert (found.branch, found.head()) == ("refs/heads/games/first", None)
    new = deed(found, {"a": b"a"})
    assert git("rev-parse", "games/first", cwd=tmp_path / "new").strip() == new
    assert git("status", "--porcelain", cwd=tmp_path / "new") == ""
    with pytest.raises(Refused, match="cannot be a branch"):
        Repository.init(tmp_path / "other", branch="-x..y")


def test_a_name_by_which_a_branch_and_a_tag_go_is_refused(repo: Repository, git: Git, home: Path) -> None:
    first = repo.head()
    git("tag", "main", cwd=home)
    assert repo.resolve("main") == first  # for both lead there
    new = append(repo, {"x": b"1"})
    git("update-ref", "refs/remotes/origin/main", new, cwd=home)
    git("tag", "--annotate", "--message", "here", "origin/main", str(first), cwd=home)
    git("update-ref", "refs/heads/refs/remotes/origin/gone", str(first), cwd=home)
    for name, refs in (("main", "refs/heads/main or refs/tags/main"),
                       ("origin/main", "refs/remotes/origin/main or refs/tags/origin/main")):  # fmt: skip
        for revision in (name, f"{name}~1", f"{name}^0", f"{name}@{{0}}"):
            with pytest.raises(Ambiguous, match=refs):
                repo.resolve(revision)
    assert repo.resolve("refs/heads/main") == repo.resolve("refs/remotes/origin/main") == new
    assert repo.resolve("refs/remotes/origin/main~1") == repo.resolve("tags/origin/main") == first
    assert repo.resolve("refs/remotes/origin/gone") is None
    assert (repo.head(), repo.resolve("heads/main~1")) == (new, first)
    assert repo.resolve("tags/main") == repo.resolve("refs/tags/main") == first
    assert repo.resolve(new[:10]) == repo.resolve("HEAD") == repo.resolve(new) == new
    for name in (
        "",
        "1" * 40,
        tree(repo),
        "nowhere",
        "--all",
        "-h",
        "main:game",
        "a\0b",
        "a\nb",
        "../../HEAD",
    ):
        assert repo.resolve(name) is None


@pytest.mark.slow
def test_replacements_and_grafts_do_not_matter(repo: Repository, git: Git, home: Path) -> None:
    honest, evil = repo.write("blob", b"score: 1"), repo.write("blob", b"score: 31337")
    commit = append(repo, {"score": b"score: 1", "evil": b"score: 31337"})
    tip = append(repo, {"more": b"more"})
    git("gc", "-q", cwd=home)
    git("replace", honest, evil, cwd=home)
    git("replace", "--graft", tip, cwd=home)
    (home / ".git/info/grafts").write_text(f"{tip}\n")
    fresh = Repository.open(home)
    assert fresh.file(fresh.commit(commit).tree, "score") == b"score: 1"
    assert len(list(fresh.log(tip))) == len(list(fresh.log(tip, first_parent=False))) == 3
    assert fresh.resolve("main~1") == commit


def test_a_hook_that_calls_us_does_not_turn_us_to_its_own_repository(
    repo: Repository, git: Git, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("gc", "-q", cwd=home)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert Repository.open(home).file(tree(repo), "game/a.yml") == b"a: 1\n"


def test_repositories_of_other_forms_are_refused(git: Git, tmp_path: Path) -> None:
    git("init", "-q", "--object-format=sha256", "long")
    with pytest.raises(Refused, match="objectformat"):
        Repository.open(tmp_path / "long")


def test_settings_of_a_work_tree_alone_count(repo: Repository, git: Git, home: Path) -> None:
    git("config", "extensions.worktreeConfig", "true", cwd=home)
    git("config", "--worktree", "core.sparseCheckout", "true", cwd=home)
    assert Repository.open(home).config("core.sparsecheckout") == "true"
    git("worktree", "add", "-q", "../second", "-b", "second", cwd=home)
    git("config", "--worktree", "core.sparseCheckout", "false", cwd=home.parent / "second")
    assert Repository.open(home.parent / "second").config("core.sparsecheckout") == "false"


@pytest.mark.usefixtures("repo")
def test_the_reading_process_is_not_shared_with_a_forked_child(git: Git, home: Path) -> None:
    git("gc", "-q", cwd=home)
    fresh = Repository.open(home)
    head = fresh.head()
    assert head
    before = fresh.read(head)

    def child() -> None:
        assert fresh.read(head) == before
        fresh.close()

    assert exit_code(forked(child)) == 0
    assert fresh.read(head) == before
    fresh.close()
    assert fresh.read(head) == before


# Settings


def test_our_settings_are_kept_in_the_clone(repo: Repository, git: Git, home: Path) -> None:
    assert repo.config("nomicgit.me") is None
    for value in ("cy", "-x", 'a "quoted" # one; \\ two', "  blanks  ", "ä"):
        repo.set_config("nomicgit.me", value)
        assert repo.config("nomicgit.me") == value == Repository.open(home).config("nomicgit.me")
        assert git("config", "nomicgit.me", cwd=home) == value + "\n"
    repo.set_config("nomicgit.me", None)
    repo.set_config("nomicgit.me", None)
    assert Repository.open(home).config("nomicgit.me") is None
    for key, value in (("core.pager", "x"), ("nomicgit.a b", "x"), ("nomicgit.me", "a\nb"), ("me", "x")):
        with pytest.raises(Refused):
            repo.set_config(key, value)


def test_the_configuration_reads_as_git_reads_it(git: Git, tmp_path: Path) -> None:
    text = (
        '\ufeff# comment\n[a] ; more\n\tone = 1 # not this\n two=" 2 ; " and \\"3\\"  \n\tFlag\n empty =\n'
        '[B "Sub.Sec\\"x"]\n long = x \\\n  y tab\\n\n[b.c]\r\n\tk = v\r\n[a] one = 9\n'
    )
    (tmp_path / "config").write_bytes(text.encode())
    listed = git("config", "--file=config", "-z", "--list").split("\0")[:-1]
    expected = {
        line.partition("\n")[0]: line.partition("\n")[2] or "true" * ("\n" not in line) for line in listed
    }
    assert layout.parse_config(text, "config") == expected
    with pytest.raises(Malformed, match="config:2"):
        layout.parse_config("[a]\n= 1\n", "config")


@pytest.mark.slow
def test_copies_of_a_repository_are_independent(repo: Repository, home: Path) -> None:
    shutil.copytree(home, home.parent / "copy")
    append(Repository.open(home.parent / "copy"), {"x": b"1"})
    assert Repository.open(home.parent / "copy").head() != repo.head()


def test_the_beginning_of_an_id_is_no_tag_so_called(tmp_path: Path, git: Git) -> None:
    repository = Repository.init(tmp_path)
    git("commit", "--quiet", "--allow-empty", "--message", "one")
    git("commit", "--quiet", "--allow-empty", "--message", "two")
    newest, oldest = git("rev-list", "HEAD").split()
    git("tag", newest[:12], oldest)
    git("branch", newest[:9], oldest)
    assert repository.resolve(newest[:12]) == repository.resolve(newest[:9]) == newest
    assert repository.resolve("main~1") == oldest


def test_who_walks_a_long_log_does_not_wait_for_git_at_each_commit(
    repo: Repository, home: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(350):
        append(repo, {}, f"deed {number}")
    git("gc", "-q", cwd=home)
    head = repo.head()
    assert head
    asked: list[str] = []
    ask = process.Batch.ask

    def counted(self: process.Batch, oids: list[str], limit: int | None = None) -> Any:
        asked.extend(oids)
        return ask(self, oids, limit)

    monkeypatch.setattr(process.Batch, "ask", counted)
    with Repository.open(repo.root or "") as clone:
        read = {
            commit.oid: (clone.read(commit.oid), [*map(clone.commit, commit.parents)])
            for commit in clone.log(head)
        }
    assert len(read) == 351
    assert len(asked) < 400  # the first hundred are read one by one
    oldest = list(read)[-2]
    assert read[oldest][0][1].decode() == git("cat-file", "commit", oldest, cwd=home)
    assert [parent.oid for parent in read[oldest][1]] == [list(read)[-1]]
