"""What lies beside the game and misleads whoever looks at it with Git alone, or by the names of its folders."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.clones.others.building import since
from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Repository
from nomicgit.git.trees import folded
from nomicgit.ground.characters import as_read
from nomicgit.ground.problems import printable, quoted
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import GAME

MOST = 20
"""Names that are told."""
_DOES = {
    ".mailmap": "by which Git shows you other names than are recorded",
    ".gitmodules": "by which Git fetches, or runs, what it names, if you ask for submodules",
}


def misleading(repository: Repository, tip: str) -> list[Unexpected]:
    """What stands so at the top of a game's folder at a commit, each with the commit that laid it down."""
    return [*_misleading(repository, tip)]


def _misleading(repository: Repository, tip: str) -> Iterator[Unexpected]:
    names = [(name, why) for name in repository.tree(repository.commit(tip).tree) if (why := _why(name))]
    for name, why in names[:MOST]:
        oid, by = since(repository, tip, name, lambda at, name=name: repository.entry(at, name))  # type: ignore[misc]
        mend = remedy(
            "look at it, and take it out if nobody needs it:", command("git", "show", oid, "--", name)
        )
        yield Unexpected(oid, by, f"lays down {quoted(printable(name, 60))}, {why}", mend)


def _why(name: str) -> str:
    plain, game = folded(name).rstrip(". "), GAME.rstrip("/")
    if name != game and as_read(plain) == as_read(game):
        return "which reads like the game's own folder and is none of it"
    return _DOES.get(plain, "")
