"""Editions: complete rulesets that a new game can start from. Rule files are package data; this loads them.

Public: ``names``, ``load``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from itertools import islice
from pathlib import Path

from msgspec import Struct

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset

MOST_FILES = 5_000
NAMED = 6  # actions that need secrets, of those that do


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


class Secrets(Struct, frozen=True):
    """What of a ruleset needs secrets, which a game keeps under a key: private actions, secret values that stay."""

    actions: tuple[str, ...]
    variables: tuple[str, ...]

    def __str__(self) -> str:
        """A line for whoever would found a game with it; nothing where it needs none."""
        counts = ((len(self.actions), "private action"), (len(self.variables), "secret value"))
        parts = [f"{many} {what}{'s' if many > 1 else ''}" for many, what in counts if many]
        names = self.actions or self.variables
        listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
        need = "needs" if sum(many for many, _ in counts) == 1 else "need"
        return f"{' and '.join(parts)} {need} secrets: {listed}" if parts else ""


def secrets_of(law: Law) -> Secrets:
    """The secrets that the rules in force of a law declare."""
    declared = law.declared
    kept = (each for each in declared.variables.values() if each.tracked == "secret" and not each.transient)
    return Secrets(
        tuple(action.name for action in declared.actions.values() if action.always_private),
        tuple(dict.fromkeys(each.name for each in kept if not each.derived)),
    )


@lru_cache(maxsize=32)
def _read(folder: Path) -> Ruleset:
    paths = list(islice(folder.rglob("*"), MOST_FILES + 1))
    if len(paths) > MOST_FILES:
        raise Refused.of(
            f"more than {MOST_FILES} files lie below it: that is no ruleset",
            file=str(folder),
            mend="name its folder",
        )
    rules = sorted(path for path in paths if path.suffix == ".md")
    return Ruleset.read({p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in rules})
