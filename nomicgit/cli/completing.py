"""What a shell offers where a matter, an action, a player or a rule is to be named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from nomicgit.cli.seat import Seat

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from nomicgit.record.game import Game

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def _offering(find: Callable[[Game], Iterable[tuple[str, str]]]) -> Completer:
    """A completer of names with a word on each; where the game cannot be read it offers nothing."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from nomicgit.ground.problems import NomicError

        try:
            found = list(find(ctx.ensure_object(Seat).game()))
        except (NomicError, OSError):
            return []
        return [CompletionItem(name, help=said) for name, said in found if name.startswith(incomplete)]

    return complete


def _matters(game: Game) -> Iterable[tuple[str, str]]:
    for number in (game.tree.entity("open") or {}).get("pending", []):
        yield str(number), str((game.tree.entity(f"posts/{number}") or {}).get("title", ""))


def _actions(game: Game) -> Iterable[tuple[str, str]]:
    actions = game.law.declared.actions
    return ((action.name, action.summary) for action in actions.values())


pending = _offering(_matters)
actions = _offering(_actions)
players = _offering(lambda game: ((name, "") for name in game.tree.ids("players")))
rules = _offering(lambda game: ((placed.slug, placed.title) for placed in game.ruleset.rules))
