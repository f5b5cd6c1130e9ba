"""A small game that keeps secrets by a key, and a keeper who cheats: commits made by hand, and signed with the true key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.ids import named
from support.keyed import KEY

from hostile.forging import Forger
from hostile.small import PLAYERS, START, Small, small_law
from nomicgit.git import Commit, Repository
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import ordering, veil
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import Verified, verify
from nomicgit.sealing.keys import Key, Sealer

HALF = Key(KEY.main, None)
"""What an opening publishes."""
STRANGER = Key.made(bytes(range(64, 128)))
"""A key that is nobody's."""

CELLAR = """
---
title: Cellar
variables:
  hoard: {of: player, type: integer, min: 0, default: 0, tracked: secret, seen_by: [owner]}
  shadow: {of: game, type: text, default: "", tracked: secret}
collections:
  traps: {key: {prefix: t}, tracked: secret, fields: {digger: player, depth: {type: integer}}}
  yard: {key: {columns: [A, B], rows: [1, 2]}, fields: {buried: {type: integer, default: 0, tracked: secret}}}
actions:
  hide: {private: true, with: {n: {type: integer, min: 1}}}
  whisper: {private: true, opens: never, with: {to: player, text: text}}
  gamble: {private: true}
  bury: {private: true, with: {cell: yard, n: integer}}
  trap: {private: true, with: {depth: integer}}
  dare: {private: true}
  brew: {private: [strength], with: {name: text, strength: integer}}
  call: {private: anonymous, with: {text: text, anonymous: {type: boolean, default: false}}}
  search: {with: {who: player}}
  spy: {with: {path: text}}
  dole: {private: true, with: {shares: {type: any}}}
---
Gold is hidden in the cellar, where nobody sees it.

```starlark
def do_hide(actor, n):
    spend(actor, "gold", n)
    gain(actor, "hoard", n)

def do_whisper(actor, to, text):
    tell(to, text)

def do_gamble(actor):
    gain(actor, "hoard", secretly_roll(6))

def do_bury(actor, cell, n):
    put(cell, buried=n)

def do_trap(actor, depth):
    create("traps", digger=actor, depth=depth)

def do_dare(actor):
    gain(actor, "hoard", roll(6))

def do_brew(actor, name_, strength):
    put("game", shadow=name_ + " " * strength)
    note("A brew is called " + name_ + ".")

def do_call(actor, text, anonymous):
    note("Somebody calls: " + text, public=True)

def do_spy(actor, path):
    get(actor, "hoard")
    note("There stands: %s" % read(path), public=True)

def do_dole(actor, shares):
    put("game", shadow="%s" % shares)
    note("Doled out: %s" % shares, public=True)

def do_search(actor, who):
    if get(who, "hoard") > 0:
        gain(actor, "gold", 1)
```
""".lstrip("\n")


class Kept(Small):
    """A small game whose secrets ben keeps."""

    count = 0

    @classmethod
    def begun(cls, folder: Path, forge: Mapping[str, Any] | None = None, **more: str) -> Kept:
        """A new one, which ana may restore; ``forge``: where it lives, if on one; with ``more`` dynastic rules by their slugs."""
        with Repository.init(folder) as repository:
            start = Founding(START, list(PLAYERS), None, ["ben"])
            settings = Settings(
                "Small", "small", time="given", dice="keeper", forge=forge, restore={"by": ["ana"], "of": 1}
            )
            rules = {f"2-dynastic/{30 + n}-{slug}.md": text for n, (slug, text) in enumerate(more.items())}
            law = small_law({"2-dynastic/20-cellar.md": CELLAR} | rules)
            found_game(repository, law, settings, start, keeper=Keeper("ben", None, KEY))
        return cls(folder)

    def game(self) -> Game:
        """The game, with its key at hand."""
        game = Game.open(self.folder)
        game.key = KEY
        return game

    def kept(self, actor: str | None, action: str, /, **given: Any) -> Recorded:
        """A deed of whoever has the key."""
        return self.act(Deed(named(f"deed-{self.count + 1}"), actor, action, given))

    def ordered(
        self, actor: str, action: str, /, nonce: str = "", made: int | None = None, **given: Any
    ) -> Recorded:
        """An order that the keeper takes; ``made`` when it says that it was (seconds, UTC)."""
        nonce = nonce or f"nonce-{self.count}"
        return self.act(Deed(named(f"deed-{self.count + 1}"), actor, action, given, nonce=nonce, made=made))

    def act(self, deed: Deed) -> Recorded:
        """A deed a minute after the last one."""
        self.count += 1
        self.at += 60
        deed, game = replace(deed, at=self.at), self.game()
        with game.repository:
            return game.act(deed) if deed.nonce is None else game.act(deed, decide=ordering.decided)

    def found_wrong(self, *keys: Key) -> list[str]:
        """What verification finds wrong with these keys at hand."""
        return [fault.what for fault in self.looked_through(*keys).faults]

    def looked_through(self, *keys: Key) -> Verified:
        """What verification finds with these keys at hand."""
        with Repository.open(self.folder) as repository:
            return verify(repository, self.head(), keys=keys)

    def sealer(self) -> Sealer:
        """What the keeper seals and signs with."""
        return Sealer(KEY, self.game().terms[0].since)


class Cheat(Forger):
    """A keeper who makes the newest commit otherwise than it was, and signs that."""

    small: Kept

    def newest(
        self,
        files: Mapping[str, bytes | None],
        message: Callable[[str], str] = str,
        sealer: Sealer | None = None,
    ) -> Commit:
        """The newest commit with other files and another message, signed again."""
        commit = self.commits()[-1]
        tree = self.tree(commit.tree, files)
        text = message(veil.unsigned(commit.message)[0])
        signed = veil.signed(text, sealer or self.small.sealer(), tree, commit.parents[0])
        made = self.forge(commit, tree=tree, message=signed)
        self.point(made)
        return made

    @contextmanager
    def otherwise(self, where: object, name: str, what: Any) -> Iterator[None]:
        """The keeper's program does something in another way."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(where, name, what)
            yield
