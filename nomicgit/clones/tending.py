"""Tending a game that keeps no secrets: fetch, resolve what may be, let the clock run, push."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.clones import syncing
from nomicgit.clones.others import vetting
from nomicgit.clones.resolving import Resolved, resolve
from nomicgit.clones.synced import Stopped, Synced
from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.record.game import Game, Recorded, new_id


class Tended(Struct, frozen=True):
    """What was done: its time (seconds, UTC), what was resolved, the clock's deed, and what came, was pushed, and became of own
    deeds where the clone and what it follows were brought together.
    """

    at: int
    resolved: Sequence[Resolved]
    clock: str | None
    synced: Synced


def tend(
    repository: Repository, upstream: Upstream | None, when: Callable[[Game], int], admin: str | None
) -> Tended:
    """Tend a game at the time that ``when`` tells once all is fetched. ``admin``: in whose name matters are resolved; None: none."""
    synced = together(repository, upstream)
    game = Game.open(repository.root or repository.git_dir)
    game.vet = vetting.refuse_unsound
    at = when(game)
    resolved = list(resolve(game, admin, at)) if admin is not None else []
    ran = let_the_clock_run(game, at)
    if ran or resolved:
        synced = then(synced, lambda: together(repository, upstream))
    return Tended(at, resolved, ran.commit if ran else None, synced)


def together(repository: Repository, upstream: Upstream | None) -> Synced:
    """Bring the clone and what it follows together, where it follows anything. Refused upon a commit there that is no deed."""
    if upstream is None:
        return Synced()
    synced = syncing.sync(repository, upstream, int(time.time()))
    if synced.strays:
        raise Stopped.after(synced, [stray.problem for stray in synced.strays])
    return synced


def then(first: Synced, more: Callable[[], Synced]) -> Synced:
    """What a first and a second sync of one round have come to, be it that the second is stopped."""
    try:
        return in_turn(first, more())
    except Stopped as why:
        why.synced = in_turn(first, why.synced)
        raise


def in_turn(first: Synced, then: Synced) -> Synced:
    """What two syncs of one round have come to. The first has pushed what it laid anew, so that the second lays only what is later."""
    return replace(
        then,
        others=[*first.others, *then.others],
        laid=[*first.laid, *then.laid],
        pushed=first.pushed + then.pushed,
        kept_edits=[*dict.fromkeys((*first.kept_edits, *then.kept_edits))],
        let_go=[*first.let_go, *then.let_go],
        left_out=[*dict.fromkeys((*first.left_out, *then.left_out))],
        mends=[*first.mends, *then.mends],
        fallen=[*first.fallen, *then.fallen],
        stood=[*first.stood, *then.stood],
        taken_back=[*first.taken_back, *then.taken_back],
        rethrown=[*first.rethrown, *then.rethrown],
    )


def let_the_clock_run(game: Game, at: int) -> Recorded | None:
    """Let what has fallen due happen, as a deed; None where nothing has."""
    at, world = max(at, game.last()), game.world()
    pipeline.come(world, Deed("looking", None, "look", at=at))
    if not world.store.touched():
        return None
    return game.act(Deed(new_id(at), None, Outside.CLOCK, at=at))
