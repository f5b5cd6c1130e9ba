"""The game in whose folder another one is founded: what is typed there is of one or of the other, by where one stands."""

from __future__ import annotations

import os
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.ground.remedies import STEP, remedy
from nomicgit.record.tree import SETTINGS


def game_around(folder: Path) -> Path | None:
    """The folder of the game in which a folder lies that is there or will be; None where none is, or its Git leaves it out."""
    inside = folder.absolute()
    above = next(each for each in inside.parents if each.is_dir())
    try:
        with Repository.open(above) as repository:
            head, root = repository.head(), repository.root
            if head is None or root is None or repository.ignores(str(inside)):
                return None
            played = repository.file(repository.commit(head).tree, SETTINGS) is not None
            return Path(root) if played else None
    except NomicError:
        return None


def said(folder: Path, around: Path) -> str:
    """What is said of a game that was founded in the folder of another."""
    place = Path(os.path.relpath(os.path.realpath(folder), os.path.realpath(around))).as_posix()
    return remedy(
        f"this game lies in the folder of another one, {around}: what you type within {folder} is of this game, beside it of "
        f"the other; so that no commit of the other takes it up, write a line /{place}/ into:",
        STEP + str(around / ".gitignore"),
    )
