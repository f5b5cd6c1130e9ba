"""Deeds with what people type, ``key=value``, as the values that parameters take: ``nomicgit act``, ``set``, ``ascend``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from nomicgit.cli.bodies.deeds import act
from nomicgit.cli.bodies.written import misshapen
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import from_source
from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Problem, Refused, nearest, printable
from nomicgit.law.declarations import Action
from nomicgit.record.forms import entered
from nomicgit.record.game import Game


def do(seat: Seat, name: str, given: tuple[str, ...]) -> int:
    game = seat.game()
    return act(seat, name, typed(game, name, given), game=game)


def set_variable(seat: Seat, path: str, value: str) -> int:
    return act(seat, "set", {"path": path, "value": entered.value(None, "value", from_source(value))})


def ascend(seat: Seat, theme: str | None, more: tuple[str, ...]) -> int:
    game = seat.game()
    pairs = (theme, *more) if theme is not None and _is_pair(theme) else more
    said = {"theme": from_source(theme)} if theme is not None and not _is_pair(theme) else {}
    return act(seat, "ascend", said | typed(game, "ascend", pairs), game=game)


def _is_pair(text: str) -> bool:
    key, equals, _ = text.partition("=")
    return bool(equals) and key.replace("-", "").replace("_", "").isalnum() and " " not in key


def action_of(game: Game, name: str) -> Action:
    """The action of a name. Refused, with near names, where no rule in force declares it."""
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
    declared = action_of(game, action)
    given: dict[str, Any] = {}
    wrong: list[Problem] = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            known = ", ".join(name.replace("_", "-") for name in declared.parameters) or "nothing"
            raise click.UsageError(f"{pair!r} is no key=value; {action} takes {known}")
        if key in given:
            raise click.UsageError(f"{key} is given twice")
        try:
            given[key] = entered.value(declared.parameters.get(key.replace("-", "_")), key, from_source(text))
        except Malformed as unread:
            wrong += unread.problems
            if key == "changes" and isinstance(unread, files.Unquoted):
                wrong += misshapen(unread, key)
    if wrong:
        raise Malformed(*wrong)
    return given
