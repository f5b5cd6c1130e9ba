"""An order that can only fail is told before it is sealed, by what its player can see, and by nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from support.keyed import KeyedGame

from nomicgit.clones.secret import lettering, surmise
from nomicgit.ground import clock
from nomicgit.physics.deeds.founding import Founding

START = Founding(clock.instant("2021-06-07T08:00:00Z"), ["ana", "ben", "cy"], "ana", ["ben"])
RULE = """\
---
title: Purses
variables:
  coins: {of: player, type: integer, default: 2}
  purse: {of: player, type: integer, default: 7, tracked: secret, seen_by: [owner]}
  watched: {of: player, type: boolean, default: false, tracked: secret, seen_by: [emperor]}
actions:
  bribe: {private: true, with: {n: integer}}
  hand: {private: true, with: {n: integer}}
  sneak: {private: true}
  chance: {private: true}
  peek: {private: true}
---
What is in a purse nobody else sees.

```starlark
def do_bribe(actor, n):
    if get(actor, "coins") < n:
        refuse("they want " + str(n) + " coins")
    if not can("peek", actor):
        refuse("nobody comes here")
    gain(actor, "purse", 1)

def do_hand(actor, n):
    if get(actor, "purse") < n:
        refuse("the purse holds less")

def do_sneak(actor):
    if get(actor, "watched"):
        refuse("somebody watches")
    refuse("nobody watches")

def do_chance(actor):
    refuse("a " + str(roll(6)))

def can_peek(actor):
    return "" if get(actor, "watched") else "nobody watches"
```
"""


def test_what_would_be_refused_is_told_as_far_as_their_letter_goes(tmp_path: Path) -> None:
    (tmp_path / "rules" / "1-core").mkdir(parents=True)
    (tmp_path / "rules" / "1-core" / "10-purses.md").write_text(RULE, "utf-8")
    game = KeyedGame.founded(tmp_path / "game", str(tmp_path / "rules"), START).game
    head, at = game.head.oid, START.at + 60

    def told(action: str, **given: object) -> str:
        return surmise.refusal(game, action, "cy", given, at)

    assert "they want 3 coins" in told("bribe", n=3)
    assert told("bribe", n=2) == "", "whether it is open hangs on what only the keeper sees"
    assert told("hand", n=9) == "", "no letter lies here"
    letters = {name: json.loads(text) for name, text in lettering.written(game).items()}
    lettering.lay_down(game, letters["ana"])
    assert told("hand", n=9) == "", "it is somebody else's"
    lettering.lay_down(game, letters["cy"])
    assert "the purse holds less" in told("hand", n=9)
    assert told("hand", n=7) == ""
    assert told("sneak") == told("chance") == ""
    assert game.repository.head() == head
