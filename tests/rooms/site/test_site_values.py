"""Every value on the pages of a game of each edition, in its feeds, its data and its pictures, is that of the files and commits."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.compared import compared
from support.depth import DEEP as DEEPLY
from support.editions import PRACTICES
from support.practice import Practising, founded
from support.retold import retold
from support.sites import build, configured

DEEDS = 70
SHORTLY = ("dungeon", "assassin")
"""Whose values are of all kinds, with little beside."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=() if each in SHORTLY else DEEPLY) for each in PRACTICES]
)
def test_every_value_on_the_pages_is_that_of_the_files(
    edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", random.Random(edition).randbytes)
    practice = PRACTICES[edition]
    play = Practising(practice, founded(tmp_path / "game", edition, practice.real), 3, each=DEEDS)
    play.play(DEEDS, [], 1500)
    assert play.accepted.total() >= DEEDS
    site = build(configured(tmp_path / "game"), tmp_path / "site")
    pages = compared(site, tmp_path / "game")
    assert pages.wrong == pages.unseen() == pages.twice() == []
    assert pages.kinds["int"] > (2 if edition == "werewolf" else 10)
    assert pages.kinds["latest str"] > 10
    others = retold(site, tmp_path / "game")
    assert others.wrong == []
    seen = (
        "title",
        "comments",
        "votes of a player",
        "deed",
        "value then",
        "value in JSON",
        "feed",
        "picture",
        "page",
    )
    assert [what for what in seen if not others.kinds[what]] == []
    assert edition in ("assassin", "crypt") or pages.kinds["dict"], "a map with something in it"
