"""Orders and letters from the command line: a keeper's clone and a player's, and what lies between them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import Clone

PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
START = ["--practice", "--start", "2021-06-07T12:00:00Z"]


class Table:
    """A game of assassin that ana keeps, in her clone, and in that of cy, who has a mailbox."""

    def __init__(self, folder: Path) -> None:
        here = Clone(folder)
        words = ["new", "hall", "--edition", "assassin", *PLAYERS, "--emperor", "ana", "--admin", "ben"]
        here.play(*words, *START)
        here.git("clone", "-q", "--bare", "hall", "bare.git")
        self.bare, self.keeper = Clone(folder / "bare.git"), Clone(folder / "hall")
        self.keeper.git("remote", "add", "origin", str(self.bare.folder))
        self.keeper.git("fetch", "-q", "origin")
        self.keeper.git("branch", "-q", "--set-upstream-to", "origin/main")
        self.player = self.clone("cy")
        self.player.play("letters", "--register")
        self.player.play("sync")
        self.keeper.play("sync")

    def clone(self, name: str) -> Clone:
        """Another clone of it, in which a player sits."""
        folder = self.bare.folder.parent
        Clone(folder).git("clone", "-q", str(self.bare.folder), name)
        Clone(folder / name).play("me", "cy")
        return Clone(folder / name)

    def tell(self, text: str) -> None:
        """Let cy be told something, by the keeper's own clone."""
        self.keeper.play("act", "tell", "to=cy", f"text={text}", "--as", "dee", "--at", "+1h")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_an_order_that_came_in_another_way_is_pushed_and_answered_in_that_round(table: Table) -> None:
    order = table.player.play("order", "tell", "to=dee", "text=By hand")
    (table.keeper.folder.parent / "order.txt").write_text(order)
    said = table.keeper.play("keep", "--order", "../order.txt", "--at", "+1h")
    assert "1 order taken" in said
    assert "1 letter written" in said
    assert "pushed 1 commit" in said
    assert table.bare.git("rev-parse", "main") == table.keeper.head
    table.player.play("sync")
    assert "By hand" in table.player.play("letters")
    again = json.loads(table.keeper.play("keep", "--order", "../order.txt", "--json", code=1))
    assert list(again["unfit"]) == ["--order 1"]
    assert again["pushed"] == again["letters"] == 0
