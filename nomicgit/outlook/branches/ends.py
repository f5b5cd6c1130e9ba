"""Branches by their names: where one begins and ends, and what its author wrote about it."""

from __future__ import annotations

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import line
from nomicgit.record.seen import arrivals

MOST_OF_COMMIT = 1024 * 1024  # bytes


def ends(repository: Repository, name: str, game: str) -> tuple[str, str]:
    """Base and head of a branch: the newest commit that it shares with the game, and its own newest.

    ``game`` is the commit at the game's head. Refused where there is no such branch, nothing shared, or
    where it holds deeds that the game has not, or a commit that no clone takes in.
    """
    head = repository.resolve(name)
    if head is None:
        raise Refused.of(
            f"there is no branch {printable(name, 60)}",
            mend=remedy("see:", command("git", "branch", "--all")),
        )
    base = _base(repository, game, head)
    line.refuse_deeds(repository, head, game)
    arrivals.refuse_brought(repository, head, game)
    return base, head


def range_ends(repository: Repository, text: str) -> tuple[str, str]:
    """Base and head of a range A..B: the newest commit that both share, and B."""
    first, _, last = text.partition("..")
    ends = [repository.resolve(name or "HEAD") for name in (first, last.removeprefix("."))]
    for name, commit in zip((first, last), ends, strict=True):
        if commit is None:
            raise Refused.of(
                f"there is no commit {printable(name, 60)}",
                mend=remedy("see:", command("git", "log", "--all")),
            )
    one, other = (str(commit) for commit in ends)
    return _base(repository, one, other), other


def _base(repository: Repository, game: str, head: str) -> str:
    base = repository.merge_base(game, head)
    if base is None:
        raise Refused.of(
            "the branch has no commit in common with the game's",
            mend="begin it on the game's branch, and commit anew",
        )
    return base


def first_words(repository: Repository, base: str, head: str) -> tuple[str, str]:
    """Subject and body of the first commit of a branch, "" where it has none."""
    first = repository.first_after(base, head)
    if first is None:
        return "", ""
    subject, _, body = repository.commit(first, limit=MOST_OF_COMMIT).message.strip().partition("\n")
    return subject.strip(), body.strip()
