"""Editions: complete rulesets that a new game can start from. Rule files are package data; this loads them.

Public: ``names``, ``load``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from itertools import islice
from pathlib import Path

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.ruleset import Ruleset

MOST_FILES = 5_000


def names() -> list[str]:
    """The editions there are."""
    return sorted(
        entry.name
        for entry in resources.files(__name__).iterdir()
        if entry.is_dir() and not entry.name.startswith("_")
    )


def load(name: str) -> Ruleset:
    """The ruleset of an edition, by its name, or of a folder of sections, by its path."""
    if name in names():
        return _read(Path(str(resources.files(__name__).joinpath(name))))
    if "/" in name and Path(name).is_dir():
        return _read(Path(name).resolve())
    raise Refused.of(f"there is no edition {printable(name, 60)}", mend="there are " + ", ".join(names()))


@lru_cache(maxsize=32)
def _read(folder: Path) -> Ruleset:
    found = list(islice(folder.rglob("*"), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise Refused.of(
            f"more than {MOST_FILES} files lie below it: that is no ruleset",
            file=str(folder),
            mend="name its folder",
        )
    rules = sorted(path for path in found if path.suffix == ".md")
    return Ruleset.read({p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in rules})
