"""Of what a founding lays beside the game, such as the settings of its site, what others take out or change: anybody may, and
nobody else would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Commit, Repository
from nomicgit.git.trees import FOLDER
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal, line
from nomicgit.record.tree import GameTree

FORGES = ".github"
LAID = ("README.md", "mkdocs.yml", "docs", ".gitattributes", FORGES, ".gitignore")
"""What a founding lays at the top of the folder, beside the game."""
_SHOWN, _LOOKED = 6, 10_000


def taken_out(repository: Repository, commits: Sequence[Commit]) -> list[Unexpected]:
    """What some commits, of one line and oldest first, took out or changed of what a founding lays, where that is not at the last
    one as it was before the first: each file once, with the last commit that changed it. What a deed took out, such as a move, was meant,
    and what GitHub reads nobody misses where the game lives on no forge any more.
    """
    if not commits:
        return []
    before = commits[0].parents[0] if commits[0].parents else commits[0].oid
    was, now = repository.commit(before).tree, commits[-1].tree
    names = [name for name in LAID if name != FORGES or _lives_on_a_forge(repository, now)]
    differing = {path: gone for name in names for path, gone in _within(repository, name, was, now)}
    if not differing:
        return []
    laid = _laid(repository, commits[-1].oid)
    by: dict[str, dict[str, bool]] = {}
    for path in (path for path in differing if path in laid):
        by.setdefault(_last(repository, commits, path), {})[path] = differing[path]
    return [
        Unexpected(each.oid, each.author, _in_words(by[each.oid]), _mend(before, list(by[each.oid])))
        for each in commits
        if each.oid in by and not journal.is_deed(each.message)
    ]


def _lives_on_a_forge(repository: Repository, tree: str) -> bool:
    with suppress(NomicError):  # settings that nobody can read say nothing
        return GameTree(repository, tree).settings.forge is not None
    return True


def _within(repository: Repository, name: str, was: str, now: str) -> Iterator[tuple[str, bool]]:
    """The files of an entry that were there in one tree, and are not in another (True), or are otherwise."""
    before, after = repository.entry(was, name), repository.entry(now, name)
    if before is None or before == after:
        return
    if before[0] != FOLDER:
        yield name, after is None
        return
    with suppress(NomicError):  # more than anybody looks through
        within = after[1] if after is not None and after[0] == FOLDER else None
        for path, old, new in repository.changed(before[1], within, _LOOKED):
            if old is not None:
                yield f"{name}/{path}", new is None


def _laid(repository: Repository, tip: str) -> set[str]:
    """The files that the founding wrote, and each move of the game to another place: what anybody has added since is theirs."""
    whole = line.since_founding(repository, tip)
    laid = set[str]()
    for commit in whole:
        moves = Outside.REHOUSE in commit.message and journal.is_deed(commit.message)
        if commit is whole[0] or moves:
            before = repository.commit(commit.parents[0]).tree if moves and commit.parents else None
            with suppress(NomicError):
                laid |= {
                    path
                    for path, _, new in repository.changed(before, commit.tree, _LOOKED)
                    if new is not None
                }
    return laid


def _last(repository: Repository, commits: Sequence[Commit], path: str) -> str:
    """The last of some commits that changed a file."""
    stands = repository.entry(commits[-1].tree, path)
    for commit, earlier in zip(reversed(commits), [*reversed(commits[:-1]), None], strict=True):
        if earlier is None or repository.entry(earlier.tree, path) != stands:
            return commit.oid
    return commits[0].oid


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


def _mend(before: str, paths: list[str]) -> str:
    return remedy(
        "if that is not meant, have it back for all as it was before:",
        command("git", "checkout", before, "--", *paths),
        command("git", "commit", "--message", "Put back what lies beside the game"),
        command("nomicgit", "sync"),
    )
