"""``nomicgit propose`` and ``cfj``: a matter submitted, or brought up to its branch."""

from __future__ import annotations

from typing import Any

import click

from nomicgit.cli.bodies import branched
from nomicgit.cli.bodies.deeds import act
from nomicgit.cli.bodies.written import listed
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import from_source


def propose(seat: Seat, *, sign_only: bool, **given: Any) -> int:
    if not sign_only:
        return _submitted(seat, "propose", **given)
    branch, update = given.pop("branch"), given.pop("update")
    if branch is None or update is not None:
        raise click.UsageError("--sign-only takes --branch, and no --update")
    code: int = loaded("pull_text.show")(seat, _matter(**given), branch)
    return code


def cfj(seat: Seat, **given: Any) -> int:
    return _submitted(seat, "cfj", **given)


def _submitted(seat: Seat, action: str, *, branch: str | None, update: str | None, **words: Any) -> int:
    """Submit a matter, or bring one up to its branch."""
    if update is not None:
        if branch is None or any(words.values()):
            raise click.UsageError("--update takes --branch, and nothing else")
        return branched.update(seat, update, branch)
    given = _matter(**words)
    if branch is not None:
        return branched.submit(seat, action, given, branch)
    if "title" not in given:
        raise click.UsageError("a matter needs a --title, or a --branch with a commit's subject")
    return act(seat, action, given)


def _matter(
    title: str | None, body: str, tags: tuple[str, ...], changes: tuple[str, ...], file: str | None
) -> dict[str, Any]:
    given: dict[str, Any] = {"title": title} if title else {}
    if body:
        given["body"] = from_source(body)
    if tags:
        given["tags"] = list(tags)
    given_changes = listed(changes, file)
    return given | ({"changes": given_changes} if given_changes else {})
