"""The game that lies in the program's own repository, under ``game/``: it verifies, whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_the_programs_own_repository_verifies(tmp_path: Path) -> None:
    """In a clone with a branch of its own, for a checkout may have none."""
    if not (ROOT / ".git").exists():
        pytest.skip("these are the sources without their history: there is no record here to verify")
    if git(ROOT, "rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("this checkout is shallow: the record does not go back to its founding here")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "fetch", "-q", str(ROOT), "HEAD")
    git(tmp_path, "checkout", "-q", "-B", "main", "FETCH_HEAD")
    nomicgit = Path(sys.executable).parent / "nomicgit"
    done = subprocess.run([nomicgit, "verify"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("verified: ")
    assert done.stderr == ""


def test_what_lies_there_is_told() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "| `game/` |" in readme
    assert "`nomicgit verify`" in readme.partition("| `game/` |")[2].partition("\n")[0]
