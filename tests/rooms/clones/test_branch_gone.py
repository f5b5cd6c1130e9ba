"""The game's branch, taken away or renamed where it is pushed to: every clone hears of it, and loses no deed by what is told."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones


def obeyed(clone: Clone, said: str) -> list[str]:
    """The Git commands that a refusal tells, which are done word for word."""
    told = [line.strip() for line in said.split("\n") if line.startswith("    git ")]
    for each in told:
        clone.git(*shlex.split(each)[1:])
    return told


@pytest.mark.slow
def test_a_branch_that_was_taken_away_is_missed_and_put_back_also_where_another_lies_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    ana.play("post", "Mine")
    ana.play("sync")
    known = ben.git("rev-parse", "origin/main")
    Clone(tmp_path / "bare.git").git("config", "receive.denyDeleteCurrent", "ignore")
    for ref in (":refs/heads/main", f"{known}:refs/heads/main/x"):
        ben.git("push", "--quiet", "origin", ref)
    said = ana.play("sync", "--dry-run", code=1)
    assert f"the branch origin/main is gone there: it stood at {ana.head[:12]} (ana: post" in said
    assert "moved nothing" not in ana.play("status")
    assert ana.play("sync", code=1) == said
    assert "the last sync moved nothing: the branch origin/main is gone" in ana.play("status", code=1)
    first, *back = obeyed(ana, said)
    assert first == "git push origin :refs/heads/main/x"
    assert len(back) == 2
    assert ana.git("ls-remote", "origin", "refs/heads/*").split() == [ana.head, "refs/heads/main"]
    ana.play("sync")
    assert "moved nothing" not in ana.play("status")
    ben.play("sync")
    assert ben.head == ana.head
    Clone(tmp_path).git("init", "--quiet", "--bare", "new.git")
    ana.git("remote", "set-url", "origin", "../new.git")
    for _ in range(2):  # where the clone has known no branch, none is missed
        said = ana.play("sync", code=1)
        assert "there is no branch origin/main yet" in said
    obeyed(ana, said)
    ana.play("sync")


@pytest.mark.slow
def test_where_git_has_pruned_a_branch_that_came_back_with_less_status_tells_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    founded = ana.head
    ana.play("post", "Mine")
    ana.play("sync")
    ben.play("sync")
    Clone(tmp_path / "bare.git").git("config", "receive.denyDeleteCurrent", "ignore")
    ana.git("push", "--quiet", "origin", ":refs/heads/main")
    ben.git("fetch", "--quiet", "--prune")
    ana.git("push", "--quiet", "origin", f"{founded}:refs/heads/main")
    for _ in range(2):
        assert "lacks now 1 deed: ana: post" in ben.play("sync", code=1)
        for looks in ("status", "verify"):
            assert "1 deed: ana: post" in ben.play(looks, code=1)
    ben.play("sync", "--accept")
    ben.play("status")


@pytest.mark.slow
def test_a_branch_that_was_renamed_there_is_followed_and_one_renamed_here_is_told_until_it_follows_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    ana.play("sync")
    Clone(tmp_path).play("receive", "--install", "bare.git")
    ana.git("branch", "-m", "main", "trunk")
    ana.git("push", "--quiet", "-u", "origin", "trunk")
    assert "not the game's branch: at origin the game is played on the branch main" in ana.play(
        "status", code=1
    )
    ana.play("post", "On trunk")
    ben.play("post", "On main")
    ben.play("sync")
    for _ in range(2):
        said = ana.play("sync", code=1)
        assert "the game is played on the branch main, " in said
        assert "this clone follows origin/trunk" in said
        assert "main" in ana.play("status", code=1)
    noted = (tmp_path / "bare.git/nomicgit/receive.log").read_text(encoding="utf-8")
    assert noted.count("the game is played on main, and on trunk lie deeds that it has not") == 1
    assert obeyed(ana, said)[1] == "git branch -m trunk main"
    assert "pushed 1 commit to origin/main" in ana.play("sync")
    ana.play("status")
    ben.play("sync")
    assert ben.head == ana.head
    bare = Clone(tmp_path / "bare.git")
    bare.git("branch", "-D", "trunk")
    ben.play("post", "Mine")
    bare.git("branch", "-m", "main", "agora")
    said = ben.play("sync", code=1)
    assert f"goes on there on the branch agora, with all that was on it: it stood at {ana.head[:12]}" in said
    assert "not the game's branch" in ben.play("status", code=1)
    assert ben.git("rev-parse", "origin/main") == ana.head
    for clone in (ben, ana):
        obeyed(clone, clone.play("sync", code=1))
        clone.play("sync")
        clone.play("status")
    assert (
        bare.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
        == f"refs/heads/agora {ana.head}"
    )
    assert ana.head == ben.head
    bare.git("branch", "main")  # the first branch there is another, and the old one stays
    bare.git("symbolic-ref", "HEAD", "refs/heads/main")
    assert "game is played on the branch main" in ben.play("sync", code=1)
    bare.git(
        "symbolic-ref", "HEAD", "refs/heads/none"
    )  # which says nothing, and what was said before is remembered
    assert "game is played on the branch main" in ben.play("sync", code=1)
    obeyed(ben, ben.play("status", code=1))
    ben.play("sync")
