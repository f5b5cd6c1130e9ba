"""What stands behind an action on the command line, ``key=value``, as the values that its parameters take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from nomicgit.cli.seat import from_source

if TYPE_CHECKING:
    from nomicgit.law.declarations import Action
    from nomicgit.record.game import Game


def action_of(game: Game, name: str) -> Action:
    """The action of a name. Refused, with near names, where no rule in force declares it."""
    from nomicgit.ground.problems import Refused, nearest, printable

    actions = game.law.declared.actions
    if name in actions:
        return actions[name]
    near = nearest(name, actions, 3)
    mend = f"did you mean {' or '.join(near)}? See" if near else "see"
    raise Refused.of(
        f"no rule in force declares an action {printable(name, 60)}", mend=f"{mend}: nomicgit actions"
    )


def typed(game: Game, action: str, pairs: Iterable[str]) -> dict[str, Any]:
    """The parameters of an action. UsageError for what is no ``key=value``."""
    from nomicgit.law.entered import value

    declared = action_of(game, action)
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            known = ", ".join(name.replace("_", "-") for name in declared.parameters) or "nothing"
            raise click.UsageError(f"{pair!r} is no key=value; {action} takes {known}")
        if key in found:
            raise click.UsageError(f"{key} is given twice")
        found[key] = value(declared.parameters.get(key.replace("-", "_")), key, from_source(text))
    return found
