"""Writing the pages out as files, for any generator of sites."""

from __future__ import annotations

from pathlib import Path

from nomicgit.record.game import Game
from nomicgit.site.page import document
from nomicgit.site.pages import assets, files_of, pages_of
from nomicgit.site.scribe import Look


def export(game: Game, folder: Path, at: int, root: str = "") -> list[Path]:
    """Write every page, the style sheet, the script, feeds and data under a folder; returns the files.

    Addresses are folders (``rules/votes/``). ``root`` is the address of the site to come, for the feeds.
    """
    look = Look.at_time(game, at)
    written = []
    texts = {page.uri: document(page) for page in pages_of(look)} | files_of(look, root) | assets()
    for uri, text in texts.items():
        path = folder / uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
