"""Putting a branch back where it was: a game that lives on a forge has barred that push there, by its own ruleset."""

from __future__ import annotations

from contextlib import suppress

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import GameTree

LIFTED = (
    "its ruleset on GitHub bars that push until an owner switches it off "
    "(Settings → Rules → Rulesets, Enforcement status: Disabled); once it is off:"
)
LAID = "then an owner lays the ruleset again:"


def lives_on_a_forge(repository: Repository, commit: str) -> bool:
    """Whether a game lives on a forge, as of a commit; not where its settings cannot be read."""
    with suppress(NomicError):
        return GameTree(repository, repository.commit(commit).tree).settings.forge is not None
    return False


def bars(repository: Repository, was: str, there: str) -> bool:
    """Whether a branch that is at ``there`` cannot be pushed to where it was without lifting the ruleset of its forge."""
    return lives_on_a_forge(repository, was) and not repository.leads_to(there, was)


def put_back(upstream: Upstream, was: str, there: str) -> str:
    """What puts a branch, which is at ``there``, back where it was: with what lets the push in, where a ruleset bars it."""
    push = upstream.put_back(was, there)
    if not bars(upstream.repository, was, there):
        return push
    return remedy(LIFTED, push, LAID, command("nomicgit", "setup"))
