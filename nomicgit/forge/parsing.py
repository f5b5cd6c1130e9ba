"""From what GitHub answers to what is seen: takes what is missing or null, and refuses to mistake a gap for nothing.

A list that the forge could not give is `Incomplete`, never an empty list: votes would be lost unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed
from nomicgit.steward.seen import (
    Closing,
    Comment,
    Dismissal,
    Edit,
    Issue,
    Person,
    Pull,
    Push,
    Review,
    ReviewState,
)

GHOST = 10137
"""The account that GitHub shows in the place of a deleted one, where it does not show null."""

Node = Mapping[str, Any]
_Said = TypeVar("_Said", Review, Comment)


class Incomplete(Exception):
    """A thread was not given whole; it is to be read again."""


def person(given: object) -> Person | None:
    """Who it is; None for a deleted account, or one without a number."""
    if not isinstance(given, dict) or not isinstance(given.get("databaseId"), int):
        return None
    if given["databaseId"] == GHOST:
        return None
    return Person(given["databaseId"], str(given.get("login") or ""), given.get("__typename") == "Bot")


def thread(given: Node) -> Pull | Issue:
    """One thread, with all pages already in it. Raises Incomplete."""
    return pull(given) if given.get("__typename") == "PullRequest" else issue(given)


def pull(given: Node) -> Pull:
    """A pull request. Raises Incomplete."""
    events = list(nodes(given, "pullEvents"))
    dismissed = {
        _text(each.get("review"), "id"): Dismissal(
            _state(each.get("previousReviewState")),
            person(each.get("actor")),
            moment(each, "createdAt"),
            _text(each, "dismissalMessage"),
        )
        for each in events
        if each.get("__typename") == "ReviewDismissedEvent"
    }
    merged = given.get("merged") is True
    return Pull(
        **_shared(given),
        merged=merged,
        state="merged" if merged else _open_or_closed(given),
        draft=given.get("isDraft") is True,
        head_sha=_text(given, "headRefOid"),
        head_ref=_text(given, "headRefName"),
        head_repository=_text(given.get("headRepository"), "nameWithOwner") or None,
        base_ref=_text(given, "baseRefName"),
        base_sha=_text(given, "baseRefOid"),
        reviews=_in_order(_reviews(given, dismissed)),
        forced=tuple(_push(each) for each in events if each.get("__typename") == "HeadRefForcePushedEvent"),
        closings=_closings(events),
        retitled=_retitled(events),
        branch_gone=given.get("headRef") is None,
    )


def issue(given: Node) -> Issue:
    """An issue. Raises Incomplete."""
    events = list(nodes(given, "issueEvents"))
    return Issue(**_shared(given), state=_open_or_closed(given), closings=_closings(events))


def _shared(given: Node) -> dict[str, Any]:
    number = given.get("number")
    if not isinstance(number, int):
        raise Incomplete
    return {
        "number": number,
        "node": _text(given, "id"),
        "title": _text(given, "title"),
        "body": _text(given, "body"),
        "author": person(given.get("author")),
        "at": moment(given, "createdAt"),
        "updated_at": moment(given, "updatedAt"),
        "edited": _edit(given),
        "closed_at": _perhaps(given, "closedAt"),
        "labels": tuple(_text(each, "name") for each in nodes(given, "labels"))
        if given.get("labels")
        else (),
        "comments": _in_order(_comment(each) for each in nodes(given, "comments")),
        "locked": given.get("locked") is True,
    }


def _open_or_closed(given: Node) -> str:
    if not isinstance(given.get("closed"), bool):
        raise Incomplete
    return "closed" if given["closed"] else "open"


def _comment(given: Node) -> Comment:
    return Comment(
        number_of(given),
        _text(given, "id"),
        person(given.get("author")),
        _text(given, "body"),
        moment(given, "createdAt"),
        _edit(given),
        given.get("viewerDidAuthor") is True,
        _text(given, "url"),
    )


def _reviews(given: Node, dismissed: Mapping[str, Dismissal]) -> Iterator[Review]:
    for each in nodes(given, "reviews"):
        state = _state(each.get("state"))
        if state is None:  # still being written, or a state that GitHub has invented since
            continue
        yield Review(
            number_of(each),
            person(each.get("author")),
            state,
            _text(each, "body"),
            _text(each.get("commit"), "oid") or None,
            moment(each, "submittedAt"),
            _edit(each),
            dismissed.get(_text(each, "id")) if state is ReviewState.DISMISSED else None,
        )


def _edit(given: Node) -> Edit | None:
    at = _perhaps(given, "lastEditedAt")
    return None if at is None else Edit(at, person(given.get("editor")))


def _retitled(events: list[Node]) -> Edit | None:
    renamed = [each for each in events if each.get("__typename") == "RenamedTitleEvent"]
    return Edit(moment(renamed[-1], "createdAt"), person(renamed[-1].get("actor"))) if renamed else None


def _push(given: Node) -> Push:
    before, after = _text(given.get("beforeCommit"), "oid"), _text(given.get("afterCommit"), "oid")
    return Push(moment(given, "createdAt"), before or None, after or None, person(given.get("actor")))


def _closings(events: list[Node]) -> tuple[Closing, ...]:
    kinds = {"ClosedEvent": True, "ReopenedEvent": False}
    return tuple(
        Closing(moment(each, "createdAt"), person(each.get("actor")), kinds[_text(each, "__typename")])
        for each in events
        if _text(each, "__typename") in kinds
    )


def nodes(given: Node, part: str) -> Iterator[Node]:
    """The members of a part, but for those that the forge hides. Raises Incomplete where it could not give the part."""
    part_given = given.get(part)
    listed = part_given.get("nodes") if isinstance(part_given, dict) else None
    if not isinstance(listed, list):
        raise Incomplete
    yield from (each for each in listed if isinstance(each, dict))


def number_of(given: Node) -> int:
    """The numeric id of a review or comment, which GraphQL gives as a text. Raises Incomplete."""
    number = given.get("fullDatabaseId")
    if isinstance(number, int) or (isinstance(number, str) and number.isdigit()):
        return int(number)
    raise Incomplete


def _in_order(said: Iterator[_Said]) -> tuple[_Said, ...]:
    return tuple(sorted(said, key=lambda each: (each.at, each.id)))


def _state(given: object) -> ReviewState | None:
    return ReviewState(given) if isinstance(given, str) and given in ReviewState.__members__ else None


def _text(given: object, key: str) -> str:
    text = given.get(key) if isinstance(given, Mapping) else None
    return text if isinstance(text, str) else ""


def moment(given: Node, key: str) -> int:
    """An instant that must be there. Raises Incomplete."""
    instant = _perhaps(given, key)
    if instant is None:
        raise Incomplete
    return instant


def _perhaps(given: Node, key: str) -> int | None:
    text = given.get(key)
    try:
        return clock.instant(text) if isinstance(text, str) else None
    except Malformed:
        raise Incomplete from None
