"""What the fake holds: accounts, threads and what was said on them. Numbers and node ids as GitHub's look."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROLES = ("none", "read", "triage", "write", "maintain", "admin")


class Refusal(Exception):
    """The forge says no: the HTTP status, and what it says."""

    def __init__(self, status: int, said: str, kind: str = "UNPROCESSABLE") -> None:
        super().__init__(said)
        self.status, self.said, self.kind = status, said, kind


@dataclass(slots=True)
class Clock:
    """The forge's clock, in seconds since 1970. It stands until somebody moves it."""

    now: int

    def advance(self, seconds: int) -> int:
        """Move it on; the new time."""
        self.now += seconds
        return self.now


@dataclass(slots=True, eq=False)
class Account:
    """Somebody with an account; ``kind`` is User, Bot or Organization."""

    id: int
    login: str
    kind: str = "User"
    deleted: bool = False
    at: int = 0

    @property
    def node(self) -> str:
        """The node id."""
        return f"U_{self.id}"


@dataclass(slots=True, eq=False)
class Repo:
    """A bare repository: the game's own, or a fork of it. ``refs`` are its branches as they were last seen."""

    owner: Account
    name: str
    path: Path
    refs: dict[str, str] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """``owner/name``, as it is now."""
        return f"{self.owner.login}/{self.name}"


@dataclass(slots=True, eq=False)
class Comment:
    """A comment on a pull request or an issue."""

    id: int
    number: int
    author: Account
    body: str
    at: int
    updated_at: int
    edited_at: int | None = None
    editor: Account | None = None
    reactions: list[tuple[Account, str]] = field(default_factory=list)

    @property
    def node(self) -> str:
        """The node id."""
        return f"IC_{self.id}"


@dataclass(slots=True, eq=False)
class Review:
    """A review of a pull request. ``commit`` None: the forge has lost it."""

    id: int
    number: int
    author: Account
    state: str
    body: str
    commit: str | None
    at: int
    edited_at: int | None = None
    editor: Account | None = None

    @property
    def node(self) -> str:
        """The node id."""
        return f"PRR_{self.id}"


@dataclass(slots=True, eq=False)
class Event:
    """An event of a thread's timeline; ``kind`` is the GraphQL type's name."""

    id: int
    kind: str
    at: int
    actor: Account
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Thread:
    """An issue."""

    number: int
    title: str
    body: str
    author: Account
    at: int
    updated_at: int
    state: str = "open"
    edited_at: int | None = None
    editor: Account | None = None
    closed_at: int | None = None
    closed_by: Account | None = None
    reason: str | None = None
    labels: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    pinned: bool = False
    locked: bool = False

    @property
    def node(self) -> str:
        """The node id."""
        return f"I_{self.number}"


@dataclass(slots=True, eq=False)
class Pull(Thread):
    """A pull request. ``head`` None: the fork was deleted; ``mergeable`` None: not looked at yet."""

    head: Repo | None = None
    head_ref: str = ""
    head_sha: str = ""
    base_ref: str = "main"
    base_sha: str = ""
    draft: bool = False
    merged_at: int | None = None
    merged_by: Account | None = None
    merge_commit: str | None = None
    mergeable: bool | None = None
    reviews: list[Review] = field(default_factory=list)

    @property
    def node(self) -> str:
        """The node id."""
        return f"PR_{self.number}"

    @property
    def merged(self) -> bool:
        """Whether it was merged."""
        return self.merged_at is not None


@dataclass(slots=True)
class Status:
    """A status of a commit."""

    id: int
    sha: str
    state: str
    context: str
    description: str
    target: str | None
    creator: Account
    at: int
