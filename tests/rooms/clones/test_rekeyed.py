"""Whose keys others have changed is told, with who did it, until they sign with a key of before, or with that of their clone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import FEW, Clone, laid
from support.signing import keys_beside, rewound, sits

from nomicgit.clones.others import rekeyed


def told(game: Clone, *words: str) -> list[tuple[str, str, int, int]]:
    """Whose keys are told of, by whom they were changed, and how many were gained and lost."""
    [plain] = [json.loads(game.play(*words, "--json"))["rekeyed"]]
    return [(each["player"], each["by"], len(each["gained"]), len(each["lost"])) for each in plain]


@pytest.mark.slow
def test_who_gains_or_loses_a_key_is_told_until_they_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "ana", "cy", "new")
    players = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    start = ("--practice", "--start", "2021-06-07T00:00:00Z", "--restore", "cy")
    Clone(tmp_path).play("new", "game", "--edition", laid(FEW, tmp_path / "edition"), *start, *players)
    game = Clone(tmp_path / "game")
    sits(game, "cy", "cy")
    game.play("signers", "--add", "../cy")
    assert told(game, "status") == told(game, "verify") == [], "their own doing"
    before = game.head

    sits(game, "ana", "new")
    game.play("signers", "--add", "../new")
    game.play("roll", "DICE6")
    game.git("config", "--unset", "nomicgit.key")
    assert told(game, "status") == told(game, "verify") == [("ana", "ana", 1, 0)], "another, in her name"
    with monkeypatch.context() as patched:
        patched.setattr(rekeyed, "LOOKED", 1)
        assert told(game, "verify") == [("ana", "ana", 1, 0)], "however much was done since"
    game.git("config", "nomicgit.key", "../ana")
    assert told(game, "status") == [("ana", "ana", 1, 0)]
    said = game.play("status")
    assert "keys: ana gained the key SHA256:" in said
    assert f"nomicgit mend --to {before[:12]}" in said
    assert "keys  ana gained the key" in game.play("verify")
    sits(game, "ben")
    assert told(game, "status") == [], "it is told to her"

    rewound(game, before)
    sits(game, "cy", "cy")
    game.play("signers", "--of", "ana", "--add", "../ana.pub", "--by", "cy")
    assert told(game, "verify") == [("ana", "cy", 1, 0)]
    sits(game, "ana", "ana")
    assert told(game, "status") == [("ana", "cy", 1, 0)]
    game.play("roll", "DICE6")
    assert told(game, "status") == told(game, "verify") == [], "she has signed with the key of her clone"
    sits(game, "cy", "cy")
    game.play("signers", "--of", "ana", "--add", "../new.pub", "--by", "cy")
    sits(game, "ana", "new")
    game.git("config", "nomicgit.player", "ben")
    game.play("--as", "ana", "roll", "DICE6")
    assert told(game, "verify") == [("ana", "cy", 1, 0)], "whoever has the new key silences nothing"
    sits(game, "ana", "ana")
    game.play("mend", "--to", before, "--by", "cy", code=1)
    sits(game, "cy", "cy")
    game.play("mend", "--to", before, "--as", "cy", "--yes")
    assert told(game, "verify") == [("ana", "cy", 0, 2)], "a mend that goes back behind them takes them"
