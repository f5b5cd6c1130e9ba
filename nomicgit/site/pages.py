"""All pages of a game's site. Knows no generator: see ``plugin`` and ``export``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

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
    for part in PARTS.values():
        yield from part(look, words)


Part = Callable[[Look, glossary.Glossary], Iterable[Page]]
PARTS: Mapping[str, Part] = {
    "home": lambda look, _: [home.page(look)], "mornings": lambda look, _: mornings.pages(look), "law": lawbook.pages,
    "register": lambda look, _: [register.page(look)], "terms": lambda look, words: [glossary.page(look, words)],
    "players": lambda look, _: players.pages(look), "gamestate": lambda look, _: [state.page(look)],
    "actions": lambda look, _: [acts.page(look)], "private": lambda look, _: private.pages(look),
    "letters": lambda look, _: letters.pages(look), "posts": lambda look, _: posts.pages(look),
    "dynasties": lambda look, _: dynasties.pages(look), "journal": lambda look, _: chronicle.pages(look),
    "traces": lambda look, _: traces.pages(look), "bygone": lambda look, _: bygone.pages(look),
    "data": lambda look, _: interface.pages(look),
}  # fmt: skip
"""The parts of a site in the order of its navigation, none of which hangs on the pages of another."""


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
