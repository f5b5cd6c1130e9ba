"""A small game in a repository, its branches made with Git itself, and the command line at its table."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nomicgit.cli import main

PLAYERS = ("ana", "ben", "cy")
RULES: Mapping[str, str] = {
    "1-core/10-proposals.md": """\
---
title: Proposals
posts:
  proposal: {official: true, votable: true}
  cfj: {official: true, votable: true}
actions:
  propose:
    with:
      title: text
      body: {type: text, default: ""}
      tags: {type: list, items: text, default: []}
      changes: {type: list, default: []}
  cfj: {with: {title: text, body: {type: text, default: ""}, changes: {type: list, default: []}}}
  vote: {with: {matter: matter, icon: {type: choice, choices: [for, against]}}}
  resolve: {with: {matter: matter, as: {type: text, default: ""}}}
  edit-post: {with: {post: post, changes: {type: list}}}
---
Whoever submits a proposal may not edit it once somebody has voted.
A change of a core rule needs the tag Core.

```starlark
def do_propose(actor, title, body, tags, changes_):
    return say("proposal", title, body, tags=tags, changes=changes_)

def do_cfj(actor, title, body, changes_):
    return say("cfj", title, body, changes=changes_)

def do_vote(actor, matter, icon):
    comment(matter, "", icon=icon)

def do_edit_post(actor, post, changes_):
    require(not votes(post), "somebody has voted")
    put(post, changes=changes_)

def _bar(matter, change):
    return "it needs the tag Core" if change["section"] == "core" and "Core" not in get(matter, "tags") else ""

def do_resolve(actor, matter, as_):
    require([vote for vote in votes(matter) if vote["icon"] == "for"], "nobody is for it")
    close(matter, "enacted")
    for change in changes(matter):
        why = _bar(matter, change) or apply(change)
        if why:
            note("Change %d was not made: %s" % (change["number"], why))
```
""",
    "2-dynastic/10-tea.md": """\
---
title: Tea
variables:
  cups: {of: player, type: integer, max: 9, default: 4}
actions:
  brew: {}
views:
  most: {}
---
A player may brew tea.
It is drunk hot.

```starlark
def most():
    return max([get(player, "cups") for player in players()])

def do_brew(actor):
    gain(actor, "cups", 1)
```
""",
    "2-dynastic/20-moon.md": "---\ntitle: Moon\n---\nThe moon shines.\n",
}
TEA, MOON, CORE = (
    f"game/ruleset/{path}"
    for path in ("2-dynastic/10-tea.md", "2-dynastic/20-moon.md", "1-core/10-proposals.md")
)


BREWED = """\
name: Tea is brewed
players: [ana]
emperor: null
steps:
  - {by: ana, act: brew, expect: {players.ana.cups: 5}}
"""


@dataclass(frozen=True)
class Said:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def all(self) -> str:
        """What it said, to whichever stream."""
        return self.out + self.err


Nomic = Callable[..., Said]
"""Runs a command, which must end with ``code`` (0 where nothing is told)."""


def commands(capsys: pytest.CaptureFixture[str], *ahead: str) -> Nomic:
    """Run commands as whoever sits at a terminal does, with these words ahead of each."""

    def run(*arguments: str, code: int = 0) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([*ahead, *arguments])
        out, err = capsys.readouterr()
        assert ended.value.code == code, f"{arguments}: {ended.value.code}\n{out}{err}"
        return Said(code, out, err)

    return run


@dataclass
class Parlour:
    """The game in a folder."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def git(self, *args: str) -> str:
        """Run Git in the game's folder."""
        done = subprocess.run(["git", *args], cwd=self.folder, capture_output=True, check=False)
        assert done.returncode == 0, f"git {' '.join(args)}: {done.stderr.decode()}"
        return done.stdout.decode().strip()

    def nomic(self, *args: str, code: int = 0) -> Said:
        """Run a command of the game; it must end as told."""
        return commands(self.capsys, "-C", str(self.folder))(*args, code=code)

    def branch(self, name: str, path: str, old: str, new: str, *, message: str = "", onto: str = "") -> None:
        """A branch, from the game's own or ``onto`` another, with one commit that replaces a text in a file."""
        if name not in self.git("branch", "--format=%(refname:short)").split():
            self.git("branch", name, onto or "main")
        self.git("switch", "-q", name)
        file = self.folder / path
        text = file.read_text("utf-8") if file.exists() else ""
        assert not old or text.count(old) == 1
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(old, new) if old else new, "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message or f"{name}\n\nBecause of {old or path}.")
        self.git("switch", "-q", "main")

    def propose(self, name: str, *more: str) -> Any:
        """Propose a branch as ana; what the command answered."""
        return self.nomic("--as", "ana", "propose", "--branch", name, "--json", *more).json


def parlour(folder: Path, capsys: pytest.CaptureFixture[str], rules: Mapping[str, str] = RULES) -> Parlour:
    """A game of three players that began on 7 June 2021, in practice."""
    for path, text in rules.items():
        (folder / "edition" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "edition" / path).write_text(text, "utf-8")
    found = Parlour(folder / "game", capsys)
    found.folder.mkdir()
    players = [word for name in PLAYERS for word in ("--player", name)]
    when = ["--practice", "--start", "2021-06-07T00:00:00Z"]
    edition = ["--edition", str(folder / "edition"), "--name", "Parlour"]
    roles = ["--admin", "ben", "--restore", "ben"]
    found.nomic("new", *edition, *players, *roles, *when)
    return found
