"""What the steward writes on a forge, and what became of each writing."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Say(Struct, frozen=True):
    """A new comment under the pull request or issue of this node. Not idempotent: said twice, it stands twice."""

    subject: str
    body: str


class Reword(Struct, frozen=True):
    """Another text for the comment of this node. Idempotent."""

    comment: str
    body: str


class Label(Struct, frozen=True):
    """A label, by name, on the pull request or issue of this node. Idempotent."""

    subject: str
    name: str


class Unlabel(Struct, frozen=True):
    """A label, by name, off the pull request or issue of this node. Idempotent."""

    subject: str
    name: str


class Kind(StrEnum):
    """What a thread is, and, of an issue, why it closes."""

    PULL = "pull"
    DONE = "done"
    NOT_PLANNED = "not planned"


class Close(Struct, frozen=True):
    """Close the pull request (``Kind.PULL``) or issue (done, or not planned) of this node. Idempotent."""

    subject: str
    kind: Kind


class Reopen(Struct, frozen=True):
    """Open the pull request (``Kind.PULL``) or issue (any other kind) of this node again. Idempotent."""

    subject: str
    kind: Kind


class Pin(Struct, frozen=True):
    """The issue of this node above all others. Pinned twice is refused, and no harm."""

    subject: str


class Unpin(Struct, frozen=True):
    """The issue of this node among the others again. Idempotent."""

    subject: str


class React(Struct, frozen=True):
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
    PUT_OFF = "put off"  # not done, or safe to do again: a limit of the forge is reached for longer than we wait, or it stumbled


class Result(Struct, frozen=True):
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
