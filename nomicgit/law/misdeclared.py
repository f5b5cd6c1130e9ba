"""Where in a front matter something is declared wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Path = tuple[str | int, ...]

INSTEAD: Final[Mapping[str, Any]] = {
    "per": "day",
    "on": "all",
    "every": "day 00:00",
    "in": [],
    "of": "player",
}
"""What stands for an option without which nothing is declared."""


def place(front: Mapping[str, Any], path: Path, what: str) -> Path:
    """The path of what a problem speaks of, as far as its words name that beyond the path of the declaration."""
    head, _, rest = what.partition(": ")
    names, spoken, at = head.split("."), list(path), lying(front, path)
    for part in path:
        names = names[1:] if names[:1] == [part] else names
    for name in (*names, rest.partition(" ")[0]):
        if isinstance(at, Mapping) and (name in at or (name in INSTEAD and names[-1:] == [name])):
            at = at.get(name)
            spoken.append(name)
    return tuple(spoken)


def lying(front: Any, path: Path) -> Any:
    """What lies at a path; None where nothing does."""
    for part in path:
        if isinstance(front, list) and isinstance(part, int):
            front = front[part]
        else:
            front = front.get(part) if isinstance(front, Mapping) else None
    return front
