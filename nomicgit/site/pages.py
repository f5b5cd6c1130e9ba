"""All pages of a game's site. Knows no generator: see ``plugin`` and ``export``."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.record.game import Game
from nomicgit.site import (
    acts,
    badges,
    bygone,
    card,
    chronicle,
    dynasties,
    feeds,
    glossary,
    home,
    interface,
    lawbook,
    letters,
    mornings,
    pasts,
    players,
    posts,
    private,
    register,
    state,
    traces,
    woven,
)
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page as Page

STYLE, SCRIPT = "assets/nomicgit.css", "assets/nomicgit.js"


def pages(game: Game, at: int) -> Iterator[Page]:
    """Every page of the game as it stands at a time (seconds, UTC); those of the navigation in its order."""
    return pages_of(Look.at_time(game, at))


def pages_of(look: Look) -> Iterator[Page]:
    """Every page of a look at a game."""
    words = glossary.glossary_of(look)
    yield home.page(look)
    yield from mornings.pages(look)
    yield from lawbook.pages(look, words)
    yield register.page(look)
    yield glossary.page(look, words)
    yield from players.pages(look)
    yield state.page(look)
    yield acts.page(look)
    yield from private.pages(look)
    yield from letters.pages(look)
    yield from posts.pages(look)
    yield from dynasties.pages(look)
    yield from chronicle.pages(look)
    yield from traces.pages(look)
    yield from bygone.pages(look)
    yield from interface.pages(look)


def assets() -> dict[str, str]:
    """The style sheet and the script that all pages need, and what some do, by their places in the site."""
    return {uri: private.read(uri) for uri in (STYLE, SCRIPT, bygone.COMPARING, lawbook.SCRIPT)}


def files_of(look: Look, root: str = "") -> dict[str, str | bytes]:
    """Feeds, data, pictures, and what some pages load, by their places among the pages. ``root`` is the address of the pages, if known."""
    others = private.files() | letters.scripts() if private.keeps_secrets(look) else {}
    texts = feeds.files(look, root) | interface.files(look) | badges.files(look) | others
    texts |= pasts.files(look) | woven.files(look) | glossary.files(look)
    return {**texts, card.URI: card.drawn(look)}


def time_of(game: Game, now: int) -> int:
    """When to look at a game: now, or in a practice game, whose times are given, at its last deed."""
    return game.last() if game.settings.time == "given" else max(now, game.last())
