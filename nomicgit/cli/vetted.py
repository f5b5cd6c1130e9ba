"""Looking at what is new before a deed is done upon it, while somebody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicgit.cli.terminal import progress

if TYPE_CHECKING:
    from nomicgit.git import Repository


def vetted(repository: Repository, head: str) -> None:
    """Replay what this clone has not replayed yet, and say how far that has come. Refused where any of it is at fault."""
    from nomicgit.clones.others.vetting import refuse_unsound  # here: mostly nothing is new

    refuse_unsound(repository, head, progress)
