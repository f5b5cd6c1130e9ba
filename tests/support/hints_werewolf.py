"""What a villager of the werewolf edition does next: hints for random play that bring a game on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from support.hints_core import (
    CORE,
    DAY,
    Given,
    Hint,
    active,
    admin_of,
    admit,
    bare,
    commoners,
    decree,
    enact_all,
    head,
    ids,
    remove_post,
    some,
)
from support.randomly import RandomPlay

LONG_AGO = "2008-10-01T00:00:00Z"
SLIPS = ("A proposal begins pending", "A proposal starts pending")
POISON = {"name": "doom", "kind": "poison", "strength": "weak", "susceptible": "everybody"}
Made = Callable[[RandomPlay, Transaction, list[str]], Given]


def turn(play: RandomPlay, *, night: bool) -> None:
    """Wait for a day, or a night, of an odd date."""
    play.at += 3600
    while int(clock.text(play.at)[8:10]) % 2 != night:
        play.at += 6 * 3600


def of(name: str, **values: Any) -> dict[str, Any]:
    return {"set": {f"players.{name}.{variable}": value for variable, value in values.items()}}


def dead(name: str | None) -> dict[str, Any]:
    return {"set": {"game.personae_non_gratae": [name] if name else []}}


def able(name: str, occupation: str, **values: Any) -> list[dict[str, Any]]:
    """Alive and long in an occupation."""
    return [of(name, life="Healthy", occupation=occupation, **values), of(name, occupation_since=LONG_AGO)]


def staged(number: int, made: Made, *, night: bool | None = None) -> Hint:
    """A hint that needs so many villagers, by night, by day or at any time."""

    def hint(play: RandomPlay, world: Transaction, actor: str) -> Given:
        if len(commoners(world)) < number:
            return None
        if night is not None:
            turn(play, night=night)
        return made(play, world, play.random.sample(commoners(world), number))

    return hint


def working(occupation: str, given: Callable[[str], dict[str, Any]], **values: Any) -> Made:
    """Somebody of an occupation does it, to the second villager."""

    def made(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
        decree(
            play, world, dead(None), *able(names[0], occupation, **values), {"set": {"elixirs.doom": POISON}}
        )
        return {"actor": names[0], **given(names[1])}

    return made


def nothing(other: str) -> dict[str, Any]:
    return {}


def take_occupation(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), of(names[0], life="Healthy", occupation=""))
    trades = world.law.declared.catalogues["occupations"]["Show"]
    return {"actor": names[0], "occupation": play.random.choice(list(trades))}


def demote(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    ranks = zip(names, ("Archer", "Bowman", "Hussar"), strict=True)
    decree(play, world, dead(None), *[change for name, rank in ranks for change in able(name, rank)])
    return {"actor": head(world), "player": names[0]}


def autopsy(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(names[1]), *able(names[0], "Alchemist"))
    return {"actor": names[0], "villager": names[1]}


def wounded(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Doctor"), of(names[1], life="Wounded"))
    return {"actor": names[0], "villager": names[1], "text": "Leeches."}


def call_again(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    given = wounded(play, world, names) or {}
    play.attempt(given.pop("actor"), "tend-wounded", given)
    play.at += 4 * DAY
    return {"actor": names[0], "villager": names[1]}


def pack(play: RandomPlay, world: Transaction, names: list[str], *more: Any) -> None:
    """The first two are the only Werewolves, and all of them are well."""
    wolves = [of(name, werewolf=name in names[:2]) for name in active(world)]
    well = [of(name, life="Healthy", occupation="") for name in names]
    decree(play, world, dead(None), *wolves, *well, {"set": {"game.hounds": "released"}}, *more)


def hunted(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    """Two Werewolves have one target."""
    for wolf in names[:2]:
        play.attempt(wolf, "target", {"villager": names[2], "method": "murder"})
    return {"actor": head(world), "villager": names[2]} if head(world) else None


def murder(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names)
    return hunted(play, world, names)


def foiled(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names, *able(names[3], "Doctor", patient=names[2]))
    given = hunted(play, world, names) or {}
    play.attempt(given.pop("actor"), "process-murder", given)
    return {"actor": head(world)}


def bite(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names, of(names[1], werewolf=False))
    play.attempt(names[0], "target", {"villager": names[2], "method": "biting"})
    return {"actor": head(world), "werewolf": names[0]}


def target(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names)
    method = play.random.choice(["murder", "biting"])
    return {"actor": names[0], "villager": names[2], "method": method}


def wolf(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names)
    return {"actor": names[0]}


def howl(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names)
    return {"actor": names[0], "times": 2}


def announce_howls(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    given = howl(play, world, names) or {}
    play.attempt(given.pop("actor"), "howl", given)
    return {"actor": head(world)}


def release(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Prisoner"), of(names[1], inventory={"gaol-keys": 1}))
    return {"actor": names[1]}


def gaol(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Prisoner", werewolf=True))
    return {"actor": head(world)}


def write_will(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Solicitor"), of(names[1], life="Healthy"))
    return {"actor": names[1], "text": "All to my cat."}


def execute_will(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(names[1]), *able(names[0], "Solicitor"), of(names[1], inventory={"medal": 1}))
    gifts = [{"item": "medal", "to": names[2]}]
    return {"actor": names[0], "deceased": names[1], "body": "So be it.", "gifts": gifts}


def steal(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Thief"), of(names[1], inventory={"medal": 2}))
    return {"actor": names[0], "item": "medal", "from": names[1], "to": names[2]}


def carrying(play: RandomPlay, world: Transaction, name: str, **items: int) -> None:
    held = {item.replace("_", "-"): n for item, n in items.items()}
    doom = {"set": {"elixirs.doom": POISON}}
    decree(play, world, dead(None), doom, of(name, life="Healthy", occupation="", inventory=held))


def give(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], sword=2)
    return {"actor": names[0], "item": "sword", "to": names[1]}


def drop(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], medal=1)
    return {"actor": names[0], "item": "medal"}


def sober_up(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], ale_tankard=1)
    return {"actor": names[0]}


def vial(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], elixir_doom=2)
    return {"actor": names[0], "elixir": "doom"}


def shoot(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], gun=1, silver_bullet=1)
    return {"actor": names[0], "quarry": names[1], "ammunition": play.random.choice(["lead", "silver"])}


def blank(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    carrying(play, world, names[0], gun=1)
    return {"actor": names[0]}


def resolve_shot(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    given = shoot(play, world, names) or {}
    play.attempt(given.pop("actor"), "shoot", given)
    waiting = reading.find(play.game.world(), "shots", resolved=False)
    return {"actor": head(world)} | ({"shot": waiting[0].partition("/")[2]} if waiting else {})


def newcomer(play: RandomPlay, world: Transaction, actor: str) -> Given:
    guest = f"guest{play.random.randrange(99)}"
    play.attempt(guest, "join", {})
    admitting = admit(play, play.game.world(), "")
    play.attempt(str(admitting.pop("actor")), "admit", admitting) if admitting else None
    return {"actor": head(world), "player": guest}


def renew(play: RandomPlay, world: Transaction, actor: str) -> Given:
    tame = [of(name, werewolf=False) for name in ids(reading.roster(world, idle=True))]
    decree(play, world, dead(None), *tame, {"set": {"game.pack_idled": True}})
    return {"actor": head(world)}


def tame(play: RandomPlay, world: Transaction, actor: str) -> Given:
    changes = [of(name, werewolf=False) for name in active(world)]
    decree(play, world, dead(None), *changes, {"set": {"game.end_announced": "pending"}})
    return {"actor": head(world)}


def break_tie(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    none = [of(name, werewolf=False, acuity_points=0) for name in active(world)]
    decree(play, world, *none, {"set": {"game.end_announced": "villagers"}})
    return {"actor": head(world), "player": names[0]}


def alls_well(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), of(names[0], life="Healthy"), {"set": {"game.night_watchman": names[0]}})
    return {"actor": head(world)}


def watchman(play: RandomPlay, world: Transaction, actor: str) -> Given:
    decree(play, world, dead(None), {"set": {"game.night_watchman": None}})
    return {"actor": head(world)}


def hairy(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    unknown = [n for n in names if reading.get(world, f"players/{n}", "hairy_back") is None]
    return {"actor": head(world), "player": some(play, unknown or names)}


def announce_back(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), of(names[0], life="Healthy", occupation=""))
    play.attempt(str(head(world)), "determine-hairy-back", {"player": names[1]})
    play.attempt(names[0], "propose", {"title": "Town Meeting: Backs", "changes": []})
    enact_all(play, str(admin_of(play, world)))
    met = reading.find(play.game.world(), "posts", title="Town Meeting: Backs", status="enacted")
    return {"actor": head(world), "player": names[1], "matter": bare(met[-1])} if met else None


def be_shaved(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), *able(names[0], "Barber"), of(names[1], occupation="", hairy_back=True))
    if play.random.random() < 0.5:
        play.attempt(names[0], "shave", {"villager": names[1]})
    return {"actor": names[1]}


def award(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    pack(play, world, names)
    decree(play, play.game.world(), of(names[2], life="Dead"))
    return {"actor": head(world), "deceased": names[2], "player": names[0], "responsible": True}


def remove_unnamed(play: RandomPlay, world: Transaction, actor: str) -> Given:
    """Half of the time a post of one's own, half of the time a call that its caller raised unnamed."""
    if play.random.random() < 0.5:
        return remove_post(play, world, actor)
    caller = play.random.choice(active(world))
    play.attempt(caller, "cfj", {"title": "Unnamed", "anonymous": True})
    raised = reading.find(play.game.world(), "posts", kind="cfj", raised_by=f"players/{caller}")
    return {"actor": caller, "post": bare(raised[-1]), "anonymous": True} if raised else None


def haunt(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(names[0]))
    return {"actor": names[0], "villager": names[1]}


def answer(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    number = str(play.random.randrange(100, 999))
    question = {"asker": names[1], "ghost": names[0], "text": "Who was it?"}
    decree(play, world, dead(names[0]), {"set": {f"questions.{number}": question}})
    return {"actor": names[0], "question": number, "answer": play.random.choice(["Maybe", "17", names[1]])}


def investigate(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    decree(play, world, dead(None), of(names[0], life="Healthy"), of(names[1], life="Healthy"))
    return {"actor": names[0], "quarry": names[1]}


def unwelcome(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    play.attempt(names[0], "post", {"title": "I ask to be idle"})
    return {"actor": admin_of(play, world), "player": names[0]}


def kings_visit(play: RandomPlay, world: Transaction, actor: str) -> Given:
    decree(play, world, {"set": {"game.kings_visit_done": False}})
    turn(play, night=False)
    return {"actor": head(world)}


def by_the_head(play: RandomPlay, world: Transaction, names: list[str]) -> Given:
    return {"actor": head(world)}


def correct_typo(play: RandomPlay, world: Transaction, actor: str) -> Given:
    old, new = SLIPS if SLIPS[0] in str(reading.get(world, "rules/proposals", "text")) else SLIPS[::-1]
    return {"actor": admin_of(play, world), "rule": "proposals", "replace": old, "with": new}


def other(**more: Any) -> Callable[[str], dict[str, Any]]:
    return lambda name: {"villager": name, **more}


BREW = {"kind": "poison", "strength": "strong", "susceptible": "wounded"}
PREFER: Mapping[str, Hint] = {
    **CORE, "correct-typo": correct_typo, "remove-post": remove_unnamed,
    "take-occupation": staged(1, take_occupation, night=False), "demote": staged(3, demote),
    "resign-occupation": staged(2, working("Piper", nothing), night=False),
    "poison-villager": staged(2, working("Acater", other(elixir="doom"), inventory={"elixir-doom": 1}), night=False),
    "autopsy": staged(2, autopsy, night=False), "name-patient": staged(2, working("Doctor", other())),
    "tend-wounded": staged(2, wounded, night=False), "call-again": staged(2, call_again, night=False),
    "announce-foiled-attack": staged(4, foiled, night=True), "release-prisoner": staged(2, release),
    "check-the-gaol": staged(1, gaol, night=True), "write-will": staged(2, write_will),
    "execute-will": staged(3, execute_will, night=False), "make-sale": staged(2, working("Beer Seller", nothing)),
    "sober-up": staged(1, sober_up, night=False), "make-silver-bullet": staged(2, working("Silversmith", nothing), night=False),
    "make-gun": staged(2, working("Gunsmith", nothing), night=False),
    "make-sword": staged(2, working("Swordsmith", nothing), night=False),
    "brew-elixir": staged(2, working("Apothecary", lambda name: {"elixir": f"dram {name}", **BREW}), night=False),
    "set-hounds": staged(2, working("Master of Hounds", lambda name: {"status": "penned", "house": name})),
    "steal": staged(3, steal, night=True), "give-item": staged(2, give), "drop-item": staged(1, drop),
    "drink-elixir": staged(1, vial), "drug-the-well": staged(1, vial), "shoot": staged(2, shoot),
    "resolve-shot": staged(2, resolve_shot), "fire-blank": staged(1, blank), "target": staged(3, target),
    "target-no-one": staged(2, wolf), "process-murder": staged(3, murder, night=True),
    "process-bite": staged(3, bite, night=True), "determine-lycanthropy": newcomer, "renew-werewolves": renew,
    "howl": staged(2, howl), "announce-howls": staged(2, announce_howls, night=True),
    "alls-well": staged(1, alls_well, night=True), "appoint-watchman": watchman, "determine-hairy-back": staged(5, hairy),
    "announce-hairy-back": staged(2, announce_back, night=False), "be-shaved": staged(2, be_shaved),
    "shave": staged(2, working("Barber", other())), "check-neck-hair": staged(1, by_the_head, night=False),
    "award-acuity": staged(3, award), "announce-the-end": tame, "break-tie": staged(1, break_tie), "haunt": staged(2, haunt),
    "answer-seance": staged(2, answer), "investigate": staged(2, investigate, night=False),
    "add-persona-non-grata": staged(1, unwelcome), "kings-visit": kings_visit,
}  # fmt: skip
