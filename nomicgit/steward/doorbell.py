"""How a game is played on a forge, as its settings say: where, who is who at first, and who resolves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.forms import forge_of
from nomicgit.record.tree import SETTINGS

FORGE = "github"
_REPOSITORY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})/[A-Za-z0-9._-]{1,100}", re.ASCII)


class Resolving(StrEnum):
    """Who resolves matters: the steward, in the name of an admin of the law's, as soon as may be; or the admins, by saying so."""

    STEWARD = "steward"
    ADMINS = "admins"


class Doorbell(Struct, frozen=True):
    """``forge`` of ``game.yml``: ``{github: OWNER/NAME, resolve: steward|admins, by: PLAYER, comments: votes|all,
    players: {NAME: ID}}``.

    ``by`` is in whose name the steward resolves. ``players`` are the accounts, by name, of those who were there before any deed
    told theirs. ``all_comments``: what players say on a post's thread is recorded too, not their votes only. ``site`` is the
    address of the game's site.
    """

    repository: str
    resolve: Resolving = Resolving.ADMINS
    by: str | None = None
    all_comments: bool = False
    players: Mapping[str, int] = field(default_factory=dict)
    site: str = ""


def doorbell(kept: Mapping[str, Any] | None) -> Doorbell:
    """The settings of a game that is played on a forge. Refused where it is on none, or where they make no sense."""
    kept = kept or {}
    name = kept.get(FORGE)
    if not isinstance(name, str) or not _REPOSITORY.fullmatch(name):
        raise _wrong(
            "the settings name no repository on a forge",
            remedy("say where it lives:", command("nomicgit", "rehouse", "--github", "OWNER/REPO")),
        )
    try:
        resolve = Resolving(kept.get("resolve", "admins"))
    except ValueError:
        raise _wrong(
            "forge.resolve is neither steward nor admins", "leave it out, and the admins resolve"
        ) from None
    by, comments = kept.get("by"), kept.get("comments", "votes")
    if by is not None and not isinstance(by, str):
        raise _wrong("forge.by is no player's name", "name the admin in whose name the steward resolves")
    if resolve is Resolving.STEWARD and by is None:
        raise _wrong("forge.by is missing", "name the admin in whose name the steward resolves")
    if comments not in ("votes", "all"):
        raise _wrong("forge.comments is neither votes nor all", "leave it out, and votes are recorded only")
    place = forge_of(kept)
    site = place.site if place is not None else ""
    return Doorbell(name, resolve, by, comments == "all", _accounts(kept.get("players")), site)


def _accounts(kept: Any) -> dict[str, int]:
    accounts: dict[str, int] = {}
    if kept is not None and not isinstance(kept, Mapping):
        raise _wrong("forge.players is no map of names to numeric ids", "write {ana: 1001}")
    for name, account in (kept or {}).items():
        if (
            isinstance(account, bool)
            or not isinstance(account, int)
            or account < 1
            or account in accounts.values()
        ):
            what = f"forge.players: {printable(str(name), 60)} has no numeric id of an account of its own"
            raise _wrong(what, "ids, not logins, tell people apart: {ana: 1001}")
        accounts[str(name)] = account
    return accounts


def _wrong(what: str, mend: str) -> Refused:
    return Refused.of(what, file=SETTINGS, mend=mend)
