"""Keepsakes: small files in a clone's Git folder, in which it remembers what it has seen. Any may be deleted at any time."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground.kept import write_over

SHARES = "nomicgit/shares"
"""What who handed shares of the game's key out remembers of it."""


def keep(repository: Repository, file: str, value: object) -> None:
    """Remember a plain value, in place of what was remembered; of an empty one nothing is left."""
    path = os.path.join(repository.git_dir, file)
    with suppress(OSError):  # a clone that cannot be written to remembers nothing
        if not value:
            os.unlink(path)
            return
        write_over(path, json.dumps(value).encode("ascii"))


def kept(repository: Repository, file: str) -> Any:
    """What is remembered; None where nothing is, or it cannot be read."""
    try:
        with open(os.path.join(repository.git_dir, file), encoding="ascii") as there:
            return json.load(there)
    except (OSError, ValueError):
        return None
