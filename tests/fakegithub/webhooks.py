"""The payloads of the events that start workflows, as the fake shows its things."""

from __future__ import annotations

from fakegithub.shapes import Given, Shapes
from fakegithub.things import Account, Comment, Pull, Review, Thread


def payload(
    shapes: Shapes,
    action: str,
    thread: Thread,
    *,
    sender: Account,
    comment: Comment | None = None,
    review: Review | None = None,
) -> Given:
    """What happened on a thread: ``issue_comment``, ``pull_request_review``, ``pull_request`` or ``issues``, by what is given."""
    world = shapes.world
    found: Given = {
        "action": action,
        "repository": shapes.repo(world.repo),
        "organization": _organization(shapes, world.owner),
        "sender": shapes.user(sender),
    }
    if comment is not None:
        return found | {"issue": shapes.issue(thread), "comment": shapes.comment(comment)}
    if not isinstance(thread, Pull):
        return found | {"issue": shapes.issue(thread)}
    if review is not None:
        shown = shapes.review(review)
        return found | {
            "pull_request": shapes.pull(thread, whole=False),
            "review": shown | {"state": shown["state"].lower()},  # in lower case here, and only here
        }
    return found | {"number": thread.number, "pull_request": shapes.pull(thread)}


def _organization(shapes: Shapes, who: Account) -> Given:
    api = f"{shapes.url}/orgs/{who.login}"
    named = "repos events hooks issues members public_members avatar".split()
    urls = {f"{name}_url": f"{api}/{name}" for name in named}
    return urls | {"id": who.id, "login": who.login, "node_id": who.node, "url": api, "description": None}
