"""What a sync has come to, be it that something has stopped it, or what it was a part of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from nomicgit.clones.others.rethrown import Rethrown
from nomicgit.clones.own.laying import Laid
from nomicgit.git import Commit
from nomicgit.ground.problems import Problem, Refused
from nomicgit.record.seen.attributes import Attributed
from nomicgit.record.seen.strays import Stray


class Synced(Struct):
    """What a sync has done: others' commits that came, own deeds laid anew, how many were pushed, and files left alone.

    ``strays`` are the commits there that are no deeds as they should be: upon them nothing moves, and nothing is pushed.
    ``let_go`` are the deeds that were there, are there no more, and are let go of; ``fallen`` are own ones which are on no line any
    more, and are set aside, ``stood`` those that were set aside and stand all the same; ``left_out`` says of files that
    came why they cannot lie in the folder; ``attributes`` let Git change the game's files. ``mends`` are those that came, and
    restorings of the law, of which nothing is wrong. ``unsent``: own commits that are not pushed, since the game has moved from there.
    ``rethrown`` are the deeds among those that came which this clone knows with another outcome of chance, ``taken_back`` own ones
    of an owner that a mend among them sets aside.
    """

    others: Sequence[Commit] = ()
    laid: Sequence[Laid] = ()
    pushed: int = 0
    kept_edits: Sequence[str] = ()
    strays: Sequence[Stray] = ()
    let_go: Sequence[Commit] = ()
    left_out: Sequence[str] = ()
    attributes: Attributed | None = None
    mends: Sequence[Commit] = ()
    fallen: Sequence[Commit] = ()
    stood: Sequence[Commit] = ()
    unsent: int = 0
    rethrown: Sequence[Rethrown] = ()
    taken_back: Sequence[Commit] = ()


class Stopped(Refused):
    """What was begun is stopped, with what a clone and what it follows had come to by then."""

    synced: Synced = Synced()

    @classmethod
    def after(cls, synced: Synced, problems: Iterable[Problem]) -> Stopped:
        """By these, after a sync has come to that."""
        why = cls(*problems)
        why.synced = synced
        return why
