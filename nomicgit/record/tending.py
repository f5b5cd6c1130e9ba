"""Tending a game that keeps no secrets: fetch, resolve what may be, let the clock run, push."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.record import syncing, vetting
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.resolving import Resolved, resolve


class Tended(Struct, frozen=True):
    """What was done: its time (seconds, UTC), deeds of others that came, what was resolved, the clock's deed, what was pushed."""

    at: int
    came: int
    resolved: Sequence[Resolved]
    clock: str | None
    pushed: int


def tend(
    repository: Repository, upstream: Upstream | None, when: Callable[[Game], int], admin: str | None
) -> Tended:
    """Tend a game at the time that ``when`` tells once all is fetched. ``admin``: in whose name matters are resolved; None: none."""
    came, before = together(repository, upstream)
    game = Game.open(repository.root or repository.git_dir)
    game.vet = vetting.refuse_unsound
    at = when(game)
    resolved = list(resolve(game, admin, at)) if admin is not None else []
    ran = let_the_clock_run(game, at)
    _, after = together(repository, upstream) if ran or resolved else (0, 0)
    return Tended(at, came, resolved, ran.commit if ran else None, before + after)


def together(repository: Repository, upstream: Upstream | None) -> tuple[int, int]:
    """Bring the clone and what it follows together: how many commits of others came, and how many were pushed. Refused upon one
    there that is no deed.
    """
    if upstream is None:
        return 0, 0
    synced = syncing.sync(repository, upstream, int(time.time()))
    if synced.strays:
        raise Refused(*(stray.problem for stray in synced.strays))
    return len(synced.others), synced.pushed


def let_the_clock_run(game: Game, at: int) -> Recorded | None:
    """Let what has fallen due happen, as a deed; None where nothing has."""
    at, world = max(at, game.last()), game.world()
    pipeline.come(world, Deed("looking", None, "look", at=at))
    if not world.store.touched():
        return None
    return game.act(Deed(new_id(at), None, Outside.CLOCK, at=at))
