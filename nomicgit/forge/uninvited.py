"""Workflows that are none of the game's: what each may do, and who brought it in."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator

from msgspec import Struct

from nomicgit.forge import setup
from nomicgit.forge.environment import NAME
from nomicgit.git import Repository
from nomicgit.git.trees import FOLDER
from nomicgit.ground.files import read
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import line

_MAY = (
    ("read the secrets", re.compile(r"\bsecrets\b", re.IGNORECASE)),
    (f"run in an environment, as in {NAME} with the steward's secrets", re.compile(r"\benvironment\b['\"]?\s*:")),
    ("write", re.compile(r"write-all|:\s*['\"]?write\b")),
    ("run for whoever opens a pull request or an issue, as the game's own", re.compile(r"pull_request_target|workflow_run")),
)  # fmt: skip
"""What a workflow may do, and how it asks for that."""


class Brought(Struct, frozen=True):
    """A workflow that is none of the game's: what it may do beyond reading what everybody reads, and the commit that brought it, with
    whom that names; ``last``: the one that changed it last.
    """

    path: str
    may: tuple[str, ...]
    commit: str
    by: str
    last: str

    @property
    def problem(self) -> Problem:
        """That it is there, and what to do."""
        whence = f"commit {self.commit[:12]} {line.in_the_name(self.by)}"
        whence += f" (changed last by {self.last[:12]})" if self.last != self.commit else ""
        what = f"it is no workflow of the game's, and GitHub runs it here: {whence} has brought it"
        may = " and ".join((", ".join(self.may[:-1]), self.may[-1]) if self.may[1:] else self.may)
        if self.may:
            what = f"{what}; it may {may}"
        mend = remedy(
            "look at it, and where nobody wants it, take it out; while it is there, it is told each time:",
            command("git", "show", f"{self.last}:{self.path}"),
            command("git", "rm", "--", self.path),
            command("git", "commit", "--message", "Take out a workflow that is not the game's"),
        )
        return Problem(what, Place(self.path), mend)


def brought(repository: Repository, head: str, ours: Container[str]) -> Iterator[Brought]:
    """The workflows at a commit that are none of ours, by what they are called."""
    tree = repository.commit(head).tree
    entry = repository.entry(tree, setup.WORKFLOWS.rstrip("/"))
    if entry is None or entry[0] != FOLDER:
        return
    for name in repository.tree(entry[1]):
        path = f"{setup.WORKFLOWS}{name}"
        if path not in ours and name.endswith((".yml", ".yaml")):
            yield Brought(path, tuple(_may(repository, tree, path)), *came(repository, head, path))


def _may(repository: Repository, tree: str, path: str) -> Iterator[str]:
    """What a workflow asks for, however it is written."""
    try:
        text = (repository.file(tree, path) or b"").decode("utf-8", "replace")
    except NomicError:
        yield "do what nobody can read here: it is no file"
        return
    try:
        text += json.dumps(read(text, path))
    except NomicError:
        if "\\" in text:
            yield "do what cannot be read here"
    yield from (what for what, asks in _MAY if asks.search(text))


def came(repository: Repository, head: str, path: str) -> tuple[str, str, str]:
    """The commit that brought a file, whom it names, and the commit that changed it last."""
    first = last = ""
    for walked in repository.walked(head, path):
        first, last = walked.oid, last or walked.oid
        parents = repository.commit(first).parents
        if not parents or repository.entry(repository.commit(parents[0]).tree, path) is None:
            break
    return first, repository.commit(first).author if first else "", last
