"""Random play: games in which players do whatever the rules declare, with whatever parameters fit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.variables import KINDS, Type
from nomicgit.physics.deed import Deed
from nomicgit.physics.state import reading, resetting
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id

WORDS = [
    "Nave",
    "Hall",
    "idle",
    "unidle",
    "Moon",
    "I ask to be idle",
    "please unidle me",
    "Stair",
    "Well",
    "Gate",
    "Loft",
    "Yard",
]
CHANGES: Sequence[Callable[[random.Random, Transaction], Any]] = (
    lambda r, _: {"add-rule": {"title": r.choice(WORDS), "text": "It shines."}},
    lambda r, _: {"set": {"game.moon": r.randrange(9)}},
    lambda r, w: {"player": {"name": r.choice(reading.roster(w)).partition("/")[2], "admin": True}},
    lambda *_: {"uphold": "It happened."},
)

HINTED = 0.8
"""How often a hint is taken where there is one."""


@dataclass
class RandomPlay:
    """A random game on its way: what was accepted, and what was refused why."""

    game: Game
    seed: int
    at: int
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    prefer: Mapping[str, Callable[[RandomPlay, Transaction, str], dict[str, Any] | None]] = field(
        default_factory=dict
    )
    calm: Sequence[str] = ()
    """Actions that end what others need, in order: each waits until nothing but it and later ones is wanted."""
    latest: dict[str, str] = field(default_factory=dict)
    """The latest accepted deed of each action."""
    name: Callable[[int], str] | None = None
    """The id of a deed by how many were tried before; a fresh one where nobody says."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def play(self, deeds: int, wanted: Sequence[str], tries: int) -> None:
        """Try deeds until so many are accepted and every wanted action was, or the tries are used up."""
        for _ in range(tries):
            missing = [name for name in wanted if not self.accepted[name]]
            if sum(self.accepted.values()) >= deeds and not missing:
                return
            self.one(missing)

    def one(self, missing: Sequence[str]) -> None:
        """Try one deed; every reached state must be legal, and nothing may be defective."""
        r = self.random
        self.at += r.choice([1, 60, 3600, 3600, 5 * 3600, 13 * 3600, 26 * 3600])
        world = self.game.looked_at(self.at)
        name = self._action(world, missing)
        action = world.law.declared.actions[name]
        everyone = reading.roster(world, idle=True)
        actor = r.choice(everyone).partition("/")[2]
        if "emperor" in action.by and r.random() < 0.7 and reading.emperor(world):
            actor = str(reading.emperor(world)).partition("/")[2]
        hint = self.prefer.get(name)
        given = hint(self, world, actor) if hint is not None and r.random() < HINTED else None
        if given is not None and "actor" in given:
            actor = given.pop("actor")
        if given is None:
            given = {
                n: self.value(world, kind, n)
                for n, kind in action.parameters.items()
                if kind.required or r.random() < 0.4
            }
        self.attempt(actor, name, given)

    def _action(self, world: Transaction, missing: Sequence[str]) -> str:
        closed = {name for i, name in enumerate(self.calm) if not set(missing) <= set(self.calm[i:])}
        names = [n for n in world.law.declared.actions if n not in closed]
        wished = [m for m in missing if m in names]
        return self.random.choice(wished if wished and self.random.random() < 0.6 else names)

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        """Try this deed, whose refusal is no fault; hints may prepare the ground with deeds of their own."""
        tried = self.accepted.total() + self.refused.total()
        deed = Deed(self.name(tried) if self.name else new_id(self.at), actor, name, given, self.at)
        try:
            recorded = self.game.act(deed)
        except Refused as error:
            defective = "defective" in str(error)
            assert not defective, f"{actor} {name} {given}: {error}"  # noqa: PT017 - a refusal is what is looked at
            self.refused[name] += 1
            self.reasons[name] = str(error)
            return
        assert not [n for n in recorded.outcome.notes if "defective" in n], recorded.outcome.notes
        self.accepted[name] += 1
        self.latest[name] = deed.id
        self.legal()

    def legal(self) -> None:
        """Every stored value of the gamestate must be legal; idle players keep theirs as they were, to be sorted on the return."""
        world = self.game.world()
        kinds = [
            "players",
            *(k for k, c in world.law.declared.collections.items() if world.store.ids(k) or c.grid),
        ]
        for ref in ["game", "dynasty", *(f"{k}/{i}" for k in kinds for i in world.store.ids(k))]:
            if reading.is_idle(world, ref):
                continue
            for variable in world.law.by_kind.get(kind_of(ref), ()):
                if not variable.derived and not variable.invalid:
                    why = resetting.illegal(world, ref, variable)
                    assert why == "", f"{ref} {variable.name}: {why}"

    def value(self, world: Transaction, kind: Type, name: str) -> Any:
        """Something of a type, mostly a value that there is."""
        r = self.random
        if name == "changes":
            return [r.choice(CHANGES)(r, world) for _ in range(r.randrange(3))]
        match kind.kind:
            case "player":
                return r.choice(reading.roster(world, idle=True)).partition("/")[2]
            case "post" | "matter":
                pending = reading.find(world, "posts", status="pending")
                posts = (
                    pending
                    if pending and r.random() < 0.8
                    else [f"posts/{n}" for n in world.store.ids("posts")]
                )
                return r.choice(posts).partition("/")[2] if posts else "1"
            case "rule":
                return r.choice(world.ruleset.rules).slug
            case "deed":
                return r.choice(list(self.latest.values()) or ["none"])
            case "text":
                return r.choice(WORDS)
            case "integer" | "number":
                return r.choice([0, 1, 1, 2, 3, 7])
            case "boolean":
                return r.random() < 0.5
            case "choice":
                return r.choice(kind.choices)
            case "datetime":
                return clock.text(self.at)
            case "date":
                return clock.text(self.at)[:10]
            case "list" | "set":
                inner = kind.items or Type("text")
                found = [self.value(world, inner, "") for _ in range(r.choice([0, 1, 1, 2, 3]))]
                return list(dict.fromkeys(found)) if all(isinstance(f, str) for f in found) else found
            case "map":
                keys, values = kind.keys or Type("text"), kind.values or Type("text")
                return {
                    str(self.value(world, keys, "")): self.value(world, values, "")
                    for _ in range(r.randrange(2))
                }
            case "record":
                return {n: self.value(world, k, n) for n, k in kind.fields.items()}
            case "entry":
                table = world.law.declared.catalogues.get(kind.catalogue) or {"none": {}}
                row = r.choice(list(table))
                types = world.parameters(table[row], kind.rule) if isinstance(table[row], Mapping) else {}
                return {"action": row} | {n: self.value(world, k, n) for n, k in types.items()}
            case other if other not in KINDS and other in world.law.declared.collections:
                ids = reading.find(world, other)
                return r.choice(ids).partition("/")[2] if ids else "none"
            case other if other in world.law.declared.catalogues:
                return r.choice(list(world.law.declared.catalogues[other]))
        return r.choice(WORDS)
