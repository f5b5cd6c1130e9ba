"""What a lord of the crypt does next: hints for random play that bring a game on.

Each gives the parameters of an action that may well succeed, ``actor`` among them, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.randomly import RandomPlay

DAY = 86400
CARRIED = 0.7
"""How often a matter that is resolved is voted for first, and what is there already is taken."""
HELPED = 0.4
"""How often a call for judgement brings about what is wanting."""

Given = dict[str, Any] | None


def ids(refs: list[str]) -> list[str]:
    return [ref.partition("/")[2] for ref in refs]


def lords(world: Transaction) -> list[str]:
    """The active players who are not the emperor."""
    return [name for name in ids(reading.roster(world)) if f"players/{name}" != reading.emperor(world)]


def rooms(world: Transaction, **wanted: Any) -> list[str]:
    return ids(reading.find(world, "rooms", **wanted))


def some(play: RandomPlay, found: list[str]) -> str | None:
    return play.random.choice(found) if found else None


def bare(ref: Any) -> str:
    return str(ref).partition("/")[2]


def decree(play: RandomPlay, world: Transaction, *changes: Any) -> None:
    """Now and then have a call for judgement change something, so that more can be done."""
    if play.random.random() > HELPED:
        return
    active, admin = ids(reading.roster(world)), some(play, ids(reading.admins(world)))
    play.attempt(active[0], "cfj", {"title": "Help", "changes": list(changes)})
    raised = ids(reading.find(play.game.world(), "posts", kind="cfj", status="pending"))
    if raised and admin:
        carry(play, world, raised[-1])
        play.attempt(admin, "resolve", {"matter": raised[-1]})


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


def vote(play: RandomPlay, world: Transaction, actor: str) -> Given:
    matter = some(play, reading.find(world, "posts", status="pending"))
    icon = play.random.choice(["for"] * 7 + ["against", "deferential", "veto"])
    return (
        None
        if matter is None
        else {
            "actor": some(play, ids(reading.roster(world))) or actor,
            "matter": matter.partition("/")[2],
            "icon": icon,
        }
    )


def resolve(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """The oldest matter, mostly carried by a quorum first."""
    pending = ids(reading.find(world, "posts", status="pending"))
    admin = some(play, ids(reading.admins(world)))
    if admin is None or not pending:
        return None
    if play.random.random() < CARRIED:
        carry(play, world, pending[0])
        play.at += DAY
    return {"actor": admin, "matter": pending[0]}


def carry(play: RandomPlay, world: Transaction, matter: str) -> None:
    for voter in ids(reading.roster(world))[: reading.view(world, "quorum")]:
        play.attempt(voter, "vote", {"matter": matter, "icon": "for"})


def join(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": f"guest{play.random.randrange(99)}"} if len(reading.roster(world)) < 9 else None


def idle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    found = [name for name in lords(world) if name.startswith("guest")]
    return (
        {"actor": some(play, ids(reading.admins(world))) or actor, "player": some(play, found)}
        if found
        else None
    )


def unidle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    away = [ref for ref in reading.roster(world, idle=True) if reading.is_idle(world, ref)]
    player, admin = some(play, ids(away)), some(play, ids(reading.admins(world)))
    if player is None or admin is None:
        return None
    play.attempt(player, "post", {"title": "Please unidle me"})
    return {"actor": admin, "player": player}


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
    lead = reading.emperor(world)
    return {"actor": lead.partition("/")[2]} if lead else None


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
    return (str(reading.get(world, one, "author")).partition("/")[2], one.partition("/")[2]) if one else None


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
            "actor": str(reading.get(world, one, "author")).partition("/")[2],
            "matter": one.partition("/")[2],
            "replace": reading.get(world, one, "body"),
            "with": "It",
        }
    return {
        "actor": some(play, ids(reading.roster(world))),
        "rule": "fair-play",
        "replace": "not acceptable",
        "with": "unacceptable",
    }


CAPS = {
    "title": "Caps",
    "text": "There is a cap.",
    "slug": "caps",
    "declares": {"variables": {"cap": {"of": "game", "type": "text", "by_hand": True}}},
}


def by_hand(play: RandomPlay, world: Transaction, actor: str) -> Given:
    if "caps" not in world.ruleset.by_slug:
        decree(play, world, {"add-rule": CAPS})
    return {
        "actor": some(play, ids(reading.roster(world))),
        "path": "game.cap",
        "value": f"cap {play.random.randrange(99)}",
    }


def undo(play: RandomPlay, world: Transaction, actor: str) -> Given:
    by_hand_given = by_hand(play, world, actor) or {}
    play.attempt(by_hand_given.pop("actor"), "set", by_hand_given)
    return (
        {"actor": some(play, ids(reading.roster(world))), "deed": play.latest["set"]}
        if "set" in play.latest
        else None
    )


def roll(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"dice": play.random.choice(["DICE6", "2DICE6", "DICE-1", "FRUIT", "COLOR", "CARD", "{x, y}"])}


def delete_empty_rule(play: RandomPlay, world: Transaction, actor: str) -> Given:
    slug = f"hollow-{play.random.randrange(999)}"
    decree(play, world, {"add-rule": {"title": slug, "slug": slug, "text": ""}})
    return {"actor": some(play, ids(reading.roster(world))), "rule": slug}


def set_tenure(play: RandomPlay, world: Transaction, actor: str) -> Given:
    admin = some(play, ids(reading.admins(world)))
    return {"actor": admin, "player": some(play, lords(world)), "tenured": True} if admin else None


def establish_mentorship(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead, tenured = reading.emperor(world), ids(reading.find(world, "players", tenured=True))
    return (
        {"actor": lead.partition("/")[2], "mentor": some(play, tenured), "mentee": some(play, lords(world))}
        if lead and tenured
        else None
    )


def dissolve_mentorship(play: RandomPlay, world: Transaction, actor: str) -> Given:
    one = some(play, reading.find(world, "mentorships"))
    return (
        None
        if one is None
        else {
            "actor": str(reading.get(world, one, "mentor")).partition("/")[2],
            "mentorship": one.partition("/")[2],
        }
    )


def of_the_emperor(play: RandomPlay, world: Transaction, actor: str) -> Given:
    lead = reading.emperor(world)
    return {"actor": lead.partition("/")[2], "theme": "Night"} if lead else None


def pass_mantle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    declared, admin = (
        ids(reading.find(world, "posts", kind="dov", status="pending")),
        some(play, ids(reading.admins(world))),
    )
    if declared and admin:
        carry(play, world, declared[0])
        play.at += DAY
        play.attempt(admin, "resolve", {"matter": declared[0]})
    lead = reading.emperor(play.game.world())
    return {"actor": bare(lead), "player": some(play, [n for n in lords(world) if n != bare(lead)])}


def a_lord(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, lords(world))} if lords(world) else None


def dov(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return (
        {"actor": some(play, lords(world)), "title": "I have won"}
        if not reading.find(world, "posts", kind="dov", status="pending")
        else None
    )


PREFER: Mapping[str, Callable[[RandomPlay, Transaction, str], Given]] = {
    "propose": propose, "vote": vote, "resolve": resolve, "join": join, "idle": idle, "unidle": unidle,
    "explore": explore, "engrave": engrave, "inhabit": inhabit, "devastate": devastate, "destroy-sigil": destroy_sigil,
    "stock-chest": stock_chest, "raise": raise_, "raise-in-blood": raise_in_blood, "revive-master": revive_master,
    "break-thrall": break_thrall, "enter-the-crypt": enter_the_crypt, "spend-favour": spend_favour,
    "release-favour": release_favour, "claim-favour": claim_favour, "offer-favour": offer_favour,
    "accept-favour": accept_favour, "prune-favours": a_lord, "edit-post": edit_post, "remove-post": remove_post,
    "recategorise-post": recategorise_post, "correct-typo": correct_typo, "set": by_hand, "undo": undo, "roll": roll,
    "delete-empty-rule": delete_empty_rule, "set-tenure": set_tenure, "establish-mentorship": establish_mentorship,
    "dissolve-mentorship": dissolve_mentorship, "pass-mantle": pass_mantle, "ascend": of_the_emperor, "dov": dov,
}  # fmt: skip
