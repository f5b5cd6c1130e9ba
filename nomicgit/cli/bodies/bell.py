"""The forge as a command reaches it: where the game lives, by which token, at which addresses."""

from __future__ import annotations

import os
import re
import time

import click

from nomicgit.forge.github import GitHub
from nomicgit.ground.escaping import logged
from nomicgit.ground.problems import Problem, Refused
from nomicgit.record.forms import Forge, forge_of
from nomicgit.record.game import Game
from nomicgit.record.tree import SETTINGS

TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
_TOKEN = re.compile(r"[!-~]+", re.ASCII)
"""What can stand in a header: signs that are seen, and no blank."""


def place_of(game: Game) -> Forge:
    """Where a game lives. Refused where it lives on no forge."""
    place = forge_of(game.settings.forge)
    if place is None:
        mend = "let it move there: nomicgit rehouse --github OWNER/REPO"
        raise Refused.of("the game lives on no forge", file=SETTINGS, mend=mend)
    return place


def without_token() -> Problem | None:
    """That the environment has no token for GitHub; None where it has one."""
    if any(os.environ.get(name) for name in TOKENS):
        return None
    return Problem("there is no token for GitHub", mend="put one into the environment: GITHUB_TOKEN")


def token() -> str:
    """The token of whoever runs the command. Refused where the environment has none, or what is none."""
    if (none := without_token()) is not None:
        raise Refused(none)
    secret = next(os.environ[name] for name in TOKENS if os.environ.get(name))
    if _TOKEN.fullmatch(secret) is None:
        raise Refused.of(
            "that is no token: blanks, or signs that no token has, stand in it",
            mend="copy it anew from where it was made into the environment, alone: GITHUB_TOKEN",
        )
    return secret


def github(repository: str) -> GitHub:
    """A repository on GitHub (``OWNER/NAME``), at the addresses that the environment of a workflow names."""
    api = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
    graphql = os.environ.get("GITHUB_GRAPHQL_URL") or None
    return GitHub(
        repository,
        token(),
        api=api,
        graphql=graphql,
        wait=time.sleep,
        now=lambda: int(time.time()),
        waits=lambda what: click.echo(logged(what), err=True),
    )


def address(repository: str) -> str:
    """Where a repository is fetched from and pushed to."""
    server = os.environ.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server.rstrip('/')}/{repository}.git"
