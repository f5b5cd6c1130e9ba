"""Many deeds at once: done in a scratch clone, as sync and the steward do, and brought over in one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hostile.small import FSCK, START, Small
from support.ids import named

from nomicgit.git import Repository
from nomicgit.ground import problems
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game
from nomicgit.record.syncing import beside

DEEDS = [
    Deed(named(f"bulk-{n}"), "cy", "story", {"title": f"Night {n}", "body": "Once."}, START + n)
    for n in range(1, 9)
]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each wait of this process for the disk."""
    files: list[int] = []
    wait = os.fsync

    def counted(file: int) -> None:
        files.append(file)
        wait(file)

    monkeypatch.setattr(os, "fsync", counted)
    return files


def test_many_deeds_at_once_are_the_same_to_the_byte_and_do_not_wait_for_the_disk(
    tmp_path: Path, waits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game")
    founding = small.head()
    waits.clear()
    monkeypatch.setattr(problems, "recorded", "")
    with Repository.open(small.folder) as repository, beside(repository, founding) as bare:
        at_once = [Game.open(bare.git_dir).act(deed).commit for deed in DEEDS]
    assert waits == []
    assert (
        problems.recorded == ""
    )  # in the game itself: should bringing it over fail, nobody is told that it is done
    assert small.head() == founding
    small.git(*FSCK, at_once[-1])
    one_by_one = [Game.open(small.folder).act(deed).commit for deed in DEEDS]
    assert at_once == one_by_one
    assert problems.recorded == one_by_one[-1]
    assert len(waits) >= 3 * len(DEEDS)
