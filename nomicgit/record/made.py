"""What a deed has made: posts and entities, by which deeds that come after it mean them."""

from __future__ import annotations

import re

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Malformed
from nomicgit.law.outside import Outside
from nomicgit.record import history, journal
from nomicgit.record.tree import ref_of


def _created(repository: Repository, commit: Commit, before: str) -> list[str]:
    """What a deed's commit upon a tree has made. Where a conflict of Git's was committed with its marks, its new files tell it."""
    try:
        effects = history.effects_of(repository, commit)
        return [str(effect["ref"]) for effect in effects if effect["field"] == "created"]
    except Malformed:
        new = (path for path, old, _ in repository.changed(before, commit.tree) if old is None)
        return [ref for path in new if (ref := ref_of(path)) is not None]


def made_by(repository: Repository, commit: Commit) -> dict[str, list[str]]:
    """The posts and entities that a deed's commit has made, by kind, in the order of their making.

    What puts the game back makes nothing: and what it puts right can often not be read.
    """
    made: dict[str, list[str]] = {}
    entry = journal.told(commit.message)
    if not commit.parents or (entry is not None and entry.deed.action in (Outside.MEND, Outside.RESTORE)):
        return made
    before = repository.commit(commit.parents[0]).tree
    for ref in _created(repository, commit, before):
        kind = ref.partition("/")[0]
        if kind not in ("rules", "scenarios"):
            made.setdefault(kind, []).append(ref)
    for path, old, _ in repository.changed(before, commit.tree):
        post = history.post_of(path) if old is None and path.endswith(".md") else None
        if post is not None and post not in made.setdefault("posts", []):  # rebased: another has its number
            made["posts"].append(post)
    return {kind: sorted(refs, key=_counted) for kind, refs in made.items()}


def _counted(ref: str) -> list[tuple[bool, int, str]]:
    """A reference as it sorts: r9 before r10."""
    return [
        (not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", ref)
    ]
