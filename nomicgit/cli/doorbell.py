"""The forge as a command reaches it: by which token, at which addresses."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomicgit.forge.github import GitHub

TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")


def token() -> str:
    """The token of whoever runs the command. Refused where the environment has none."""
    from nomicgit.ground.problems import Refused

    found = next((os.environ[name] for name in TOKENS if os.environ.get(name)), "")
    if not found:
        raise Refused.of("there is no token for GitHub", mend="put one into the environment: GITHUB_TOKEN")
    return found


def github(repository: str) -> GitHub:
    """A repository on GitHub (``OWNER/NAME``), at the addresses that the environment of a workflow names."""
    from nomicgit.forge.github import GitHub

    api = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
    graphql = os.environ.get("GITHUB_GRAPHQL_URL") or None
    return GitHub(
        repository, token(), api=api, graphql=graphql, wait=time.sleep, now=lambda: int(time.time())
    )


def address(repository: str) -> str:
    """Where a repository is fetched from and pushed to."""
    server = os.environ.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server.rstrip('/')}/{repository}.git"
