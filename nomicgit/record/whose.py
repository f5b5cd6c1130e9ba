"""Whose an account on the forge is: the gamestate knows it by a deed, or else the settings tell it. One account is one player's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgit.ground.problems import printable
from nomicgit.physics.deed import NOBODYS, Account, Deed, account_number
from nomicgit.physics.state.naming import called, names_of
from nomicgit.physics.state.store import Store
from nomicgit.record.settings import FORGES

Forge = Mapping[str, Any] | None
"""``forge`` of a game's settings."""
RANGE = f"an account's number is from 1 to {NOBODYS - 1}"


class Known(Struct, frozen=True):
    """A player's account: its number (0: none is known), its login where a deed has told it, and whether one has."""

    player: str
    number: int = 0
    login: str = ""
    by_deed: bool = False

    def __str__(self) -> str:
        if not self.number:
            return f"{self.player}: no account is known"
        how = "by a deed" if self.by_deed else "by the settings"
        return f"{self.player}: {self.number}{f' ({printable(self.login)})' if self.login else ''}, {how}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        account = self.number or None
        return {"player": self.player, "account": account, "login": self.login, "by_deed": self.by_deed}


def everybody(store: Store, forge: Forge) -> list[Known]:
    """Each player of the roster with their account."""
    return [*accounts(store, told_in(forge)).values()]


def accounts(store: Store, by_settings: Mapping[str, int]) -> dict[str, Known]:
    """The same by the players' ids; ``by_settings`` are the accounts that those tell, by name.

    What a deed has made known goes before what the settings tell.
    """
    ids = sorted(store.ids("players"))
    names = {name.casefold(): who for who in ids for name in (who, *names_of(store, who))}
    numbers = {names.get(name.casefold()): number for name, number in by_settings.items()}
    known = {}
    for who in ids:
        kept, name = store.value(f"players/{who}", "forge"), called(store, who)
        number = kept.get(FORGES[0]) if isinstance(kept, Mapping) else None
        if isinstance(number, int):
            known[who] = Known(name, number, str(kept.get("login", "")), by_deed=True)
        else:
            known[who] = Known(name, numbers.get(who, 0))
    return known


def told_in(forge: Forge) -> dict[str, int]:
    """The accounts that settings tell, by their players' names; what is no account is left out."""
    players = (forge or {}).get("players")
    pairs = players.items() if isinstance(players, Mapping) else ()
    return {str(name): number for name, number in pairs if isinstance(number, int)}


def without(store: Store, forge: Forge) -> list[str]:
    """The players of a game on a forge of whom no account is known; nobody where it lives on none."""
    return [each.player for each in everybody(store, forge) if not each.number] if forge else []


def without_told(forge: Forge, players: Collection[str]) -> list[str]:
    """Those of some founding players whose account the settings of a game on a forge do not tell."""
    known = {name.casefold() for name in told_in(forge)}
    return [name for name in players if name.casefold() not in known] if forge else []


def holder(held: Mapping[str, int], number: int) -> str:
    """The player whose account it is among those that are held; "" where nobody's."""
    return next((player for player, each in held.items() if each == number), "")


def in_turn(held: Mapping[str, int], wanted: Mapping[str, Account]) -> Iterator[tuple[str, Account]]:
    """What is to be recorded, one after the other, so that each player comes to the account that is wanted, and none is ever
    two players'. Who stand in each other's way change places: one of them is nobody's for a moment.
    """
    now, left = dict(held), dict(wanted)
    while left:
        free = [who for who, account in left.items() if holder(now, account.id) in ("", who)]
        who = free[0] if free else next(iter(left))
        account = left.pop(who) if free else Account(wanted[who].forge, NOBODYS, "")
        now[who] = account.id
        yield who, account


def taken(store: Store, forge: Forge, deed: Deed) -> str:
    """What is wrong with the account that a deed came by: another player has it; "" where nothing is."""
    if deed.origin is None or deed.origin.account is None or deed.actor is None:
        return ""
    number, actor = deed.origin.account.id, called(store, deed.actor)
    other = holder({each.player: each.number for each in everybody(store, forge)}, number)
    return f"the account {number} is {other}'s already" if other not in ("", actor) else ""


def misnamed(forge: Forge, known: Collection[Known], admins: Collection[str]) -> str:
    """What is wrong with whom settings name: who resolves is no admin, an account is none, or two players'; "" where nothing is.

    ``known``: everybody, as these settings would have them.
    """
    by = (forge or {}).get("by")
    if by is not None and str(by).casefold() not in {name.casefold() for name in admins}:
        who = f"{', '.join(admins)} may be named" if admins else "there is none"
        return f"{printable(str(by), 60)} is no admin, and the steward resolves in the name of one: {who}"
    for name, number in told_in(forge).items():
        if account_number(str(number)) is None:
            return f"{printable(name, 60)}: {RANGE}, and {printable(str(number), 40)} is none"
    whose: dict[int, str] = {}
    for each in known:
        if each.number and whose.setdefault(each.number, each.player) != each.player:
            return f"the account {each.number} is one player's: {whose[each.number]}'s or {each.player}'s"
    return ""
