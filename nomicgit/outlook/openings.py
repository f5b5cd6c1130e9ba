"""Which actions are open: to a player, now and from when on; and which to nobody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import count

from nomicgit.ground.reasons import worded
from nomicgit.law.declarations import Action
from nomicgit.outlook import allowed
from nomicgit.outlook.ahead import Answer, Question, asked, look_ahead
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import Sealed
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from nomicgit.record.secret.told import Told

_THEY = {"you": "they", "your": "their", "yours": "theirs", "yourself": "themselves"}
_YOU = re.compile(rf"\b({'|'.join(_THEY)})\b", re.IGNORECASE)
_BEFORE = "at|against|behind|beside|by|from|give|gives|let|lets|make|makes|of|on|owe|owes|show|shows|tell|tells|to|upon|with"
_AFTER = "again|and|as|at|before|by|for|from|here|in|now|on|or|there|to|today|until|with"
_OBJECT = re.compile(rf"\b({_BEFORE}) you\b|\byou(?=\s*$|\s*[^\w\s]|\s+(?:{_AFTER})\b)")
"""*You* where something is done to somebody: behind some words, before others, and at the end of what is said."""


def openings(world: Transaction, player: str, actions: Iterable[Action] | None = None) -> dict[str, Answer]:
    """Every action in force, or these: whether it is open to a player, why not, and from when.

    One that can be done with nothing now is not; from when on it can, nobody looks for. The world is used up by looking ahead.
    """
    world.look()
    chosen = list(world.law.declared.actions.values() if actions is None else actions)
    questions = {action.name: _opening(action, f"players/{player}") for action in chosen}
    nothing = {
        action.name: why
        for action in chosen
        if _is_open(asked(world, questions[action.name]))
        and (why := allowed.why_none(world, action, f"players/{player}"))
    }
    now, asking = world.now, {name: each for name, each in questions.items() if name not in nothing}
    answers = look_ahead(world, asking)
    return {name: answers.get(name) or Answer(nothing[name], None, now) for name in questions}


def in_private(game: Game, player: str, letter: Told, at: int) -> list[dict[str, object]]:
    """What a player may do in private at a time (seconds, UTC), and what else hangs on a secret, as far as their letter goes:
    what is open first, then what will be soonest.
    """
    world = game.looked_at(at)
    world.look()
    chosen = [
        action
        for action in world.law.declared.actions.values()
        if action.private or isinstance(asked(world, _opening(action, f"players/{player}")), Sealed)
    ]
    answers = openings(game.looked_at(at, letter), player, chosen)
    rows = sorted(answers.items(), key=lambda row: (row[1].earliest is None, row[1].earliest or 0))
    return [{"action": name, **answer.as_json(), "why_not": worded(answer.why_not)} for name, answer in rows]


def against(world: Transaction, action: Action, who: str) -> str:
    """Nothing, or what stands against an action for somebody now, be it that nothing that it takes is allowed; Sealed where only who has
    the game's key can say.
    """
    why = asked(world, _opening(action, who))
    return (allowed.why_none(world, action, who) or why) if _is_open(why) else why


def _is_open(why: str) -> bool:
    """Whether an action is open as far as everybody can say."""
    return not why or isinstance(why, Sealed)


def closed(world: Transaction, actions: Iterable[Action]) -> dict[str, str]:
    """Why nobody may do an action now, neither a player, be they idle, nor who is none yet; "" where somebody may, Sealed where
    only who has the game's key can say.

    One that nobody can do with anything now is closed too. The reason is that of those whom the action is for, and speaks of them.
    """
    lead = reading.emperor(world)
    players = sorted(reading.roster(world), key=lambda who: who == lead)  # the emperor behind the others
    idle = [who for who in reading.roster(world, idle=True) if who not in players]
    anybody = [*players, *idle, newcomer(world)]
    return {action.name: _closed(world, action, anybody) for action in actions}


def open_to_somebody(world: Transaction) -> tuple[str, ...]:
    """The actions that somebody may do now, be it a player or one who is none yet."""
    world.look()
    reasons = closed(world, world.law.declared.actions.values())
    return tuple(name for name, why in reasons.items() if not why)


def newcomer(world: Transaction) -> str:
    """Somebody who is no player yet."""
    return next(ref for n in count(1) if world.store.fields(ref := f"players/newcomer-{n}") is None)


def _closed(world: Transaction, action: Action, anybody: Iterable[str]) -> str:
    theirs: list[str] = []
    others: list[str] = []
    sealed = ""
    for who in anybody:
        why = against(world, action, who)
        if not why:
            return ""
        if isinstance(why, Sealed):
            sealed = why
            continue
        world.question()
        (others if asked(world, partial(acting.who_bars, action=action, actor=who)) else theirs).append(why)
    return sealed or spoken_of((theirs or others)[0])


def spoken_of(why: str) -> str:
    """A reason that is said to somebody, as it is said of them: *you own no Part* as *they own no Part*."""
    done_to = _OBJECT.sub(lambda word: f"{word[1]} them" if word[1] else "them", why)
    return _YOU.sub(lambda word: _THEY[word[0].casefold()], done_to)


def _opening(action: Action, who: str) -> Question:
    return lambda world: acting.bar(world, action, who)
