"""Games for the tests of the site."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record import mkdocs_yml
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.site.glossary import Glossary, glossary_of
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page
from nomicgit.site.pages import PARTS, Part, time_of
from support.started import ran

START = clock.instant("2021-06-07T00:00:00Z")
HOSTILE = '</title><script>alert(1)</script><img src=x onerror=alert(2)> [go](javascript:alert(3)) <base href="//evil.example/">'
DEAR = {"home": "index.md", "mornings": "me"}
"""The parts of a site that take long to make, and how the places of their pages begin."""
Player = Callable[..., Any]


def played(path: Path, ruleset: Ruleset, time: str = "given", forge: dict[str, str] | None = None) -> Player:
    """Found a game; returns a function that acts in it at an hour."""
    found_game(
        Repository.init(path), ruleset, Settings("The <b>Game</b>", "own", time=time, forge=forge),
        Founding(START, ["ana", "ben", "cy", "dee", "eli"], "ana", ["ben"], ["fay"], "First Night", 3),
    )  # fmt: skip

    def act(hour: float, who: str | None, action: str, **given: Any) -> Any:
        game, at = Game.open(path), START + int(hour * 3600)
        return game.act(Deed(new_id(at), who, action, given, at))

    return act


class Seen(Mapping[str, Page]):
    """Pages by their places, in their order: each is made once somebody asks for it, or for one that comes after it. What takes
    long to make is made for whoever asks for it, or for all.
    """

    def __init__(self, look: Look) -> None:
        words = glossary_of(look)
        self._made = {name: self._part(part, look, words) for name, part in PARTS.items()}
        self._known: dict[str, dict[str, Page]] = {name: {} for name in PARTS}

    @staticmethod
    def _part(part: Part, look: Look, words: Glossary) -> Iterator[Page]:
        yield from part(look, words)

    def __getitem__(self, uri: str) -> Page:
        for name in sorted(PARTS, key=lambda name: name in DEAR and not uri.startswith(DEAR[name])):
            known = self._known[name]
            while uri not in known and (page := next(self._made[name], None)) is not None:
                known[page.uri] = page
            if uri in known:
                return known[uri]
        raise KeyError(uri)

    def __iter__(self) -> Iterator[str]:
        for name, made in self._made.items():
            self._known[name] |= {page.uri: page for page in made}
        return chain.from_iterable(self._known.values())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def seen_pages(path: Path) -> Seen:
    """Every page of a game's site by its place; of a game that stands as it stood they are made once."""
    return _seen(path, Game.open(path).head.oid)


@lru_cache(maxsize=3)
def _seen(path: Path, _head: str) -> Seen:
    game = Game.open(path)
    return Seen(Look.at_time(game, time_of(game, 0)))


def configured(path: Path, **more: Any) -> Path:
    """A configuration of MkDocs for a game, as a founding writes it but strict."""
    (path / "docs").mkdir(exist_ok=True)
    settings = yaml.safe_load(mkdocs_yml.of(Settings("Site", "own")))
    (search, own) = settings["plugins"]
    settings |= {"strict": True, "plugins": [search, {own: more}]}
    file = path / "mkdocs.yml"
    file.write_text(json.dumps(settings))
    return file


def build(file: Path, to: Path) -> Path:
    """Build a site as people do; a warning fails it."""
    done = ran("mkdocs", "build", "--strict", "-f", file, "-d", to)
    assert done.returncode == 0, done.stderr
    return to


class Linked(HTMLParser):
    """The ids and links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down an element's id and where it leads."""
        given = {name: value or "" for name, value in attrs}
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given[name] for name in ("href", "src") if name in given]


def broken_links(site: Path) -> Iterator[str]:
    """The links to nowhere within a built site, and ids that a page has twice."""
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    pages = {
        name: Linked((site / name).read_text())
        for name in files
        if name.endswith(".html") and name != "404.html"
    }
    for name, page in pages.items():
        if len(set(page.ids)) < len(page.ids):
            yield f"{name}: an id stands twice"
        for link in page.links:
            path, _, anchor = re.sub(r"\?[^#]*", "", link).partition("#")
            if re.match(r"[a-z]+:|/", path):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            target = target if target in files else posixpath.normpath(f"{target}/index.html")
            if target not in files or (anchor and anchor != "__skip" and anchor not in pages[target].ids):
                yield f"{name}: {link}"
