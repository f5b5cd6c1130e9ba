"""Restore: the one deed outside the law. It puts the ruleset back to that of an earlier commit.

Those whom ``game/game.yml`` names may do it (``restore: {by: [names], of: k}``: at least k of them together).
Gamestate stays; what is no legal value under the restored law is treated as that law says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomicgit.deeds import pipeline, units, words
from nomicgit.deeds.chance import Seeded
from nomicgit.deeds.pipeline import Deed, Outcome
from nomicgit.gamestate.world import World
from nomicgit.problems import Refused
from nomicgit.record import journal
from nomicgit.record.tree import GameTree
from nomicgit.repository import Repository
from nomicgit.ruleset import Ruleset

RESTORE = "restore"


def allowed(settings: Mapping[str, Any] | None, by: Sequence[str]) -> None:
    """Refuse unless enough of those whom the settings name do it together."""
    named = list((settings or {}).get("by") or [])
    needed = int((settings or {}).get("of") or 1)
    if not named:
        raise Refused.of(
            "this game names nobody who may restore it",
            file="game/game.yml",
            mend="it is named at the founding: restore",
        )
    strangers = [name for name in by if name not in named]
    if strangers:
        raise Refused.of(f"{', '.join(strangers)} may not restore this game", mend=f"{', '.join(named)} may")
    if len(set(by)) < needed:
        raise Refused.of(f"{needed} of {', '.join(named)} must restore it together")


def earlier_ruleset(repository: Repository, head: str, to: str) -> Ruleset:
    """The ruleset of an earlier commit of the game's own history."""
    for commit in repository.log(head):
        if commit.oid == to:
            if not journal.is_deed(commit.message):
                raise Refused.of(f"the commit {to[:12]} is no deed of this game")
            return GameTree(repository, commit.tree).ruleset_anew()
    raise Refused.of(f"the commit {to[:12]} is not in this game's history", mend="see: nomicgit log")


def restore(world: World, deed: Deed, ruleset: Ruleset) -> Outcome:
    """Carry a restoring out on a world."""
    pipeline.prepare(world, deed, Seeded(b"", deed.id))

    def work() -> None:
        world.trusted = True
        world.amend_law(ruleset)
        world.parent_law = world.law

    units.unit(world, work)
    units.forget_transient(world)
    return Outcome(deed, None, list(world.notes), [], [], words.effects(world), world.store.touched())
