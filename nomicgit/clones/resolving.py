"""Resolving what the law lets be resolved without asking anybody, in the name of an admin who leaves that to who keeps the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import deriving, reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id
from nomicgit.record.signers import Unsigned

RESOLVE = "resolve"
OUTCOMES = {"enact": "enacted", "fail": "failed"}


class Resolved(NamedTuple):
    """A matter that was due, by its number; what was to become of it, the commit, and why there is none."""

    matter: int
    outcome: str
    commit: str | None
    why_not: str = ""

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "matter": self.matter,
            "as": self.outcome,
            "commit": self.commit,
            "why_not": self.why_not or None,
        }


def due(world: Transaction, tried: Collection[int]) -> tuple[int, str] | None:
    """The oldest matter that the law lets be resolved, and how. ``tried``: those that are passed over."""
    for ref in reading.find(world, "posts", status="pending"):
        number = int(ref.partition("/")[2])
        if number in tried:
            continue
        world.refuel()
        try:
            verdict = deriving.view(world, "verdict", ref)
        except NomicError:
            continue
        outcome = OUTCOMES.get(str(verdict.get("outcome"))) if isinstance(verdict, Mapping) else None
        if outcome is not None:
            return number, outcome
    return None


def each_due(look: Callable[[], Transaction], tried: set[int]) -> Iterator[tuple[int, str]]:
    """What the law lets be resolved, and how, the oldest first, as often as something can be; it is done before the next is looked for.

    ``look``: the game as it stands then; ``tried``: those that are passed over, to which each is added.
    """
    while (ripe := due(look(), tried)) is not None:
        tried.add(ripe[0])
        yield ripe


def resolution(game: Game, number: int, outcome: str, by: str, at: int) -> Deed:
    """The deed by which a matter is resolved so, in somebody's name, at a time (seconds, UTC), or after the last deed."""
    return Deed(new_id(at), by, RESOLVE, {"matter": str(number), "as": outcome}, max(at, game.last()))


def barred(game: Game, name: str, at: int) -> str:
    """Why the law lets nobody of that name resolve anything at a time; "" where it does."""
    world = game.looked_at(at)
    action = world.law.declared.actions.get(RESOLVE)
    if action is None:
        return "no rule of this game says how anything is resolved"
    try:
        return acting.who_bars(world, action, f"players/{game.tree.spelled(name)}")
    except NomicError as wrong:
        return wrong.problems[0].what


def resolve(game: Game, name: str, at: int) -> Iterator[Resolved]:
    """Resolve what may be at a time (seconds, UTC), the oldest first, as often as something can be. Refused for who is no player."""
    by = game.tree.spelled(name)
    if game.tree.entity(f"players/{by}") is None:
        raise Refused.of(f"{printable(name, 60)} is no player", mend="name an admin of the game")
    for number, outcome in each_due(lambda: game.looked_at(at), set()):
        try:
            yield Resolved(number, outcome, game.act(resolution(game, number, outcome, by, at)).commit)
        except Unsigned as wrong:
            sign = remedy(
                "this clone signs by the steward's key, one of its own, which who may restore the game names once:",
                command("nomicgit", "signers", "--of", "steward", "--add", "FILE.pub", "--by", "NAME"),
                "then here:",
                command("nomicgit", "me", "steward", "--key", "FILE"),
            )
            yield Resolved(number, outcome, None, str(replace(wrong.problems[0], mend=sign)))
        except NomicError as wrong:
            yield Resolved(number, outcome, None, str(wrong.problems[0]))
