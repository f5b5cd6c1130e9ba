"""What stands behind an action on the command line, ``key=value``, as the values that its parameters take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from nomicgit.cli.seat import from_source

if TYPE_CHECKING:
    from nomicgit.declarations import Action
    from nomicgit.record.game import Game
    from nomicgit.variables import Type

WHOLE = frozenset({"list", "set", "map", "record", "entry", "any"})
"""Types whose values are read as YAML, whatever comes out; all others are one word, or a text."""


def action_of(game: Game, name: str) -> Action:
    """The action of a name. Refused, with near names, where no rule in force declares it."""
    from nomicgit.deeds.words import WORDS
    from nomicgit.law import law_of
    from nomicgit.problems import Refused, printable

    actions = law_of(game.ruleset, frozenset(WORDS)).declared.actions
    if name in actions:
        return actions[name]
    import difflib

    near = difflib.get_close_matches(name, actions, 3, 0.5)
    mend = f"did you mean {' or '.join(near)}? See" if near else "see"
    raise Refused.of(
        f"no rule in force declares an action {printable(name, 60)}", mend=f"{mend}: nomicgit actions"
    )


def typed(game: Game, action: str, pairs: Iterable[str]) -> dict[str, Any]:
    """The parameters of an action. UsageError for what is no ``key=value``."""
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


def value(kind: Type | None, key: str, text: str) -> Any:
    """One value: a text as it is, everything else as YAML's flow form has it; ``null`` is nothing."""
    from nomicgit import files
    from nomicgit.problems import Malformed

    if kind is not None and kind.kind == "text":
        return text
    whole = kind is None or kind.kind in WHOLE
    try:
        read = files.read(text, key)
    except Malformed:
        if whole and kind is not None and kind.kind != "any":
            raise
        return text
    return read if whole or read is None or isinstance(read, str | int | float) else text
