"""Opening the game of a folder for its site, and making its pages, unless the build before made the very same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from nomicgit import clock
from nomicgit.problems import NomicError
from nomicgit.record.game import Game
from nomicgit.record.tree import SETTINGS
from nomicgit.repository import Repository
from nomicgit.site.kept import FOLDER, state_of
from nomicgit.site.page import Page, Section
from nomicgit.site.pages import files_of, pages_of, time_of
from nomicgit.site.scribe import Look

PROGRAM = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Made:
    """Everything of a site: its pages, its other files by their places, and where rendered pages are kept."""

    pages: list[Page]
    files: dict[str, str]
    folder: Path


def site_in(folder: Path, at: str | None, now: int, root: str) -> Made | None:
    """The site of the game of the repository in which a folder lies, at a time, else now; None where there is no game."""
    game = game_in(folder)
    if game is None:
        return None
    with game.repository:
        moment = max(clock.instant(at) if at else time_of(game, now), game.last())
        kept = Path(game.repository.git_dir) / FOLDER
        looks = state_of([PROGRAM, *(path for path in sorted(PROGRAM.iterdir()) if path.is_dir())])
        key = hashlib.sha256(json.dumps([game.head.oid, moment, root, looks]).encode()).hexdigest()
        found = _read(kept.with_suffix(".json"), key)
        if found is None:
            look = Look.at_time(game, moment)
            found = list(pages_of(look)), files_of(look, root)
            _write(kept.with_suffix(".json"), key, *found)
        return Made(*found, kept)


def game_in(folder: Path) -> Game | None:
    """The game of the repository in which a folder lies; None where there is none."""
    try:
        repository = Repository.open(folder)
    except NomicError:
        return None
    head = repository.head()
    if head is None or repository.file(repository.commit(head).tree, SETTINGS) is None:
        return None
    return Game(repository, repository.commit(head))


def _read(file: Path, key: str) -> tuple[list[Page], dict[str, str]] | None:
    """What the build before made, None where that was another site."""
    try:
        with file.open(encoding="utf-8") as stream:
            if stream.readline().strip() != key:
                return None
            pages, files = json.load(stream)
        return [_page(*told) for told in pages], files
    except (OSError, ValueError, TypeError):
        return None


def _write(file: Path, key: str, pages: Iterable[Page], files: dict[str, str]) -> None:
    part = file.with_suffix(".part")
    with part.open("w", encoding="utf-8") as stream:
        stream.write(key + "\n")
        json.dump([[_told(page) for page in pages], files], stream)
    part.replace(file)


def _told(page: Page) -> list[Any]:
    parts = [[s.id, isinstance(s.title, Markup), s.title, s.body, s.level, s.label] for s in page.sections]
    return [page.uri, page.title, page.lead, parts, page.listed, page.searched]


def _page(uri: str, title: str, lead: str, parts: list[Any], listed: bool, searched: bool) -> Page:
    sections = (
        Section(name, Markup(head) if finished else head, Markup(body), level, label)  # noqa: S704 - finished when it was written
        for name, finished, head, body, level, label in parts
    )
    return Page(uri, title, Markup(lead), tuple(sections), listed, searched)  # noqa: S704 - finished when it was written
