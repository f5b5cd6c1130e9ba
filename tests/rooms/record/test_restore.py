"""Restore: the one deed outside the law, for those whom the game names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hostile.forging import Forger
from hostile.small import Small, small_law

from nomicgit.cli import main
from nomicgit.ground.problems import Refused
from nomicgit.record.game import Game, Recorded
from nomicgit.record.outside import entitled

TWO = {"by": ["ana", "ben", "zed"], "of": 2}


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game", restore=TWO)


def restored(small: Small, to: str, *by: str) -> Recorded:
    small.at += 60
    game = Game.open(small.folder)
    with game.repository:
        return entitled.restore(game, by, to, small.at)


def rules(small: Small, commit: str = "HEAD") -> str:
    return small.git("rev-parse", f"{commit}:game/ruleset").strip()


def amended(small: Small) -> str:
    """Put a guard into the law that rests its other rules; gives the commit before."""
    before = small.head()
    small.enact(
        {"add-rule": {"title": "News", "text": "Words.", "mechanics": "X = 1"}}, {"set": {"game.quorum": 3}}
    )
    return before


def test_who_is_called_otherwise_now_is_taken_by_the_name_of_now(small: Small) -> None:
    small.enact({"rename-player": {"from": "ben", "to": "Benno"}})
    before = amended(small)
    with pytest.raises(Refused) as refused:
        restored(small, before, "ana", "cy")
    assert refused.value.problems[0].mend == "ana, Benno, zed may"
    assert "by ana, ben" in restored(small, before, "ana", "benno").outcome.notes[0]
    assert small.verified().faults == []


@pytest.mark.slow
def test_the_ruleset_is_that_of_the_earlier_commit_and_the_gamestate_stays(small: Small) -> None:
    before = amended(small)
    small.do("cy", "earn", n=5)
    recorded = restored(small, before, "ana", "ben")
    assert rules(small) == rules(small, before)
    assert (small.value("players/cy gold"), small.value("game quorum")) == (15, 3)
    assert "by ana, ben" in recorded.outcome.notes[0]
    assert small.verified().faults == []


@pytest.mark.slow
def test_it_stands_in_the_history_like_any_deed(small: Small) -> None:
    before = amended(small)
    recorded = restored(small, before[:12], "Ben", "ANA")
    message = small.git("log", "-1", "--format=%B", recorded.commit)
    assert f'Nomic-With: {{"to": "{before}", "by": ["ben", "ana"]}}' in message
    small.do("cy", "earn", n=1)
    assert small.verified().faults == []


@pytest.mark.slow
def test_a_restoring_can_be_restored(small: Small) -> None:
    before = amended(small)
    after = small.head()
    restored(small, before, "ana", "ben")
    restored(small, after, "ana", "zed")
    assert rules(small) == rules(small, after)
    assert small.verified().faults == []


@pytest.mark.parametrize(
    ("by", "why"),
    [
        (["cy", "ana"], "cy may not restore"),
        (["ana"], "2 of ana, ben, zed"),
        (["ana", "Ana", "ANA"], "2 of ana, ben, zed"),
        ([], "2 of ana, ben, zed"),
    ],
)
def test_others_or_too_few_are_refused(small: Small, by: list[str], why: str) -> None:
    before = amended(small)
    head = small.head()
    with pytest.raises(Refused, match=why):
        restored(small, before, *by)
    assert small.head() == head


def test_a_game_that_names_nobody_is_not_restored(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    before = amended(small)
    with pytest.raises(Refused, match="names nobody"):
        restored(small, before, "ben")


@pytest.mark.slow
def test_only_a_deed_of_this_games_history_can_be_restored(small: Small, tmp_path: Path) -> None:
    amended(small)
    other = Small.found(tmp_path / "other", small_law({"1-core/20-x.md": "---\ntitle: X\n---\nWords.\n"}))
    small.git("fetch", "-q", str(other.folder), "main")
    code = Forger(small).add("code", {"a.txt": b"a"})
    for to, why in (
        (other.head(), "not in this game"),
        (code.oid, "no deed"),
        ("nonsense", "no commit"),
        ("-x", "no commit"),
    ):
        with pytest.raises(Refused, match=why):
            restored(small, to, "ana", "ben")


def test_what_is_so_already_is_not_restored(small: Small) -> None:
    small.do("cy", "earn", n=1)
    with pytest.raises(Refused, match="is that of now"):
        restored(small, "HEAD~1", "ana", "ben")


@pytest.mark.slow
def test_a_forged_restoring_is_named(small: Small) -> None:
    before = amended(small)
    restored(small, before, "ana", "ben")
    small.do("cy", "earn", n=1)
    forger = Forger(small)
    place = len(forger.commits()) - 2
    forged = forger.amend(
        place,
        lambda c: {"message": c.message.replace('["ana", "ben"]', '["ana", "cy"]')},
    )
    assert "cy may not restore" in small.faults()[forged.oid][0]


@pytest.mark.slow
def test_restoring_runs_nothing_of_the_law_that_it_takes_away(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fell due by the clock might be what ends every process: it falls to the restored law."""
    before = small.head()
    small.enact({"add-rule": {"title": "Tax", "text": "W.", "declares": {"schedule": {"tax": {"every": "day 01:00"}}},
                              "mechanics": 'def schedule_tax():\n    lose("players/cy", "gold", 1)'}})  # fmt: skip
    small.at += 3 * 86400
    monkeypatch.setattr("nomicgit.physics.deeds.clockwork._happen", None)  # whatever fell due would end this
    restored(small, before, "ana", "ben")
    monkeypatch.undo()
    assert small.value("players/cy gold") == 10
    small.do("dee", "earn", n=1)
    assert small.value("players/cy gold") == 10
    assert small.verified().faults == []


# The command line.


def run(folder: Path, *arguments: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(folder), *arguments])
    assert ended.value.code == code


@pytest.mark.slow
def test_the_command_restores(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    before = amended(small)
    head = small.head()
    run(small.folder, "restore", before, "--by", "ana", "--by", "ben", "--dry-run")
    assert f"restored to {before[:10]}  (dry run, nothing is recorded" in capsys.readouterr().out
    run(small.folder, "restore", before, "--by", "ana", "--dry-run", code=1)
    run(small.folder, "restore", before, "--by", "ana", "--by", "ben", "--dry-run", "--json")
    plain = json.loads(capsys.readouterr().out)
    assert (plain["commit"], plain["dry_run"]) == (None, True)
    assert small.head() == head
    run(small.folder, "restore", before, "--by", "ana", "--by", "ben")
    assert f"restored to {before[:10]}" in capsys.readouterr().out
    assert rules(small) == rules(small, before)
    run(small.folder, "restore", "HEAD~1", "--by", "ana", "--by", "zed", "--json")
    assert json.loads(capsys.readouterr().out)["by"] == ["ana", "zed"]
    run(small.folder, "verify")


def test_the_command_takes_who_acts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ben"], "of": 1})
    before = amended(small)
    run(small.folder, "restore", before, code=1)
    assert "who are you" in capsys.readouterr().err
    run(small.folder, "me", "cy")
    run(small.folder, "restore", before, code=1)
    run(small.folder, "me", "ben")
    run(small.folder, "restore", before)
    assert rules(small) == rules(small, before)


NEW = ("new", "hall", "--edition", "crypt", "--player", "ana", "--player", "ben", "--admin", "ben")


def test_new_names_who_may_restore(tmp_path: Path) -> None:
    run(tmp_path, *NEW, "--restore", "ana", "--restore", "ben", "--restore-of", "2")
    game = Game.open(tmp_path / "hall")
    assert game.settings.restore == {"by": ["ana", "ben"], "of": 2}


def test_new_warns_where_nobody_may_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, *NEW)
    assert "nobody may restore this game" in capsys.readouterr().out
    run(tmp_path, "new", "loft", *NEW[2:], "--restore", "ana")
    assert "nobody may restore" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("said", "restore"), [("ben, ana", {"by": ["ben", "ana"], "of": 1}), ("", None)])
def test_new_asks_somebody_at_a_terminal_who_may_restore(
    tmp_path: Path, said: str, restore: dict[str, Any] | None
) -> None:
    ours, its = os.openpty()
    line = [sys.executable, "-m", "nomicgit", "-C", str(tmp_path), *NEW]
    os.write(ours, f"{said}\n".encode())  # a terminal keeps what is typed before anybody asks
    terminal = os.environ | {"TERM": "xterm"}
    done = subprocess.run(
        line, stdin=its, stdout=subprocess.PIPE, stderr=its, env=terminal, timeout=60, check=True
    )
    os.close(its)
    assert b"(ana, ben; empty: nobody)" in b" ".join(os.read(ours, 4096).split())
    os.close(ours)
    assert (b"nobody may restore" in done.stdout) == (restore is None)
    assert Game.open(tmp_path / "hall").settings.restore == restore


@pytest.mark.parametrize(
    "options",
    [
        ("--restore-of", "2"),
        ("--restore", "ana", "--restore-of", "2"),
        ("--restore", "ana", "--restore", "Ana"),
        ("--restore", "a b"),
        ("--restore", "ana", "--restore-of", "0"),
    ],
)
def test_new_refuses_what_nobody_could_do(tmp_path: Path, options: tuple[str, ...]) -> None:
    run(tmp_path, *NEW, *options, code=2)
    assert not (tmp_path / "hall").exists()
