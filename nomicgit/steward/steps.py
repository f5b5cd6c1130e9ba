"""Steps: what came of events and of matters in a pass, a closed set. They leave the worker as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict


class Done(Struct, frozen=True):
    """A deed, with its commit: of an event, or the resolution of a post. ``answer``: what came of it is told."""

    deed: str
    by: str | None
    action: str
    answer: bool = False
    event: str | None = None
    thread: int | None = None
    resolve: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data, without what it is not."""
        whence = (
            {"resolve": self.resolve} if self.event is None else {"event": self.event, "thread": self.thread}
        )
        return {**whence, "deed": self.deed, "by": self.by, "action": self.action, "answer": self.answer}

    @property
    def source(self) -> str:
        """The id of what it came of, under which it is set aside."""
        return post_id(self.resolve) if self.event is None and self.resolve is not None else str(self.event)


class Told(Struct, frozen=True):
    """Something to be told on a thread, once: ``keys`` name it, the logins of ``whom`` are called. It may come of an event."""

    thread: int
    keys: tuple[str, ...]
    text: str
    whom: tuple[str, ...] = ()
    refused: bool = False
    event: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        tell = {"keys": list(self.keys), "text": self.text, "whom": list(self.whom), "refused": self.refused}
        return ({} if self.event is None else {"event": self.event}) | {"thread": self.thread, "tell": tell}


class Heard(Struct, frozen=True):
    """An event of which nothing came. ``key``: it was decided just now that it asks for nothing, once and for good; else it
    was used before, or waits. ``waits``: it is an order, to be answered yet."""

    event: str
    thread: int
    key: str = ""
    waits: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        more = ({"key": self.key} if self.key else {}) | ({"waits": True} if self.waits else {})
        return {"event": self.event, "thread": self.thread} | more


class Stands(Struct, frozen=True):
    """How the post of a thread stands, and what its report says. ``other``: its branch stands where it brings something else."""

    thread: int
    post: int
    status: str
    marks: tuple[str, ...]
    merges: bool
    does: str
    body: str
    other: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        plain = asdict(self)
        return {"stands": plain.pop("thread"), **plain}


class Letters(Struct, frozen=True):
    """Letters that were written anew, as a commit; ``said`` tells them from others."""

    letters: str
    said: str

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


class Hitch(Struct, frozen=True):
    """What was in the way."""

    problem: str

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"problem": self.problem}


Step: TypeAlias = Done | Told | Heard | Stands | Letters | Hitch


def of_event(step: Step) -> bool:
    """Whether an event was used up with it."""
    match step:
        case Done(event=event) | Told(event=event):
            return event is not None
        case Heard():
            return True
        case Stands() | Letters() | Hitch():
            return False


def step_of(data: Mapping[str, Any]) -> Step:
    """A step as it comes out of the worker."""
    match data:
        case {"deed": _}:
            return Done(**data)
        case {"tell": tell}:
            keys, whom = tuple(tell["keys"]), tuple(tell["whom"])
            return Told(data["thread"], keys, tell["text"], whom, tell["refused"], data.get("event"))
        case {"stands": thread, "marks": marks, **rest}:
            return Stands(thread, marks=tuple(marks), **rest)
        case {"letters": letters, "said": said}:
            return Letters(letters, said)
        case {"problem": problem}:
            return Hitch(problem)
    return Heard(**data)


def post_id(number: int) -> str:
    """The id under which the resolution of a post is set aside."""
    return f"post-{number}"
