"""Keepsakes: small files in a clone's Git folder, in which it remembers what it has seen. Any may be deleted at any time."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from nomicgit.git import Repository


def keep(repository: Repository, file: str, value: object) -> None:
    """Remember a plain value, in place of what was remembered; of an empty one nothing is left."""
    path = Path(repository.git_dir, file)
    with suppress(OSError):  # a clone that cannot be written to remembers nothing
        if not value:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        beside.write_text(json.dumps(value), encoding="ascii")
        beside.replace(path)


def kept(repository: Repository, file: str) -> Any:
    """What is remembered; None where nothing is, or it cannot be read."""
    try:
        return json.loads(Path(repository.git_dir, file).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
