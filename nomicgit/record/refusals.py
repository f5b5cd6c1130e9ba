"""Refusals: why a clone's last sync has moved nothing, remembered for whoever looks later.

It counts until a sync goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.ground.problems import Problem

FILE = "nomicgit/refused"


def note(repository: Repository, problems: Iterable[Problem]) -> None:
    """Remember why nothing was moved; nothing where all went on."""
    path = Path(repository.git_dir, FILE)
    whys = [{"what": each.what, "mend": each.mend} for each in problems]
    with suppress(OSError):  # a clone that cannot be written to remembers nothing
        if not whys:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(f"refused.{os.getpid()}")
        beside.write_text(json.dumps(whys), encoding="ascii")
        beside.replace(path)


def noted(repository: Repository) -> list[Problem]:
    """Why the last sync has moved nothing; empty where it went on."""
    try:
        whys = json.loads(Path(repository.git_dir, FILE).read_text(encoding="ascii"))
        return [Problem(str(each["what"]), mend=str(each["mend"])) for each in whys]
    except (OSError, ValueError, TypeError, KeyError):
        return []
