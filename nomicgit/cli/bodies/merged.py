"""What is said when rules change: at an enactment how branches meet what the game has changed since they began, and what scenarios
it breaks; of any other deed, such as an ascension, what works no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.outlook.branches.meanwhile import brought_by, meanwhile
from nomicgit.outlook.checks.arising import found_and_tried
from nomicgit.outlook.checks.rehearsed import LONG, failing, kept
from nomicgit.outlook.foreseen import of_scenarios
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game

MOST = 4  # errors that are told


def beside(
    game: Game, newest: str, before: Ruleset, after: Transaction, enacted: Sequence[str]
) -> dict[str, Any]:
    """The same of all that a deed enacted; ``newest`` was the game's newest commit before it, ``before`` its rules.

    ``meanwhile`` are lines, ``scenarios`` those that fail since, ``unrehearsed`` is how many there was no time for.
    """
    brought = (brought_by(game.repository, after, ref, newest) for ref in enacted)
    lines = [line for each in brought if each for line in meanwhile(each, before, after.ruleset)]
    old = kept(Game(game.repository, game.repository.commit(newest)).looked_at(after.now))
    rules_differ = after.ruleset.texts != before.texts
    those = {name: text for name, text in kept(after).items() if rules_differ or old.get(name) != text}
    failed, left = failing(those, old, before, after.ruleset, after.physics, whole=True, within=LONG)
    return {"meanwhile": lines, "scenarios": failed, "unrehearsed": left}


def moved(before: Ruleset, after: Ruleset) -> list[str]:
    """The titles of the rules that stand elsewhere: in another section, under another rule, or under another number."""
    both = [each for each in after.rules if each.slug in before.by_slug]
    return [each.title for each in both if _place(each) != _place(before.by_slug[each.slug])]


def _place(placed: Placed) -> tuple[str, str | None, str]:
    return placed.section, placed.parent, placed.path.rpartition("/")[2]


def unsound(game: Game, newest: str, after: Transaction) -> list[str]:
    """The errors that the checks newly find in the rules after a deed.

    ``newest`` was the game's newest commit before it.
    """
    try:
        before = Game(game.repository, game.repository.commit(newest)).looked_at(after.now)
        findings = found_and_tried(before, after.ruleset)
    except NomicError as error:
        return [f"the rules after it cannot be tried: {error}"]
    new = {each.file for each in after.ruleset.rules if each.slug not in before.ruleset.by_slug}
    errors = list(
        dict.fromkeys(
            f"it {'does not work' if each.problem.where.file in new else 'works no longer'}: {each.problem}"
            for each in findings
            if each.level == "error"
        )
    )
    more = [f"and {len(errors) - MOST} more: nomicgit check"] if len(errors) > MOST else []
    return [*errors[:MOST], *more]


def lines_of(beside: Mapping[str, Any]) -> Iterator[str]:
    """What people are told of it."""
    yield from beside["meanwhile"]
    yield from of_scenarios(beside, "nomicgit rehearse game/scenarios/*.yml")
