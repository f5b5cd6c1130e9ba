"""Which actions open and close with a change, for whom, and which new ones nobody can do as things stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.declarations import Action
from nomicgit.outlook import allowed
from nomicgit.outlook.checks.arguments import ways
from nomicgit.outlook.checks.shut import shut
from nomicgit.outlook.openings import newcomer, spoken_of
from nomicgit.physics.deeds import acting
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

Reasons = Mapping[str, Mapping[str, str]]
"""For every action and every player: nothing, or why it is not open to them."""
LONG = 200  # letters of a reason
DOES = "who does "  # so begins what of every private action is secret: that somebody does it
AS_UNSET = (
    "so it is where nothing secret is set; how it is here hangs on what is, and only the keeper can say"
)
OUTSIDE = "whoever is no player yet"


class AsUnset(str):
    """An answer that was given where nothing secret is set, and hangs on what is."""

    __slots__ = ()


def open_to(world: Transaction, players: Iterable[str]) -> dict[str, dict[str, str]]:
    """For every action in force and every player: nothing, or why it is not open to them."""
    reasons: dict[str, dict[str, str]] = {}
    for player in players:
        for action in world.law.declared.actions.values():
            reasons.setdefault(action.name, {})[bare(world, player)] = _bar(world, action, player)
    return reasons


def differences(world: Transaction, before: Reasons, after: Reasons) -> list[dict[str, Any]]:
    """The actions that open or close from before to ``after``, which is as the world stands now.

    Keys: ``action``, ``how`` (new, gone or ""), ``opens`` (for whom), ``closes`` (why, by players), ``nobody`` (why a new
    one opens for nobody now, or ""), ``as_unset`` (whether any of that hangs on what is secret, and so is told as where nothing is).
    """
    made = []
    for name in sorted({*before, *after}):
        was, now = before.get(name, {}), after.get(name, {})
        said = [*was.values(), *now.values()]
        nobody = ""
        if name not in before:
            now, nobody = _new(world, world.law.declared.actions[name], now)
        unset = any(isinstance(why, AsUnset) for why in (*said, *now.values()))
        opens = [player for player, why in now.items() if not why and was.get(player, "x")]
        closes = {
            player: now.get(player, "no rule declares it")
            for player, why in was.items()
            if not why
            and now.get(player, "x")
            and (player in now or name not in after)  # else they have left
        }
        if opens or closes or (name in before) != (name in after):
            how = "new" if name not in before else "gone" if name not in after else ""
            row = {"action": name, "how": how, "opens": opens, "closes": closes, "nobody": nobody}
            made.append({**row, "as_unset": unset})
    return made


def in_words(each: Mapping[str, Any], *, reasons: bool) -> str:
    """What becomes of one of these actions; of those that close with the first of the ``reasons``, if they are wanted."""
    parts = [each["how"]] if each["how"] else []
    if each["opens"]:
        parts.append(f"opens for {', '.join(each['opens'])}")
    elif each["nobody"]:
        parts.append(f"opens for nobody now ({printable(each['nobody'], LONG)})")
    if each["closes"]:
        why = f" ({printable(next(iter(each['closes'].values())), LONG)})" if reasons else ""
        parts.append(f"closes for {', '.join(each['closes'])}{why}")
    if each["as_unset"]:
        parts.append(AS_UNSET)
    return "; ".join(parts)


def _new(world: Transaction, action: Action, whys: Mapping[str, str]) -> tuple[Mapping[str, str], str]:
    """To whom a new action is open, with what it takes as it is now; and why to nobody, "" where it is to somebody."""
    whys = {player: why or _with_nothing(world, action, f"players/{player}") for player, why in whys.items()}
    if not all(whys.values()):
        refusal = shut(world, [action]).get(action.name)
        if refusal is None or any(_done(world, action, f"players/{player}") for player in whys):
            return whys, ""
        return dict.fromkeys(whys, refusal.what), spoken_of(refusal.what)
    if not _bar(world, action, newcomer(world)):
        return {**whys, OUTSIDE: ""}, ""
    limit = world.law.declared.limits.get(action.limit)
    if limit is not None and limit.times == 0:
        return whys, f"the limit {limit.name} never allows it"
    theirs = [why for player, why in whys.items() if not _who_bars(world, action, f"players/{player}")]
    return whys, spoken_of(next(iter([*theirs, *whys.values()]), "there is nobody"))


def _bar(world: Transaction, action: Action, player: str) -> str:
    return _why(world, partial(acting.bar, world, action, player))


def _who_bars(world: Transaction, action: Action, player: str) -> bool:
    return bool(_why(world, partial(acting.who_bars, world, action, player)))


def _with_nothing(world: Transaction, action: Action, player: str) -> str:
    return _why(world, partial(allowed.why_none, world, action, player))


def _why(world: Transaction, asked: Callable[[], str]) -> str:
    """The answer to a question of why not, with fuel of its own; where the law breaks over it, what breaks."""
    world.refuel()
    store = world.store
    before, store.met = store.met, set()
    try:
        why = asked()
    except NomicError as error:
        why = error.problems[0].what
    met, store.met = store.met, before
    return AsUnset(why) if any(not each.startswith(DOES) for each in met) else why


def _done(world: Transaction, action: Action, player: str) -> bool:
    """Whether a player could do it in one of the ways that its declaration shows."""
    for given in ways(world, action, player):
        world.refuel()
        try:
            if not allowed.barred(world, action.name, player, given):
                return True
        except NomicError:
            continue
    return False
