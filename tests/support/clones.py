"""Clones of one practice game, played by the command line, with plain Git beside."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from nomicgit.cli import main
from support.parlour import RULES

PLAYERS = ("ana", "ben", "cy", "dee", "eli")
TALK = """\
---
title: Talk
posts: {entry: {}}
actions:
  post: {with: {title: text, body: {type: text, default: ""}}}
  comment: {with: {post: post, text: text}}
  roll: {with: {dice: text}}
---
Whoever plays may talk, and roll a die.

```starlark
def do_post(actor, title, body):
    return say("entry", title, body)

def do_comment(actor, post, text):
    comment(post, text)

def do_roll(actor, dice_):
    return roll(6)
```
"""
FOR_IT = '    require([vote for vote in votes(matter) if vote["icon"] == "for"], "nobody is for it")\n'
MOST_FOR_IT = """\
    if 2 * len([vote for vote in votes(matter) if vote["icon"] == "for"]) <= len(votes(matter)):
        note("Failed: it is unpopular")
        return close(matter, "failed")
"""
_PROPOSALS = "1-core/10-proposals.md"
FEW = {**RULES, "1-core/20-talk.md": TALK, _PROPOSALS: RULES[_PROPOSALS].replace(FOR_IT, MOST_FOR_IT)}
"""A few rules, for tests to which it does not matter what is played: their games are looked at and replayed in a moment."""
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

    def follow(self) -> None:
        """Let this clone follow where it does as the place to which the game has moved: to that, another address leads."""
        self.git("remote", "set-url", "origin", f"{self.git('remote', 'get-url', 'origin')}/")

    def votes(self, number: int) -> list[tuple[str, str]]:
        """The votes of a post, as they stand in its file."""
        paths = list((self.folder / "game" / "posts").rglob(f"{number:04}-*.comments.yml"))
        lines = paths[0].read_text(encoding="utf-8").splitlines() if paths else []
        told = [json.loads(line.removeprefix("- ")) for line in lines]
        return [(each["by"], each["icon"]) for each in told if "icon" in each]

    def title(self, number: int) -> str:
        [path] = (self.folder / "game" / "posts").rglob(f"{number:04}-*.md")
        return path.stem.partition("-")[2]


QUIET = Path(__file__).parent / "quiet.gitconfig"


def settings() -> dict[str, str]:
    """The environment, with somebody who commits by hand."""
    who = {f"GIT_{role}_{what}": word for role in ("AUTHOR", "COMMITTER") for what, word in WHO.items()}
    return os.environ | who | {"GIT_CONFIG_GLOBAL": str(QUIET), "GIT_CONFIG_SYSTEM": os.devnull}


def laid(rules: Mapping[str, str], folder: Path) -> str:
    """An edition of these rules, in a folder; as a game is founded with it."""
    for path, text in rules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return str(folder)


def game_in_clones(
    folder: Path, names: Sequence[str], *more: str, rules: Mapping[str, str] | None = None
) -> tuple[Clone, ...]:
    """A clone for each of these players of one practice game, which lies in a bare repository; with crypt, or these rules."""
    how = ("founded", *names, *more, *(rules or {}).items())
    copied(lambda model: _founded(model, names, more, rules), how, folder)
    return tuple(Clone(folder / name) for name in names)


def greeted_in_clones(
    folder: Path, *options: str, rules: Mapping[str, str] | None = None
) -> tuple[Clone, Clone]:
    """Ana's and Ben's clone of one game that is founded with these options, in which Ana has posted, and all is in both."""
    how = ("greeted", *options, *(rules or {}).items())
    copied(lambda model: _greeted(model, options, rules), how, folder)
    return Clone(folder / "ana"), Clone(folder / "ben")


def with_mallory(
    folder: Path, *options: str, rules: Mapping[str, str] | None = None
) -> tuple[Clone, Clone, Clone]:
    """The same two, and one of somebody who pushes by hand."""
    ana, ben = greeted_in_clones(folder, *options, rules=rules)
    Clone(folder).git("clone", "--quiet", "bare.git", "mallory")
    return ana, ben, Clone(folder / "mallory")


def copied(make: Callable[[Path], object], how: Sequence[object], folder: Path) -> None:
    """Lay into a folder what is made but once, in another: games, and clones of them that lie beside each other."""
    if how not in _MODELS:
        make(model := Path(mkdtemp(dir=_models().name)))
        _MODELS[how] = model
    shutil.copytree(_MODELS[how], folder, symlinks=True, dirs_exist_ok=True)
    for config in folder.glob("*/.git/config"):
        text = config.read_text(encoding="utf-8")
        config.write_text(text.replace(f"{_MODELS[how]}/", f"{folder}/"), encoding="utf-8")


_MODELS: dict[Sequence[object], Path] = {}
"""The games that were made, by how, at which nobody plays."""


@cache
def _models() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="nomicgit-models-")


def _founded(
    folder: Path, names: Sequence[str], more: Sequence[str], rules: Mapping[str, str] | None
) -> None:
    edition = laid(rules, folder / "edition") if rules else "crypt"
    found = [word for name in PLAYERS for word in ("--player", name)]
    here, start, first = Clone(folder), "2021-06-07T00:00:00Z", names[0]
    here.play(
        "new",
        first,
        "--edition",
        edition,
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


def _greeted(folder: Path, options: Sequence[str], rules: Mapping[str, str] | None) -> None:
    ana, ben = game_in_clones(folder, ("ana", "ben"), *options, rules=rules)
    ana.play("post", "Hello")
    ana.play("sync")
    ben.play("sync")
