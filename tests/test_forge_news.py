"""What is new on the forge: whole threads, all pages, few requests, nothing twice and nothing missed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import FakeGitHub, Pull

from nomicgit.forge.github import GitHub
from nomicgit.forge.seen import Cursor, News


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A forge with a game's repository of one file."""
    with FakeGitHub(tmp_path / "forge") as forge:
        forge.commit(forge.owner, {"README.md": "hello\n"})
        yield forge


@pytest.fixture
def connect(github: FakeGitHub) -> Iterator[GitHub]:
    """The steward's client."""
    with client(github) as made:
        yield made


def client(github: FakeGitHub) -> GitHub:
    """A client of the steward's whose waiting moves the forge's clock."""
    return GitHub(
        github.repo.full_name,
        github.token(github.steward),
        api=github.url,
        wait=github.wait,
        now=github.time,
    )


def a_pull(github: FakeGitHub, login: str = "cy", branch: str = "more") -> Pull:
    who = github.login(login) or github.user(login)
    github.commit(who, {f"{branch}.md": "text\n"}, branch=branch)
    return github.open_pull(who, head=branch, title="More light", body="We need it.")


def settled(github: FakeGitHub, connect: GitHub, cursor: Cursor | None = None) -> News:
    """Read, once every time told is surely past."""
    github.clock.advance(10)
    return connect.news(cursor)


def test_first_reading(github: FakeGitHub, connect: GitHub) -> None:
    pull = a_pull(github)
    dot = github.user("dot")
    github.review(dot, pull, "APPROVED")
    github.comment(dot, pull, "Nice.")
    github.issue(dot, "A question", "?")
    news = connect.news(None)
    assert [each.number for each in news.pulls] == [1]
