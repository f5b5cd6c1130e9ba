"""Whether an action that is open can be done with anything at all: all values that can be listed are tried. Nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Any

from nomicgit.ground.problems import NomicError
from nomicgit.ground.wording import in_words
from nomicgit.law.declarations import Action
from nomicgit.law.variables import Type
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

MOST = 80  # ways to ask for one action that are tried
ALONE = 300  # values of one parameter that are judged by themselves
NONE = {"matter": "no matter is pending", "post": "there is no post yet"}
Given = Mapping[str, Any]


def first(world: Transaction, action: Action, actor: str) -> Given | None:
    """The first of these ways that nothing stands against; None where there is none, or nobody can say."""
    ways = islice(_ways(world, action), MOST)
    return next((given for given, why in _asked(world, action, actor, ways) if why == ""), None)


def why_none(world: Transaction, action: Action, actor: str) -> str:
    """Why an action cannot be done with anything now; "" where it can, or where not all ways can be tried."""
    for name, kind in action.parameters.items():
        values = listed(world, kind, ALONE) if kind.required else None
        if values == []:
            return NONE.get(kind.kind, f"{name.replace('_', '-')}: there is none")
        if values and kind.which and len(values) <= ALONE:
            tries = _tried(world, ({name: value} for value in values), partial(_unfit, world, action, actor))
            if refusal := _refused(tries):
                return refusal
    ways = list(islice(_ways(world, action), MOST + 1))
    if not ways or not ways[0] or len(ways) > MOST:
        return ""
    return _refused(_asked(world, action, actor, ways))


def barred(world: Transaction, name: str, actor: str, given: Given) -> str:
    """Why an action is refused, however dice fall; "" where nothing stands against it, or dice decide."""
    refusal = acting.barred(world, name, actor, given)
    return "" if refusal is None else refusal.problems[0].what


def _refused(tries: Iterable[tuple[Given, str | None]]) -> str:
    """Why all of these are refused, by the first of those that are refused as the fewest are; "" where one is not, or hangs on a secret."""
    ways: dict[str, list[Given]] = {}
    for given, why in tries:
        if not why:
            return ""
        ways.setdefault(why, []).append(given)
    if not ways:
        return ""
    why, alike = min(ways.items(), key=lambda each: len(each[1]))
    return f"nothing that it takes is allowed now, such as {in_words(dict(alike[0]))}: {why}"


def _unfit(world: Transaction, action: Action, actor: str, given: Given) -> str:
    """Why one parameter is refused whatever else is handed in."""
    ((name, value),) = given.items()
    return acting.unfit(world, action, actor, name, value).removeprefix(f"{name}: ")


def _asked(
    world: Transaction, action: Action, actor: str, ways: Iterable[Given]
) -> Iterator[tuple[Given, str | None]]:
    """Each way with why it would be refused."""
    return _tried(world, ways, lambda given: barred(world, action.name, actor, given))


def _tried(
    world: Transaction, ways: Iterable[Given], why_not: Callable[[Given], str]
) -> Iterator[tuple[Given, str | None]]:
    """Each way with what stands against it; None where that hangs on a secret, or the law breaks over it."""
    for given in ways:
        store = world.store
        store.needed, before = False, store.looked
        world.question()
        try:
            why: str | None = why_not(given)
        except NomicError:
            why = None
        if store.needed:
            why = None
        store.needed, store.looked = False, before
        yield given, why


def _ways(world: Transaction, action: Action) -> Iterator[Given]:
    """All ways to ask for an action, texts and what may be anything left out where they may be; none where they cannot be listed."""
    taken: list[list[tuple[str, Any] | None]] = []
    for name, kind in action.parameters.items():
        values, needed = listed(world, kind, MOST), kind.required
        spare = kind.kind == "text" or (kind.kind == "any" and kind.default is None)
        if values is None and (needed or not spare):
            return
        taken.append([*([] if needed else [None]), *((name, value) for value in values or ())])
    for each in product(*taken):
        yield dict(pair for pair in each if pair is not None)


def listed(world: Transaction, kind: Type, most: int) -> Sequence[Any] | None:
    """All values of a type, as people hand them in; of more posts than so many the latest, and one more.

    None where they cannot be listed, or not without the game's key.
    """
    declared = world.law.declared
    match kind.kind:
        case "boolean":
            return [True, False]
        case "choice":
            return kind.choices
        case "player":
            refs = reading.roster(world, idle=not kind.active)
        case "matter":
            refs = reading.find(world, "posts", status="pending")
        case "post":
            refs = [
                f"posts/{number}" for number in sorted(world.store.ids("posts"), key=int)[: -most - 2 : -1]
            ]
        case "rule":
            return [placed.slug for placed in world.ruleset.rules]
        case name if name in declared.catalogues:
            return list(declared.catalogues[name])
        case name if name in declared.collections and declared.collections[name].tracked == "public":
            return list(declared.collections[name].grid or sorted(world.store.ids(name)))
        case _:
            return None
    return [bare(world, ref) for ref in refs]
