"""Who keeps the secrets of a game that ``nomicgit new`` founds, and what people are told of it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from nomicgit.editions import Secrets
from nomicgit.physics.deeds.founding import Founding


def keeper_of(
    start: Founding, secrets: Secrets, *, keys: bool | None, named: str | None, github: str | None
) -> str | None:
    """Who keeps the secrets of a game that begins; None where it keeps none.

    ``keys``: whether somebody wants some; None: as its rules need them. A game on GitHub has some only where somebody is
    named who keeps them.
    """
    if keys is False and named is not None:
        raise click.UsageError("--keeper and --no-keys: without keys there is nothing to keep")
    if github and keys and named is None:
        raise click.UsageError("on GitHub a player with a clone keeps the key: --keeper NAME")
    wanted = (bool(str(secrets)) and not github) if keys is None else keys
    if named is None and not wanted:
        return None
    return named or next(iter((*filter(None, [start.emperor]), *start.admins, *start.players)))


def said(
    edition: str, secrets: Secrets, who: str | None, file: str | None, where: str, github: str | None
) -> Iterator[str]:
    """Who keeps the secrets and what that means; or what cannot be done without keys."""
    if who is not None and file is not None:
        near = os.path.relpath(file)
        shown = file if near.startswith("..") else near
        yield f"{who} keeps this game's secrets, and can read all of them, whosever they are"
        yield (
            f"their key lies in {shown}, and nowhere else: without it nobody can read or do what is secret any more, "
            f"so keep it elsewhere too (nomicgit {where}keys show --secret --yes)"
        )
        if github:
            yield (
                f"orders are taken and letters written from this clone, by {who}: nomicgit keep; "
                "or by the steward, once it has the key: SETUP.md, section 6"
            )
    elif needed := str(secrets):
        yield f"{edition}: {needed}; this game has no keys, and refuses them"
        if github:
            yield "a game on GitHub keeps secrets where a player keeps the key in a clone: --keeper NAME, then nomicgit keep"
