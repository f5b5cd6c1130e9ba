"""A scratch clone beside a game, in which deeds are done before the game's own branch is moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgit.git import Repository
from nomicgit.git.layout import find
from nomicgit.git.remote import Remote, compact, scratch
from nomicgit.ground.problems import NOTHING, Outage
from nomicgit.record.seen.strays import note_replayed, replayed


@contextmanager
def beside(repository: Repository, head: str) -> Iterator[Repository]:
    """A scratch clone whose branch stands at a head; what is done upon it is stored in this clone."""
    with TemporaryDirectory(prefix="nomicgit-") as folder:
        place = str(Path(folder) / "game.git")
        with scratch(repository, place, repository.branch.removeprefix("refs/heads/")) as bare:
            bare.point(bare.branch, head)
            note_replayed(bare, replayed(repository))
            yield bare
            made, sound = bare.head(), replayed(bare)
            compact(find(bare.git_dir))
        assert made is not None
        if made != head and not Remote(repository.git_dir, place).fetch_commit(made):
            raise Outage(
                "what was laid anew could not be stored",
                f"{NOTHING}; look whether the disk is full, and try again",
            )
        note_replayed(repository, sound)
