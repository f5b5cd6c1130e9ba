"""What a rule's prose quotes of its own declarations, of the terms and of the game: ``{{limits.daily.gap}}``."""

from __future__ import annotations

import re

from nomicgit.ground import clock
from nomicgit.ground.kept import late
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.law import paths
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.law.terms import quoted
from nomicgit.law.variables import MISSING
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

_SPAN = late(r"(\d+(mo|[smhdw]))+", re.ASCII)


def filled(world: Transaction, placed: Placed) -> str:
    """The prose of a rule with its quotes filled in; a quote of nothing stays as written."""
    if "{{" not in placed.prose:
        return placed.prose
    return quoted(placed.prose, lambda path: quote(world, placed, path))


def quote(world: Transaction, placed: Placed, path: str) -> str | None:
    """What a quote in a rule's prose reads as; None where it quotes nothing."""
    head, _, rest = path.partition(".")
    return _of_game(world, rest) if head == "game" else of_law(world.law, placed, path)


def of_law(law: Law, placed: Placed, path: str) -> str | None:
    """What a quote of a term, or of a declaration of a rule, reads as; None where it quotes nothing."""
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
    except NomicError as error:
        error.answered()
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
            *words, last = [shown(v) or "nothing" for v in value] or ["nothing"]
            return f"{', '.join(words)} and {last}" if words else last
    return str(value)
