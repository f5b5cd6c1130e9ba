"""Forging histories: commits made by hand, without asking the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from hostile.small import Small
from nomicgit.git import Commit, Repository


@dataclass
class Forger:
    """Whoever can push: makes any commit, and moves the branch to it."""

    small: Small

    def commits(self) -> list[Commit]:
        """The history, oldest first."""
        with Repository.open(self.small.folder) as repository:
            return list(repository.log(self.small.head()))[::-1]

    def forge(self, like: Commit, **different: Any) -> Commit:
        """A commit like another one, with some things different; nothing points at it yet."""
        made = replace(like, **different)
        who = f"{made.author} <{made.email}> {made.author_time} +0000"
        parents = "".join(f"parent {parent}\n" for parent in made.parents)
        body = f"tree {made.tree}\n{parents}author {who}\ncommitter {who}\n\n{made.message}"
        with Repository.open(self.small.folder) as repository:
            return repository.commit(repository.write("commit", body.encode()))

    def replay(self, history: list[Commit]) -> list[Commit]:
        """Commits of these trees and messages, each on the one before it; the branch points at the last."""
        made: list[Commit] = []
        for commit in history:
            made.append(self.forge(commit, parents=(made[-1].oid, *commit.parents[1:]) if made else ()))
        self.point(made[-1])
        return made

    def amend(self, place: int, change: Callable[[Commit], Mapping[str, Any]]) -> Commit:
        """Make one commit of the history anew, and all after it on top; gives the forged one."""
        history = self.commits()
        history[place] = replace(history[place], **change(history[place]))
        return self.replay(history)[place]

    def add(self, message: str, changes: Mapping[str, bytes | None], **different: Any) -> Commit:
        """A commit by hand on top of the branch."""
        head = self.commits()[-1]
        tree = self.tree(head.tree, changes)
        made = self.forge(head, **({"tree": tree, "parents": (head.oid,), "message": message} | different))
        self.point(made)
        return made

    def tree(self, base: str, changes: Mapping[str, bytes | None]) -> str:
        """A tree with other files."""
        with Repository.open(self.small.folder) as repository:
            return repository.tree_with(base, changes)

    def point(self, commit: Commit) -> None:
        """Let the branch point at a commit."""
        self.small.git("update-ref", "refs/heads/main", commit.oid)

    def file(self, path: str) -> bytes:
        """A file at the head."""
        with Repository.open(self.small.folder) as repository:
            found = repository.file(repository.commit(self.small.head()).tree, path)
        assert found is not None, path
        return found
