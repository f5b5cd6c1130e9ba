"""The games that README and the Makefile offer to play before one's eyes are played to their end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("script", ["play", "night"])
def test_a_game_is_played_to_its_end_before_ones_eyes(script: str, tmp_path: Path) -> None:
    """In a folder of its own, since each plays beside the folder that it lies in."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    done = subprocess.run(
        [sys.executable, tmp_path / "tools" / f"{script}.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Done" in done.stdout
