"""Of what a founding lays beside the game, such as the settings of its site, what commits take out or change that are no deeds:
anybody may, and nobody else would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Commit, Repository
from nomicgit.git.objects import Entry
from nomicgit.git.trees import FOLDER
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal

LAID = ("README.md", "mkdocs.yml", "docs", ".gitattributes", ".github", ".gitignore")
"""What a founding lays at the top of the folder, beside the game."""
_SHOWN, _LOOKED = 6, 10_000


def taken_out(repository: Repository, commits: Sequence[Commit]) -> Iterator[Unexpected]:
    """Those of some commits, of one line and oldest first, that took out or changed what a founding lays, where that is not as
    before again at the last one.
    """
    for commit in commits:
        if not commit.parents or journal.is_deed(commit.message):
            continue
        before, tree, last = repository.commit(commit.parents[0]).tree, commit.tree, commits[-1].tree
        changed = dict[str, bool]()
        for name in LAID:
            was, now, at_last = (repository.entry(each, name) for each in (before, tree, last))
            if was is not None and was not in (now, at_last):
                changed |= _within(repository, name, was, now)
        if changed:
            yield Unexpected(commit.oid, commit.author, _in_words(changed), _mend(commit, list(changed)))


def _within(repository: Repository, name: str, was: Entry, now: Entry | None) -> dict[str, bool]:
    """What of an entry was there before and is there no more (True), or is otherwise; a folder that is gone by its own name."""
    if now is None:
        return {name: True}
    if was[0] != FOLDER or now[0] != FOLDER:
        return {name: False}
    try:
        differing = list(repository.changed(was[1], now[1], _LOOKED))
    except NomicError:  # more than anybody looks through
        return {name: False}
    return {f"{name}/{path}": new is None for path, old, new in differing if old is not None}


def _in_words(changed: dict[str, bool]) -> str:
    """What was taken out, and what was changed."""
    kinds = (
        ("takes out", [path for path, gone in changed.items() if gone]),
        ("changes", [path for path, gone in changed.items() if not gone]),
    )
    return " and ".join(f"{does} {_listed(paths)}" for does, paths in kinds if paths)


def _listed(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(printable(path, 60) for path in paths[:_SHOWN]) + more


def _mend(commit: Commit, paths: list[str]) -> str:
    several = len(paths) > _SHOWN
    back = dict.fromkeys(path.partition("/")[0] for path in paths) if several else paths
    return remedy(
        "if that is not meant, have it back for all as it was before:",
        command("git", "checkout", commit.parents[0], "--", *back),
        command("git", "commit", "--message", "Put back what lies beside the game"),
        command("nomicgit", "sync"),
    )
