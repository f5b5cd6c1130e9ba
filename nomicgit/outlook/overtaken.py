"""Which deed has changed a rule since a pending matter was posted that is to amend it: why a change of it cannot be made any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.ruleset import Placed
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import journal, line
from nomicgit.record.game import Game
from nomicgit.record.tree import RULESET


def changed_meanwhile(game: Game, world: Transaction, number: int) -> str:
    """The rules that a pending matter is to change and that have changed since it was posted, each with the last deed that did
    so; "" where there is none.
    """
    with suppress(NomicError):
        posted = clock.instant(str(reading.get(world, f"posts/{number}", "at")))
        rules = {rule.slug: rule for rule in _meant(world, reading.get(world, f"posts/{number}", "changes"))}
        return "; ".join(said for rule in rules.values() if (said := _last(game, rule, posted)))
    return ""


def _meant(world: Transaction, changes: object) -> Iterator[Placed]:
    """The rules in force that changes name."""
    for change in changes if isinstance(changes, list) else ():
        for given in change.values() if isinstance(change, Mapping) else ():
            name = given.get("rule") if isinstance(given, Mapping) else None
            if isinstance(name, str):
                with suppress(NomicError):  # it is no rule any more, or none yet
                    yield world.ruleset.by_slug.get(name) or world.ruleset.find(name)


def _last(game: Game, rule: Placed, posted: int) -> str:
    """The last deed that changed a rule, where that was not before a time."""
    last = next(iter(game.repository.walked(game.head.oid, RULESET + rule.path)), None)
    commit = game.repository.commit(last.oid) if last is not None else None
    if commit is None or commit.author_time < posted or journal.told(commit.message) is None:
        return ""
    title = printable(rule.title, 60)
    return f"{title} was last changed by {line.deed_in_words(commit)} ({commit.oid[:12]})"
