"""Rendered pages, kept from build to build by all that they depend on: what has not changed is not rendered again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment

FOLDER = "nomicgit-site"  # in the repository's Git folder, which nobody publishes
TEMPLATE = "nomicgit-kept.html"  # stands in for a theme's template where a page is kept
_INSTEAD = '{% if nomicgit_kept.html is none %}{% include "main.html" %}{% else %}{{ nomicgit_kept.html }}{% endif %}'


class Kept:
    """The rendered pages of the build before: a file for each, named by a hash of what it depends on."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.html: str | None = None  # the page whose turn it is, as it was rendered before
        self._keys: dict[str, str] = {}

    def begin(self, env: Environment, pages: Iterable[tuple[Any, str]], common: Any) -> None:
        """Look for pages of this build, each with the hash of what it shows; ``common`` is what all depend on.

        A page that is found is put in the place of its theme's template.
        """
        if self.folder is None:
            return
        shared = _digest(common)
        there = {entry.name for entry in os.scandir(self.folder)} if self.folder.is_dir() else frozenset()
        for page, shows in pages:
            around = [
                (other.title, other.url) if other else None for other in (page.previous_page, page.next_page)
            ]
            key = self._keys[page.url] = _digest([shared, page.url, page.title, page.meta, shows, around])
            if key in there:
                page.meta["template"] = TEMPLATE
        assert env.loader is not None
        env.loader = ChoiceLoader([DictLoader({TEMPLATE: _INSTEAD}), env.loader])
        env.globals["nomicgit_kept"] = self

    def turn(self, page: Any) -> bool:
        """Whether a page, whose turn it is to be rendered, stands here as it was rendered before."""
        self.html = None
        if self.folder is not None and page.meta.get("template") == TEMPLATE:
            with suppress(OSError, UnicodeDecodeError):  # another build may have let go of it just now
                self.html = (self.folder / self._keys[page.url]).read_text(encoding="utf-8")
        return self.html is not None

    def keep(self, page: Any, html: str) -> str:
        """Keep a page for the next build; gives it back."""
        key = self._keys.get(page.url)
        if self.folder is not None and key is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{key}.{os.getpid()}"
            part.write_text(html, encoding="utf-8")
            part.replace(self.folder / key)
        return html

    def end(self) -> None:
        """Let go of pages that this build had no use for."""
        used = set(self._keys.values())
        for file in self.folder.iterdir() if self.folder is not None and self.folder.is_dir() else ():
            if file.name not in used:
                file.unlink(missing_ok=True)


def state_of(folders: Iterable[str | os.PathLike[str]]) -> list[tuple[str, int, int]]:
    """The files directly in some folders with their sizes and times, to notice a changed template."""
    files = []
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=lambda each: each.name) if os.path.isdir(folder) else ():
            if entry.is_file():
                files.append((entry.path, entry.stat().st_size, entry.stat().st_mtime_ns))
    return files


def _outline(toc: Iterable[Any]) -> list[object]:
    return [[entry.title, entry.url, _outline(entry.children)] for entry in toc]


def _digest(parts: object) -> str:
    text = json.dumps(parts, default=lambda each: type(each).__name__, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
