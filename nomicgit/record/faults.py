"""Faults that verify has found: a clone remembers them, since nobody replays the game whenever they look at it.

They are kept until verify finds the game otherwise; what a mend has set aside since, or what lies on no line of the game any
more, counts no more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from nomicgit.git import Repository

FILE = "nomicgit/faults"
EARLY = "ahead of this clock"
"""How a fault ends that passes by itself: it is looked at whenever it is asked for, and not remembered."""


def note(repository: Repository, faults: Mapping[str, str]) -> None:
    """Remember what verify has found of commits, by their ids, in the game of a clone, in place of what it had found before."""
    path = Path(repository.git_dir, FILE)
    with suppress(OSError):  # a clone that cannot be written to remembers nothing
        lasting = {commit: what for commit, what in faults.items() if not what.endswith(EARLY)}
        if not lasting:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(f"faults.{os.getpid()}")
        beside.write_text(json.dumps(lasting), encoding="ascii")
        beside.replace(path)


def noted(repository: Repository) -> Mapping[str, str]:
    """What is wrong with commits, by their ids, as verify has found last."""
    try:
        known = json.loads(Path(repository.git_dir, FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
