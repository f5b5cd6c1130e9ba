"""What a rule's prose quotes of its own declarations, of the terms and of the game: ``{{limits.daily.gap}}``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgit.ground import clock
from nomicgit.ground.problems import Exhausted, NomicError, Refused
from nomicgit.law import paths
from nomicgit.law.declarations import Action
from nomicgit.law.law import Law
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Placed
from nomicgit.law.terms import quoted
from nomicgit.law.variables import MISSING
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

_SPAN = re.compile(r"(\d+(mo|[smhdw]))+", re.ASCII)


def filled(world: Transaction, placed: Placed) -> str:
    """The prose of a rule with its quotes filled in; a quote of nothing stays as written."""
    if "{{" not in placed.prose:
        return placed.prose
    return quoted(placed.prose, lambda path: quote(world, placed, path))


def cost(law: Law, action: Action) -> str:
    """What doing an action takes, as its declaration tells people, with its quotes filled in; "" where it tells nothing."""
    if action.takes:
        said = [
            f"{n} {name}" if isinstance(n, int) else f"{name} as {written(n)} says"
            for name, n in _named(action)
        ]
        return shown(said) or ""
    placed = law.ruleset.by_slug[action.rule]
    return quoted(str(action.attributes.get("cost") or ""), lambda path: _of_law(law, placed, path))


def _named(action: Action) -> Iterator[tuple[str, int | str]]:
    """Each variable that an action takes of, as people call it, with how much."""
    return ((name.replace("_", " ").replace(".", " "), n) for name, n in action.takes.items())


def quote(world: Transaction, placed: Placed, path: str) -> str | None:
    """What a quote in a rule's prose reads as; None where it quotes nothing."""
    head, _, rest = path.partition(".")
    return _of_game(world, rest) if head == "game" else _of_law(world.law, placed, path)


def _of_law(law: Law, placed: Placed, path: str) -> str | None:
    head, _, rest = path.partition(".")
    if head == "terms":
        return law.declared.terms.get(rest) or rest
    try:
        declared = paths.at(dict(placed.front), paths.segments(path))
    except Refused:
        return None
    return None if declared is MISSING else shown(declared)


def _of_game(world: Transaction, name: str) -> str | None:
    declared = world.law.variable("game", name)
    if declared is None or declared.tracked != "public":
        return None
    try:
        return shown(reading.get(world, "game", name))
    except Exhausted:
        raise
    except NomicError:
        return None


def shown(value: object) -> str | None:
    """A value as prose says it: durations in words, lists as *a, b and c*, keys of a map likewise."""
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case str() if _SPAN.fullmatch(value):
            return clock.in_words(value)
        case list() | dict():
            words = [shown(v) or "nothing" for v in value]
            return (
                words[0]
                if len(words) == 1
                else ", ".join(words[:-1]) + " and " + words[-1]
                if words
                else "nothing"
            )
    return str(value)
