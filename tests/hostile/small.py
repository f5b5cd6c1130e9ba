"""A small law, and recorded games on it: deeds of a few milliseconds, verified and looked at with Git."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import Verified, verify

START = clock.instant("2021-06-07T00:00:00Z")  # a Monday
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
FSCK = ("fsck", "--strict", "--full", "--no-dangling")

CORE = """
---
title: Play
posts:
  proposal: {votable: true, official: true}
  cfj: {votable: true, official: true}
  story: {}
variables:
  illegal: {of: matter, type: boolean}
  quorum: {type: integer, min: 0, default: 2}
actions:
  join: {by: anyone, idle: true}
  propose: {with: {title: text, body: {type: text, default: ""}, changes: {type: list, default: []}}}
  cfj: {with: {title: text, body: {type: text, default: ""}, changes: {type: list, default: []}}}
  vote: {with: {matter: matter, icon: {type: choice, choices: [for, against]}}}
  resolve: {by: admin, with: {matter: matter}}
  story: {with: {title: text, body: text}}
---
Whoever plays may propose; an admin enacts what two are for, and fails the rest.

```starlark
def do_join(actor):
    create("players", id=id(actor))

def do_propose(actor, title, body, changes_):
    return say("proposal", title, body, changes=changes_)

def do_cfj(actor, title, body, changes_):
    return say("cfj", title, body, changes=changes_)

def do_vote(actor, matter, icon):
    comment(matter, "", icon=icon)

def do_resolve(actor, matter):
    fors = [v for v in votes(matter) if v["icon"] == "for"]
    if len(fors) < get("game", "quorum") or get(matter, "illegal"):
        close(matter, "failed")
        return
    close(matter, "enacted")
    for change in changes(matter):
        why = apply(change)
        if why:
            note("Skipped: " + why)

def do_story(actor, title, body):
    return say("story", title, body)
```
"""

HOARD = """
---
title: Hoard
collections:
  rooms: {key: {prefix: r}, fields: {light: {type: integer, min: 0}, name: {type: text, default: ""}}}
variables:
  gold: {of: player, type: integer, min: 0, default: 10}
  motto: {of: player, type: text, by_hand: true, default: ""}
  ledger: {type: any}
actions:
  earn: {with: {n: {type: integer, min: 1}}}
  give: {with: {to: player, n: {type: integer, min: 1}}}
  dig: {with: {name: {type: text, default: ""}}}
  raze: {with: {room: rooms}}
  roll: {with: {sides: {type: integer, min: 2}}}
  book: {with: {what: any}}
  set: {with: {path: text, value: any}}
---
Gold is earned, given away, and spent on rooms.

```starlark
def do_earn(actor, n):
    gain(actor, "gold", n)

def do_give(actor, to, n):
    transfer(actor, to, "gold", n)

def do_dig(actor, name_):
    spend(actor, "gold", 1)
    create("rooms", light=roll(6), name=name_)

def do_raze(actor, room):
    destroy(room)

def do_roll(actor, sides):
    gain(actor, "gold", roll(sides))

def do_book(actor, what):
    put("game", ledger=what)

def do_set(actor, path, value):
    refuse(apply({"set": {path: value}}))
```
"""


def small_law(more: Mapping[str, str] | None = None) -> Ruleset:
    """The small law, with more rules by path."""
    core = {"1-core/10-play.md": CORE.lstrip("\n"), "2-dynastic/10-hoard.md": HOARD.lstrip("\n")}
    return Ruleset.read(core | dict(more or {}))


def git_in(folder: Path, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """Run Git in a folder and give its output; a failure fails the test."""
    import os

    done = subprocess.run(
        ["git", *args],
        cwd=folder,
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **(env or {})},
    )
    assert done.returncode == 0, f"git {' '.join(args)}: {done.stderr.decode()}"
    return done.stdout.decode()


@dataclass
class Small:
    """A recorded practice game: do things, tamper with it, verify it."""

    folder: Path
    at: int = START

    @classmethod
    def found(cls, folder: Path, law: Ruleset | None = None, **settings: Any) -> Small:
        """A new game of five players, with ben for its admin."""
        with Repository.init(folder) as repository:
            start = Founding(START, list(PLAYERS), None, ["ben"])
            chosen = {"name": "Small", "edition": "small", "time": "given"} | settings
            found_game(repository, law or small_law(), Settings(**chosen), start)
        return cls(folder)

    def do(self, actor: str | None, action: str, /, after: int = 60, **given: Any) -> Recorded:
        """A deed, so many seconds after the last one."""
        self.at += after
        game = Game.open(self.folder)
        with game.repository:
            return game.act(Deed(new_id(self.at), actor, action, given, self.at))

    def enact(self, *changes: Any, after: int = 60) -> Recorded:
        """Propose changes, vote for them, resolve: the resolving deed."""
        matter = self.do("cy", "propose", title="A change", changes=list(changes), after=after).outcome.result
        for voter in ("cy", "dee"):
            self.do(voter, "vote", matter=matter, icon="for")
        return self.do("ben", "resolve", matter=matter)

    def head(self) -> str:
        """The commit at the head."""
        return self.git("rev-parse", "refs/heads/main").strip()

    def git(self, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Run Git in the game."""
        return git_in(self.folder, *args, given=given, env=env)

    def value(self, path: str) -> Any:
        """A field of an entity at the head: ``players/cy gold``."""
        ref, _, field = path.partition(" ")
        game = Game.open(self.folder)
        with game.repository:
            return game.world().store.value(ref, field)

    def ids(self, kind: str) -> list[str]:
        """The ids of a kind at the head."""
        game = Game.open(self.folder)
        with game.repository:
            return list(game.world().store.ids(kind))

    def verified(self, tip: str = "", **how: Any) -> Verified:
        """What verification finds."""
        with Repository.open(self.folder) as repository:
            return verify(repository, tip or self.head(), **how)

    def faults(self, tip: str = "") -> dict[str, list[str]]:
        """What verification finds wrong, by commit."""
        found: dict[str, list[str]] = {}
        for fault in self.verified(tip).faults:
            found.setdefault(fault.commit, []).append(fault.what)
        return found
