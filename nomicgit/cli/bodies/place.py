"""Where a game lives on GitHub, as the options of a command say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import click

from nomicgit.forge import setup
from nomicgit.record.forms import forge_of


def told(
    github: str,
    *,
    accounts: tuple[str, ...],
    resolves: str | None,
    site: str | None,
    players: Collection[str],
    kept: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """``forge`` of a game's settings; what is not said is as it was ``kept``. UsageError for what is none."""
    if forge_of({"github": github}) is None:
        raise click.UsageError(
            f"--github {github!r} is no repository: write OWNER/REPO, without an address about it or .git behind it"
        )
    settings = {"github": github, "resolve": "admins"} | dict(kept or {}) | {"github": github}
    settings |= {"resolve": "steward", "by": resolves} if resolves else {}
    if site is not None:
        place = forge_of({"github": github, "site": site})
        if place is None or place.site != site:
            raise click.UsageError(f"--site {site!r} is no https address that ends with a slash")
        settings["site"] = site
    there = {**settings.get("players", {}), **_accounts(accounts, players)}
    return settings | ({"players": there} if there else {})


def _accounts(accounts: tuple[str, ...], players: Collection[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for each in accounts:
        name, _, number = each.partition("=")
        if name not in players or name in ids:
            raise click.UsageError(f"--account {each!r}: {name!r} is no player, or stands twice")
        if not number.isascii() or not number.isdecimal() or int(number) < 1 or int(number) in ids.values():
            raise click.UsageError(
                f"--account {each!r}: ids are numbers, each its own; see api.github.com/users/LOGIN"
            )
        ids[name] = int(number)
    return ids


def files(forge: Mapping[str, Any]) -> dict[str, bytes]:
    """What a game's place on GitHub needs beside the game, with this very program."""
    place = forge_of(forge)
    assert place is not None
    return setup.files(place)
