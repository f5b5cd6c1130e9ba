"""All pages of a game's site. Knows no generator: see ``plugin`` and ``export``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from nomicgit.record.game import Game
from nomicgit.site import acts, chronicle, home, lawbook, people, posts, state
from nomicgit.site.page import Page as Page
from nomicgit.site.scribe import Look

STYLE = "assets/nomicgit.css"


def pages(game: Game, at: int) -> Iterator[Page]:
    """Every page of the game as it stands at a time (seconds, UTC); those of the navigation in its order."""
    look = Look.at_time(game, at)
    yield home.page(look)
    yield from lawbook.pages(look)
    yield people.page(look)
    yield state.page(look)
    yield acts.page(look)
    yield from posts.pages(look)
    yield chronicle.page(look)


def time_of(game: Game, now: int) -> int:
    """When to look at a game: now, or in a practice game, whose times are given, at its last deed."""
    return game.last() if game.settings.time == "given" else max(now, game.last())


def style() -> str:
    """The style sheet that the pages need."""
    return resources.files("nomicgit.site").joinpath(STYLE).read_text(encoding="utf-8")
