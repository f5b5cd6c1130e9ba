"""Burden: how much lies beside the game in a commit's tree, which whoever takes the commit in lays down in the folder.

A folder is looked into once, however often it lies there, so that a few objects that claim billions of files cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from nomicgit.git import Repository
from nomicgit.git.objects import Entry
from nomicgit.git.trees import FOLDER, MODULE
from nomicgit.record.tree import GAME


class Load(NamedTuple):
    """Files and folders, and the bytes of all of the files, each as often as it lies there."""

    paths: int
    size: int


def overladen(
    repository: Repository, here: str | None, oids: Iterable[str], most: Load
) -> tuple[str, Load] | None:
    """The first of some commits beside whose game more lies than ``most``, and how much; None where none is so.

    Where more lies at ``here`` (None: nothing) already, so much may come upon that.
    """
    trees = {oid: beside for oid in oids if (beside := _beside_changed(repository, oid)) is not None}
    if not trees:
        return None
    lies = _beside(repository, here) if here is not None else {}
    scale = _Scale(repository)
    scale.look((lies, *trees.values()))
    base = scale.load(lies)
    bound = Load(*(less + (have if have > less else 0) for less, have in zip(most, base, strict=True)))
    loads = ((oid, scale.load(beside)) for oid, beside in trees.items())
    return next(
        ((oid, load) for oid, load in loads if load.paths > bound.paths or load.size > bound.size), None
    )


def _beside(repository: Repository, oid: str) -> dict[str, Entry]:
    """What lies at the top of a commit's tree, but the game."""
    tree = repository.tree(repository.commit(oid).tree)
    return {name: entry for name, entry in tree.items() if f"{name}/" != GAME}


def _beside_changed(repository: Repository, oid: str) -> dict[str, Entry] | None:
    """The same; None where it is as before the commit."""
    parents, beside = repository.commit(oid).parents, _beside(repository, oid)
    return None if parents and beside == _beside(repository, parents[0]) else beside


class _Scale:
    """Folders that were looked into: what is in each, and what that comes to."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._folders: dict[str, Mapping[str, Entry]] = {}
        self._loads: dict[str, Load] = {}
        self._sizes: dict[str, int] = {}

    def look(self, tops: Iterable[Mapping[str, Entry]]) -> None:
        """Look into all folders below some, and at how large each file in them is."""
        files = dict[str, None]()
        left = [*tops]
        while left:
            for mode, oid in left.pop().values():
                if mode == FOLDER and oid not in self._folders:
                    self._folders[oid] = self._repository.tree(oid)
                    left.append(self._folders[oid])
                elif mode not in (FOLDER, MODULE):
                    files[oid] = None
        self._sizes = self._repository.sizes(files)

    def load(self, entries: Mapping[str, Entry]) -> Load:
        """What entries of a folder come to; no folder lies so deep that this would tire."""
        paths = size = 0
        for mode, oid in entries.values():
            if mode == FOLDER:
                if oid not in self._loads:
                    self._loads[oid] = self.load(self._folders[oid])
                below = self._loads[oid]
            else:
                below = Load(0, self._sizes.get(oid, 0))
            paths, size = paths + 1 + below.paths, size + below.size
        return Load(paths, size)
