"""An action as it may be typed, made from its declaration and from what the game has, and what it would do now."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from nomicgit.cli.bodies.deeds import made_and_changed
from nomicgit.cli.face import loaded
from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.ground.wording import in_words
from nomicgit.law.declarations import Action
from nomicgit.outlook import allowed, doings
from nomicgit.outlook.checks.arguments import each_alone, ways
from nomicgit.outlook.commanded import command, order
from nomicgit.physics.deed import Deed, folded
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id

NOTHING, REFUSED = "nothing that was tried would be done now, such as", "it would be refused now"
MOST = 4  # lines of what one would do
TRIED = 20  # ways that are tried


class Example(NamedTuple):
    """A command: one to copy, which would be done now, or one whose words in capitals stand for what is to be put in.

    What it would do now, or why what was tried is refused, in lines; whether it would be done, and whether dice decide; whether
    it is handed in as an order, since it needs the key; and how it is, where nobody can tell whether it does (``if_sealed``).
    """

    command: str
    now: tuple[str, ...]
    done: bool
    chance: bool = False
    put_in: Mapping[str, str] = {}
    ordered: bool = False
    if_sealed: str = ""

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "example": self.command, "put_in": dict(self.put_in), "now": list(self.now), "done": self.done, "chance": self.chance,
        }  # fmt: skip


def example(game: Game, world: Transaction, action: Action, actor: str) -> Example:
    """The first way to ask for an action that would be done now; else how it is asked for, and why that is refused."""
    who = f"players/{actor}"
    first = allowed.first(world, action, who)
    more, alone = ways(world, action, who), each_alone(world, action, who)
    plainest = chain([first] if first is not None else [], islice(more, 1))
    # what is limited, and may be done with nothing given, would be wasted so
    wasted = action.limit and not any(kind.required for kind in action.parameters.values())
    shortest = chain(alone, plainest) if wasted else chain(plainest, alone)
    try_one = _surmised if action.always_private else _tried
    refused = list[Example]()
    for way in islice(chain(shortest, more), TRIED):
        tried = try_one(game, world, action, actor, way)
        if tried and tried.done:
            return tried
        refused += [tried] if tried else []
    by_chance = next((each for each in refused if each.chance), None)
    ordered = any(each.ordered for each in refused)
    return by_chance or _form(action, _oddest(refused), ordered=ordered, keyed=bool(game.terms))


def _tried(
    game: Game, world: Transaction, action: Action, actor: str, given: Mapping[str, Any]
) -> Example | None:
    deed = Deed(new_id(world.now), actor, action.name, given, world.now)
    try:
        outcome, after = game.tried(deed)
    except NeedsKey:  # it is an order, then
        return _surmised(game, world, action, actor, given)
    except NomicError as refused:
        why = f"{_said(given)}: {refused.problems[0].what}"
        by_chance = not allowed.barred(world, action.name, f"players/{actor}", given)
        return Example(_command(action, given) if by_chance else "", (why,), done=False, chance=by_chance)
    lines = [*folded(outcome.notes), *made_and_changed(outcome, after)]
    more = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return Example(_command(action, given), (*lines[:MOST], *more), done=True, chance=bool(outcome.draws))


def _oddest(refused: Sequence[Example]) -> tuple[str, ...]:
    """Why one of these is refused: the first of those that are refused as the fewest are, for that tells most."""
    alike = Counter(map(_why, refused))
    return min(refused, key=lambda each: alike[_why(each)]).now if refused else ()


def _why(refused: Example) -> str:
    return next(iter(refused.now), "").partition(": ")[2]


def _surmised(
    game: Game, world: Transaction, action: Action, actor: str, given: Mapping[str, Any]
) -> Example | None:
    """What everybody can say of an order; None in a game that takes none."""
    if not game.terms:
        return None
    why = loaded("orders.surmised")(game, action.name, actor, given, world.now)
    now = (f"{_said(given)}: {why}",) if why else ()
    return Example(order(action, given, _word), now, done=not why, ordered=True)


def _said(given: Mapping[str, Any]) -> str:
    return in_words({name.replace("_", "-"): value for name, value in given.items()}) if given else "as it is"


def _form(action: Action, refused: tuple[str, ...], *, ordered: bool, keyed: bool) -> Example:
    """How an action is asked for: with all that must be given, or where nothing must be with all that can be."""
    needed = [name for name, kind in action.parameters.items() if kind.required]
    put_in = {name: name.rstrip("_").replace("_", "-").upper() for name in needed or action.parameters}
    types = {capitals: action.parameters[name].kind for name, capitals in put_in.items()}
    as_order = ordered or (keyed and bool(action.hidden(put_in)))
    openly, sealed = _command(action, put_in), order(action, put_in, _word) if keyed else ""
    if as_order:
        return Example(sealed, refused, done=False, put_in=types, ordered=True)
    return Example(openly, refused, done=False, put_in=types, if_sealed=sealed if sealed != openly else "")


def _command(action: Action, given: Mapping[str, Any]) -> str:
    return command(action, given, _word)


def _word(value: object) -> str:
    """A value as a shell takes it."""
    return shlex.quote(value if isinstance(value, str) else files.write_flow(value))


def lines(shown: Example) -> Iterator[str]:
    """The command, then what it would do now, or why not."""
    if shown.command and (shown.done or shown.chance):
        yield f"for example: {shown.command}"
    else:
        stands = ", ".join(f"{capitals}: {kind}" for capitals, kind in shown.put_in.items())
        yield f"write: {shown.command}" + (f"  (put in {stands})" if stands else "")
    if shown.if_sealed:
        yield f"if that is refused as sealed: {shown.if_sealed}"
    if shown.now:
        said = "it would be done now" if shown.done else REFUSED if shown.chance else NOTHING
        yield f"{said}{f' ({doings.BY_CHANCE})' if shown.chance else ''}:"
        yield from (f"  {line}" for line in shown.now)
