"""Retold: a deed outside the law as the command lines by which whoever may do it does it again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from nomicgit.ground.problems import printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record.outside import restoring


def line_of(deed: Deed, forge: Mapping[str, Any] | None, keys: Collection[str] = ()) -> str:
    """The command lines of a deed outside the law, with what is to be said of them; "" of a founding alone, which nobody does
    again. ``forge`` is how the game lives now: of a move they say what becomes other by it. ``keys`` are those that the deed's player
    has now: any that they were to have no more are told of.
    """
    given = deed.given
    match deed.action:
        case Outside.ACCOUNT:
            account = deed.origin.account if deed.origin is not None else None
            if account is None:
                return ""
            known = f"{deed.actor}={account.id}" + (f":{account.login}" if account.login else "")
            return command("nomicgit", "steward", "--know", known)
        case Outside.SIGNERS:
            return _keys(deed, keys)
        case Outside.TERM:
            return _term(given)
        case Outside.OPEN:
            return command("nomicgit", "keys", "open", str(given["term"]))
        case Outside.MEND:
            words = ["mend", "--to", str(given["to"])]
        case Outside.RESTORE:
            words = ["restore", str(given["to"])]
        case Outside.NUMBER:
            words = ["physics", str(given["to"])]
        case Outside.SIGNED:
            words = ["signers", "--deeds", str(given["to"])]
        case Outside.APPROVALS:
            words = ["signers", "--approvals", str(given["to"])]
        case Outside.RESTORERS:
            names, of = restoring.named(given["restore"])
            words = ["restorers", *(map(str, names) if names else ["--nobody", "--yes"]), "--of", str(of)]
        case Outside.REHOUSE:
            words = ["rehouse", *_place(given["forge"], forge or {})]
        case _:
            return ""
    return command("nomicgit", *words, *_by(given))


def _by(given: Mapping[str, Any]) -> Iterator[str]:
    return (word for name in given["by"] for word in ("--by", str(name)))


def _keys(deed: Deed, now: Collection[str]) -> str:
    """A player's keys; which of theirs are to go hangs on those that they have now."""
    given, player = deed.given, str(deed.given["player"])
    whose = ("--of", player) if given["by"] or deed.actor != player else ()
    adds = [word for key in given["keys"] for word in ("--add", str(key))]
    address = ["--address", str(given["address"])] if "address" in given else []
    do = command("nomicgit", "signers", *whose, *adds, *address, *_by(given)) if adds or address else ""
    if adds and not {*now} - {*map(str, given["keys"])}:
        return do
    which = (
        f"and of every other key of {printable(player)}'s:"
        if adds
        else f"of every key of {printable(player)}'s:"
    )
    drop = command("nomicgit", "signers", *whose, "--drop", "FINGERPRINT", *_by(given))
    return remedy(do, which, drop)


def _term(given: Mapping[str, Any]) -> str:
    """Another term, in the clone in which the game's key lies; or, where that is lost, by those who may begin without it."""
    keeper = ("--keeper", str(given["keeper"])) if given["keeper"] is not None else ("--steward",)
    lost = ("--lost",) if given["by"] else ()
    return command("nomicgit", "keys", "move", *keeper, *lost, *_by(given))


def _place(forge: Mapping[str, Any] | None, now: Mapping[str, Any]) -> Iterator[str]:
    if forge is None:
        yield "--away"
        return
    yield from ("--github", str(forge["github"]))
    accounts, before = forge.get("players", {}), now.get("players", {})
    for name, number in accounts.items():
        if before.get(name) != number:
            yield from ("--account", f"{name}={number}")
    for name in before:
        if name not in accounts:
            yield from ("--forget", str(name))
    for key, option in (("by", "resolves"), ("site", "site")):
        if forge.get(key) != now.get(key):
            yield from (f"--no-{option}",) if forge.get(key) is None else (f"--{option}", str(forge[key]))
