"""What must always hold of a game's state in each edition, said anew from what its source says, and looked up in plain files.

Nothing here is read from the rules: a number, a list of choices or a bond between two values stands here as the sources have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

State = Mapping[str, Mapping[str, Any]]
"""The stored fields of every entity, secret ones among them, by ref."""
Bond = Callable[[State], Iterator[str]]

Range = tuple[float, float]
MANY = float("inf")
NATURAL: Range = (0, MANY)
RESOURCES = ("iron", "wood", "quicksilver", "caffeine", "cogs", "gems")
HUNGER = {"Hungry", "Weak", "Starving"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What holds of an edition: between which numbers a value lies, which words it may be, what is never stored, what is bound to what."""

    ranges: Mapping[str, Range]
    words: Mapping[str, Sequence[str]]
    never: Sequence[str] = ()
    bonds: Sequence[Bond] = field(default_factory=tuple)

    def breaches(self, state: State) -> list[str]:
        """All that does not hold."""
        return [*self._values(state), *(breach for bond in self.bonds for breach in bond(state))]

    def _values(self, state: State) -> Iterator[str]:
        for ref, fields in state.items():
            kind = ref.partition("/")[0]
            for name, value in fields.items():
                path = f"{kind}.{name}"
                least, most = self.ranges.get(path, (-MANY, MANY))
                numbers = value.values() if isinstance(value, Mapping) else [value]
                if path in self.ranges and not all(
                    least <= number <= most for number in numbers if number is not None
                ):
                    yield f"{ref} {name}: {value} is not from {least} to {most}"
                said = value if isinstance(value, list) else [value]
                if path in self.words and not {*said} <= {*self.words[path], None}:
                    yield f"{ref} {name}: {value} is none of {self.words[path]}"
                if path in self.never:
                    yield f"{ref} {name}: {value} is stored"


def of(state: State, kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The entities of a kind, by their names."""
    return ((ref.partition("/")[2], fields) for ref, fields in state.items() if ref.startswith(f"{kind}/"))


def bare(ref: object) -> str:
    """An entity's name, whether its kind stands before it or not."""
    return str(ref).rpartition("/")[2]


def emperor(state: State) -> str:
    return bare(state["dynasty"].get("emperor"))


def active(state: State) -> dict[str, Mapping[str, Any]]:
    return {name: fields for name, fields in of(state, "players") if not fields.get("idle")}


# ---- assassin


def ruins_are_empty(state: State) -> Iterator[str]:
    ruins = {name for name, fields in of(state, "locations") if fields.get("exploded")}
    yield from (f"{name} is in ruins" for name in ruins if state[f"locations/{name}"].get("building"))
    yield from (
        f"{name} is in a ruin"
        for name, fields in active(state).items()
        if bare(fields.get("position")) in ruins
    )


def nobody_hunts_themselves(state: State) -> Iterator[str]:
    yield from (
        f"{name} hunts themselves"
        for name, fields in of(state, "players")
        if bare(fields.get("target")) == name
    )


# ---- crypt


def rooms_hold_what_they_may(state: State) -> Iterator[str]:
    names = Counter(fields["name"] for _, fields in of(state, "rooms") if fields.get("name"))
    yield from (f"two rooms are called {name}" for name, times in names.items() if times > 1)
    for name, room in of(state, "rooms"):
        features, owners = room.get("features") or [], room.get("glyph_owners") or []
        if len(owners) > 3 or (owners and "glyph" not in features):
            yield f"{name}: owners of a glyph {owners} beside {features}"
        if {*owners} & {*(room.get("sigils") or {})}:
            yield f"{name}: somebody has a sigil and owns the glyph"
        if not {*(room.get("chests") or {})} <= {*map(bare, features)}:
            yield f"{name}: the content of a chest that is not there"


def sepulchres_are_explored_and_ones_own(state: State) -> Iterator[str]:
    held = [bare(fields["sepulchre"]) for fields in active(state).values() if fields.get("sepulchre")]
    yield from (f"{room} is nobody's alone" for room, times in Counter(held).items() if times > 1)
    yield from (
        f"{room} is unexplored"
        for room in {*held}
        if room != "E4" and not state.get(f"rooms/{room}", {}).get("explored")
    )


def five_favours_at_most(state: State) -> Iterator[str]:
    held: Counter[str] = Counter()
    for _, favour in of(state, "favours"):
        held[bare(favour["holder"])] += favour.get("ripe", 0) + favour.get("unripe", 0)
    yield from (f"{name} holds {many} favours" for name, many in held.items() if many > 5)


def nobody_follows_themselves(state: State) -> Iterator[str]:
    yield from (
        f"{name} is their own thrall"
        for name, fields in of(state, "players")
        if bare(fields.get("allegiance")) == name
    )


# ---- dungeon


def nobody_holds_what_they_lack(state: State) -> Iterator[str]:
    for name, fields in active(state).items():
        inventory, head = Counter(fields.get("inventory") or {}), name == emperor(state)
        for use in () if head else ("wielded", "worn"):
            for item, times in Counter(fields.get(use) or []).items():
                if times > inventory[item]:
                    yield f"{name} has {use} {item}, of which they have {inventory[item]}"
        if len(fields.get("wielded") or []) > 2:
            yield f"{name} wields {fields['wielded']}"
        if len(HUNGER & {*(fields.get("status") or [])}) > 1:
            yield f"{name} is {fields['status']}"


def one_amulet(state: State) -> Iterator[str]:
    held = [
        name
        for name, f in active(state).items()
        if name != emperor(state) and (f.get("inventory") or {}).get("Amulet of Yendor")
    ]
    if len(held) > 1:
        yield f"an Amulet each: {held}"


def whoever_encounters_meets_somebody(state: State) -> Iterator[str]:
    met = {bare(fields["encounter"]) for _, fields in of(state, "monsters")}
    yield from (f"nobody is in {name}" for name, _ in of(state, "encounters") if name not in met)
    yield from (
        f"{name} is dead, and there" for name, fields in of(state, "monsters") if fields.get("hp") == 0
    )


# ---- steam


def stores_have_their_caps(state: State) -> Iterator[str]:
    for name, fields in of(state, "players"):
        for resource in RESOURCES:
            if (fields.get(resource) or 0) > 50 and resource not in (fields.get("uncapped") or []):
                yield f"{name} has {fields[resource]} {resource}"


def machines_are_somebodys(state: State) -> Iterator[str]:
    players = {name for name, _ in of(state, "players")}
    yield from (
        f"{name} is nobody's"
        for name, fields in of(state, "inventions")
        if bare(fields["owner"]) not in players
    )


# ---- werewolf


def the_village_has_its_offices(state: State) -> Iterator[str]:
    mayors = [name for name, fields in active(state).items() if fields.get("occupation") == "Mayor"]
    if mayors not in ([], [emperor(state)]):
        yield f"Mayors: {mayors}, and the emperor is {emperor(state)}"
    if sum((f.get("inventory") or {}).get("gaol-keys", 0) for _, f in of(state, "players")) > 2:
        yield "more than two keys to the gaol"


def tankards_are_counted(state: State) -> Iterator[str]:
    for name, fields in of(state, "players"):
        if len(fields.get("tankard_times") or []) > (fields.get("inventory") or {}).get("ale-tankard", 0):
            yield f"{name} has more times than tankards"


SHEETS: Mapping[str, Sheet] = {
    "assassin": Sheet(
        ranges={"players.points": NATURAL},
        words={
            "players.alertness": ["Careless", "Alert"],
            "players.gadget": ["Throwing Knife", "Cloak", "Candle", "Whistle", "Bomb"],
            "players.position": [f"{row}{column}" for row in "ABCDEFGH" for column in range(1, 9)],
            "locations.building": ["Church", "Tavern", "Gunpowder Shop", "Clocktower", "Blacksmith", "Guildhall"],
        },
        never=["game.given_away"],
        bonds=[ruins_are_empty, nobody_hunts_themselves],
    ),
    "crypt": Sheet(
        ranges={
            "players.puissance": NATURAL, "players.influence": NATURAL, "players.dynasties_played": NATURAL,
            "denizens.brutality": NATURAL, "denizens.cunning": NATURAL, "favours.ripe": NATURAL, "favours.unripe": NATURAL,
        },
        words={"denizens.traits": ["evasive", "quick"], "favour_offers.benefit": ["influence", "sycophancy", "glyph"]},
        never=[f"game.richardo_{what}" for what in ("location", "previous_location", "energy", "items", "agile", "perceptive")],
        bonds=[rooms_hold_what_they_may, sepulchres_are_explored_and_ones_own, five_favours_at_most, nobody_follows_themselves],
    ),
    "dungeon": Sheet(
        ranges={
            "players.level": (1, 30), "monsters.drop_rate": (0, 100), "players.inventory": (1, MANY),
            **{f"players.{what}": NATURAL for what in ("hp", "max_hp", "deaths", "dungeon_level", "kills", "xp")},
            "game.amulet_level": NATURAL, "monsters.hp": NATURAL,
        },
        words={
            "players.role": ["-", "Barbarian", "Priest", "Rogue", "Wizard", "Valkyrie", "Tourist"],
            "players.status": ["Hallu", "Hungry", "Weak", "Starving", "Blind", "Slime", "Conf", "Stun"],
            "encounters.mode": ["ranged", "melee"],
            "monsters.inflicts": ["Stunned", "Confusion", "Hallucination", "Blind", "Slime"],
        },
        bonds=[nobody_holds_what_they_lack, one_amulet, whoever_encounters_meets_somebody],
    ),
    "steam": Sheet(
        ranges={
            "players.coal": (0, 350), "game.treasury": NATURAL, "game.guard_level": NATURAL,
            **{f"players.{resource}": NATURAL for resource in RESOURCES},
        },
        words={
            "players.workshop": ["Junkyard Workshop", "Dirigible", "Walking Fortress", "Observatory and Alchemarium", "Raiding Castle"],
            "players.allegiance": ["Loyalist", "Sympathiser"],
            "players.uncapped": RESOURCES,
            "trade_offers.section": ["one-time", "conditional"],
        },
        bonds=[stores_have_their_caps, machines_are_somebodys],
    ),
    "werewolf": Sheet(
        ranges={
            "players.howls": (0, 3), "players.acuity_points": NATURAL, "players.inventory": (1, MANY), "game.treasury": NATURAL,
        },
        words={
            "players.life": ["Healthy", "Wounded", "Dead"],
            "players.target_method": ["murder", "biting"],
            "players.hairy_back_announced": ["unknown", "hairy", "bare"],
            "game.hounds": ["penned", "released"],
            "game.end_announced": ["pending", "werewolves", "villagers"],
            "deaths.cause": ["savaged", "shot", "poison", "decree", "other"],
        },
        bonds=[the_village_has_its_offices, tankards_are_counted],
    ),
}  # fmt: skip
