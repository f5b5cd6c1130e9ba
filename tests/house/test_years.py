"""Seventeen years are a story told from a seed: a small one is played in bulk, and one by one."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.places import ROOT

from nomicgit.git import Repository
from nomicgit.record.game import Game
from nomicgit.replay.verifying import verify


@pytest.fixture
def years(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import years

    return years


@pytest.mark.slow
def test_a_story_in_bulk_is_the_same_to_the_byte_as_one_by_one(tmp_path: Path, years: ModuleType) -> None:
    def story() -> Any:
        return years.Story(proposals=10, dynasties=2, players=15, actions=20)

    bulk, single = tmp_path / "bulk", tmp_path / "single"
    years.founded(bulk, story())
    shutil.copytree(bulk, single)
    told: list[str] = []
    in_bulk = story()
    years.record(bulk, in_bulk, told.append)
    assert len(told) == 2
    one_by_one = Game.open(single)
    for deeds in story().told():
        for deed in deeds:
            years.act(one_by_one, deed)
    log = subprocess.run(
        ["git", "log", "--format=%H %s"], cwd=bulk, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert log[0].split()[0] == one_by_one.head.oid
    assert len(log) == in_bulk.deeds + 1
    with Repository.open(bulk) as repository:
        assert verify(repository, one_by_one.head.oid).sound
    status = subprocess.run(
        ["git", "status", "--short"], cwd=bulk, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
    became = Counter(
        line.removeprefix("status: ")
        for post in (bulk / "game/posts").rglob("*.md")
        for line in post.read_text().splitlines()
        if line.startswith("status: ")
    )
    assert became["pending"] == 0
    assert became["enacted"] >= 6
    assert became["failed"] >= 2
    assert len(list((bulk / "game/state/players").iterdir())) == 15
