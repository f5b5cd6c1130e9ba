"""What leads to what, read by our own hand where it lies close by, against Git's own list of commits and their parents."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused

Git = Callable[..., str]
LINE, COMMITS, PAIRS = 30, 60, 20
"""A line longer than what is read by hand; commits in all; pairs that are asked about."""


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository.init(tmp_path / "game")


def commit(repo: Repository, *parents: str, said: object = "") -> str:
    tree = repo.write("tree", b"")
    lines = [f"tree {tree}", *(f"parent {each}" for each in parents)]
    who = "Cy <cy@example.org> 1800000000 +0000"
    return repo.write(
        "commit", "\n".join([*lines, f"author {who}", f"committer {who}", "", f"{said}\n"]).encode()
    )


def grown(repo: Repository, seed: int) -> list[str]:
    """A long line, and what branches off it and is merged, from a seed."""
    chance, made = random.Random(seed), [commit(repo)]
    for number in range(1, COMMITS):
        last = [made[-1]] if number < LINE else chance.choices(made, k=chance.choice((1, 1, 2)))
        made.append(commit(repo, *dict.fromkeys(last), said=number))
    repo.point("refs/heads/main", commit(repo, *made, said="all"))
    return made


def lineage(parents: Mapping[str, Sequence[str]], oid: str) -> set[str]:
    """A commit and all that lead to it."""
    seen, waiting = set[str](), [oid]
    while waiting:
        if (each := waiting.pop()) not in seen:
            seen.add(each)
            waiting += parents[each]
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_leads_to_what_is_as_git_lists_it(repo: Repository, git: Git, tmp_path: Path, seed: int) -> None:
    made, chance = grown(repo, seed), random.Random(seed)
    listed = git("rev-list", "--parents", "main", cwd=tmp_path / "game").splitlines()
    parents = {each.split()[0]: each.split()[1:] for each in listed}
    pairs = [tuple(chance.sample(made, 2)) for _ in range(PAIRS)]
    near = [(made[at], made[at + 3]) for at in range(LINE, COMMITS - 3, 5)]
    for one, other in [*pairs, *near, (made[0], made[LINE - 1]), (made[5], made[5])]:
        before, own = lineage(parents, one), lineage(parents, other)
        assert repo.leads_to(one, other) == (one in own)
        assert repo.leads_to(other, one) == (other in before)
        common = before & own
        newest = {each for each in common if not any(each in lineage(parents, c) for c in common - {each})}
        assert repo.merge_base(one, other) in newest
        first, following = None, other
        while following not in before:
            first = following
            if not parents[following]:
                break
            following = parents[following][0]
        assert repo.first_after(one, other) == first
        beyond = repo.ids_beyond(one, other, "--topo-order")
        assert (
            beyond
            == git("rev-list", "--reverse", "--topo-order", f"{one}..{other}", cwd=tmp_path / "game").split()
        )


def test_what_lies_close_by_is_told_without_git(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(repo)
    line = [first]
    for number in range(5):
        line.append(commit(repo, line[-1], said=number))
    repo.point("refs/heads/main", line[-1])
    repo.point("refs/remotes/origin/main", line[2])
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(Refused, match="`git` is not installed"):
        repo.resolve("main~1")
    assert (repo.leads_to(line[1], line[4]), repo.leads_to(line[4], line[1])) == (True, False)
    assert (repo.first_after(line[1], line[4]), repo.first_after(line[4], line[1])) == (line[2], None)
    assert repo.first_after(first, first) is None
    assert repo.ids_beyond(first, first) == []
    aside = [commit(repo, line[1], said="a"), commit(repo, line[1], said="b")]
    beside = commit(repo, aside[-1], said="c")
    assert repo.merge_base(line[4], beside) == repo.merge_base(beside, line[4]) == line[1]
    assert repo.ids_beyond(line[4], beside) == [aside[-1], beside]
    assert repo.ids_beyond(beside, line[4], "--topo-order") == line[2:5]
    assert repo.references("refs/heads/") == {"refs/heads/main": line[-1]}
    assert repo.references("refs/nomicgit/aside/") == {}
    assert repo.sizes([first]) == {first: len(repo.read(first)[1])}
    assert (repo.resolve("main"), repo.resolve("refs/remotes/origin/main")) == (line[-1], line[2])
    repo.point("refs/remotes/origin/main", line[2])  # where it stands
    repo.point("refs/nomicgit/aside/x", None)  # which is not there


def test_a_commit_that_is_not_here_leads_nowhere_that_git_does_not_know(repo: Repository) -> None:
    last = commit(repo, lost := "1" * 40)
    for one, other in ((lost, last), (last, lost)):
        with pytest.raises(Refused, match="git merge-base"):
            repo.leads_to(one, other)


def test_a_reference_is_what_git_finds_there(repo: Repository, git: Git, tmp_path: Path) -> None:
    home, first = tmp_path / "game", commit(repo)
    second = commit(repo, first)
    repo.point_all({"refs/heads/main": first, "refs/heads/side": second, "refs/nomicgit/known/x": second})
    git("tag", "--annotate", "--message", "here", "noted", second, cwd=home)
    git("update-ref", "refs/tags/folder", repo.write("tree", b""), cwd=home)
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/side", cwd=home)
    (home / ".git/refs/heads/gone").write_text("1" * 40 + "\n", encoding="ascii")
    names = ("heads/main", "heads/side", "nomicgit/known/x", "tags/noted", "remotes/origin/HEAD")
    for packed in (False, True):
        git("pack-refs", "--all", cwd=home) if packed else None
        for name in names:
            asked = ("rev-parse", "--verify", f"refs/{name}^{{commit}}")
            assert repo.resolve(f"refs/{name}") == git(*asked, cwd=home).strip(), (name, packed)
        assert repo.resolve("refs/tags/folder") is repo.resolve("refs/heads/gone") is None


def test_several_references_are_moved_together_or_not_at_all(
    repo: Repository, git: Git, tmp_path: Path
) -> None:
    first = commit(repo)
    repo.point_all({"refs/nomicgit/a": first, "refs/nomicgit/b": first})
    with pytest.raises(Refused, match="update-ref"):
        repo.point_all({"refs/nomicgit/a": None, "refs/nomicgit/b/c": first})
    listed = ("for-each-ref", "--format=%(refname) %(objectname)")
    assert git(*listed, cwd=tmp_path / "game").split() == ["refs/nomicgit/a", first, "refs/nomicgit/b", first]
    repo.point_all({"refs/nomicgit/a": None, "refs/nomicgit/b": None})
    assert git(*listed, cwd=tmp_path / "game") == ""


def test_the_references_below_a_prefix_are_those_that_git_lists(
    repo: Repository, git: Git, tmp_path: Path
) -> None:
    home, first = tmp_path / "game", commit(repo)
    git("update-ref", "refs/nomicgit/aside/packed", first, cwd=home)
    git("pack-refs", "--all", cwd=home)
    second = commit(repo, first)
    below = {
        "refs/nomicgit/aside/loose": second,
        "refs/nomicgit/aside/b/c": first,
        "refs/nomicgit/beside": second,
    }
    repo.point_all({**below, "refs/heads/main": second})
    (home / ".git/refs/nomicgit/aside/broken.lock").write_text(first)
    for more in (
        [],
        ["symbolic-ref", "refs/nomicgit/aside/named", "refs/heads/main"],
        ["update-ref", "-d", "refs/nomicgit/aside/packed"],
        ["gc", "--quiet"],
    ):
        if more:
            git(*more, cwd=home)
        for under in ("refs/nomicgit/aside/", "refs/heads/", "refs/nowhere/"):
            listed = git("for-each-ref", "--format=%(refname) %(objectname)", under, cwd=home).splitlines()
            assert list(repo.references(under).items()) == [tuple(line.split()) for line in listed]
    assert repo.sizes([first, second, "1" * 40]) == {
        each: len(repo.read(each)[1]) for each in (first, second)
    }


def test_what_a_branch_follows_is_asked_again_once_the_settings_are_others(
    repo: Repository, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "game"
    repo.point("refs/heads/main", commit(repo))
    assert Upstream.of(repo) is None
    for place in ("one", "two"):
        git("remote", "add", place, f"../{place}", cwd=home)
        git("config", "branch.main.remote", place, cwd=home)
        git("config", "branch.main.merge", "refs/heads/main", cwd=home)
        assert Upstream.of(repo) == Upstream(repo, place, "refs/heads/main", f"refs/remotes/{place}/main")
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tmp_path / "nowhere"))
        assert Upstream.of(repo) is not None
    git("branch", "--unset-upstream", cwd=home)
    assert Upstream.of(repo) is None


def test_what_was_committed_here_is_what_gits_own_log_says(
    repo: Repository, git: Git, tmp_path: Path
) -> None:
    home = tmp_path / "game"
    assert list(repo.committed()) == []
    for words in (
        "commit --allow-empty -m One",
        "commit --allow-empty -m Two",
        "commit --allow-empty --amend -m Other",
        "reset --quiet --hard HEAD~1",
        "commit --allow-empty -m Three",
        "merge --quiet --no-edit ORIG_HEAD",
    ):
        git(*words.split(), cwd=home)
    logged = git("log", "--walk-reflogs", "--format=%H %gs", cwd=home).splitlines()
    here = [line.split()[0] for line in logged if line.split(maxsplit=1)[1].startswith("commit: ")]
    assert len(here) == 2
    assert [each.oid for each in repo.committed()] == here
