"""What ``nomicgit new`` does about secrets: whether a game has keys, who keeps them, and what people are told of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from nomicgit.editions import Secrets
from nomicgit.git import Repository
from nomicgit.ground.missing import missing
from nomicgit.ground.problems import Refused
from nomicgit.physics.deeds.founding import Founding

if TYPE_CHECKING:
    from nomicgit.record.keeping import Keeper
    from nomicgit.sealing.keys import Key


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
    who = named or start.emperor or next(iter(start.admins), None)
    if who is None:
        raise click.UsageError("who keeps the secrets? --keeper NAME (or --no-keys)")
    return who


def made() -> Key:
    """A key for a game that begins. Refused where what seals is not installed."""
    try:
        from nomicgit.sealing import age, ciphers  # noqa: F401 - here: games without keys need none of what seals
        from nomicgit.sealing.keys import Key
    except ModuleNotFoundError as error:
        lacking = missing(error)
        if lacking is None:
            raise
        raise Refused(
            replace(lacking, mend=f"{lacking.mend}; or found the game without keys: --no-keys")
        ) from None
    return Key.made(os.urandom(64))


@contextmanager
def kept(repository: Repository, who: str | None, key: Key | None) -> Iterator[Keeper | None]:
    """Keep a key in the clone, while a game is founded with it; where that fails it is taken away again."""
    if key is None:
        yield None
        return
    from nomicgit.record.keeping import Keeper  # here, as above
    from nomicgit.record.terms import keep_key, key_path

    path = key_path(repository)
    if path.exists():
        raise Refused.of(
            "a key lies here already, and is not overwritten", file=str(path), mend="put it elsewhere first"
        )
    try:
        keep_key(repository, key)
        yield Keeper(who, None, key)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def file_of(repository: Repository) -> str:
    """Where the key lies."""
    from nomicgit.record.terms import key_path  # here, as above

    return str(key_path(repository))


def said(
    edition: str, secrets: Secrets, who: str | None, file: str | None, where: str, github: str | None
) -> Iterator[str]:
    """Who keeps the secrets and what that means; or what cannot be done without keys."""
    if who is not None:
        yield f"{who} keeps this game's secrets, and can read all of them, whosever they are"
        yield (
            f"their key lies in {file}, and nowhere else: without it nobody can read or do what is secret any more, "
            f"so keep it elsewhere too (nomicgit {where}keys show --secret)"
        )
        if github:
            yield f"orders are taken and letters written from this clone, by {who}: nomicgit keep"
    elif needed := str(secrets):
        yield f"{edition}: {needed}; this game has no keys, and refuses them"
        if github:
            yield "a game on GitHub keeps secrets where a player keeps the key in a clone: --keeper NAME, then nomicgit keep"
