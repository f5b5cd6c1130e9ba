"""Where a game lives on GitHub, as the options of a command say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import click

from nomicgit.forge import setup
from nomicgit.ground.problems import printable, quoted
from nomicgit.physics.deed import account_number
from nomicgit.record import whose
from nomicgit.record.forms import forge_of
from nomicgit.record.forms.forge import MOST_OF_NAME, MOST_OF_OWNER


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
        for part, most, of in zip(
            github.split("/"), (MOST_OF_OWNER, MOST_OF_NAME), ("OWNER", "REPO"), strict=False
        ):
            if len(part) > most:
                raise click.UsageError(
                    f"--github: {of} has {len(part)} letters, and at most {most} on GitHub"
                )
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
        said, written = of_account("--account", each)
        name, number = spelled(said, players), numbered("--account", said, written)
        if name is None:
            raise click.UsageError(f"--account {each!r}: {said!r} is no player")
        if name in ids:
            raise click.UsageError(f"--account {each!r}: {name} has one account, and is named twice")
        if holder := whose.holder(ids, number):
            raise click.UsageError(
                f"--account {each!r}: the account {number} is one player's, and said to be {holder}'s"
            )
        ids[name] = number
    return ids


def of_account(option: str, said: str) -> tuple[str, str]:
    """The name and the number of which ``NAME=ID`` consists. UsageError where there are not both."""
    name, _, written = said.partition("=")
    if not name or not written:
        raise click.UsageError(f"{option} {said!r} is no NAME=ID")
    return name, written


def numbered(option: str, name: str, written: str) -> int:
    """The number of an account as it is written. UsageError for what is none."""
    number = account_number(written)
    if number is None:
        what = f"{whose.RANGE}, as https://api.github.com/users/LOGIN shows it, and {quoted(written, 40)} is none"
        raise click.UsageError(f"{option} for {printable(name, 60)}: {what}")
    return number


def spelled(said: str, players: Collection[str]) -> str | None:
    """A player's name as it is spelled, whatever its capitals; None for nobody's."""
    return said if said in players else {name.casefold(): name for name in players}.get(said.casefold())


def files(forge: Mapping[str, Any]) -> dict[str, bytes]:
    """What a game's place on GitHub needs beside the game, with this very program."""
    place = forge_of(forge)
    assert place is not None
    return setup.files(place)
