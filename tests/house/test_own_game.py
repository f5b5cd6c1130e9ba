"""The game that lies in the program's own repository, under ``game/``: it verifies, whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT


@pytest.mark.slow
def test_the_programs_own_repository_verifies() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("these are the sources without their history: there is no record here to verify")
    nomicgit = Path(sys.executable).parent / "nomicgit"
    done = subprocess.run([nomicgit, "verify"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("verified: ")
    assert done.stderr == ""


def test_what_lies_there_is_told() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "| `game/` |" in readme
    assert "`nomicgit verify`" in readme.partition("| `game/` |")[2].partition("\n")[0]
