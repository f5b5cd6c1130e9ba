"""What players of a blog's core rules do next: hints for random play that several editions share.

Each gives the parameters of an action that may well succeed, ``actor`` among them, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.physics.state import deriving, reading
from nomicgit.physics.state.transaction import Transaction
from support.randomly import RandomPlay

DAY = 86400
CARRIED = 0.7
"""How often a matter that is resolved is voted for first."""
SLIPS = ("control more than one", "have more than one")
"""Two wordings between which a slip is corrected to and fro."""

Given = dict[str, Any] | None
Hint = Callable[[RandomPlay, Transaction, str], Given]


def bare(ref: Any) -> str:
    return str(ref).partition("/")[2]


def ids(refs: list[str]) -> list[str]:
    return [bare(ref) for ref in refs]


def active(world: Transaction) -> list[str]:
    return ids(reading.roster(world))


def commoners(world: Transaction) -> list[str]:
    """The active players who are not the emperor."""
    return [name for name in active(world) if f"players/{name}" != reading.emperor(world)]


def some(play: RandomPlay, found: list[str]) -> str | None:
    return play.random.choice(found) if found else None


def admin_of(play: RandomPlay, world: Transaction) -> str | None:
    return some(play, ids(reading.admins(world)))


def head(world: Transaction) -> str | None:
    found = reading.emperor(world)
    return bare(found) if found else None


def by_the_emperor(**given: Any) -> Hint:
    """The emperor does it."""

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        lead = head(world)
        return {"actor": lead, **given} if lead else None

    return hint


def carry(play: RandomPlay, world: Transaction, matter: str) -> None:
    for voter in active(world)[: deriving.view(world, "quorum")]:
        play.attempt(voter, "vote", {"matter": matter, "icon": "for"})


def decree(play: RandomPlay, world: Transaction, *changes: Any) -> Transaction:
    """Have a call for judgment change something, so that more can be done; the world after it."""
    admin = admin_of(play, world)
    if admin is not None:
        play.attempt(active(world)[0], "cfj", {"title": "Help", "changes": list(changes)})
        raised = ids(reading.find(play.game.world(), "posts", kind="cfj", status="pending"))
        if raised:
            carry(play, world, raised[-1])
            play.attempt(admin, "resolve", {"matter": raised[-1]})
    return play.game.world()


def enact_all(play: RandomPlay, admin: str) -> None:
    """Carry every pending proposal and have one admin enact it, the oldest first."""
    play.at += DAY
    for matter in ids(reading.find(play.game.world(), "posts", kind="proposal", status="pending")):
        carry(play, play.game.world(), matter)
        play.attempt(admin, "resolve", {"matter": matter})


def propose(play: RandomPlay, world: Transaction, actor: str) -> Given:
    author = some(play, commoners(world))
    return {
        "actor": author,
        "title": "Memories",
        "body": "It is so.",
        "changes": [{"uphold": "It happened."}],
    }


def vote(play: RandomPlay, world: Transaction, actor: str) -> Given:
    matter = some(play, ids(reading.find(world, "posts", status="pending")))
    icon = play.random.choice(["for"] * 7 + ["against", "deferential", "veto"])
    return {"actor": some(play, active(world)), "matter": matter, "icon": icon} if matter else None


def resolve(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """The oldest matter, mostly carried by a quorum first."""
    pending, admin = ids(reading.find(world, "posts", status="pending")), admin_of(play, world)
    if admin is None or not pending:
        return None
    if play.random.random() < CARRIED:
        carry(play, world, pending[0])
        play.at += DAY
    return {"actor": admin, "matter": pending[0]}


def join(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": f"guest{play.random.randrange(99)}"} if len(active(world)) < 9 else None


def admit(play: RandomPlay, world: Transaction, actor: str) -> Given:
    guest, admin = some(play, ids(reading.find(world, "newcomers"))), admin_of(play, world)
    return {"actor": admin, "newcomer": guest} if guest and admin else None


def _guest(play: RandomPlay, world: Transaction) -> str | None:
    """A guest who plays, and who joins if none is there."""
    if not [name for name in commoners(world) if name.startswith("guest")]:
        play.attempt(f"guest{play.random.randrange(99)}", "join", {})
        wanted = admit(play, play.game.world(), "")
        play.attempt(str(wanted.pop("actor")), "admit", wanted) if wanted else None
    return some(play, [name for name in commoners(play.game.world()) if name.startswith("guest")])


def leave(play: RandomPlay, world: Transaction, actor: str) -> Given:
    guest = _guest(play, world)
    return {"actor": guest} if guest else None


def idle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    guest, admin = _guest(play, world), admin_of(play, world)
    if guest is None or admin is None:
        return None
    play.attempt(guest, "post", {"title": "I ask to be idle"})
    return {"actor": admin, "player": guest}


def unidle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    away = [ref for ref in reading.roster(world, idle=True) if reading.is_idle(world, ref)]
    player, admin = some(play, ids(away)), admin_of(play, world)
    if player is None or admin is None:
        return None
    play.attempt(player, "post", {"title": "Please unidle me"})
    return {"actor": admin, "player": player}


def _own_post(play: RandomPlay, world: Transaction) -> tuple[str, str]:
    """An author and a post of theirs that is nothing official, made at this moment."""
    author = play.random.choice(active(world))
    play.attempt(author, "post", {"title": "A word"})
    mine = reading.find(play.game.world(), "posts", kind="none", author=f"players/{author}")
    return author, bare(mine[-1]) if mine else "1"


def edit_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    author, post = _own_post(play, world)
    return {"actor": author, "post": post, "body": "Otherwise."}


def remove_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    author, post = _own_post(play, world)
    return {"actor": author, "post": post}


def recategorise_post(play: RandomPlay, world: Transaction, actor: str) -> Given:
    author, post = _own_post(play, world)
    return {"actor": author, "post": post, "kind": play.random.choice(["cfj", "proposal"])}


def correct_typo(play: RandomPlay, world: Transaction, actor: str) -> Given:
    text = str(reading.get(world, "rules/fair-play", "text"))
    old, new = SLIPS if SLIPS[0] in text else SLIPS[::-1]
    admin = admin_of(play, world)
    return {"actor": admin, "rule": "fair-play", "replace": old, "with": new} if admin else None


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
        "actor": some(play, active(world)),
        "path": "game.cap",
        "value": f"cap {play.random.randrange(99)}",
    }


def undo(play: RandomPlay, world: Transaction, actor: str) -> Given:
    given = by_hand(play, world, actor) or {}
    play.attempt(given.pop("actor"), "set", given)
    return {"actor": some(play, active(world)), "deed": play.latest["set"]} if "set" in play.latest else None


def roll(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"dice": play.random.choice(["DICE6", "2DICE6", "DICE-1", "FRUIT", "0DICE6"])}


def dov(play: RandomPlay, world: Transaction, actor: str) -> Given:
    pending = reading.find(world, "posts", kind="dov", status="pending")
    return None if pending else {"actor": some(play, commoners(world)), "title": "I have won"}


def crown(play: RandomPlay, world: Transaction) -> None:
    """Let a declaration of victory pass, so that there is an interregnum."""
    if deriving.view(world, "interregnum"):
        return
    if not reading.find(world, "posts", kind="dov", status="pending"):
        play.attempt(play.random.choice(commoners(world)), "dov", {"title": "I have won"})
    declared, admin = (
        reading.find(play.game.world(), "posts", kind="dov", status="pending"),
        admin_of(play, world),
    )
    if declared and admin:
        carry(play, world, bare(declared[0]))
        play.at += DAY
        play.attempt(admin, "resolve", {"matter": bare(declared[0])})


def pass_mantle(play: RandomPlay, world: Transaction, actor: str) -> Given:
    crown(play, world)
    now = play.game.world()
    lead = head(now)
    return {"actor": lead, "player": some(play, commoners(now))} if lead else None


def ascend(play: RandomPlay, world: Transaction, actor: str) -> Given:
    crown(play, world)
    lead = head(play.game.world())
    return {"actor": lead, "theme": "Night"} if lead else None


def tell(play: RandomPlay, world: Transaction, actor: str) -> Given:
    return {"actor": some(play, active(world)), "to": some(play, active(world)), "text": "Meet me."}


def comment(play: RandomPlay, world: Transaction, actor: str) -> Given:
    post = some(play, ids(reading.find(world, "posts")))
    return {"actor": some(play, active(world)), "post": post, "text": "So it is."} if post else None


CORE: Mapping[str, Hint] = {
    "propose": propose, "vote": vote, "resolve": resolve, "join": join, "admit": admit, "leave": leave, "idle": idle, "unidle": unidle,
    "edit-post": edit_post, "remove-post": remove_post, "recategorise-post": recategorise_post,
    "correct-typo": correct_typo, "set": by_hand, "undo": undo, "roll": roll, "dov": dov, "pass-mantle": pass_mantle,
    "ascend": ascend, "tell": tell, "comment": comment,
}  # fmt: skip
CALM = ("leave", "dov", "pass-mantle", "ascend", "resign-admin")
