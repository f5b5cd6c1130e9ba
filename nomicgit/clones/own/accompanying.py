"""Own commits that are no deeds, where own deeds are laid anew: they come along; but upon a move of the game that waits they tell
of a place where it does not live, and wait with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from nomicgit.git import Commit, Repository
from nomicgit.git.objects import Entry
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal
from nomicgit.record.seen.strays import follow
from nomicgit.record.tree import GAME, GameTree


def carry(scratch: Repository, commit: Commit) -> None:
    """A commit that is no deed and leaves the game alone, put on top, with what it merged beside the game; Refused where others
    have changed the same files, and not as it does.
    """
    head = scratch.head()
    assert head is not None
    base, tree = scratch.commit(commit.parents[0]).tree, scratch.commit(head).tree
    changes: dict[str, Entry | None] = {}
    for path, old, new in scratch.changed(base, commit.tree):
        if path.startswith(GAME):  # it was set aside by a mend of one's own, and comes before it
            raise Refused.of(
                f"the commit {commit.oid[:12]} is no deed, and changes {printable(path)}",
                mend=_without("take it out first:", commit),
            )
        if (stands := scratch.entry(tree, path)) == new:
            continue  # others have done the same
        if stands != old:
            raise Refused.of(
                f"the commit {commit.oid[:12]} is no deed, and others have changed {printable(path)} as well",
                mend=remedy(
                    _without("keep it on a branch of its own, and take it out here:", commit, keep=True),
                    "then bring both together, as Git says:",
                    _picked(commit, _kept(commit)),
                ),
            )
        changes[path] = new
    carried = scratch.append(
        tree=scratch.tree_with(tree, changes), parents=[head, *commit.parents[1:]], message=commit.message,
        author=commit.author, email=commit.email, at=commit.author_time, expect=head,
    )  # fmt: skip
    follow(scratch, head, carried, seen=False)


def lives_now(scratch: Repository) -> Mapping[str, object] | None:
    """How the game lives on a forge where a scratch clone stands; None on none."""
    head = scratch.head()
    assert head is not None
    return _lives(scratch, scratch.commit(head))


def moves_in_vain(scratch: Repository, commit: Commit) -> bool:
    """Whether the game was to live otherwise by an own deed, and does not where a scratch clone stands."""
    return _rehouses(scratch, commit) and lives_now(scratch) != _lives(scratch, commit)


def _rehouses(scratch: Repository, commit: Commit) -> bool:
    """Whether the game lives otherwise by a deed than before it: it is a move, or a mend that takes one back."""
    try:
        return _lives(scratch, scratch.commit(commit.parents[0])) != _lives(scratch, commit)
    except NomicError:  # it stands upon what nobody can read
        return False


def _lives(scratch: Repository, commit: Commit) -> Mapping[str, object] | None:
    return GameTree(scratch, commit.tree).settings.forge


def waiting(scratch: Repository, upon: Sequence[Commit]) -> list[Commit]:
    """Of the own commits upon a move of the game those that are no deeds, up to the next move."""
    after = takewhile(lambda each: not _rehouses(scratch, each), upon)
    return [each for each in after if journal.told(each.message) is None]


def brought_again(waits: Sequence[Commit]) -> str:
    """What brings these, once the move is done again; "" for none."""
    return (
        remedy("then what was committed upon it, which waits with it:", *map(_picked, waits)) if waits else ""
    )


def _picked(commit: Commit, name: str = "") -> str:
    """Git's command that brings a commit, be it by another name, upon what stands."""
    main = ["-m", "1"] if len(commit.parents) > 1 else []
    return command("git", "cherry-pick", *main, name or commit.oid)


def _kept(commit: Commit) -> str:
    return f"kept-{commit.oid[:12]}"


def _without(said: str, commit: Commit, *, keep: bool = False) -> str:
    """What takes a commit out of the own line and syncs then; it may be kept on a branch before."""
    return remedy(
        said,
        *([command("git", "branch", _kept(commit), commit.oid)] if keep else []),
        command("git", "rebase", "--onto", commit.parents[0], commit.oid),
        command("nomicgit", "sync"),
    )
