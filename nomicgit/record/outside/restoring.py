"""Restore: the one deed outside the law. It puts the ruleset back to that of an earlier commit.

Those whom ``game/game.yml`` names may do it (``restore: {by: [names], of: k}``: at least k of them together).
Gamestate stays; what is no legal value under the restored law is treated as that law says. Nothing that the law
of now would do happens in it, not even by the clock: what fell due meanwhile falls to the restored law's next deed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused, printable, quoted
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declaring import PLAYER_NAME
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import pipeline, units
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.record import journal
from nomicgit.record.tree import GameTree


def allowed(
    settings: Mapping[str, Any] | None, by: Sequence[str], called: Callable[[str], str] = str
) -> None:
    """Refuse unless enough of those whom the settings name do it together. ``called``: what they are called now."""
    names, needed = named(settings)
    if not names:
        raise Refused.of(
            "this game names nobody who may restore it",
            file="game/game.yml",
            mend="it is named at the founding: restore",
        )
    strangers = [name if name.strip() else quoted(name) for name in by if name not in names]
    if strangers:
        raise Refused.of(
            f"{_list(strangers)} may not restore or mend this game, nor change its settings",
            mend=f"{_list([*map(called, names)])} may",
        )
    if len(set(by)) < needed:
        raise Refused.of(
            f"{needed} of {_list([*map(called, names)])} must restore it together",
            mend="name each: --by NAME",
        )


def named(settings: Mapping[str, Any] | None) -> tuple[list[str], int]:
    """Whom the settings name, and how many of them must do it together."""
    return list((settings or {}).get("by") or []), int((settings or {}).get("of") or 1)


def _list(names: Sequence[object]) -> str:
    return printable(", ".join(map(str, names)))


def spelled(settings: Mapping[str, Any] | None, by: Sequence[str], tree: GameTree) -> list[str]:
    """The names as the settings have them, each once; players may be called otherwise in the game's tree by now."""
    named = {str(name).casefold(): str(name) for name in (settings or {}).get("by") or []}

    def one(name: str) -> str:
        if (there := named.get(name.casefold())) is not None or PLAYER_NAME.fullmatch(name) is None:
            return there or name
        return named.get(tree.spelled(name).casefold(), name)

    return list(dict.fromkeys(map(one, by)))


def earlier_ruleset(repository: Repository, head: str, to: str) -> Ruleset:
    """The ruleset of an earlier commit of the game's own history."""
    for commit in journal.standing(repository.log(head)):
        if commit.oid == to:
            if journal.told(commit.message) is None:
                raise Refused.of(f"the commit {to[:12]} is no deed of this game")
            return GameTree(repository, commit.tree).ruleset_anew()
    if by := _set_aside_by(repository, head, to):
        raise Refused.of(
            f"the commit {to[:12]} stands no more: the mend {by[:12]} has set it aside",
            mend=remedy(
                "choose one that stands:",
                command("nomicgit", "log"),
                "or take that mend back, with all that came after it:",
                command("nomicgit", "mend", "--to", to, "--yes"),
            ),
        )
    raise Refused.of(
        f"the commit {to[:12]} is not in this game's history", mend=remedy("see:", command("nomicgit", "log"))
    )


def _set_aside_by(repository: Repository, head: str, to: str) -> str:
    """The mend that has set a commit of the line aside: of what stands the last that was met on the way there; "" where none has."""
    stand, last = {commit.oid for commit in journal.standing(repository.log(head))}, ""
    for commit in repository.log(head):
        if commit.oid == to:
            return last
        last = commit.oid if commit.oid in stand else last
    return ""


def restore(position: Position, context: Context, deed: Deed, chance: Chance, ruleset: Ruleset) -> Outcome:
    """Carry a restoring out on a position. Refused where the law is that already."""
    world = pipeline.begun(position, context, chance)
    pipeline.arrive(world, deed)
    if ruleset.texts == world.ruleset.texts:
        raise Refused.of(
            "the ruleset of that commit is that of now",
            mend=remedy("choose an earlier one:", command("nomicgit", "log")),
        )

    with units.unit(world):
        world.amend_law(ruleset)
        world.parent_law = world.law
    units.forget_transient(world)
    names = ", ".join(deed.given["by"])
    world.notes.insert(0, f"The ruleset is again that of the commit {deed.given['to'][:12]}, by {names}.")
    return pipeline.outcome_of(world, deed)
