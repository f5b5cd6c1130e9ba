"""The games that README and the Makefile offer to play before one's eyes are played to their end."""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import io
import os
import subprocess
from pathlib import Path

import pytest
from support.places import ROOT

from nomicgit.cli import main

PLACES = {"play": "GAME", "night": "PLACE"}
"""What each calls the folder in which it plays."""


def ran(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command, as these games run it; ours in this process, which need not start."""
    if Path(command[0]).name != "nomicgit":
        return subprocess.run(command, cwd=cwd, env=os.environ, capture_output=True, text=True, check=False)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(cwd):
        try:
            main(list(command[1:]))
        except SystemExit as ended:
            return subprocess.CompletedProcess(command, int(ended.code or 0), out.getvalue(), err.getvalue())
    raise AssertionError("a command ends the process")


@pytest.mark.slow
@pytest.mark.parametrize("script", PLACES)
def test_a_game_is_played_to_its_end_before_ones_eyes(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a folder of its own, since each plays beside the folder that it lies in."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    for name in ("NO_MKDOCS_2_WARNING", "DISABLE_MKDOCS_2_WARNING", "NO_COLOR"):
        monkeypatch.setenv(name, "true")
    played = importlib.import_module(script)
    monkeypatch.setattr(played, "run", lambda *command, cwd=tmp_path: ran(*command, cwd=cwd))
    monkeypatch.setattr(played, "ROOT", tmp_path)
    monkeypatch.setattr(played, PLACES[script], tmp_path / getattr(played, PLACES[script]).name)
    assert played.main() == 0, capsys.readouterr()
    said = capsys.readouterr()
    assert said.err == ""
    assert "Done" in said.out


def test_two_do_not_play_in_one_folder_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    played = importlib.import_module("play")
    monkeypatch.setattr(played, "ROOT", tmp_path)
    monkeypatch.setattr(played, "GAME", tmp_path / "play")
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    assert played.main() == 1
    os.close(folder)
    assert "is being played" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
