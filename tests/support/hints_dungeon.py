"""What an adventurer of the dungeon does next: hints for random play that bring a game on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.hints_core import (
    CORE,
    DAY,
    Given,
    Hint,
    admin_of,
    bare,
    commoners,
    decree,
    enact_all,
    head,
    ids,
    some,
)
from support.randomly import RandomPlay

HELPED = 0.15
"""How often a call for judgment brings about what is wanting."""
MISSILES = ("dagger", "dart")
BOOK = "*reading* spellbook of Fireball"
STATUSES = ("Stunned", "Confusion", "Hallucination", "Blind", "Slime", None)
GIFTS: tuple[dict[str, Any], ...] = (
    {"role": "Priest", "inventory": {"mace": 1, "robe": 1, "Potion of Water": 3, "Unidentified Potion": 2}},
    {"role": "Tourist", "inventory": {"dart": 9, "expensive camera": 3, "Food Ration": 4, BOOK: 2}},
    {"dungeon_level": 2, "inventory": {"mace": 5, "ring mail": 1, "bow": 1, "bag of gold": 9}},
    {"dungeon_level": 10, "inventory": {"Amulet Beacon": 2, "dagger": 3, "Potion of Might": 2}},
    {
        "kills": 3,
        "inventory": {"longsword": 1, "shortbow": 1, "Potion of Speed": 1, "small shield": 1, "axe": 4},
    },
)
"""What adventurers have when the game begins."""

Able = Callable[[Transaction, str], bool]


def of(world: Transaction, name: str, variable: str) -> Any:
    return reading.get(world, f"players/{name}", variable)


def holding(item: str) -> Able:
    return lambda world, name: item in of(world, name, "inventory")


def opening(play: RandomPlay) -> None:
    """Let a call for judgment begin the game with adventurers of means, and something to be found."""
    everyone = commoners(play.game.world())
    given = {
        f"players.{name}.{field}": value
        for name, gift in zip(everyone, GIFTS, strict=True)
        for field, value in gift.items()
    }
    loot = {"level": "1", "items": ["mace", "robe", "Food Ration", "Potion of Acid"]}
    decree(play, play.game.world(), {"set": given}, {"set": {"loot.1": loot}})


def able(play: RandomPlay, world: Transaction, fits: Able, gift: Mapping[str, Any]) -> str:
    """An adventurer of whom something is true, now and then by a call for judgment if it is of nobody."""
    found = [name for name in commoners(world) if fits(world, name)]
    if found:
        return play.random.choice(found)
    name = play.random.choice(commoners(world))
    if play.random.random() < HELPED:
        decree(play, world, {"set": {f"players.{name}.{field}": value for field, value in gift.items()}})
    return name


def having(kept: str, **given: Any) -> Hint:
    """Whoever holds that item does it."""

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        return {"actor": able(play, world, holding(kept), {"inventory": {kept: 2}}), **given}

    return hint


def goods(world: Transaction, name: str) -> list[str]:
    """All that somebody may trade away, each as often as it is held."""
    held = of(world, name, "inventory")
    return [item for item, n in held.items() for _ in range(n) if item.rpartition(" ")[2] not in MISSILES]


def trading(price: int, level: int) -> Hint:
    """Who has enough, on a level of this parity, trades it away."""

    def fits(world: Transaction, name: str) -> bool:
        return len(goods(world, name)) >= price and of(world, name, "dungeon_level") % 2 == level % 2

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        name = able(play, world, fits, {"inventory": {"bag of gold": 8}, "dungeon_level": level})
        give = goods(play.game.world(), name)
        if len(give) < price:
            return None
        get = {"get": play.random.choice(_listed(world))} if price == 4 else {}
        return {"actor": name, "give": play.random.sample(give, price), **get}

    return hint


def _listed(world: Transaction) -> list[str]:
    return [
        bare(e) for kind in ("weapons", "armors", "potions") for e in reading.find(world, kind, listed=True)
    ]


def discover(play: RandomPlay, world: Transaction, actor: str) -> Given:
    mine = [
        (name, item)
        for name in commoners(world)
        for item in of(world, name, "inventory")
        if "*reading*" not in item and item not in of(world, name, "discoveries")
    ]
    name, item = play.random.choice(mine) if mine else (actor, "mace")
    return {"actor": name, "item": item}


def _plain(item: str) -> str:
    return item.split(" ", 1)[1] if item[:1] in "+-" and " " in item else item


def _pieces(world: Transaction, kind: str) -> list[tuple[str, str]]:
    """Adventurers and the weapons or armors that each has."""
    return [
        (name, item)
        for name in commoners(world)
        for item in of(world, name, "inventory")
        if reading.exists(world, f"{kind}/{_plain(item)}")
    ]


def wield(play: RandomPlay, world: Transaction, actor: str) -> Given:
    mine = _pieces(world, "weapons")
    name, item = play.random.choice(mine) if mine else (actor, "mace")
    return {"actor": name, "weapons": [item]}


def wear(play: RandomPlay, world: Transaction, actor: str) -> Given:
    mine = _pieces(world, "armors")
    name, item = play.random.choice(mine) if mine else (actor, "robe")
    return {"actor": name, "armor": [item]}


def finish_reading(play: RandomPlay, world: Transaction, actor: str) -> Given:
    play.at += 48 * 3600
    return having(BOOK, item=BOOK)(play, world, actor)


def quaff(play: RandomPlay, world: Transaction, actor: str) -> Given:
    potions = [
        (name, item)
        for name in commoners(world)
        for item in of(world, name, "inventory")
        if item == "Unidentified Potion" or reading.exists(world, f"potions/{item}")
    ]
    if not potions:
        return having("Potion of Smoke", potion="Potion of Smoke")(play, world, actor)
    name, item = play.random.choice(potions)
    weapon = some(play, list(of(world, name, "wielded")))
    armor = some(play, [piece for owner, piece in _pieces(world, "armors") if owner == name])
    return {
        "actor": name,
        "potion": item,
        "item": play.random.choice(_listed(world)),
        "weapon": weapon,
        "armor": armor,
    }


def use_beacon(play: RandomPlay, world: Transaction, actor: str) -> Given:
    level = reading.get(world, "game", "amulet_level")

    def fits(world: Transaction, name: str) -> bool:
        return holding("Amulet Beacon")(world, name) and of(world, name, "dungeon_level") == level

    return {"actor": able(play, world, fits, {"inventory": {"Amulet Beacon": 1}, "dungeon_level": level})}


def find_stairs(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name = able(play, world, lambda w, n: of(w, n, "kills") >= 1, {"kills": 2})
    return {"actor": name, "choice": play.random.choice(["increase", "increase", "decrease", "amulet"])}


def escape(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": able(play, world, lambda w, n: of(w, n, "dungeon_level") == 1, {"dungeon_level": 1})}


def beasts(play: RandomPlay) -> list[dict[str, Any]]:
    """One or two monsters, some of which drop or inflict something."""
    r = play.random
    return [
        {
            "name": f"newt{r.randrange(999)}",
            "hp": r.choice([1, 3, 9]),
            "dice": 1,
            "sides": r.choice([1, 2, 4]),
            "drop": r.choice([[], ["mace"], ["+1 robe", "Potion of Curing"]]),
            "drop-rate": 90,
            "inflicts": r.choice(STATUSES),
        }
        for _ in range(r.choice([1, 2]))
    ]


def create_monsters(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """Newts, in a new encounter or in one that exists."""
    lead, there = head(world), some(play, reading.find(world, "encounters"))
    if not lead:
        return None
    if there and play.random.random() < 0.5:
        return {"actor": lead, "encounter": bare(there), "monsters": beasts(play)}
    floors = [of(world, name, "dungeon_level") for name in commoners(world)]
    return {
        "actor": lead,
        "title": "[Encounter] Newts",
        "floor": play.random.choice(floors),
        "monsters": beasts(play),
    }


def fight(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """A monster or somebody on the same level, with a weapon that fits."""
    pairs = []
    for monster in reading.find(world, "monsters"):
        encounter = reading.get(world, monster, "encounter")
        floor, mode = reading.get(world, encounter, "floor"), str(reading.get(world, encounter, "mode"))
        near = [n for n in commoners(world) if of(world, n, "dungeon_level") == floor]
        pairs += [(n, bare(monster), _weapons(world, n, mode)) for n in near]
    if not pairs or play.random.random() < 0.2:
        return {"actor": some(play, commoners(world)), "player": some(play, commoners(world))}
    name, monster, arms = play.random.choice(pairs)
    play.attempt(name, "wield", {"weapons": arms[:1]})
    return {"actor": name, "monster": monster, "throwing": play.random.random() < 0.5}


def _weapons(world: Transaction, name: str, mode: str) -> list[str]:
    mine = [item for owner, item in _pieces(world, "weapons") if owner == name]
    return [item for item in mine if reading.get(world, f"weapons/{_plain(item)}", mode)]


def choose_role(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [n for n in commoners(world) if of(world, n, "role") == "-" and not of(world, n, "role_taken")]
    name = some(play, found) or actor
    return {"actor": name, "role": play.random.choice(["Barbarian", "Priest", "Rogue", "Wizard", "Valkyrie"])}


def bless_water(play: RandomPlay, world: Transaction, actor: str) -> Given:
    def fits(world: Transaction, name: str) -> bool:
        return of(world, name, "role") == "Priest" and holding("Potion of Water")(world, name)

    return {"actor": able(play, world, fits, {"role": "Priest", "inventory": {"Potion of Water": 2}})}


def use_camera(play: RandomPlay, world: Transaction, actor: str) -> Given:
    def fits(world: Transaction, name: str) -> bool:
        return of(world, name, "role") == "Tourist" and holding("expensive camera")(world, name)

    name = able(play, world, fits, {"role": "Tourist", "inventory": {"expensive camera": 2}})
    near = [n for n in commoners(world) if of(world, n, "dungeon_level") == of(world, name, "dungeon_level")]
    return {"actor": name, "player": some(play, near) or name}


def loot_room(play: RandomPlay, world: Transaction, actor: str) -> Given:
    choice = {"choice": play.random.choice(["treasure", "corpse"]), "throwing": play.random.random() < 0.3}
    return {"actor": some(play, commoners(world)), **choice}


def raise_amulet(play: RandomPlay, world: Transaction, actor: str) -> Given:
    levels = [of(world, name, "dungeon_level") for name in commoners(world)]
    if reading.get(world, "game", "amulet_level") in levels:
        if play.random.random() > HELPED:
            return None
        decree(play, world, {"set": {"game.amulet_level": max(levels) + 1}})
    play.at += 9 * DAY
    return somebody(play, world, actor)


def janitor(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead = head(world)
    lying = [(bare(p), item) for p in reading.find(world, "loot") for item in reading.get(world, p, "items")]
    if lead is None or not lying:
        return None
    floor, item = play.random.choice(lying)
    return {"actor": lead, "floor": int(floor), "item": item}


def name_rule(play: RandomPlay, world: Transaction, actor: str) -> Given:
    admin, author = admin_of(play, world), some(play, commoners(world))
    if admin is None or author is None:
        return None
    enact_all(play, admin)
    play.attempt(author, "propose", {"title": "Rats", "changes": [{"add-rule": {"text": "There are rats."}}]})
    enact_all(play, admin)
    nameless = ids(reading.find(play.game.world(), "rules", title="Unnamed Rule"))
    return {"actor": admin, "rule": nameless[-1], "title": f"Rats {len(play.latest)}"} if nameless else None


def somebody(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, commoners(world)) or actor}


PREFER: Mapping[str, Hint] = {
    **CORE, "discover": discover, "trade-for-item": trading(4, 2), "trade-for-treasure": trading(2, 1), "wield": wield,
    "wear": wear, "finish-reading": finish_reading, "quaff": quaff, "use-beacon": use_beacon, "find-stairs": find_stairs,
    "escape": escape, "create-monsters": create_monsters, "fight": fight,
    "rest": somebody, "eat": having("Food Ration"), "choose-role": choose_role, "bless-water": bless_water,
    "use-camera": use_camera, "loot-room": loot_room, "janitor": janitor, "raise-amulet": raise_amulet, "name-rule": name_rule,
}  # fmt: skip
