"""A dynasty ends, and the next plays by the dynastic rules of another edition: its proposals bring them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.law.ruleset import Placed
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify

START = clock.instant("2021-06-07T00:00:00Z")
HOUR = 3600
PLAYERS = ["ana", "ben", "cy", "dee", "eli"]
OLD, NEW = "crypt", "dungeon"
TERMS = {"player": "Adventurer", "players": "Adventurers", "emperor": "RNG Man"}


class Table:
    """Five players around a game; ana is the first emperor, ben the admin."""

    def __init__(self, folder: Path) -> None:
        founding = Founding(START, PLAYERS, "ana", ["ben"], [])
        found_game(
            Repository.init(folder), editions.load(OLD), Settings("Attic", OLD, time="given"), founding
        )
        self.game, self.at = Game.open(folder), START

    def act(self, who: str, action: str, *, hours: float = 0, **given: Any) -> Any:
        """A deed, so many hours after the one before; what its action returns."""
        self.at += max(1, int(hours * HOUR))
        return self.game.act(Deed(new_id(self.at), who, action, given, self.at)).outcome.result

    def decided(self, matter: Any, author: str) -> None:
        """A matter that everybody else is for, resolved after twelve hours."""
        number = int(str(matter).rpartition("/")[2])
        for voter in PLAYERS:
            if voter != author:
                self.act(voter, "vote", matter=number, icon="for")
        self.act("ben", "resolve", matter=number, hours=13)
        assert self.game.world().store.value(f"posts/{number}", "status") == "enacted"

    def state(self, owner: str, variable: str) -> Any:
        return self.game.world().store.value(owner, variable)

    def dynastic(self) -> list[Placed]:
        return [placed for placed in self.game.ruleset.rules if placed.section == "dynastic"]


def added(rules: Sequence[Placed]) -> Iterator[dict[str, Any]]:
    """The changes that add rules of an edition, each under the rule that it stands under there."""
    for placed in rules:
        declares = {key: value for key, value in placed.front.items() if key != "title"}
        rule = {"title": placed.title, "slug": placed.slug, "text": placed.prose, "declares": declares}
        under = {"under": placed.parent} if placed.parent else {}
        yield {"add-rule": {**rule, "mechanics": placed.mechanics, "section": "dynastic", **under}}


@pytest.mark.slow
def test_another_editions_dynasty_is_brought_in_by_proposals(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.decided(table.act("cy", "dov", title="I have won"), "cy")
    table.act("cy", "ascend", hours=1, theme="Down the stairs", terms=TERMS)
    assert (table.state("dynasty", "emperor"), table.dynastic()) == ("cy", [])

    coming = [placed for placed in editions.load(NEW).rules if placed.section == "dynastic"]
    half = next(n for n, placed in enumerate(coming) if n > len(coming) / 2 and placed.parent is None)
    for title, part in (("The upper levels", coming[:half]), ("The lower levels", coming[half:])):
        table.decided(table.act("dee", "propose", hours=1, title=title, changes=list(added(part))), "dee")
    assert [(placed.slug, placed.parent) for placed in table.dynastic()] == [
        (placed.slug, placed.parent) for placed in coming
    ]

    table.act("eli", "loot-room", choice="treasure")
    assert sum(table.state("players/eli", "inventory").values()) == 1
    assert table.game.world().law.declared.terms["player"] == "Adventurer"
    tip = table.game.repository.head()
    assert tip is not None
    assert verify(table.game.repository, tip).faults == []
