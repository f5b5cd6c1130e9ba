"""What a commoner of the steam does next: hints for random play that bring a game on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.hints_core import (
    CORE,
    Given,
    Hint,
    bare,
    by_the_emperor,
    commoners,
    decree,
    head,
    ids,
    some,
)
from support.randomly import RandomPlay

RESOURCES = ("coal", "iron", "wood", "quicksilver", "caffeine", "cogs", "gems")
FOUND = ("iron", "wood", "quicksilver", "caffeine", "cogs", "gems")
AMPLE = dict.fromkeys(RESOURCES, 45) | {"coal": 190}
HELPED = 0.3
"""How often a call for judgment brings about what is wanting."""
DIRIGIBLE = ["Wings", "Hydrogen Distillery", "Teak Panelling"]
OBSERVATORY = ["Precision Lens", "Thermometer", "Fireproof walls"]
FORTRESS = ["Armour Plating", "Furnace", "Mobile Telescopic Legs"]
WORKSHOPS = {"Dirigible": DIRIGIBLE, "Observatory and Alchemarium": OBSERVATORY, "Walking Fortress": FORTRESS}
INVENTED = [
    (DIRIGIBLE, True),
    (OBSERVATORY, True),
    (FORTRESS, True),
    (["Flanged Wheels", "Hydraulics"], True),
    (["Storage Drawer", "Steamwagon", "Retort"], True),
    (["Cog Mold", "Coal Hopper", "Hyper-Pressuriser"], True),
    (["Rivet Gun", "Billboard"], False),
    (["Crest of the Mad Prince", "Motion Sensor"], False),
    (["Crest of the Mad Prince", "Motion Sensor"], False),
    (["Billboard"], False),
]
"""Inventions that the game begins with: their Parts, and whether they are attached to a Workshop."""


def held(world: Transaction, name: str, resource: str) -> int:
    found: int = reading.get(world, f"players/{name}", resource)
    return found


def rich(world: Transaction, **needed: int) -> list[str]:
    return [n for n in commoners(world) if all(held(world, n, r) >= least for r, least in needed.items())]


def _wealth(name: str) -> dict[str, Any]:
    return {f"players.{name}.{resource}": AMPLE[resource] for resource in RESOURCES}


def opening(play: RandomPlay) -> None:
    """Let a call for judgment begin the game with commoners of means, and Inventions with every Part that is used."""
    world = play.game.world()
    everyone = commoners(world)
    given = {}
    for number, (parts, attached) in enumerate(INVENTED):
        made = {"owner": everyone[number % len(everyone)], "parts": parts, "attached": attached}
        given[f"inventions.x{number}"] = made
    decree(play, world, {"set": given}, *[{"set": _wealth(name)} for name in everyone])


def endowed(play: RandomPlay, world: Transaction, **needed: int) -> str:
    """A commoner who has so much of these, now and then by a call for judgment if nobody has."""
    found = rich(world, **needed)
    if found:
        return play.random.choice(found)
    name = play.random.choice(commoners(world))
    if play.random.random() < HELPED:
        decree(play, world, {"set": _wealth(name)})
    return name


def equipped(
    play: RandomPlay, world: Transaction, parts: list[str], *, attached: bool = False
) -> tuple[str, str]:
    """A commoner and an Invention of theirs with these Parts, now and then made by a call for judgment."""
    found = [i for i in ids(reading.find(world, "inventions")) if _is_such(world, i, parts, attached)]
    if found:
        invention = play.random.choice(found)
        return bare(reading.get(world, f"inventions/{invention}", "owner")), invention
    name, invention = play.random.choice(commoners(world)), f"x{play.random.randrange(100, 9999)}"
    if play.random.random() < HELPED:
        made = {"owner": name, "parts": parts, "attached": attached}
        decree(play, world, {"set": {f"inventions.{invention}": made}}, {"set": _wealth(name)})
    return name, invention


def _is_such(world: Transaction, invention: str, parts: list[str], attached: bool) -> bool:
    ref = f"inventions/{invention}"
    owned = bare(reading.get(world, ref, "owner")) in commoners(world)
    fitting = attached <= reading.get(world, ref, "attached") and set(parts) <= set(
        reading.get(world, ref, "parts")
    )
    return bool(owned and fitting)


def owned(play: RandomPlay, world: Transaction, **wanted: Any) -> tuple[str, str] | None:
    """A commoner and an Invention of theirs."""
    there = reading.find(world, "inventions", **wanted)
    mine = [i for i in there if bare(reading.get(world, i, "owner")) in commoners(world)]
    one = some(play, mine)
    return (bare(reading.get(world, one, "owner")), bare(one)) if one else None


def with_part(part: str, *, attached: bool = False, **given: Any) -> Hint:
    """Whoever has the Part uses it."""

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        return {"actor": equipped(play, world, [part], attached=attached)[0], **given}

    return hint


def travelling(part: str) -> Hint:
    """Whoever has the Part attached goes to a neighbouring County."""

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        name, _ = equipped(play, world, [part], attached=True)
        here = reading.get(world, f"players/{name}", "county")
        return {"actor": name, "county": play.random.choice(ids(reading.get(world, here, "neighbours")))}

    return hint


def scavenge(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name = play.random.choice(commoners(world))
    workshop, items = bare(reading.get(world, f"players/{name}", "workshop")), play.random.sample(FOUND, 2)
    if workshop == "Dirigible":
        return {"actor": name, "items": items[:1], "power": True}
    if workshop == "Walking Fortress":
        victim = play.random.choice(commoners(world))
        return {"actor": name, "steal": {victim: {"iron": 2}}}
    return {"actor": name, "items": items[:1] if workshop.startswith("Observatory") else items}


def transfer(play: RandomPlay, world: Transaction, actor: str) -> Given:
    resource = play.random.choice(RESOURCES)
    name = endowed(play, world, **{resource: 2})
    others = [n for n in commoners(world) if n != name]
    return {"actor": name, "to": some(play, others), "resources": {resource: 2}} if others else None


def offer_trade(play: RandomPlay, world: Transaction, actor: str) -> Given:
    sought, offered = play.random.sample(RESOURCES, 2)
    given: dict[str, Any] = {"sought": {sought: 1}, "offered": {offered: 1}, "section": "one-time"}
    if play.random.random() < 0.5:
        condition = {"who": play.random.choice(["agreer", "offerer"]), "what": "coal", "at_least": 1}
        given |= {"section": "conditional", "condition": condition}
    return {"actor": endowed(play, world, **{offered: 1}), **given}


def agree_trade(play: RandomPlay, world: Transaction, actor: str) -> Given:
    open_ones = [o for o in reading.find(world, "trade_offers") if not reading.get(world, o, "completed_by")]
    conditional = reading.find(world, "trade_offers", section="conditional")
    offer = some(play, open_ones + conditional)
    if offer is None:
        return None
    author = bare(reading.get(world, offer, "author"))
    others = [n for n in rich(world, **reading.get(world, offer, "sought")) if n != author]
    if not others or author not in rich(world, **reading.get(world, offer, "offered")):
        if play.random.random() < HELPED:
            decree(play, world, *[{"set": _wealth(n)} for n in commoners(world)])
        others = [n for n in commoners(world) if n != author]
    return {"actor": some(play, others), "offer": bare(offer)}


def remove_trade(play: RandomPlay, world: Transaction, actor: str) -> Given:
    offer = some(play, reading.find(world, "trade_offers"))
    return {"actor": bare(reading.get(world, offer, "author")), "offer": bare(offer)} if offer else None


def invent(play: RandomPlay, world: Transaction, actor: str) -> Given:
    table = world.law.declared.catalogues["parts"]
    parts = play.random.sample(sorted(table), play.random.choice([1, 1, 2, 3]))
    return {"actor": endowed(play, world, coal=140), "parts": parts}


def dismantle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = owned(play, world)
    return {"actor": found[0], "invention": found[1]} if found else None


def attach(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, invention = equipped(play, world, [play.random.choice(["Wings", "Coal Hopper", "Storage Drawer"])])
    return {"actor": name, "invention": invention}


def change_workshop(play: RandomPlay, world: Transaction, actor: str) -> Given:
    kind = play.random.choice(sorted(WORKSHOPS))
    name, _ = equipped(play, world, WORKSHOPS[kind], attached=True)
    return {"actor": name, "type": kind}


def use_observatory(play: RandomPlay, world: Transaction, actor: str) -> Given:
    kind = "Observatory and Alchemarium"
    found = [n for n in commoners(world) if bare(reading.get(world, f"players/{n}", "workshop")) == kind]
    if not found:
        name, _ = equipped(play, world, OBSERVATORY, attached=True)
        play.attempt(name, "change-workshop", {"type": kind})
        found = [name]
    give, get = play.random.sample(FOUND, 2)
    return {"actor": some(play, found), "give": give, "get": get}


def choose_storage(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, _ = equipped(play, world, ["Storage Drawer"], attached=True)
    return {"actor": name, "resources": [play.random.choice(FOUND)]}


def routed(
    play: RandomPlay, world: Transaction, least: int, besides: str = ""
) -> tuple[str, list[str]] | None:
    """A Resource and what is left of its trade route, which the emperor sets if there is none of that length."""
    for again in (False, True):
        routes = {
            bare(r): ids(reading.get(world, r, "effective")) for r in reading.find(world, "trade_routes")
        }
        found = [(r, way) for r, way in routes.items() if len(way) >= least and r != besides]
        if found:
            return play.random.choice(found)
        lead = head(world)
        if lead is None or again:
            return None
        play.attempt(lead, "set-trade-routes", {})
        world = play.game.world()
    return None


def use_steamwagon(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = routed(play, world, 1, besides="coal")
    if found is None:
        return None
    name, _ = equipped(play, world, ["Steamwagon"], attached=True)
    near = ids(reading.get(world, f"counties/{found[1][0]}", "neighbours"))[0]
    if play.random.random() < HELPED:
        decree(play, world, {"set": {f"players.{name}.county": near}})
    return {"actor": name, "give": found[0], "get": "coal", "amount": 1}


def hitchhike(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = routed(play, world, 2)
    if found is None:
        return None
    resource, way = found
    there = [n for n in commoners(world) if bare(reading.get(world, f"players/{n}", "county")) in way[:-1]]
    if there:
        return {"actor": some(play, there), "resource": resource}
    name = endowed(play, world, coal=10, **({resource: 2} if resource != "coal" else {}))
    if play.random.random() < HELPED:
        decree(play, world, {"set": {f"players.{name}.county": way[0]}})
    return {"actor": name, "resource": resource}


def pick_route(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead = head(world)
    if lead is None:
        return None
    if not reading.find(world, "trade_routes", may_pick=True):
        play.attempt(lead, "set-trade-routes", {})
        world = play.game.world()
    for route in reading.find(world, "trade_routes", may_pick=True):
        old = ids(reading.get(world, route, "path"))
        other = [way for way in _ways(world, old[0], old[-1], len(old)) if way != old]
        if other:
            return {"actor": lead, "resource": bare(route), "path": play.random.choice(other)}
    return None


def _ways(world: Transaction, start: str, end: str, length: int) -> list[list[str]]:
    """All ways of a length that lead from a County to another."""
    ways = [[start]]
    for _ in range(length - 1):
        ways = [
            [*way, c] for way in ways for c in ids(reading.get(world, f"counties/{way[-1]}", "neighbours"))
        ]
        ways = [way for way in ways if len(set(way)) == len(way)]
    return [way for way in ways if way[-1] == end]


def set_treasury(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead = head(world)
    treasury = {play.random.choice(RESOURCES): play.random.randrange(90)}
    return {"actor": lead, "treasury": treasury, "guard_level": play.random.randrange(3)} if lead else None


def wage_war(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, invention = equipped(play, world, ["Rivet Gun"])
    return {"actor": name, "weapon": invention}


def regal(play: RandomPlay, world: Transaction) -> tuple[str, str]:
    """A commoner with a Crest and a Motion Sensor."""
    return equipped(play, world, ["Crest of the Mad Prince", "Motion Sensor"])


def build_sentry_tower(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, invention = regal(play, world)
    return {"actor": name, "invention": invention}


def dismantle_sentry_tower(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, _ = regal(play, world)
    here = bare(reading.get(world, f"players/{name}", "county"))
    if play.random.random() < HELPED:
        decree(play, world, {"set": {f"counties.{here}.sentry_tower": True}})
    return {"actor": name}


def place_billboard(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, invention = equipped(play, world, ["Billboard"])
    return {"actor": name, "invention": invention}


def remove_billboard(play: RandomPlay, world: Transaction, actor: str) -> Given:
    name, invention = equipped(play, world, ["Billboard"])
    play.attempt(name, "place-billboard", {"invention": invention})
    here = reading.get(world, f"players/{name}", "county")
    near = [n for n in commoners(world) if reading.get(world, f"players/{n}", "county") == here]
    return {"actor": some(play, near) or name, "invention": invention}


def raid(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, commoners(world)) or actor}


def tell(play: RandomPlay, world: Transaction, actor: str) -> Given:
    text = play.random.choice(["I am raiding this week.", "Good day."])
    return {"actor": some(play, commoners(world)), "to": head(world) or actor, "text": text}


def declare_allegiance(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {
        "actor": some(play, commoners(world)),
        "allegiance": play.random.choice(["Loyalist", "Sympathiser"]),
    }


PREFER: Mapping[str, Hint] = {
    **CORE, "scavenge": scavenge, "transfer": transfer, "offer-trade": offer_trade, "agree-trade": agree_trade,
    "remove-trade": remove_trade, "invent": invent, "dismantle": dismantle, "attach": attach,
    "change-workshop": change_workshop, "use-observatory": use_observatory, "choose-storage": choose_storage,
    "use-cog-mold": with_part("Cog Mold", amount=2), "use-furnace": with_part("Furnace", amount=2),
    "use-wings": travelling("Wings"), "use-legs": travelling("Mobile Telescopic Legs"),
    "use-wheels": travelling("Flanged Wheels"), "use-hydraulics": with_part("Hydraulics", pay="wood"),
    "use-hyper-pressuriser": with_part("Hyper-Pressuriser"), "use-retort": with_part("Retort"),
    "use-steamwagon": use_steamwagon, "place-billboard": place_billboard, "remove-billboard": remove_billboard,
    "set-treasury": set_treasury, "resolve-raids": by_the_emperor(), "set-trade-routes": by_the_emperor(),
    "pick-route": pick_route, "hitchhike": hitchhike, "declare-allegiance": declare_allegiance, "wage-war": wage_war,
    "build-sentry-tower": build_sentry_tower, "dismantle-sentry-tower": dismantle_sentry_tower, "raid": raid, "tell": tell,
}  # fmt: skip
