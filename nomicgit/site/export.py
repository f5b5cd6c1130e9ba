"""Writing the pages out as files, for any generator of sites."""

from __future__ import annotations

from pathlib import Path

from nomicgit.record.game import Game
from nomicgit.site.page import document
from nomicgit.site.pages import STYLE, pages, style


def export(game: Game, folder: Path, at: int) -> list[Path]:
    """Write every page, and the style sheet, under a folder; returns the files. Addresses are folders (``rules/votes/``)."""
    written = []
    texts = {page.uri: document(page) for page in pages(game, at)} | {STYLE: style()}
    for uri, text in texts.items():
        path = folder / uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
