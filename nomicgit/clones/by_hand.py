"""Files of the game that somebody has written by hand in this clone: they are no law, and no deed wrote them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import GAME, POSTS, RULESET, SCENARIOS, STATE

SHOWN = 3


class Edited(Struct, frozen=True):
    """The files that lie otherwise than they are recorded, and those that were never recorded."""

    changed: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.changed, *self.new)

    @property
    def named(self) -> str:
        """The first of them, and how many more."""
        left = len(self.paths) - SHOWN
        return ", ".join(self.paths[:SHOWN]) + (f" and {left} more" if left > 0 else "")

    def __str__(self) -> str:
        return f"{self.named}: what lies there differs from the record, and is no law"

    @property
    def mend(self) -> str:
        """How rules and scenarios are proposed, or how the record is laid down again."""
        if not any(path.startswith((RULESET, SCENARIOS)) for path in self.paths):
            return remedy("to take it back:", *self._back())
        propose = remedy(
            "commit it on a branch of its own, and propose that:",
            command("nomicgit", "propose", "--branch", "NAME"),
        )
        return remedy(f"to propose it, {propose}", "to take it back:", *self._back())

    def _back(self) -> Iterator[str]:
        if self.changed:
            yield command("git", "restore", "--staged", "--worktree", "--", *self.changed)
        if self.new:
            yield command("rm", "--", *self.new)


def edited(repository: Repository, tree: str) -> Edited | None:
    """What lies otherwise in the folder than in a tree; None where nothing does."""
    recorded = [path for path, _ in repository.walk(tree, GAME.rstrip("/"))]
    left_out = repository.left_out(GAME)
    looked_at = [path for path in recorded if not path.startswith(POSTS) and path not in left_out]
    changed = repository.local_edits(looked_at, tree)
    changed += repository.local_edits_under(POSTS.rstrip("/"), tree)
    new = _unrecorded(repository, set(recorded))
    return Edited(tuple(changed), tuple(new)) if changed or new else None


def _unrecorded(repository: Repository, recorded: Collection[str]) -> list[str]:
    """The rules, scenarios and values that lie in the folder and were never recorded."""
    if repository.root is None:
        return []
    root = Path(repository.root)
    lies = (
        path.relative_to(root).as_posix()
        for place in (RULESET, SCENARIOS, STATE)
        for path in (root / place).rglob("*.*")
    )
    return sorted(path for path in lies if path.endswith((".md", ".yml")) and path not in recorded)
