"""Where in a front matter something is declared wrongly, and the front matter without that, so that it hides nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

Path = tuple[str | int, ...]

BARE: Final = frozenset("variables actions posts views".split())
"""What can be declared without any options: so it stays there, for what others say of it."""
INSTEAD: Final[Mapping[str, Any]] = {
    "per": "day",
    "on": "all",
    "every": "day 00:00",
    "in": [],
    "of": "player",
}
"""What stands for an option without which nothing is declared."""
TYPED: Final = frozenset(("with", "fields"))  # what stands there has a type


def place(front: Mapping[str, Any], path: Path, what: str) -> Path:
    """The path of what a problem speaks of, as far as its words name that beyond the path of the declaration."""
    head, _, rest = what.partition(": ")
    names, spoken, at = head.split("."), list(path), _at(front, path)
    for part in path:
        names = names[1:] if names[:1] == [part] else names
    for name in (*names, rest.partition(" ")[0]):
        if isinstance(at, Mapping) and (name in at or (name in INSTEAD and names[-1:] == [name])):
            at = at.get(name)
            spoken.append(name)
    return tuple(spoken)


def _at(front: Any, path: Path) -> Any:
    """What lies at a path; None where nothing does."""
    for part in path:
        if isinstance(front, list) and isinstance(part, int):
            front = front[part]
        else:
            front = front.get(part) if isinstance(front, Mapping) else None
    return front


def names(front: Mapping[str, Any], path: Path) -> Iterator[str]:
    """The names of what is declared wrongly at a path, and of what is named there: nobody knows what they are meant to be."""
    yield from map(str, path[1:2])
    value = _at(front, path)
    yield from map(str, value if isinstance(value, list | Mapping) else ())


def without(front: Mapping[str, Any], wrong: Iterable[Path]) -> dict[str, Any]:
    """A front matter without what lies at some paths."""
    made = dict(front)
    for path in wrong:
        made = _without(made, path, ())
    return made


def _without(given: Any, path: Sequence[str | int], before: Path) -> Any:
    """The same value without what lies at a path in it; ``before`` is the path on which it lies itself."""
    if isinstance(given, list) and isinstance(path[0], int):
        return [
            each if n != path[0] else _without(each, path[1:], (*before, n)) if path[1:] else {}
            for n, each in enumerate(given)
        ]
    if not isinstance(given, Mapping) or (path[0] not in given and path[0] not in INSTEAD):
        return given
    [name, *further] = path
    made, here = dict(given), (*before, name)
    if further:
        made[name] = _without(made.get(name), further, here)
    elif name in INSTEAD and len(here) > 2:
        made[name] = INSTEAD[str(name)]
    elif len(here) > 2 and here[-2] in TYPED:
        made[name] = "any"
    elif len(here) == 2 and here[0] in BARE and made[name]:
        made[name] = {}
    else:
        del made[name]
    return made
