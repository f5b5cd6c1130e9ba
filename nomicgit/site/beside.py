"""What lies beside the record, on branches without history: letters, and shares of the key, a file for each player."""

from __future__ import annotations

from typing import Final

from nomicgit.git import Repository

LETTERS: Final = "letters"
SHARES: Final = "shares"


def commit_of(repository: Repository, branch: str) -> str | None:
    """Where such a branch stands in a clone: as it was fetched; or in the repository itself, where it is the one that is pushed to."""
    places = (f"refs/remotes/origin/{branch}", f"refs/heads/{branch}")
    return next(filter(None, map(repository.resolve, places)), None)


def files(repository: Repository, branch: str) -> dict[str, str] | None:
    """The files of players on it, by path, as blobs; None where the branch is not there."""
    commit = commit_of(repository, branch)
    if commit is None:
        return None
    walked = repository.walk(repository.commit(commit).tree, "")
    return {path: oid for path, oid in walked if path.endswith(".age") and "/" not in path}


def names(repository: Repository, branch: str) -> list[str] | None:
    """Whose files lie there, by id; None where the branch is not there."""
    there = files(repository, branch)
    return None if there is None else [path.removesuffix(".age") for path in there]
