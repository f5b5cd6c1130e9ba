"""What happened on a forge, one event after the other, each with an id of its own. Pure.

Events are ordered by the forge's time, then by id. What a text says is what it says now: one that was edited counts as
said when it was edited, for nobody can tell any more what it said before. One that somebody else edited last is not its
author's word.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.record.forms.sealed import filled_in
from nomicgit.steward.asks import MOST, parts
from nomicgit.steward.marks import is_marked
from nomicgit.steward.seen import Comment, Edit, Issue, Person, Pull, Review, ReviewState, foreign


class What(IntEnum):
    """The kinds of events, in the order in which those of one second are taken."""

    OPENED = 0
    PUSHED = 1
    REWORDED = 2
    REVIEWED = 3
    DISMISSED = 4
    SAID = 5
    CLOSED = 6
    REOPENED = 7


class Event(Struct, frozen=True):
    """Something that somebody did on a thread (``number``). ``rank`` orders events of one kind in one second.

    ``whole`` is the comment of which the text is the first part, or all. ``state`` and ``commit`` are a review's: what it
    says and what it looked at. ``edited``: when its text was edited last; 0: it was not. ``foreign``: what somebody else did
    last to what it says; of a review that is dismissed, that somebody else dismissed it. ``early``: that it was said before the
    thread surely asked for what it asks for now. ``beyond``: that it is what comes after all that is read of its text.
    """

    id: str
    at: int
    number: int
    what: What
    who: Person | None
    rank: int = 0
    text: str = ""
    whole: str = ""
    state: ReviewState | None = None
    commit: str | None = None
    edited: int = 0
    foreign: Edit | None = None
    early: bool = False
    beyond: bool = False

    @property
    def key(self) -> str:
        """Under which it is decided as it stands: once its text is edited, it is read anew."""
        return f"{self.id}-at-{self.edited}" if self.edited else self.id

    @property
    def spoken(self) -> bool:
        """Whether it is what somebody says on a thread: a comment, or a review that only comments."""
        return self.what is What.SAID or self.state is ReviewState.COMMENTED

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Where it stands among all events."""
        return (self.at, self.what, self.number, self.rank)


def in_order(threads: Iterable[Pull | Issue], late: Iterable[int] = ()) -> list[Event]:
    """All events of some threads. ``late`` are pull requests that waited, as drafts, or were refused at first: they
    count as opened when they last changed."""
    waited = set(late)
    events = [
        replace(event, early=event.at < stands_since(thread))
        for thread in threads
        for event in _events(thread, late=thread.number in waited)
    ]
    return sorted(events, key=lambda event: event.place)


def stands_since(thread: Pull | Issue) -> int:
    """From when on a thread surely asks for what it asks for now: nothing of its branch or its words has changed since.

    The forge tells when a text was edited, but of a push no more than `_pushed_at` knows.
    """
    edits = [thread.edited.at] if thread.edited else []
    if isinstance(thread, Issue):
        return max([thread.at, *edits])
    return max([_pushed_at(thread), *edits, *([thread.retitled.at] if thread.retitled else [])])


def _events(thread: Pull | Issue, *, late: bool) -> Iterator[Event]:
    if isinstance(thread, Pull):
        yield from _of_pull(thread, late=late)
    else:
        yield from _of_issue(thread)
    for comment in thread.comments:
        if not (comment.ours and is_marked(comment.body)):
            yield from _of_comment(thread.number, comment)


def _of_issue(issue: Issue) -> Iterator[Event]:
    """What an issue's own text asks for: a filled-in form as a whole, anything else part by part, as a comment."""
    edited = issue.edited.at if issue.edited else 0
    asked = [issue.body] if filled_in(issue.body) else parts(issue.body)
    for place, part in enumerate(asked, 1):
        yield Event(
            issue_id(issue.number, place), edited or issue.at, issue.number, What.OPENED, issue.author, text=part, edited=edited,
            foreign=issue.foreign, beyond=place > MOST,
        )  # fmt: skip


def issue_id(number: int, place: int = 1) -> str:
    """The id of a part of an issue's own text."""
    return f"issue-{number}" + (f"-{place}" if place > 1 else "")


def is_of_issue(number: int, key: str) -> bool:
    """Whether a key is that of an issue's own text, as it stood at some time, or of what came of it."""
    return re.fullmatch(rf"issue-{number}(-[0-9]+)?(-at-[0-9]+)?(-did-[0-9a-f]+)?", key) is not None


def _of_comment(number: int, comment: Comment) -> Iterator[Event]:
    """What a comment asks for, part by part; those after the first have their place in their id."""
    edited = comment.edited.at if comment.edited else 0
    for place, part in enumerate(parts(comment.body), 1):
        yield Event(
            f"comment-{comment.id}" + (f"-{place}" if place > 1 else ""), edited or comment.at, number, What.SAID,
            comment.author, rank=comment.id, text=part, whole=comment.body if place == 1 else "", edited=edited,
            foreign=comment.foreign, beyond=place > MOST,
        )  # fmt: skip


def _of_pull(pull: Pull, *, late: bool) -> Iterator[Event]:
    number, stands = pull.number, stands_since(pull)
    yield Event(
        pull_id(number),
        max(pull.updated_at, stands) if late else stands,
        number,
        What.OPENED,
        pull.author,
        text=f"{pull.title}\n{pull.body}",
        commit=pull.head_sha,
        foreign=pull.foreign,
    )
    for review in pull.reviews:
        yield from _of_review(pull, review)
    yield Event(head_id(number, pull.head_sha), stands, number, What.PUSHED, pull.author)
    words = hashlib.sha256(f"{pull.title}\n{pull.body}".encode(errors="replace")).hexdigest()[:16]
    edits = [edit.at for edit in (pull.edited, pull.retitled) if edit]
    reworded = max([pull.at, *(edits or [pull.updated_at])])
    yield Event(f"pull-{number}-words-{words}", reworded, number, What.REWORDED, pull.author)
    for closing in pull.closings:
        what = What.CLOSED if closing.closed else What.REOPENED
        if not pull.merged:
            yield Event(
                f"pull-{number}-{what.name.lower()}-{closing.at}", closing.at, number, what, closing.by
            )


def pull_id(number: int) -> str:
    """The id of a pull request's opening."""
    return f"pull-{number}"


def head_id(number: int, head: str) -> str:
    """The id of the event that a pull request's branch stands at a commit."""
    return f"pull-{number}-head-{head}"


def _of_review(pull: Pull, review: Review) -> Iterator[Event]:
    name = f"pull-{pull.number}-review-{review.id}"
    said, gone = review.state, review.dismissed
    if said is ReviewState.DISMISSED:
        said = gone.was if gone is not None and gone.was is not None else ReviewState.DISMISSED
    spoken = (
        said is ReviewState.COMMENTED
    )  # else the review itself is the vote, and its text only goes with it
    edited = review.edited.at if spoken and review.edited else 0
    asked = parts(review.body) if spoken else [review.body if not review.foreign else ""]
    for place, part in enumerate(asked, 1):
        yield Event(
            name + (f"-{place}" if place > 1 else ""), edited or review.at, pull.number, What.REVIEWED, review.author,
            rank=review.id, state=said, commit=review.commit, text=part, edited=edited,
            foreign=review.foreign if spoken else None, beyond=place > MOST,
        )  # fmt: skip
    if gone is not None:
        yield Event(
            f"{name}-dismissed", max(gone.at, review.at), pull.number, What.DISMISSED, review.author, rank=review.id,
            state=said, commit=review.commit, foreign=foreign(review.author, Edit(gone.at, gone.by)),
        )  # fmt: skip


def _pushed_at(pull: Pull) -> int:
    """When the branch came to stand where it stands, at the latest.

    The forge tells the time of forced pushes only, and of when a commit was made only what its author says. A forced push to
    the head, or a review of it, proves that it was there, where no forced push came after; else it may have come as late as
    the last change, and after all that was said. One that nothing has changed stands there since its opening.
    """
    last = max(pull.forced, key=lambda push: push.at, default=None)
    if last is not None and last.after == pull.head_sha:
        return last.at
    since = last.at if last is not None else 0
    reviewed = [review.at for review in pull.reviews if review.commit == pull.head_sha and review.at > since]
    if reviewed:
        return min(reviewed)
    said = [comment.at for comment in pull.comments] + [review.at for review in pull.reviews]
    return max([pull.updated_at, pull.at, *said])
