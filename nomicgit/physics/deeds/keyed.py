"""Deeds that the program itself carries out in a game with keys, and the counting of orders. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.law.variables import MISSING
from nomicgit.physics.deed import Deed
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction
from nomicgit.sealing import age

DEEDS: Final = frozenset({Outside.CLOCK, Outside.MAILBOX, Outside.ADDRESS, Outside.SEALED})
BLANK: Final = "blank"
"""The action of an order that asks for nothing."""
WAIT: Final = 72 * 3600
"""Seconds after which letters are written to a mailbox, counted from when the keeper has seen it: its own date is whoever's
who registered it.
"""
A_DAY: Final = 12
"""Orders that are taken of one player in a day, whatever becomes of them; and of all together whose name nobody has."""
NOBODY: Final = "-"
"""Under what these are counted: no id of a player."""


class Judged(StrEnum):
    """What who has the key says of a mailbox that waits."""

    SEEN = "seen"
    """From now on its time runs."""
    THEIRS = "theirs"
    """It is that player's: letters go there at once."""
    NOT_THEIRS = "not-theirs"
    """Somebody else has registered it: it is the former one again, or none."""


class TooMany(Refused):
    """The refusal of an order that waits until tomorrow."""


class TakenAlready(Refused):
    """The refusal of an order that is a deed already."""


def carry_out(world: Transaction, deed: Deed, actor: str | None) -> None:
    """Carry out one of these deeds; of the clock, and of what stands for a refused order, nothing is left but that it was."""
    if not world.context.keys:
        raise Refused.of(
            "this game keeps no secrets",
            mend=remedy("found one with keys:", command("nomicgit", "new", "--help")),
        )
    if deed.action == Outside.MAILBOX:
        _register(world, actor, deed.given)
        return
    world.store.look("what happens in secret")
    if deed.action == Outside.ADDRESS:
        _judge(world, *(str(deed.given.get(name)) for name in ("player", "recipient", "is")))


def _register(world: Transaction, actor: str | None, given: Mapping[str, object]) -> None:
    """Say to which key letters to a player are written, once that has waited; those that were written go on to the former one."""
    recipient = given.get("recipient")
    if set(given) != {"recipient"} or not isinstance(recipient, str) or not age.is_recipient(recipient):
        raise Refused.of("a mailbox is named by its public key alone, which begins with age1")
    if actor is None or world.store.fields(actor) is None:
        raise Refused.of("only players have mailboxes")
    kept: Any = world.store.value(actor, "mailbox")
    if kept is not MISSING and kept["recipient"] == recipient:
        raise Refused.of("that is your mailbox already")
    former = "" if kept is MISSING else in_effect(kept, world.now)
    before = {} if former == recipient else {"before": former}
    world.store.put(actor, "mailbox", {"recipient": recipient, "since": world.time(), **before})


def _judge(world: Transaction, player: str, recipient: str, judged: str) -> None:
    """Say of a mailbox that waits that its time runs, or whose it is; of one that another has pushed out, that it is theirs all
    the same. Else refused where another, or none, waits there by now.
    """
    ref = f"players/{player}"
    kept: Any = MISSING if world.store.fields(ref) is None else world.store.value(ref, "mailbox")
    if judged not in list(Judged):
        raise Refused.of(f"a mailbox is said to be one of these: {', '.join(Judged)}")
    counts = kept is not MISSING and kept["recipient"] == recipient
    waits = counts and "before" in kept
    if judged == Judged.THEIRS and not counts and world.store.fields(ref) is not None:
        if not age.is_recipient(recipient):
            raise Refused.of("a mailbox is named by its public key alone, which begins with age1")
        world.store.put(ref, "mailbox", {"recipient": recipient, "since": world.time()})
        return
    if not waits or (judged == Judged.SEEN and "from" in kept):
        raise Refused.of(
            "no such mailbox of that player waits", mend=remedy("see which do:", command("nomicgit", "keep"))
        )
    former, since = str(kept["before"]), {"since": kept["since"]}
    now: Any = {
        Judged.SEEN: {**kept, "from": clock.text(world.now + WAIT)},
        Judged.THEIRS: {"recipient": recipient, **since},
        Judged.NOT_THEIRS: {"recipient": former, **since} if former else MISSING,
    }[Judged(judged)]
    world.store.put(ref, "mailbox", now)


def begins(mailbox: Mapping[str, Any]) -> int | None:
    """From when on letters go to a mailbox (seconds, UTC); None where the keeper has yet to see it."""
    if "before" not in mailbox:
        return clock.instant(str(mailbox["since"]))
    return clock.instant(str(mailbox["from"])) if "from" in mailbox else None


def in_effect(mailbox: Mapping[str, Any], now: int) -> str:
    """To which key letters go at a time (seconds, UTC): the former one until the new one has waited, so that no other takes it
    over; "" for none.
    """
    begun = begins(mailbox)
    waits = "before" in mailbox and (begun is None or begun > now)
    return str(mailbox["before"] if waits else mailbox["recipient"])


def taken_on(kept: Mapping[str, Any], day: str) -> dict[str, Any]:
    """How many orders of each player (by id) were taken on a day."""
    return {name: of for name, of in kept.get("taken", {}).items() if of["day"] == day}


def overtaken(world: Transaction, deed: Deed, actor: str | None) -> str:
    """Why an order is not taken any more: one that its player has made later was; nothing where that is not so."""
    latest = writing.stored(world, "open", "orders", {}).get("latest", {}).get(_key_of(actor), 0)
    if deed.ordered_at >= latest:
        return ""
    made, later = clock.text(deed.ordered_at), clock.text(latest)
    return f"this order was made at {made}, and one of the same player's that was made later, at {later}, has been taken"


def taken_back(orders: Mapping[str, Any], deed: Deed, actor: str | None) -> str:
    """Why an order is not taken that its player has taken back, or one that is to take another back comes to nothing; nothing
    where neither is so. ``orders``: what is known of those that were taken.
    """
    if orders.get("instead", {}).get(deed.nonce) == _key_of(actor):
        return "its player has taken this order back by another"
    if deed.instead and deed.instead in orders.get("nonces", {}):
        return "the order that this one was to take back was taken before, and so this one is not done"
    return ""


def take_order(world: Transaction, deed: Deed, actor: str | None) -> None:
    """Count an order, which is good once, and of which a player has so many a day; one that it takes back is so whatever becomes
    of it. Refused for one too many, and, where it asks for something still, for one that another has overtaken or taken back.
    """
    world.store.look("an order")
    assert deed.nonce is not None
    kept: dict[str, Any] = writing.stored(world, "open", "orders", {})
    today, who = world.calendar.date(world.now), _counted_as(world, actor)
    taken = taken_on(kept, today)
    count = taken.get(who, {"count": 0})["count"]
    nonces = kept.get("nonces", {})
    if deed.nonce in nonces:
        raise TakenAlready.of("this order was taken already")
    if count >= A_DAY:
        of = "of a player" if who != NOBODY else "in names that nobody here has"
        raise TooMany.of(f"{A_DAY} orders {of} are taken in a day, and so many were")
    why = taken_back(kept, deed, actor) or overtaken(world, deed, actor)
    if deed.action != Outside.SEALED and why:
        raise Refused.of(why)
    taken[who] = {"day": today, "count": count + 1}
    parts = {"nonces": {**nonces, deed.nonce: True}, "taken": taken}
    latest, name = kept.get("latest", {}), _key_of(actor)
    parts["latest"] = {**latest, name: max(deed.ordered_at, latest.get(name, 0))}
    if deed.instead:
        parts["instead"] = {**kept.get("instead", {}), deed.instead: name}
    elif "instead" in kept:
        parts["instead"] = kept["instead"]
    world.store.put("open", "orders", {name: dict(sorted(part.items())) for name, part in parts.items()})


def _counted_as(world: Transaction, actor: str | None) -> str:
    """Under what orders are counted: each player's by themselves, and those in names that nobody has all together."""
    return _key_of(actor) if actor is not None and world.store.fields(actor) is not None else NOBODY


def _key_of(actor: str | None) -> str:
    """The id of whose order it is."""
    return str(actor or NOBODY).rpartition("/")[2]
