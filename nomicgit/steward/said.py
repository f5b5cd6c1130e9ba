"""What the steward writes on a forge, and what became of each writing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Say:
    """A new comment under the pull request or issue of this node. Not idempotent: said twice, it stands twice."""

    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Reword:
    """Another text for the comment of this node. Idempotent."""

    comment: str
    body: str


@dataclass(frozen=True, slots=True)
class Label:
    """A label, by name, on the pull request or issue of this node. Idempotent."""

    subject: str
    name: str


@dataclass(frozen=True, slots=True)
class Unlabel:
    """A label, by name, off the pull request or issue of this node. Idempotent."""

    subject: str
    name: str


class Kind(StrEnum):
    """What a thread is, and, of an issue, why it closes."""

    PULL = "pull"
    DONE = "done"
    NOT_PLANNED = "not planned"


@dataclass(frozen=True, slots=True)
class Close:
    """Close the pull request (``Kind.PULL``) or issue (done, or not planned) of this node. Idempotent."""

    subject: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Reopen:
    """Open the pull request (``Kind.PULL``) or issue (any other kind) of this node again. Idempotent."""

    subject: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Pin:
    """The issue of this node above all others. Pinned twice is refused, and no harm."""

    subject: str


@dataclass(frozen=True, slots=True)
class Unpin:
    """The issue of this node among the others again. Idempotent."""

    subject: str


@dataclass(frozen=True, slots=True)
class React:
    """A reaction to the comment, pull request or issue of this node. Idempotent.

    ``content`` is one of THUMBS_UP, THUMBS_DOWN, LAUGH, HOORAY, CONFUSED, HEART, ROCKET, EYES.
    """

    subject: str
    content: str


Write = Say | Reword | Label | Unlabel | Close | Reopen | React | Pin | Unpin


class Outcome(StrEnum):
    """What became of a writing."""

    DONE = "done"
    REFUSED = "refused"  # the forge said no; trying again as it is will not help
    UNKNOWN = "unknown"  # the answer was lost, and it was not safe to try again: look before saying it again
    GONE = "gone"  # there is no such thread or comment any more
    PUT_OFF = "put off"  # not tried: a limit of the forge is reached for longer than we wait


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one writing; ``node`` is the new comment's, of a `Say` that was done, and ``url`` where that is shown."""

    write: Write
    outcome: Outcome
    why: str = ""
    node: str = ""
    url: str = ""

    @property
    def done(self) -> bool:
        """Whether it stands on the forge now."""
        return self.outcome is Outcome.DONE
