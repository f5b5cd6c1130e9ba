"""What a lord of the crypt does next: hints for random play that bring a game on.

Each gives the parameters of an action that may well succeed, ``actor`` among them, or None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support import hints_core
from support.hints_core import CARRIED, CORE, DAY, Given, Hint, active, admin_of, bare, carry, head, ids, some
from support.hints_core import commoners as lords
from support.randomly import RandomPlay

HELPED = 0.4
"""How often a call for judgement brings about what is wanting."""


def rooms(world: Transaction, **wanted: Any) -> list[str]:
    return ids(reading.find(world, "rooms", **wanted))


def decree(play: RandomPlay, world: Transaction, *changes: Any) -> None:
    """Now and then have a call for judgement change something, so that more can be done."""
    if play.random.random() <= HELPED:
        hints_core.decree(play, world, *changes)


def two(play: RandomPlay, world: Transaction) -> tuple[str, str]:
    one, other = play.random.sample(lords(world), 2)
    return one, other


def propose(play: RandomPlay, world: Transaction, actor: str) -> Given:
    one, other = two(play, world)
    changes = [
        {"set": {f"players.{one}.puissance": play.random.choice([0, 9, 14])}},
        {"set": {f"favours.{other}-{one}": {"ripe": 1, "unripe": 1}}},
        {"player": {"name": play.random.choice(["ben", "cy", "dee"]), "admin": True}},
    ]
    return {
        "actor": one,
        "title": "Gifts",
        "body": "Gifts for all",
        "changes": play.random.sample(changes, 2),
    }


def idle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [name for name in lords(world) if name.startswith("guest")]
    return {"actor": admin_of(play, world) or actor, "player": some(play, found)} if found else None


def explore(play: RandomPlay, world: Transaction, actor: str) -> Given:
    rich = [n for n in lords(world) if reading.get(world, f"players/{n}", "puissance") in range(3, 11)]
    explored = rooms(world, explored=True)
    edge = [room for room in rooms(world, explored=False) if any(touching(room, other) for other in explored)]
    cheap = play.random.choice([[], [], ["average-chest"], ["puissance-each"], ["glyph"]])
    name = f"Room {play.random.randrange(9999)}"
    return (
        {"actor": some(play, rich), "room": some(play, edge), "name": name, "features": cheap}
        if rich and edge
        else None
    )


def touching(room: str, other: str) -> bool:
    return abs(ord(room[0]) - ord(other[0])) + abs(int(room[1]) - int(other[1])) == 1


def engrave(play: RandomPlay, world: Transaction, actor: str) -> Given:
    rich = [n for n in lords(world) if reading.get(world, f"players/{n}", "puissance") in range(1, 11)]
    return {"actor": some(play, rich), "room": some(play, rooms(world))} if rich else None


def inhabit(play: RandomPlay, world: Transaction, actor: str) -> Given:
    rich = [
        n
        for n in lords(world)
        if reading.get(world, f"players/{n}", "puissance") >= 3
        and not reading.get(world, f"players/{n}", "sepulchre")
    ]
    return {"actor": some(play, rich), "room": some(play, rooms(world, explored=True))} if rich else None


def featured(play: RandomPlay, world: Transaction) -> tuple[str, str] | None:
    explored = rooms(world, explored=True)
    found = [
        (room, feature) for room in explored for feature in reading.get(world, f"rooms/{room}", "features")
    ]
    return play.random.choice(found) if found else None


def devastate(play: RandomPlay, world: Transaction, actor: str) -> Given:
    rich = [n for n in lords(world) if reading.get(world, f"players/{n}", "puissance") >= 7]
    there = featured(play, world)
    return {"actor": some(play, rich), "room": there[0], "feature": there[1]} if there and rich else None


def destroy_sigil(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [
        (room, owner) for room in rooms(world) for owner in reading.get(world, f"rooms/{room}", "sigils")
    ]
    room, owner = play.random.choice(found) if found else ("E4", "players/" + actor)
    return {"actor": bare(owner), "room": room}


def stock_chest(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [
        room
        for room in rooms(world, explored=True)
        if "average-chest" in reading.get(world, f"rooms/{room}", "features")
    ]
    treasure = some(play, list(world.law.declared.catalogues["average_treasures"]))
    return (
        {
            "actor": some(play, lords(world)),
            "room": some(play, found),
            "chest": "average-chest",
            "contents": [treasure],
        }
        if found
        else None
    )


def of_puissance(world: Transaction, wanted: range) -> list[str]:
    return [name for name in lords(world) if reading.get(world, f"players/{name}", "puissance") in wanted]


def raising(play: RandomPlay, world: Transaction, able: range) -> Given:
    dust, strong = of_puissance(world, range(1)), of_puissance(world, able)
    if dust and strong:
        return {"actor": some(play, strong), "player": some(play, dust)}
    one, other = two(play, world)
    decree(
        play,
        world,
        {"set": {f"players.{one}.puissance": able[-1]}},
        {"set": {f"players.{other}.puissance": 0}},
    )
    return {"actor": one, "player": other}


def raise_(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return raising(play, world, range(1, 11))


def raise_in_blood(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return raising(play, world, range(11, 20))


def revive_master(play: RandomPlay, world: Transaction, actor: str) -> Given:
    one, other = two(play, world)
    of_one, of_other = f"players.{one}", f"players.{other}"
    thrall = {"set": {f"{of_one}.allegiance": other, f"{of_one}.puissance": 5, f"{of_other}.puissance": 0}}
    decree(play, world, thrall)
    return {"actor": one}


def break_thrall(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [name for name in lords(world) if reading.get(world, f"players/{name}", "enthralled")]
    return {"actor": some(play, found)} if found else None


def enter_the_crypt(play: RandomPlay, world: Transaction, actor: str) -> Given:
    play.at += DAY + 60
    lead = head(world)
    return {"actor": lead} if lead else None


def held(play: RandomPlay, world: Transaction, kind: str) -> tuple[str, str]:
    """A holder and a lender."""
    pairs = [pair for pair in reading.find(world, "favours") if reading.get(world, pair, kind)]
    if pairs and play.random.random() < CARRIED:
        pair = some(play, pairs)
        return bare(reading.get(world, pair, "holder")), bare(reading.get(world, pair, "lender"))
    one, other = two(play, world)
    decree(
        play,
        world,
        {"set": {f"favours.{one}-{other}": {"ripe": 1, "unripe": 1}}},
        {"set": {f"players.{other}.puissance": 9}},
    )
    return one, other


def spend_favour(play: RandomPlay, world: Transaction, actor: str) -> Given:
    holder, lender = held(play, world, "unripe")
    denizen = beast(play, world, lender)
    return {"actor": holder, "lender": lender, "benefit": "sycophancy", "denizen": denizen}


def release_favour(play: RandomPlay, world: Transaction, actor: str) -> Given:
    kind = play.random.choice(["ripe", "unripe"])
    holder, lender = held(play, world, kind)
    return {"actor": holder, "lender": lender, "ripeness": kind}


def claim_favour(play: RandomPlay, world: Transaction, actor: str) -> Given:
    holder, lender = held(play, world, "ripe")
    return {"actor": holder, "lender": lender, "resource": "puissance"}


def beast(play: RandomPlay, world: Transaction, owner: str) -> str:
    """A Denizen in whose Sycophancy somebody is."""
    name = f"bat{play.random.randrange(99)}"
    trait = play.random.choice(["evasive", "quick"])
    decree(
        play,
        world,
        {
            "set": {
                f"denizens.{name}": {"name": name, "location": "E4", "sycophancy": owner, "traits": [trait]}
            }
        },
    )
    return name


def offer_favour(play: RandomPlay, world: Transaction, actor: str) -> Given:
    one, other = two(play, world)
    return {"actor": one, "provider": other, "benefit": "sycophancy", "denizen": beast(play, world, other)}


def accept_favour(play: RandomPlay, world: Transaction, actor: str) -> Given:
    offered = offer_favour(play, world, actor) or {}
    initiator = offered.pop("actor")
    play.attempt(initiator, "offer-favour", offered)
    return {"actor": offered["provider"], "initiator": initiator}


def own_post(play: RandomPlay, world: Transaction, official: bool) -> tuple[str, str] | None:
    found = [
        p
        for p in reading.find(world, "posts")
        if reading.get(world, p, "official") is official and reading.get(world, p, "author")
    ]
    one = some(play, found[-6:])
    return (bare(reading.get(world, one, "author")), bare(one)) if one else None


def edit_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = own_post(play, world, official=False)
    return found and {"actor": found[0], "post": found[1], "body": "Otherwise."}


def remove_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = own_post(play, world, official=False)
    return found and {"actor": found[0], "post": found[1]}


def recategorise_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = own_post(play, world, official=False)
    return found and {
        "actor": found[0],
        "post": found[1],
        "kind": play.random.choice(["announcement", "none", "story"]),
    }


def correct_typo(play: RandomPlay, world: Transaction, actor: str) -> Given:
    mine = [
        p
        for p in reading.find(world, "posts", kind="proposal", status="pending")
        if reading.get(world, p, "body")
    ]
    if mine:
        one = play.random.choice(mine)
        return {
            "actor": bare(reading.get(world, one, "author")),
            "matter": bare(one),
            "replace": reading.get(world, one, "body"),
            "with": "It",
        }
    return {
        "actor": some(play, active(world)),
        "rule": "fair-play",
        "replace": "not acceptable",
        "with": "unacceptable",
    }


def roll(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"dice": play.random.choice(["DICE6", "2DICE6", "DICE-1", "FRUIT", "COLOR", "CARD", "{x, y}"])}


def delete_empty_rule(play: RandomPlay, world: Transaction, actor: str) -> Given:
    slug = f"hollow-{play.random.randrange(999)}"
    decree(play, world, {"add-rule": {"title": slug, "slug": slug, "text": ""}})
    return {"actor": some(play, active(world)), "rule": slug}


def set_tenure(play: RandomPlay, world: Transaction, actor: str) -> Given:
    admin = admin_of(play, world)
    return {"actor": admin, "player": some(play, lords(world)), "tenured": True} if admin else None


def establish_mentorship(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead, tenured = head(world), ids(reading.find(world, "players", tenured=True))
    return (
        {"actor": lead, "mentor": some(play, tenured), "mentee": some(play, lords(world))}
        if lead and tenured
        else None
    )


def dissolve_mentorship(play: RandomPlay, world: Transaction, actor: str) -> Given:
    one = some(play, reading.find(world, "mentorships"))
    return (
        None
        if one is None
        else {
            "actor": bare(reading.get(world, one, "mentor")),
            "mentorship": bare(one),
        }
    )


def of_the_emperor(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead = head(world)
    return {"actor": lead, "theme": "Night"} if lead else None


def pass_mantle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    declared, admin = ids(reading.find(world, "posts", kind="dov", status="pending")), admin_of(play, world)
    if declared and admin:
        carry(play, world, declared[0])
        play.at += DAY
        play.attempt(admin, "resolve", {"matter": declared[0]})
    now = play.game.world()
    return {"actor": head(now) or "", "player": some(play, lords(now))}


def a_lord(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, lords(world))} if lords(world) else None


PREFER: Mapping[str, Hint] = {
    **CORE, "propose": propose, "idle": idle,
    "explore": explore, "engrave": engrave, "inhabit": inhabit, "devastate": devastate, "destroy-sigil": destroy_sigil,
    "stock-chest": stock_chest, "raise": raise_, "raise-in-blood": raise_in_blood, "revive-master": revive_master,
    "break-thrall": break_thrall, "enter-the-crypt": enter_the_crypt, "spend-favour": spend_favour,
    "release-favour": release_favour, "claim-favour": claim_favour, "offer-favour": offer_favour,
    "accept-favour": accept_favour, "prune-favours": a_lord, "edit-post": edit_post, "remove-post": remove_post,
    "recategorise-post": recategorise_post, "correct-typo": correct_typo, "roll": roll,
    "delete-empty-rule": delete_empty_rule, "set-tenure": set_tenure, "establish-mentorship": establish_mentorship,
    "dissolve-mentorship": dissolve_mentorship, "pass-mantle": pass_mantle, "ascend": of_the_emperor,
}  # fmt: skip
