"""Clones of one practice game, played by the command line, with plain Git beside."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nomicgit.cli import main

PLAYERS = ("ana", "ben", "cy", "dee", "eli")
WHO = {"NAME": "somebody", "EMAIL": "somebody@example.invalid"}


@dataclass(frozen=True)
class Clone:
    """A clone of the game, and who plays at it."""

    folder: Path

    def git(self, *words: str, code: int = 0) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=settings(), capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"git {words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def play(self, *words: str, code: int = 0) -> str:
        ended, said = self.tried(*words)
        assert ended == code, f"{words}: {said}"
        return said

    def tried(self, *words: str) -> tuple[int, str]:
        """How a command ended, and what it said."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.chdir(self.folder):
            try:
                main(list(words))
            except SystemExit as ended:
                return int(ended.code or 0), out.getvalue()
        raise AssertionError("a command ends the process")

    def stored(self, kind: str, body: bytes) -> str:
        """An object, stored whatever it is."""
        done = subprocess.run(
            ["git", "hash-object", "-w", "--stdin", "--literally", "-t", kind],
            cwd=self.folder, input=body, capture_output=True, check=True,
        )  # fmt: skip
        return done.stdout.decode().strip()

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def votes(self, number: int) -> list[tuple[str, str]]:
        """The votes of a post, as they stand in its file."""
        paths = list((self.folder / "game" / "posts").rglob(f"{number:04}-*.comments.yml"))
        lines = paths[0].read_text(encoding="utf-8").splitlines() if paths else []
        told = [json.loads(line.removeprefix("- ")) for line in lines]
        return [(each["by"], each["icon"]) for each in told if "icon" in each]

    def title(self, number: int) -> str:
        [path] = (self.folder / "game" / "posts").rglob(f"{number:04}-*.md")
        return path.stem.partition("-")[2]


def settings() -> dict[str, str]:
    """The environment, with somebody who commits by hand."""
    who = {f"GIT_{role}_{what}": word for role in ("AUTHOR", "COMMITTER") for what, word in WHO.items()}
    return os.environ | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def game_in_clones(folder: Path, names: Sequence[str], *more: str) -> tuple[Clone, ...]:
    """A clone for each of these players of one practice game, which lies in a bare repository."""
    found = [word for name in PLAYERS for word in ("--player", name)]
    here, start, first = Clone(folder), "2021-06-07T00:00:00Z", names[0]
    here.play(
        "new",
        first,
        "--edition",
        "crypt",
        "--no-keys",
        "--practice",
        "--start",
        start,
        *found,
        "--admin",
        "ben",
        *more,
    )
    here.git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    founder = Clone(folder / first)
    founder.git("remote", "add", "origin", "../bare.git")
    founder.git("push", "--quiet", "--set-upstream", "origin", "main")
    for name in names[1:]:
        here.git("clone", "--quiet", "bare.git", name)
    for name in names:
        Clone(folder / name).play("me", name)
    return tuple(Clone(folder / name) for name in names)


def with_mallory(folder: Path, *options: str) -> tuple[Clone, Clone, Clone]:
    """Ana's and Ben's clone of one game that is founded with these options, and one of somebody who pushes by hand."""
    ana, ben = game_in_clones(folder, ("ana", "ben"), *options)
    ana.play("post", "Hello")
    ana.play("sync")
    ben.play("sync")
    Clone(folder).git("clone", "--quiet", "bare.git", "mallory")
    return ana, ben, Clone(folder / "mallory")
