"""A fake GitHub on loopback: real Git over HTTP, REST and GraphQL by GitHub's own descriptions, and a clock to set.

::

    with FakeGitHub(tmp_path) as github:
        cy = github.user("cy")
        github.commit(github.owner, {"README.md": "hello\\n"})
        github.commit(cy, {"rule.md": "more\\n"}, branch="more")
        pull = github.open_pull(cy, head="more", title="More")
        github.review(github.user("dot"), pull, "APPROVED")
        github.clock.advance(60)
        client = GitHub("nomic-club/game", github.token(github.steward), api=github.url, ...)
"""

from __future__ import annotations

from fakegithub.server import FakeGitHub, Fault, Request
from fakegithub.things import Account, Clock, Comment, Event, Pull, Refusal, Repo, Review, Status, Thread
from fakegithub.world import START, World

__all__ = [
    "START",
    "Account",
    "Clock",
    "Comment",
    "Event",
    "FakeGitHub",
    "Fault",
    "Pull",
    "Refusal",
    "Repo",
    "Request",
    "Review",
    "Status",
    "Thread",
    "World",
]
