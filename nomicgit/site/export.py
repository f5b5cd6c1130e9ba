"""Writing the pages out as files, for any generator of sites."""

from __future__ import annotations

from pathlib import Path

from nomicgit.git import Repository
from nomicgit.record.game import Game
from nomicgit.site.asked import Asking, bounded
from nomicgit.site.onlooking import Look
from nomicgit.site.page import document
from nomicgit.site.pages import assets, files_of, pages_of


def export(game: Game, folder: Path, at: int, root: str = "") -> int:
    """Write every page, the style sheet, the script, feeds and data under a folder; returns how many files.

    Addresses are folders (``rules/votes/``). ``root`` is the address of the site to come, for the feeds.
    """
    place, head = game.repository.root or game.repository.git_dir, game.head.oid

    def work(asking: Asking) -> int:
        with Repository.open(place) as repository:
            look, many = Look.at_time(Game(repository, repository.commit(head)), at, asking), 0
            for page in pages_of(look):
                _write(folder / page.uri, document(page))
                many += 1
            others = files_of(look, root) | assets()
            for uri, content in others.items():
                _write(folder / uri, content)
            return many + len(others)

    count: int = bounded(work)
    return count


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
