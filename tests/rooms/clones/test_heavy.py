"""A push that is more than the other side takes: the own commit that brings it is named, and taken out by what is said."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from support.clones import Clone, settings
from support.signing import with_keys_beside


@pytest.mark.slow
def test_the_commit_and_the_file_that_are_too_large_are_named_and_go_as_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path)
    here, game = Clone(tmp_path), Clone(tmp_path / "game")
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    there = Clone(tmp_path / "bare.git")
    there.git("config", "receive.maxInputSize", str(1 << 20))
    game.git("remote", "add", "origin", "../bare.git")
    game.git("fetch", "--quiet", "origin")
    game.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    before = game.head
    (game.folder / "small.txt").write_text("small")
    (game.folder / "film.bin").write_bytes(os.urandom(3 << 20))
    game.git("add", "small.txt", "film.bin")
    game.git("commit", "--quiet", "--message", "A film")
    heavy = game.head
    game.play("roll", "DICE6", "--as", "ana")

    said = game.play("sync", code=1)
    assert "exceeds maximum allowed size" in said
    assert f"the commit {heavy[:12]} of your own brings film.bin, more than" in said
    assert "small.txt" not in said
    assert "mend what Git names" not in said
    out = f"git rebase --onto {before} {heavy}"
    assert f"{out}\n" in said
    subprocess.run(["sh", "-ec", out], cwd=game.folder, env=settings(), check=True, capture_output=True)
    assert "pushed 1 commit" in game.play("sync")
    assert there.git("rev-parse", "main") == game.head
    assert "ana: roll" in game.git("log", "-1", "--format=%B") or "Nomic-Action: roll" in game.git(
        "log", "-1"
    )
