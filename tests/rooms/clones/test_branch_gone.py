"""The game's branch, taken away where it is pushed to: every clone hears of it, and what is told has it back with all deeds."""

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
