"""Many deeds at once: done in a scratch clone, as sync and the steward do, and brought over in one."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hostile.small import FSCK, START, Small
from support.ids import named

from nomicgit.clones.scratch_clone import beside
from nomicgit.git import Repository, packing
from nomicgit.git.lacking import Lacking
from nomicgit.git.layout import find
from nomicgit.git.process import command
from nomicgit.ground import problems, worker
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game

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


def git(repository: Repository, *words: str) -> str:
    """What Git itself says in a repository, asked as the program asks it."""
    line = command(find(repository.git_dir), *words)
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def loose(repository: Repository) -> list[Path]:
    """The files of single objects."""
    return list(Path(repository.git_dir, "objects").glob("??/*"))


def test_many_deeds_at_once_are_the_same_to_the_byte_and_do_not_wait_for_the_disk(
    tmp_path: Path, waits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game")
    founding = small.head()
    waits.clear()
    monkeypatch.setattr(problems, "recorded", "")
    with Repository.open(small.folder) as repository, beside(repository, founding) as bare:
        at_once = [Game.open(bare.git_dir).act(deed).commit for deed in DEEDS]
        assert loose(bare) == []
        assert git(bare, "log", "-1", "--format=%H").strip() == at_once[-1]
        packs = [str(each) for each in Path(bare.git_dir, "objects", "pack").glob("*.idx")]
        git(bare, "verify-pack", "--", *packs)
        git(bare, *FSCK)
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


def test_a_worker_that_reads_what_is_packed_writes_no_pack_of_what_is_held(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.git("gc", "-q")
    with Repository.open(small.folder) as repository, beside(repository, small.head()) as bare:
        held = Game.open(bare.git_dir).act(DEEDS[0]).commit
        read = worker.run(lambda: [bare.commit(held).parents[0], bare.read(small.head())[0]])
        assert read == [small.head(), "commit"]
        assert [*Path(bare.git_dir, "objects", "pack").iterdir()] == []
        assert git(bare, "cat-file", "-t", held).strip() == "commit"


def packed_size(folder: Path) -> int:
    return sum(pack.stat().st_size for pack in (folder / ".git/objects/pack").glob("*.pack"))


def test_what_was_recorded_at_once_is_packed_as_well_as_git_can(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    many = [
        Deed(named(f"much-{n}"), "cy", "story", {"title": f"Night {n}", "body": "Once."}, START + n)
        for n in range(1, 31)
    ]
    with Repository.open(small.folder) as repository:
        with beside(repository, small.head()) as bare:
            game = Game.open(bare.git_dir)
            head = [game.act(deed).commit for deed in many][-1]
        repository.point(repository.branch, head)
    small.git("gc", "-q")
    small.git("gc", "-q")
    size = packed_size(small.folder)
    small.git("repack", "-q", "-a", "-d", "-f")
    assert size <= 1.1 * packed_size(small.folder)


def fails(repository: Repository, body: bytes) -> str:
    """Store something in a deed that comes to nothing."""
    lost = ""
    with suppress(ZeroDivisionError), repository.together():
        lost = repository.write("blob", body)
        raise ZeroDivisionError
    return lost


def test_what_is_held_is_read_as_what_was_written_and_nothing_stays_of_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "MOST", 40)
    small = Small.found(tmp_path / "game")
    bodies = [b"n%d" % n * 5 * n for n in range(1, 9)] + [
        b"",
        b"x" * 15,
        b"x" * 16,
        b"x" * 2048,
        b"x" * 70_000,
    ]
    with Repository.open(small.folder) as repository, beside(repository, small.head()) as bare:
        oids = [bare.write("blob", body) for body in bodies]
        assert [bare.blob(oid) for oid in oids] == bodies
        lost = fails(bare, b"never")
        with pytest.raises(Lacking):
            bare.read(lost)
        child = worker.run(lambda: bare.write("blob", b"by a child"))
        assert bare.blob(child) == b"by a child"
        said = git(bare, "cat-file", "--batch-all-objects", "--batch-check").split()
        assert {*oids, child} <= {*said}
        assert lost not in said
        assert [git(bare, "cat-file", "blob", oid).encode() for oid in oids] == bodies
        git(bare, *FSCK)
