"""The key of a game that ``nomicgit new`` founds: made, and kept in the clone. Games without keys load none of this."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.record.secret import ordering
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.secret.keyring import keep_key, key_path
from nomicgit.record.tree import SETTINGS
from nomicgit.sealing.keys import Key


@contextmanager
def kept(repository: Repository, who: str) -> Iterator[Keeper]:
    """Make a key and keep it in the clone, while a game is founded with it; where that fails it is taken away again."""
    keeper, path = Keeper(who, None, Key.made(os.urandom(64))), key_path(repository)
    if _has_game(repository):
        yield keeper  # whoever founds one there is refused
        return
    if path.exists():
        raise Refused.of(
            "a key lies here, and is not overwritten", file=str(path), mend="put it elsewhere first"
        )
    assert keeper.key is not None
    try:
        keep_key(repository, keeper.key)
        yield keeper
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def taking(said: str) -> str:
    """When rounds take orders, as it stands in the settings. Refused for what says none."""
    ordering.seconds_between(said)
    return said


def _has_game(repository: Repository) -> bool:
    head = repository.head()
    return head is not None and repository.file(repository.commit(head).tree, SETTINGS) is not None


def place(folder: Path) -> str:
    """Where the key of the game in a folder lies."""
    with Repository.open(folder) as repository:
        return str(key_path(repository))
