"""Rules that an action changes without a vote: others hear of it by sync and status, and whose proposal it has undone hears that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import FEW, game_in_clones

SPELLING = """\
---
title: Spelling
actions:
  spell: {with: {rule: rule, replace: text, with: text}}
  raise: {with: {whom: player}}
---
Whoever plays may correct what is misspelt.

```starlark
def do_spell(actor, rule, replace, with_):
    why = apply({"amend": {"rule": rule, "replace": replace, "with": with_}})
    require(not why, why)

def do_raise(actor, whom):
    put(whom, admin=True)
```
"""


@pytest.mark.slow
def test_a_rule_that_is_changed_by_an_action_is_told_and_so_is_the_change_that_it_undoes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules={**FEW, "2-dynastic/30-spelling.md": SPELLING})
    ana.play("me", "ana")
    change = "{amend: {rule: Spelling, replace: correct what is misspelt, with: correct all}}"
    ana.play("propose", "--title", "All", "--change", change)
    ana.play("sync")
    ben.play("me", "ben")
    ben.play("sync")
    ben.play("act", "spell", "rule=Spelling", "replace=is misspelt", "with=is wrong")
    told, spelled = "rules changed without a vote: amended Spelling", ben.head
    assert "game/ruleset/2-dynastic/30-spelling.md" in ben.git("show", "--format=", "--name-only")
    ben.play("sync")
    assert f"ben: spell ({spelled[:12]}): {told}\n" in ana.play("sync")
    assert f"   ben: spell: {told}\n" in f"{ana.play('status')}\n"
    assert f"; Spelling was last changed by ben: spell ({spelled[:12]}) (nomicgit try 1)" in ana.play(
        "status"
    )
    ben.play("vote", "1", "for")
    ben.play("resolve", "1")
    [note] = [line for line in ben.git("log", "-1", "--format=%b").splitlines() if "was not made: " in line]
    ben.play("sync")
    assert "without a vote" not in ana.play("sync")
    assert f"your post 1, All, was enacted, but c{note[1:]}" in ana.play("status")
    ana.play("propose", "--title", "Most", "--change", change.replace("is misspelt", "is wrong"))
    ana.play("sync")
    ben.play("sync")
    ben.play("vote", "2", "for")
    ben.play("resolve", "2")
    assert "game/ruleset/2-dynastic/30-spelling.md" in ben.git("show", "--format=", "--name-only")
    ben.play("sync")
    assert "without a vote" not in ana.play("sync")
    [*_, concern] = json.loads(ana.play("status", "--json"))["concerns"]
    assert concern["what"] == ["your post 2, Most, was enacted"]
    ben.play("act", "raise", "whom=ana")
    raised = ben.head
    ben.play("act", "raise", "whom=ben", "--as", "ana")
    in_name = ben.head
    ben.play("sync")
    said = ana.play("sync")
    assert f"offices: ana is an admin now, by ben: raise ({raised[:12]})\n" in said
    [named] = [line for line in said.splitlines() if line.startswith("in your name, not done here: ")]
    assert f"ana: raise ({in_name[:12]}), not signed by you" in named
    assert f"offices: ana is an admin now, by ben: raise ({raised[:12]})\n" in ana.play("status")
    assert "offices: " not in ana.play("sync")
    ana.play("vote", "2", "against")
    ana.play("sync")
    assert "in your name" not in ben.play("sync") + ana.play("sync")
