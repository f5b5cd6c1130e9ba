"""What a shell offers where a matter, an action, a player or a rule is to be named."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from click.shell_completion import CompletionItem

from nomicgit.cli.seat import Seat
from nomicgit.ground.problems import NomicError
from nomicgit.record.game import Game


def _offering(
    find: Callable[[Game], Iterable[tuple[str, str]]],
) -> Callable[[Seat, str], list[CompletionItem]]:
    """A completer of names with a word on each; where the game cannot be read it offers nothing."""

    def complete(seat: Seat, begun: str) -> list[CompletionItem]:
        try:
            names = list(find(seat.game()))
        except (NomicError, OSError):
            return []
        return [CompletionItem(name, help=said) for name, said in names if name.startswith(begun)]

    return complete


def _matters(game: Game) -> Iterable[tuple[str, str]]:
    for number in (game.tree.entity("open") or {}).get("pending", []):
        yield str(number), str((game.tree.entity(f"posts/{number}") or {}).get("title", ""))


pending = _offering(_matters)
actions = _offering(lambda game: ((one.name, one.summary) for one in game.law.declared.actions.values()))
players = _offering(lambda game: ((name, "") for name in game.tree.ids("players")))
rules = _offering(lambda game: ((placed.slug, placed.title) for placed in game.ruleset.rules))
