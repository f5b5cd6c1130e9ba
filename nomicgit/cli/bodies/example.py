"""An action as it may be typed, made from its declaration and from what the game has, and what it would do now."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from nomicgit.cli.bodies.deeds import made_and_changed
from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.law.declarations import Action
from nomicgit.outlook import doings
from nomicgit.outlook.checks.arguments import some, ways
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.acting import required
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id

MOST = 4  # ways that are tried, and lines of what one would do


class Example(NamedTuple):
    """A command to copy; what it would do now, or why it is refused, in lines; whether it would be done, and by dice."""

    command: str
    now: tuple[str, ...]
    done: bool
    chance: bool = False

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"example": self.command, "now": list(self.now), "done": self.done, "chance": self.chance}


def example(game: Game, world: Transaction, action: Action, actor: str) -> Example:
    """The first way to ask for an action that would be done now; else the first one at all."""
    tried = [
        _tried(game, action, actor, given, world.now)
        for given in islice(ways(world, action, f"players/{actor}"), MOST)
        if not action.always_private
    ]
    return next((each for each in tried if each.done), tried[0] if tried else _untried(world, action, actor))


def _tried(game: Game, action: Action, actor: str, given: Mapping[str, Any], at: int) -> Example:
    deed = Deed(new_id(at), actor, action.name, given, at)
    try:
        outcome, _ = game.tried(deed)
    except NomicError as refused:
        return Example(_command(action, given), (str(refused.problems[0]),), done=False)
    lines = [*outcome.notes, *made_and_changed(outcome)]
    more = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return Example(_command(action, given), (*lines[:MOST], *more), done=True, chance=bool(outcome.draws))


def _untried(world: Transaction, action: Action, actor: str) -> Example:
    """What is handed in as an order, or takes what the game has none of: that stands there in capitals."""
    given = {
        name: next(iter(some(world, kind, f"players/{actor}")), name.rstrip("_").upper())
        for name, kind in action.parameters.items()
        if required(kind)
    }
    return Example(_command(action, given), (), done=False)


def _command(action: Action, given: Mapping[str, Any]) -> str:
    words = ["nomicgit", "order" if action.always_private else "act", action.name]
    return " ".join(
        [*words, *(f"{name.replace('_', '-')}={shlex.quote(_typed(each))}" for name, each in given.items())]
    )


def _typed(value: object) -> str:
    return value if isinstance(value, str) else files.write_flow(value)


def lines(shown: Example) -> Iterator[str]:
    """The command to copy, then what it would do now."""
    yield f"for example: {shown.command}"
    if shown.done or shown.now:
        said = "it would be done now" if shown.done else "it would be refused now"
        yield f"{said}{f' ({doings.BY_CHANCE})' if shown.chance else ''}" + (":" if shown.now else "")
        yield from (f"  {line}" for line in shown.now)
