"""Idle players: every edition tells them how they come back, and who may not idle or unidle what they do instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.depth import one_of
from support.parlour import Parlour

from nomicgit import editions

START = ("--practice", "--no-keys", "--start", "2021-06-07T00:00:00Z")


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(2, number)) for number, each in enumerate(editions.names())]
)
def test_who_is_idle_is_told_the_way_back_and_it_leads_there(
    edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Parlour(tmp_path / "game", capsys)
    game.folder.mkdir()
    players = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
    game.nomic("new", "--edition", edition, *players, "--emperor", "ana", "--admin", "ben", *START)
    back = "ask an admin to be made active again, by the word unidle"
    assert "ask an admin to be made idle, by the word idle" in game.nomic("--as", "cy", "idle", code=1).err
    assert f"cy can {back}" in game.nomic("--as", "dee", "unidle", "cy", code=1).err
    assert f"\n  {back}" in game.nomic("--as", "cy", "unidle", "cy", code=1).err
    assert game.nomic("--as", "cy", "status", "--json").json["way_back"] is None
    game.nomic("--as", "cy", "post", "Away", "--body", "I go idle.")
    game.nomic("--as", "ben", "--at", "+1h", "idle", "cy")
    assert f"cy, you are idle: {back}" in game.nomic("--as", "cy", "status").out
    assert back in game.nomic("--as", "cy", "unidle", code=1).err
    refused = game.nomic("--as", "cy", "propose", "--title", "T", "--change", "{repeal: Players}", code=1).err
    assert "you are idle" in refused
    assert back in refused
    without = "every admin is idle (ben): what only an admin may do waits"
    assert without not in game.nomic("status").out
    assert game.nomic("status", "--json").json["without_admins"] is None
    game.nomic("--as", "cy", "--at", "+1h", "post", "Back", "--body", "Please unidle me.")
    too_early = game.nomic("--as", "ben", "unidle", "cy", code=0 if edition == "werewolf" else 1).err
    if edition != "werewolf":
        assert "they may be back from 2021-06-11T0" in too_early
        game.nomic("--as", "ben", "--at", "2021-06-11T01:00:00Z", "unidle", "cy")
    assert game.nomic("--as", "cy", "status", "--json").json["players"]["idle"] == []
    game.nomic("--as", "ben", "post", "Away too", "--body", "I go idle.")
    game.nomic("--as", "ben", "--at", "+1h", "idle", "ben")
    assert without in game.nomic("status").out
