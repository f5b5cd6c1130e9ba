"""What a forge shows: people, pull requests and issues with all that was said on them, and how a repository is set up.

Instants are whole seconds since 1970 in UTC, by the forge's clock. People are known by their numeric id; a login
is only for showing and may change at any time. An account that was deleted is None wherever a person would stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class Person(Struct, frozen=True):
    """An account: compare ``id``, show ``login``. ``bot``: an App's or a machine's, never a player's."""

    id: int
    login: str
    bot: bool = False


class ReviewState(StrEnum):
    """What a review that was handed in says; one that is still being written (PENDING) is never shown."""

    APPROVED = "APPROVED"
    CHANGES_REQUESTED = "CHANGES_REQUESTED"
    COMMENTED = "COMMENTED"
    DISMISSED = "DISMISSED"


class Edit(Struct, frozen=True):
    """The last edit of a text: when, and by whom."""

    at: int
    by: Person | None


def foreign(author: Person | None, edit: Edit | None) -> Edit | None:
    """An edit by somebody else than the author: what stands there now is not the author's word any more."""
    if edit is None or (author is not None and edit.by is not None and edit.by.id == author.id):
        return None
    return edit


class Dismissal(Struct, frozen=True):
    """That a review was dismissed: what it said before (None: the forge no longer tells), by whom, when and why."""

    was: ReviewState | None
    by: Person | None
    at: int
    message: str


class Review(Struct, frozen=True):
    """A review of a pull request.

    ``commit`` is the one it looked at, None where the forge has lost it. ``dismissed`` is set where the state is
    DISMISSED and the forge tells how that came. ``edited``: the last edit of its text.
    """

    id: int
    author: Person | None
    state: ReviewState
    body: str
    commit: str | None
    at: int
    edited: Edit | None = None
    dismissed: Dismissal | None = None

    @property
    def foreign(self) -> Edit | None:
        """That somebody else edited its text last."""
        return foreign(self.author, self.edited)


class Comment(Struct, frozen=True):
    """A comment on a pull request or an issue.

    ``ours``: written by the account whose token reads it. ``edited``: the last edit of its text. ``url``: where it is shown.
    """

    id: int
    node: str
    author: Person | None
    body: str
    at: int
    edited: Edit | None = None
    ours: bool = False
    url: str = ""

    @property
    def foreign(self) -> Edit | None:
        """That somebody else edited its text last."""
        return foreign(self.author, self.edited)


class Push(Struct, frozen=True):
    """A forced push to a pull request's branch; the forge keeps the time of forced pushes only."""

    at: int
    before: str | None
    after: str | None
    by: Person | None


class Closing(Struct, frozen=True):
    """That a thread was closed or opened again, by whom and when."""

    at: int
    by: Person | None
    closed: bool


class Pull(Struct, frozen=True):
    """A pull request with its whole thread, oldest first.

    ``state`` is ``open``, ``closed`` or ``merged``. ``head_repository`` is ``owner/name``, None where that was
    deleted; the head stays readable as ``refs/pull/NUMBER/head``. ``base_sha`` is where the base branch stood when
    the forge last looked. ``edited`` is the last edit of the body, ``retitled`` that of the title.
    ``closings`` are all closings and reopenings. ``locked``: only who may write
    says anything there, of machines none. ``branch_gone``: its branch was deleted, or the fork with it.
    """

    number: int
    node: str
    title: str
    body: str
    author: Person | None
    at: int
    updated_at: int
    edited: Edit | None
    closed_at: int | None
    merged: bool
    state: str
    draft: bool
    head_sha: str
    head_ref: str
    head_repository: str | None
    base_ref: str
    base_sha: str
    labels: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()
    comments: tuple[Comment, ...] = ()
    forced: tuple[Push, ...] = ()
    closings: tuple[Closing, ...] = ()
    retitled: Edit | None = None
    locked: bool = False
    branch_gone: bool = False

    @property
    def foreign_title(self) -> Edit | None:
        """That somebody else gave it its title."""
        return foreign(self.author, self.retitled)

    @property
    def foreign_body(self) -> Edit | None:
        """That somebody else edited its body last."""
        return foreign(self.author, self.edited)

    @property
    def foreign_head(self) -> Edit | None:
        """That somebody else forced its branch to where it stands; of other pushes the forge does not tell whose they are."""
        last = next((push for push in reversed(self.forced) if push.after == self.head_sha), None)
        return foreign(self.author, Edit(last.at, last.by)) if last is not None else None

    @property
    def foreign(self) -> Edit | None:
        """The last of what somebody else did to its title, body or branch."""
        edits = [each for each in (self.foreign_title, self.foreign_body, self.foreign_head) if each]
        return max(edits, key=lambda each: each.at, default=None)


class Issue(Struct, frozen=True):
    """An issue with its whole thread, oldest first. ``state`` is ``open`` or ``closed``; ``edited`` the body's last edit;
    ``locked``: only who may write says anything there, of machines none."""

    number: int
    node: str
    title: str
    body: str
    author: Person | None
    at: int
    updated_at: int
    edited: Edit | None
    closed_at: int | None
    state: str
    labels: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    closings: tuple[Closing, ...] = ()
    locked: bool = False

    @property
    def foreign(self) -> Edit | None:
        """That somebody else edited its body last."""
        return foreign(self.author, self.edited)


class Cursor(Struct, frozen=True):
    """How far the forge was read. Only an optimisation: without it everything open is read again, and what has changed since
    the last pass that decided something.

    ``since`` is the instant from which on changes are listed; ``marks`` are the forge's marks (ETags) of the last
    lists, of threads and of comments; ``seen`` is the fingerprint of each thread listed, by number, and ``heard``
    the time of the last change of each comment listed, by id: what shows the same is not read again. ``me`` is the
    account that reads: how it rewords what the steward said is no news.
    """

    since: int
    marks: tuple[str, str] = ("", "")
    seen: Mapping[int, str] = field(default_factory=dict)
    heard: Mapping[int, str] = field(default_factory=dict)
    me: int = 0

    def as_json(self) -> dict[str, object]:
        """Plain data, to be kept."""
        return {
            "since": self.since,
            "marks": list(self.marks),
            "seen": {str(number): mark for number, mark in self.seen.items()},
            "heard": {str(id_): mark for id_, mark in self.heard.items()},
            "me": self.me,
        }

    @classmethod
    def of_json(cls, kept: object) -> Cursor | None:
        """The cursor that was kept; None for anything else, so that all is read again."""
        match kept:
            case {
                "since": int(since),
                "marks": [str(threads), str(comments)],
                "seen": dict(seen),
                "heard": dict(heard),
                "me": int(me),
            }:
                try:
                    return cls(since, (threads, comments), _marks(seen), _marks(heard), me)
                except ValueError:
                    return None
        return None


def _marks(kept: Mapping[str, object]) -> dict[int, str]:
    return {int(key): str(mark) for key, mark in kept.items()}


class News(Struct, frozen=True):
    """What has changed since a cursor: whole threads, by number; and the cursor for the next time.

    ``unread`` are numbers that the forge listed but did not give (deleted or moved in between); ``denied`` says why some of
    them are given to no such token. ``called``: the name that the repository has now; empty where nothing was read. ``at``: by
    the forge's own clock, when it gave this; 0 where it does not tell.
    """

    pulls: tuple[Pull, ...]
    issues: tuple[Issue, ...]
    cursor: Cursor
    nothing_new: bool
    unread: tuple[int, ...] = ()
    called: str = ""
    denied: Mapping[int, str] = field(default_factory=dict)
    at: int = 0
