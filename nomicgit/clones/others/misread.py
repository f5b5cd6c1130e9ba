"""Branches and tags that whoever looks, or Git itself, takes for the game's branch or for something of Git's own."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgit.git import Repository
from nomicgit.git.names import TAGS, is_gits, reads_like
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import below, command, remedy

REMOTES = "refs/remotes/"
MOST = 5  # that are named


def misread(repository: Repository) -> list[str]:
    """The tags and branches of a clone, and those that it has seen elsewhere, that mislead so, by their whole names."""
    try:
        upstream = Upstream.of(repository)
        branch = upstream.branch if upstream is not None else repository.branch
    except Refused:  # as elsewhere it says
        return [tag for tag in repository.references(TAGS) if is_gits(tag)]
    game = branch.removeprefix(HEADS)
    names = {ref: ref.removeprefix(TAGS) for ref in repository.references(TAGS)}
    mine = {ref: ref.removeprefix(HEADS) for ref in repository.references(HEADS)}
    theirs = {ref: ref.removeprefix(REMOTES).partition("/")[2] for ref in repository.references(REMOTES)}
    names |= {ref: name for ref, name in (mine | theirs).items() if name not in ("HEAD", game)}
    return [
        ref
        for ref, name in names.items()
        if (ref.startswith(TAGS) and is_gits(ref)) or reads_like(name, game)
    ]


def worded(names: Sequence[str]) -> str:
    """That they mislead, and what lets go of them."""
    shown = ", ".join(printable(name, 60) for name in names[:MOST])
    more = f", and {len(names) - MOST} more" if len(names) > MOST else ""
    what = "called as Git calls something of its own, or as the game's branch reads, so that a command of yours, or you, may mean them"
    let_go = [command("git", "update-ref", "-d", name) for name in names[:MOST]]
    return f"{what}: {shown}{more}" + below(
        remedy("let go of them here, before you push, or look, with Git alone:", *let_go)
    )
