"""Games for the tests of the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomicgit import clock
from nomicgit.deeds.founding import Founding
from nomicgit.deeds.pipeline import Deed
from nomicgit.record.game import Game, Settings, found_game, new_id
from nomicgit.repository import Repository
from nomicgit.ruleset import Ruleset
from nomicgit.site.page import Page
from nomicgit.site.pages import pages, time_of

START = clock.instant("2021-06-07T00:00:00Z")
HOSTILE = '</title><script>alert(1)</script><img src=x onerror=alert(2)> [go](javascript:alert(3)) <base href="//evil.example/">'
Player = Callable[..., Any]


def played(path: Path, ruleset: Ruleset, time: str = "given") -> Player:
    """Found a game; returns a function that acts in it at an hour."""
    found_game(
        Repository.init(path), ruleset, Settings("The <b>Game</b>", "own", time=time),
        Founding(START, ["ana", "ben", "cy", "dee", "eli"], "ana", ["ben"], ["fay"], "First Night", 3),
    )  # fmt: skip

    def act(hour: float, who: str | None, action: str, **given: Any) -> Any:
        game, at = Game.open(path), START + int(hour * 3600)
        return game.act(Deed(new_id(at), who, action, given, at))

    return act


def seen_pages(path: Path) -> dict[str, Page]:
    """Every page of a game's site by its place."""
    game = Game.open(path)
    return {page.uri: page for page in pages(game, time_of(game, 0))}
