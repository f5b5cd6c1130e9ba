"""Random play of editions with secrets, and all that a real game shows of it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomicgit import editions
from nomicgit.cli import main
from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state.store import kind_of
from nomicgit.record.game import Game, found_game
from nomicgit.record.replay import Fault, verify
from nomicgit.record.settings import Settings
from nomicgit.site.export import export
from support.randomly import RandomPlay

FIRST = ("ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal")


class Staying(RandomPlay):
    """Random play in which the first players stay and an admin is left, so that the game goes on."""

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        if name == "leave" and actor in FIRST:
            return
        if name == "resign-admin" and actor == "ben":
            return
        super().attempt(actor, name, given)


def founded(folder: Path, edition: str, start: Founding) -> Game:
    settings = Settings("Test", edition, time="given")
    found_game(Repository.init(str(folder)), editions.load(edition), settings, start)
    return Game.open(str(folder))


def faults(game: Game) -> list[Fault]:
    tip = game.repository.head()
    assert tip is not None
    return list(verify(game.repository, tip).faults)


def skipped(game: Game) -> list[str]:
    """What fell due by the clock and did not happen, as the journal has it."""
    tip = game.repository.head()
    assert tip is not None
    lines = [line for commit in game.repository.log(tip) for line in commit.message.splitlines()]
    return [line for line in lines if " did not happen: " in line]


def objects(folder: Path) -> str:
    """The text of every object of a repository."""
    git = ["git", "-C", str(folder), "cat-file", "--batch-all-objects"]
    found = subprocess.run([*git, "--batch"], capture_output=True, check=True).stdout
    return found.decode(errors="replace")


def stored_secrets(game: Game) -> list[str]:
    """Each secret variable that any commit of a game stores."""
    tip, kinds = game.repository.head(), game.world().law.by_kind
    assert tip is not None
    secret = {(k, v.name) for k, variables in kinds.items() for v in variables if v.tracked == "secret"}
    found, seen = [], set()
    for commit in game.repository.log(tip):
        for path, oid in game.repository.walk(commit.tree, "game/state"):
            if oid in seen or not path.endswith(".yml"):
                continue
            seen.add(oid)
            kind = kind_of(path.removeprefix("game/state/").removesuffix(".yml"))
            fields = files.read(game.repository.blob(oid), path)
            assert isinstance(fields, dict)
            found += [f"{path}: {name}" for name in fields if (kind, name) in secret]
    return found


def said(capsys: pytest.CaptureFixture[str], folder: Path) -> Iterator[str]:
    """What the commands that look say, to everybody who plays and to nobody."""
    looks = [
        ["status"],
        ["state"],
        ["log"],
        ["posts"],
        ["rules"],
        *(["actions", "--player", n] for n in FIRST),
    ]
    for look in looks:
        for more in ([], ["--json"]):
            capsys.readouterr()
            with pytest.raises(SystemExit) as ended:
                main(["-C", str(folder), *look, *more])
            out, err = capsys.readouterr()
            assert ended.value.code == 0, f"{look}: {out}{err}"
            yield out + err


def site(game: Game, folder: Path, at: int) -> Iterator[str]:
    """Every file of a game's site."""
    assert export(game, folder, at)
    for path in folder.rglob("*.*"):
        yield path.read_text(encoding="utf-8")
