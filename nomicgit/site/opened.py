"""Opening the game of a folder for its site, and making its pages, unless the build before made the very same."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from nomicgit.clones.others.vetting import advised
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Outage
from nomicgit.record import line
from nomicgit.record.game import Game
from nomicgit.record.seen.strays import Stray, gone
from nomicgit.record.tree import SETTINGS
from nomicgit.site import beside, home, letters, sheaf
from nomicgit.site.asked import Asking, bounded
from nomicgit.site.draft import Draft, draft_of
from nomicgit.site.onlooking import Look
from nomicgit.site.pages import files_of, pages_of, time_of
from nomicgit.site.renderings import FOLDER, Kept, state_of
from nomicgit.site.sheaf import Sheaf

PROGRAM = Path(__file__).resolve().parent.parent


def site_in(folder: Path, when: str | int, root: str, *, drafts: bool = False) -> tuple[Sheaf, Kept]:
    """The site of the game of the repository in which a folder lies, and where what is rendered is kept.

    ``when`` is a time, as text, or what the clock says now. ``root`` is the address of the pages, if known.
    ``drafts``: with the rules as they stand in the folder.
    """
    game = game_in(folder)
    if game is None:
        return Sheaf.of(home.empty()), Kept(None)
    with game.repository:
        moment = max(clock.instant(when) if isinstance(when, str) else time_of(game, when), game.last())
        draft = draft_of(game) if drafts else None
        kept = Path(game.repository.git_dir) / FOLDER
        looks = state_of(sorted(path for path in PROGRAM.glob("**/") if path.name != "__pycache__"))
        depends = [
            game.head.oid,
            moment,
            root,
            looks,
            dict(draft.texts) if draft else None,
            [beside.names(game.repository, each) for each in (beside.LETTERS, beside.SHARES)]
            if game.tree.has_keys
            else None,
        ]
        key = hashlib.sha256(json.dumps(depends).encode()).hexdigest()
        file = kept.with_suffix(".pages")
        known = Sheaf.read(file, key)
        return known or _made(game, file, key, (moment, root), draft), Kept(kept)


def strays_of(folder: Path) -> list[Stray]:
    """The commits of the game of the repository in which a folder lies that change it and are no deeds."""
    game = game_in(folder)
    if game is None:
        return []
    with game.repository:
        return [*advised(game.repository, game.head.oid).strays]


def brought(file: Path) -> str:
    """The commit that changed a file last, and in whose name, to be put behind the file; "" where none has."""
    with suppress(NomicError, Outage, ValueError), Repository.open(file.parent) as repository:
        head, root = repository.head(), repository.root
        if head is not None and root is not None:
            path = file.resolve().relative_to(Path(root).resolve()).as_posix()
            for walked in repository.walked(head, path):
                author = repository.commit(walked.oid).author
                return f", by the commit {walked.oid[:12]} {line.in_the_name(author)},"
    return ""


def letters_in(folder: Path) -> dict[str, str | bytes]:
    """The letters of the game of the repository in which a folder lies, by their places in its site."""
    game = game_in(folder)
    if game is None or not game.tree.has_keys:
        return {}
    with game.repository:
        return dict(letters.files(game.repository))


def _made(game: Game, file: Path, key: str, how: tuple[int, str], draft: Draft | None) -> Sheaf:
    """The pages, made in a worker, which opens the game anew: it may end at any moment."""
    folder, head, (at, root) = game.repository.root or game.repository.git_dir, game.head.oid, how
    part = file.with_name(f"{file.name}.{os.getpid()}")

    def work(asking: Asking) -> None:
        with Repository.open(folder) as repository:
            own = Game(repository, repository.commit(head))
            if draft is None:
                look = Look.at_time(own, at, asking)
                pages = pages_of(look)
            else:
                look, pages = draft.pages(own, at, asking)
            sheaf.write(part, key, pages, files_of(look, root))

    try:
        bounded(work)
        made = Sheaf.read(part, key)
        assert made is not None
        part.replace(file)
        return made
    finally:
        part.unlink(missing_ok=True)


def game_in(folder: Path) -> Game | None:
    """The game of the repository in which a folder lies; None where there is none."""
    try:
        repository = Repository.open(folder)
    except NomicError:
        return None
    head = repository.head()
    if head is None:
        return None
    there = repository.file(repository.commit(head).tree, SETTINGS) is not None
    if not there and gone(repository, head) is None:
        return None  # and where it was taken away, opening it says so
    return Game(repository, repository.commit(head))
