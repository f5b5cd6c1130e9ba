"""Keepsakes: small files in a clone's Git folder, in which it remembers what it has seen. Any may be deleted at any time."""

from __future__ import annotations

import json
from typing import Any

from nomicgit.git import Repository
from nomicgit.git.layout import forget, remember, remembered

SHARES = "nomicgit/shares"
"""What who handed shares of the game's key out remembers of it."""


def keep(repository: Repository, file: str, value: object) -> None:
    """Remember a plain value, in place of what was remembered; of an empty one nothing is left."""
    if value:
        remember(repository.git_dir, file, json.dumps(value).encode("ascii"))
    else:
        forget(repository.git_dir, file)


def kept(repository: Repository, file: str) -> Any:
    """What is remembered; None where nothing is, or it cannot be read."""
    there = remembered(repository.git_dir, file)
    return None if there is None else json.loads(there)
