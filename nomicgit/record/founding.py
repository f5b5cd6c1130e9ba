"""Founding a game in a repository: its first commit, as it is recorded and as replay makes it again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import founding
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.record import journal, line
from nomicgit.record.game import new_id, overwritten
from nomicgit.record.seen import strays
from nomicgit.record.seen.headers import signed
from nomicgit.record.settings import Settings
from nomicgit.record.tree import SETTINGS, GameTree, Made, founding_files

if TYPE_CHECKING:
    from nomicgit.record.secret.custody import Given, Keeper


def found_game(
    repository: Repository,
    ruleset: Ruleset,
    settings: Settings,
    start: Founding,
    *,
    extra: Mapping[str, bytes] | None = None,
    keeper: Keeper | None = None,
) -> str:
    """Found a game in a repository that has none: one commit. Returns it. ``keeper``: who keeps its secrets, with the key."""

    head = repository.head()
    base = repository.commit(head) if head else None
    if base is not None and repository.file(base.tree, SETTINGS) is not None:
        raise Refused.of("there is a game here already", file=SETTINGS, mend="name another folder for yours")
    if base is not None:
        _refuse_a_second(repository, base)
    seed, name = os.urandom(32), new_id(start.at)
    deed = Deed(name, None, Outside.FOUND, given_of(start), start.at)
    made = founded(repository, ruleset, settings, start, deed, base.oid if base else "", [seed], keeper)
    changes = dict(made.files) | dict(extra or {})
    with repository.locked():
        tree = repository.tree_with(base.tree if base else None, changes)
        edits = (
            [*repository.local_edits(changes, base.tree), *overwritten(repository, base, changes)]
            if base
            else []
        )
        if edits:
            raise Refused.of("these files are in the way: " + ", ".join(edits))
        parents = [base.oid] if base else []
        text = made.message(tree)
        commit = repository.append(tree=tree, parents=parents, message=text, expect=head, **signed(deed))
        repository.bring_along(base.tree if base else None, tree, changes)
    strays.follow(repository, "", commit)
    return commit


def founded(
    repository: Repository,
    ruleset: Ruleset,
    settings: Settings,
    start: Founding,
    deed: Deed,
    parent: str,
    seeds: Sequence[bytes],
    keeper: Keeper | None = None,
    given: Given | None = None,
    *,
    again: bool = False,
) -> Made:
    """The founding of a game as it is recorded upon a parent (``""``: none). ``given``: what stands sealed in it, in replay.

    ``again``: it is replayed, and no time decides anything.
    """
    physics = physics_of(settings.physics)
    if keeper is not None:
        from nomicgit.record.secret import custody  # here: most games have no keys

        return custody.founded(repository, ruleset, settings, start, deed, parent, keeper, given, again=again)
    chance = Seeded(seeds[0] if seeds else b"", deed.id)
    world = founding.found(ruleset, start, chance, Context(trusted=again), physics)
    changes = founding_files(GameTree.unwritten(repository), world.position, settings)
    outcome = Outcome(deed, None, world.notes, [], world.draws, [], [])
    text = journal.message(outcome, world.store, seeds=chance.seeds, evidence={})
    return Made(changes, lambda _: text, GameTree.unwritten(repository).after)


def _refuse_a_second(repository: Repository, base: Commit) -> None:
    """Refuse to found a game where one was: it would stand before this one, and verification begins with the first."""
    before = list(repository.log(base.oid))[::-1]
    place = line.founded(repository, before)
    merged = (each.deeds[-1] for each in line.beside(repository, before) if each.deeds)
    first = next(merged, None) if place is None else before[place]
    if first is not None:
        raise Refused.of(
            f"there was a game here before: the commit {first.oid[:12]} is of it",
            file=SETTINGS,
            mend="bring that one back, or found the new one in a repository of its own",
        )


def given_of(start: Founding) -> dict[str, object]:
    """A founding as the parameters of its deed."""
    return {
        "players": list(start.players), "idle": list(start.idle), "emperor": start.emperor, "admins": list(start.admins),
        "dynasty": start.dynasty, "number": start.number,
    }  # fmt: skip


def founding_of(deed: Deed) -> Founding:
    """A founding from the parameters of its deed."""
    g = deed.given
    return Founding(deed.at, g["players"], g["emperor"], g["admins"], g["idle"], g["dynasty"], g["number"])
