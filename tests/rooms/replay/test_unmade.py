"""Why a change was not made is recorded in words that everybody comes to who replays it, however it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.clones import FEW, game_in_clones

CODE = (
    "foo()",
    "x = 1 // 0",
    "x = {}['coal']",
    "x = [1][5]",
    "x = len(7)",
    "fail('no')",
    "action('sing')",
    "x = get('game', 'players')",
    "def a():\n    return b()\nx = a()",
    "def a(n):\n    return a(n)\nx = a(1)",
    "x = 'long' * 1000000000",
    "def filter_name(ref, old, new):\n    return foo()",
)
FRONT: tuple[tuple[dict[str, Any], str], ...] = (
    ({"settles": {"sweep": {}}}, "def settle_sweep():\n    foo()"),
    ({"settles": {"sweep": {}}}, "def settle_sweep():\n    refuse('never')"),
    ({"settles": {"sweep": {}}}, "def settle_sweep():\n    x = 'long' * 1000000000"),
    ({"variables": {"gold": {"of": "player", "type": "integer", "derived": "gold_of"}}}, ""),
    ({"variables": {"gold": {"of": "player", "type": "integer", "default": "many"}}}, ""),
    ({"views": {"seams": {}}}, "def seams():\n    return {}['coal']\nx = seams()"),
)


@pytest.mark.slow
def test_why_changes_were_not_made_is_told_alike_by_whoever_replays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    rules: list[dict[str, Any]] = [
        {"title": f"Code {n}", "text": "Broken.", "mechanics": code} for n, code in enumerate(CODE)
    ]
    for number, (declares, code) in enumerate(FRONT):
        rules.append({"title": f"Front {number}", "text": "Broken.", "declares": declares, "mechanics": code})
    for rule in rules:
        changes = json.dumps([{"add-rule": rule}])
        ana.play("act", "propose", f"title={rule['title']}", "body=x", f"changes={changes}")
    said = ""
    for number, _ in enumerate(rules, 1):
        ana.play("vote", str(number), "for")
        said += ana.play("--as", "ben", "resolve", str(number))
    assert said.count("was not made: ") > len(CODE), said
    assert "verified" in ana.play("verify")
    ana.play("sync")
    ben.play("sync")
    assert ben.head == ana.head
