"""All that a real game shows: the objects of its repository, what commands say, its site."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from nomicgit.cli import main
from nomicgit.ground import files
from nomicgit.physics.state.store import kind_of
from nomicgit.record.game import Game
from nomicgit.site.export import export


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


LOOKS = (["status"], ["state"], ["log"], ["posts"], ["rules"])


def said(capsys: pytest.CaptureFixture[str], folder: Path, players: Sequence[str]) -> Iterator[str]:
    """What the commands that look say: to nobody, each in both forms; to everybody who plays, what is about them."""
    looks = [[*look, *more] for look in LOOKS for more in ([], ["--json"])]
    looks += [["actions", "--player", name, *more] for name in players for more in ([], ["--json"])]
    looks += [["--as", name, *look] for name in players[:2] for look in (*LOOKS, ["actions"])]
    for look in looks:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(folder), *look])
        out, err = capsys.readouterr()
        assert ended.value.code == 0, f"{look}: {out}{err}"
        yield out + err


def site(game: Game, folder: Path, at: int) -> Iterator[str]:
    """Every file of a game's site; of its pictures what is text in them."""
    assert export(game, folder, at)
    for path in folder.rglob("*.*"):
        yield path.read_bytes().decode(errors="replace")
