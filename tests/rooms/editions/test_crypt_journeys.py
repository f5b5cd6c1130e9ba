"""Journeys through random crypts, with free dice: each comes out as a model of its own, in plain Python, says."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import pytest

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state import reading
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal import staging

START = clock.instant("2021-06-07T00:00:00Z")
DAY = 86400
LORDS = ["ben", "cy", "dee", "eli"]
FEATURES = [
    "puissance-each", "wound-unless-perceptive", "injury-unless-agile", "moved-back", "glyph", "sigil-energy",
    "puissance-sigil-here", "puissance-sigil-adjacent",
]  # fmt: skip
RULES = editions.load("crypt")
JOURNEYS = range(120)

Crypt = dict[str, dict[str, Any]]


class Recorded(Seeded):
    """Chance that remembers what was drawn from, and what came."""

    choices: list[tuple[list[str], str]] = msgspec.field(default_factory=list)

    def choice(self, options: Sequence[str], *, secret: bool, turn: str) -> int:
        """The place of the option that the next draw gives."""
        place = super().choice(options, secret=secret, turn=turn)
        self.choices.append(([option[-2:] for option in options], options[place][-2:]))
        return place


def beside(room: str) -> list[str]:
    """The rooms that share a side with a room, as the law lists them."""
    column, row = ord(room[0]), int(room[1])
    cells = [(column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1)]
    return [f"{chr(c)}{r}" for c, r in cells if "A" <= chr(c) <= "I" and 1 <= r <= 7]


def furnished(seed: int) -> tuple[Crypt, Crypt]:
    """Rooms and players of a random crypt, explored from the entrance on."""
    r = random.Random(seed)
    rooms: Crypt = {
        "E4": {"explored": True, "name": "Crypt Entrance", "features": [], "sigils": {}, "glyph_owners": []}
    }
    while len(rooms) < r.randrange(2, 16):
        room = r.choice([way for known in rooms for way in beside(known)])
        if room not in rooms:
            features = r.sample(FEATURES, r.randrange(4))
            sigils = {lord: r.choice(["active", "inactive"]) for lord in LORDS if r.random() < 0.3}
            owners = [lord for lord in LORDS if lord not in sigils][:3] if "glyph" in features else []
            rooms[room] = {
                "explored": True,
                "name": f"Room {room}",
                "features": features,
                "sigils": sigils,
                "glyph_owners": owners,
            }
    players: Crypt = {}
    inhabited = r.sample(sorted(set(rooms) - {"E4"}), min(len(rooms) - 1, r.randrange(3)))
    for lord, sepulchre in zip(LORDS, [*inhabited, None, None, None, None], strict=False):
        master = r.choice([None, None, *(other for other in LORDS if other != lord)])
        players[lord] = {
            "puissance": r.randrange(4),
            "influence": r.randrange(3),
            "sepulchre": sepulchre,
            "allegiance": master,
        }
    return rooms, players


@dataclass
class Model:
    """A journey by the words of the rules, without Treasure and Denizens."""

    rooms: Crypt
    players: Crypt
    drawn: Iterator[tuple[list[str], str]]
    energy: int = 6
    here: str = "E4"
    before: str = ""
    redirected: set[str] = field(default_factory=set)

    def travel(self) -> None:
        """The whole journey; LookupError where there is no way on."""
        for player in self.players.values():
            player["influence"] += 1 if player["sepulchre"] else 0
        for room in self.rooms.values():
            room["sigils"] = dict.fromkeys(room["sigils"], "active")
        self.round()
        while self.energy > 0:
            self.round()
        for lord in self.redirected:
            self.players[lord]["allegiance"] = None

    def round(self) -> None:
        """One move, and what he meets."""
        self.energy -= 1
        ways = [room for room in beside(self.here) if room in self.rooms and self.rooms[room]["explored"]]
        if not ways:
            raise LookupError(self.here)
        offered, room = next(self.drawn) if len(ways) > 1 else (ways, ways[0])
        assert offered == ways
        self.before, self.here = self.here, room
        self.collapse(room)
        for feature in list(self.rooms[room]["features"]):
            self.apply(feature, room)

    def collapse(self, room: str) -> None:
        """What happens where he moves into a Sepulchre."""
        for player in self.players.values():
            if player["sepulchre"] == room:
                player["sepulchre"] = None
                self.rooms[room] |= {"explored": False, "name": "", "features": [], "glyph_owners": []}

    def apply(self, feature: str, room: str) -> None:
        """One Feature."""
        sigils = self.rooms[room]["sigils"]
        near = {lord for other in beside(room) for lord in self.rooms.get(other, {"sigils": {}})["sigils"]}
        match feature:
            case "puissance-each":
                self.bring(LORDS, "puissance", 1)
            case "puissance-sigil-here":
                self.bring(sigils, "puissance", 1)
            case "puissance-sigil-adjacent":
                self.bring([lord for lord in LORDS if lord in near], "puissance", 1)
            case "wound-unless-perceptive":
                self.lose(1, room)
            case "injury-unless-agile":
                self.lose(10, room)
            case "sigil-energy":
                self.energy += list(sigils.values()).count("active")
                self.rooms[room]["sigils"] = dict.fromkeys(sigils, "inactive")
            case "moved-back":
                self.before, self.here = self.here, self.before
                self.collapse(self.here)

    def lose(self, n: int, room: str) -> None:
        """Energy lost to a Feature."""
        self.energy -= n
        if "glyph" in self.rooms[room]["features"]:
            self.bring(self.rooms[room]["glyph_owners"], "influence", n)

    def bring(self, lords: Any, variable: str, n: int) -> None:
        """What Features bring to players."""
        for lord in list(lords):
            master = self.players[lord]["allegiance"]
            if master:
                self.redirected.add(lord)
            gainer = self.players[master or lord]
            if gainer["sepulchre"] if variable == "influence" else gainer["puissance"]:
                gainer[variable] += n


def crypt(rooms: Crypt, players: Crypt) -> Transaction:
    """A game with these rooms and players, a day old."""
    founding = Founding(START, ["ana", *LORDS], "ana")
    world = found(RULES, founding, Seeded(b"", "found"), Context(secrets=True), NEWEST)
    staging.lay(world, {"rooms": rooms, "players": players})
    world.store.forget()
    return world


@cache
def entered(seed: int) -> tuple[Transaction, Recorded, bool]:
    """A random crypt after he has tried to enter it: the world, the draws, and whether he did."""
    world, chance = crypt(*furnished(seed)), Recorded(str(seed).encode(), "journey")
    try:
        world.position.decide(world.context, Deed("j", "ana", "enter-the-crypt", {}, START + DAY), chance)
    except Refused as error:
        assert "no room to move to" in str(error)  # noqa: PT017 - a refusal is what is looked at
        return world, chance, False
    return world, chance, True


def stored(world: Transaction, ref: str, name: str) -> Any:
    """A value in the form of files."""
    found = reading.get(world, ref, name)
    if isinstance(found, str):
        return found.removeprefix("rooms/").removeprefix("players/")
    if isinstance(found, dict):
        return {key.removeprefix("players/"): value for key, value in found.items()}
    return [str(one).removeprefix("players/") for one in found] if isinstance(found, list) else found


def seen(world: Transaction, like: Crypt, kind: str) -> Crypt:
    return {
        name: {key: stored(world, f"{kind}/{name}", key) for key in fields} for name, fields in like.items()
    }


@pytest.mark.slow
def test_every_journey_is_as_the_model_says() -> None:
    gone = 0
    for seed in JOURNEYS:
        world, chance, done = entered(seed)
        model = Model(*furnished(seed), iter(chance.choices))
        if not done:
            with pytest.raises(LookupError):
                model.travel()
            model = Model(*furnished(seed), iter(()))
        else:
            model.travel()
            assert next(model.drawn, None) is None, seed
            gone += 1
        assert (seed, seen(world, model.players, "players")) == (seed, model.players)
        assert (seed, seen(world, model.rooms, "rooms")) == (seed, model.rooms)
    assert gone > len(JOURNEYS) // 2


def test_nobody_falls_below_zero_and_nothing_of_his_stays() -> None:
    for seed in JOURNEYS[:10]:
        world, _, _ = entered(seed)
        for lord in LORDS:
            assert reading.get(world, f"players/{lord}", "puissance") >= 0
            assert reading.get(world, f"players/{lord}", "influence") >= 0
        assert reading.get(world, "game", "richardo_energy") is None
        assert reading.get(world, "game", "richardo_location") is None


def public(world: Transaction) -> dict[str, Any]:
    """Every public value that is stored, by its path."""
    found = {}
    for kind in ("game", "players", "rooms"):
        for ref in ["game"] if kind == "game" else reading.find(world, kind):
            for variable in world.law.by_kind.get(kind, ()):
                if variable.tracked == "public" and not variable.derived and not variable.transient:
                    found[f"{ref.replace('/', '.')}.{variable.name}"] = stored(world, ref, variable.name)
    return found


@pytest.mark.slow
def test_the_post_names_what_changed_and_no_secret() -> None:
    for seed in JOURNEYS[:40]:
        before = public(crypt(*furnished(seed)))
        world, _, done = entered(seed)
        if not done:
            continue
        after = public(world)
        body = reading.get(world, reading.find(world, "posts")[-1], "body")
        told = {line.removeprefix("- ").partition(":")[0] for line in body.splitlines()}
        changed = {path for path in before if before[path] != after[path]}
        assert told == changed - {"players.ana.last_post_or_comment_at"}  # the post itself changes that
        assert "richardo_" not in body
