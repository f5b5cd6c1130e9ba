"""Two games of which the same is told: each deed is done in both, and must come to the same in both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec.structs import astuple, replace

from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from nomicgit.rehearsal.rehearsal import Past

SEED = b"twins"


class Side(Protocol):
    """A game, wherever it is kept."""

    def act(self, deed: Deed) -> Outcome:
        """Carry a deed out."""

    def world(self) -> Transaction:
        """The game as it stands, to be looked at."""

    def looked_at(self, at: int) -> Transaction:
        """The game at a time, to be looked at."""


class InMemory:
    """A game as a rehearsal keeps it, that keeps no secrets and tries nothing in a worker."""

    def __init__(self, rules: Ruleset, founding: Founding, name: str, seed: bytes = SEED) -> None:
        self.past = Past()
        self.context = Context(self.past, claims={})
        self.position = found(rules, founding, Seeded(seed, name), self.context, NEWEST).position
        self.position.store.forget()

    def act(self, deed: Deed) -> Outcome:
        """Carry a deed out; what falls due by its time happens first, as in a rehearsal."""
        chance, store = Seeded(SEED, deed.id), self.position.store
        world = Transaction(self.position, self.context, chance)
        with world.savepoint():
            failed = pipeline.come(world, deed)
            before, mark = self.position.ruleset, len(store.log)
            done = self.position.decide(self.context, deed, chance)
        self.past.keep(deed, self.position, before, mark)
        store.forget()
        said, told, drawn = [*failed, *world.notes, *done.notes], world.messages, world.draws
        return replace(done, notes=said, messages=[*told, *done.messages], draws=[*drawn, *done.draws])

    def world(self) -> Transaction:
        return Transaction(self.position, self.context, Seeded(SEED, "looking"))

    def looked_at(self, at: int) -> Transaction:
        return self.world()


@dataclass
class InGit:
    """A game in a repository."""

    game: Game

    def act(self, deed: Deed) -> Outcome:
        return self.game.act(deed, lambda: SEED).outcome

    def world(self) -> Transaction:
        return self.game.world()

    def looked_at(self, at: int) -> Transaction:
        return self.game.looked_at(at)


@dataclass
class Twins:
    """Two games at once. ``told`` makes of what the second is the text that must be the first's; ``said`` makes of a
    deed of the first that of the second."""

    one: Side
    other: Side
    told: Callable[[str], str] = str
    said: Callable[[Deed], Deed] = lambda deed: deed
    deeds: list[Deed] = field(default_factory=list)

    def act(self, deed: Deed) -> Any:
        """Do a deed in both, or be refused in both; what they are then must be the same."""
        done = [_done(side, each) for side, each in ((self.one, deed), (self.other, self.said(deed)))]
        first, second = (json.dumps(each, sort_keys=True, default=str) for _, each in done)
        what = f"{deed.actor} {deed.action} {deed.given}:\n{first}\n{self.told(second)}"
        assert self.told(second) == first, what
        refused = done[0][0]
        if isinstance(refused, Refused):
            raise refused
        self.deeds.append(deed)
        self.same()
        return _Recorded(refused)

    def same(self) -> None:
        """Both games are the same now."""
        one, other = (whole(side.world()) for side in (self.one, self.other))
        for ref in {**one, **other}:
            left, right = (json.dumps(side.get(ref), sort_keys=True) for side in (one, other))
            assert self.told(right) == left, f"{ref}:\n{left}\n{self.told(right)}"

    def world(self) -> Transaction:
        return self.one.world()

    def looked_at(self, at: int) -> Transaction:
        return self.one.looked_at(at)


@dataclass(frozen=True)
class _Recorded:
    outcome: Outcome


def _done(side: Side, deed: Deed) -> tuple[Outcome | Refused, object]:
    """A deed done, or refused, and what is told of it."""
    try:
        outcome = side.act(deed)
    except Refused as error:
        return error, [problem.what for problem in error.problems]
    told = [
        outcome.result,
        list(outcome.notes),
        list(outcome.messages),
        [[*astuple(d)] for d in outcome.draws],
    ]
    return outcome, [*told, [dict(each) for each in outcome.effects]]


def whole(world: Transaction) -> Mapping[str, object]:
    """All that a game holds: fields and comments, by reference, and the texts of the rules."""
    store, kinds = world.store, ("players", "posts", "scenarios", *world.law.declared.collections)
    refs: Sequence[str] = (
        "game",
        "dynasty",
        "open",
        *(f"{kind}/{i}" for kind in kinds for i in store.ids(kind)),
    )
    found: dict[str, object] = {ref: _kept(store.fields(ref) or {}) for ref in refs}
    found |= {f"{ref} comments": store.comments(ref) for ref in refs if ref.startswith("posts/")}
    found |= {f"{kind} in order": list(store.ids(kind)) for kind in kinds}
    return found | dict(world.ruleset.texts)


def _kept(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as files hold them: a post's file leaves out what is empty."""
    return {name: value for name, value in fields.items() if value not in ([], {}, None, "")}
