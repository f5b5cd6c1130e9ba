"""Many at once: no deed is lost, none is done twice, and whoever keeps losing races gets through."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hostile.processes import exit_code, forked
from hostile.small import FSCK, START, Small, git_in
from msgspec.structs import replace
from support.ids import named

from nomicgit.clones.others import pace
from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.physics import numbers
from nomicgit.physics.deed import Deed
from nomicgit.record import game as games
from nomicgit.record.game import Game, new_id

pytestmark = pytest.mark.slow


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game")


def earning(folder: Path, name: str, deeds: int) -> None:
    """So many deeds, one after the other, each of which must get through."""
    game = Game.open(folder)
    for number in range(deeds):
        game.act(Deed(named(f"{name}-{number}"), "cy", "earn", {"n": 1}, START + 60))


def many(small: Small, processes: int, deeds: int) -> None:
    def player(name: str) -> None:
        earning(small.folder, name, deeds)

    children = [forked(lambda name=f"p{n}": player(name)) for n in range(processes)]  # type: ignore[misc]
    assert [exit_code(child) for child in children] == [0] * processes
    ids = [line for line in small.git("log", "--format=%B").split("\n") if line.startswith("Nomic-Id: ")]
    done = [f"Nomic-Id: {named(f'p{n}-{d}')}" for n in range(processes) for d in range(deeds)]
    assert sorted(ids[:-1]) == sorted(done)
    assert small.value("players/cy gold") == 10 + processes * deeds
    found = small.verified()
    assert (found.faults, found.deeds) == ([], 1 + processes * deeds)
    assert small.git(*FSCK) == ""
    assert small.git("status", "--porcelain") == ""


def test_four_at_once_lose_nothing(small: Small) -> None:
    many(small, 4, 3)


@pytest.mark.slow
def test_twenty_four_at_once_lose_nothing(small: Small) -> None:
    many(small, 24, 10)


def test_whoever_keeps_losing_gets_through(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody faster is faster each time, until whoever loses holds the lock while deciding."""
    game, moved = Game.open(small.folder), []
    decide, mine = numbers.ONE.decide, os.getpid()

    def interrupted(*args: Any) -> Any:
        if os.getpid() == mine and game.repository._lock._depth == 0:
            moved.append(1)
            small.at = START
            child = forked(lambda: earning(small.folder, f"faster{len(moved)}", 1))
            assert exit_code(child) == 0
        return decide(*args)

    monkeypatch.setitem(numbers.KNOWN, 1, replace(numbers.ONE, decide=interrupted))
    game.act(Deed(named("slow"), "dee", "earn", {"n": 1}, START + 60))
    monkeypatch.undo()
    assert len(moved) == games.RACES
    assert small.value("players/dee gold") == 11
    assert small.verified().faults == []


def test_the_same_deed_decided_twice_in_one_second_is_two_deeds(small: Small) -> None:
    """Two bots of one mind make two commits: their deeds have ids of their own."""
    for _ in range(2):
        small.do("cy", "earn", after=0, n=1)
    assert len(set(small.git("rev-list", "HEAD").split())) == 3
    assert small.value("players/cy gold") == 12


def test_a_deed_that_a_faster_one_has_overtaken_is_decided_anew(small: Small) -> None:
    """What was legal on the head that was read is refused on the one that there is."""
    slow = Game.open(small.folder)
    slow.world()
    small.do("cy", "give", to="dee", n=10)
    with pytest.raises(Refused, match="gold"):
        slow.act(Deed(named("late"), "cy", "dig", {}, START + 60))
    assert small.ids("rooms") == []
    assert small.verified().faults == []


def test_two_clones_that_race_to_push_lose_nothing(small: Small, tmp_path: Path) -> None:
    """Plain pushes; whoever is refused fetches, and decides again."""
    git_in(tmp_path, "clone", "-q", "--bare", str(small.folder), "remote.git")
    clones = [tmp_path / "one", tmp_path / "two"]
    for clone in clones:
        git_in(tmp_path, "clone", "-q", "remote.git", clone.name)

    def pushing(clone: Path) -> None:
        for _ in range(5):
            while True:
                mine = Small(clone, START)
                mine.do("cy", "earn", n=1)
                if pushed(clone):
                    break
                git_in(clone, "fetch", "-q")
                git_in(clone, "reset", "-q", "--hard", "origin/main")

    children = [forked(lambda clone=clone: pushing(clone)) for clone in clones]  # type: ignore[misc]
    assert [exit_code(child) for child in children] == [0, 0]
    remote = Small(tmp_path / "remote.git")
    assert (remote.value("players/cy gold"), remote.verified().deeds) == (20, 11)
    assert remote.verified().faults == []
    assert remote.git(*FSCK) == ""


def pushed(clone: Path) -> bool:
    done = subprocess.run(
        ["git", "push", "-q", "origin", "main"], cwd=clone, capture_output=True, check=False
    )
    return done.returncode == 0


# Clocks.


def test_a_clock_that_runs_behind_never_dates_a_deed_before_its_parent(tmp_path: Path) -> None:
    now = int(time.time())
    live = Small.found(tmp_path / "live", time="live")
    game = Game.open(live.folder)
    game.act(Deed(new_id(now), "cy", "earn", {"n": 1}, now))
    assert game.time(now - 200, None) == now
    late = game.act(Deed(new_id(now), "cy", "earn", {"n": 1}, now - 200)).outcome.deed
    assert (late.at, late.cast_at) == (now, now - 200)
    assert live.verified(now=now).faults == []


def test_a_clock_that_lags_far_behind_the_last_deed_is_refused(tmp_path: Path) -> None:
    now = int(time.time())
    live = Small.found(tmp_path / "live", time="live")
    game = Game.open(live.folder)
    game.act(Deed(new_id(now), "cy", "earn", {"n": 1}, now))
    pace.refuse_ahead(game, now - games.AHEAD)
    with pytest.raises(Refused, match="ahead of this clock"):
        pace.refuse_ahead(game, now - games.AHEAD - 1)


# Locks that nobody holds any more.


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "index.lock", "HEAD.lock"])
def test_a_lock_that_a_dead_git_left_behind_does_not_stop_the_game(small: Small, name: str) -> None:
    left = small.folder / ".git" / name
    left.touch()
    os.utime(left, (START, START))
    small.do("cy", "earn", n=1)
    assert small.value("players/cy gold") == 11
    assert small.git("status", "--porcelain") == "" or name == "HEAD.lock"
    with Repository.open(small.folder) as repository, repository.locked():
        assert not left.exists() or name == "HEAD.lock"
