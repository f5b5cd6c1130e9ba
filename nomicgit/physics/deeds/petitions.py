"""Petitions: what somebody has asked for by one action, and another action, of somebody else, has yet to answer.

An action says by ``answers`` which one asks for it; its first parameter is of a collection, whose entities are called
like those who wait.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgit.ground.problems import NomicError
from nomicgit.law.declarations import Action
from nomicgit.physics.deeds import acting, units
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction


class Petition(Struct, frozen=True):
    """Who waits, what they have asked for, and by which action, with which parameter, it is answered."""

    who: str
    asked: str
    answer: str
    parameter: str

    @property
    def spoken(self) -> str:
        """What they have asked to do, as one says it."""
        return self.asked.replace("-", " ")

    @property
    def given(self) -> dict[str, str]:
        """With what it is answered."""
        return {self.parameter: self.who}


def waiting(world: Transaction) -> tuple[Petition, ...]:
    """All that wait for an answer which the law lets somebody give, in the order in which they asked."""
    answers = [action for action in world.law.declared.actions.values() if action.answers]
    return tuple(petition for action in answers for petition in _to(world, action))


def _to(world: Transaction, action: Action) -> Iterator[Petition]:
    """Those who wait for one action."""
    name, kind = next(iter(action.parameters.items()), ("", None))
    if kind is None or kind.kind not in world.law.declared.collections:
        return
    for ref in units.entities(world, kind.kind):
        who = ref.partition("/")[2]
        try:
            acting.parameters(world, action, {name: who})
        except NomicError as error:
            error.answered()
            continue
        yield Petition(who, action.answers, action.name, name)


def of(world: Transaction, asked: str, who: str) -> Petition | None:
    """What somebody has asked for by an action, where it waits for an answer."""
    return next((each for each in waiting(world) if (each.asked, each.who) == (asked, who)), None)


def answerers(world: Transaction, petition: Petition) -> Iterator[str]:
    """The ids of the players who may answer."""
    action = world.law.declared.actions[petition.answer]
    for ref in reading.roster(world, idle=True):
        if not acting.bar(world, action, ref):
            yield ref.partition("/")[2]
