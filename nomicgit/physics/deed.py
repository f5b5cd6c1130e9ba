"""What a deed is, where it came in, and what comes of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nomicgit.ground.files import Value


class Draw(NamedTuple):
    """One random result: what was drawn from, what came, and whether only the emperor learns of it."""

    what: str
    result: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody does: who (an id, or None for the clock), which action, with what, when (seconds, UTC).

    ``branch`` is the commit at the head of the branch from which the changes that it brings were written; ``origin``
    tells how it came in from a forge, where it did.
    """

    id: str
    actor: str | None
    action: str
    given: Mapping[str, Any] = field(default_factory=dict)
    at: int = 0
    cast_at: int | None = None
    branch: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a deed has done: what its function returned, lines for the journal, messages, dice, net effects, the refs
    that it wrote to, the matters that it enacted, and what it claims of itself and replay takes as given.
    """

    deed: Deed
    result: Any
    notes: Sequence[str]
    messages: Sequence[tuple[str, str]]
    draws: Sequence[Draw]
    effects: Sequence[Mapping[str, Any]]
    touched: Sequence[str]
    enacted: Sequence[str] = ()
    claims: Mapping[str, Sequence[str]] = field(default_factory=dict)


_EVENT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FORGE = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_LOGIN = re.compile(r"[A-Za-z0-9_.\[\]-]{0,100}")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody's account: the forge, the numeric id there, and the login that was last seen, which may change."""

    forge: str
    id: int
    login: str

    def as_kept(self) -> dict[str, Value]:
        """As a player's file keeps it."""
        return {self.forge: self.id, "login": self.login}


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread on a forge, by its number: a pull request or an issue."""

    forge: str
    number: int

    def as_kept(self) -> dict[str, Value]:
        """As a post's file keeps it."""
        return {self.forge: self.number}


@dataclass(frozen=True, slots=True)
class Origin:
    """The events that a deed answers, by their ids; the account of who did it, where the record does not know it yet;
    and the thread that becomes the post which the deed makes."""

    events: tuple[str, ...] = ()
    account: Account | None = None
    thread: Thread | None = None

    def as_evidence(self) -> dict[str, list[str]]:
        """As it stands in a deed's evidence."""
        found = {"events": list(self.events)} if self.events else {}
        if self.account is not None:
            found["account"] = [self.account.forge, str(self.account.id), self.account.login]
        if self.thread is not None:
            found["thread"] = [self.thread.forge, str(self.thread.number)]
        return found

    @classmethod
    def of_evidence(cls, evidence: Mapping[str, Any]) -> Origin | None:
        """From a deed's evidence; None where it has none. ValueError for what has not its form."""
        events: Sequence[str] = evidence.get("events", ())
        if not all(_EVENT.fullmatch(event) for event in events):
            raise ValueError("the evidence events has not its form")
        account, thread = evidence.get("account"), evidence.get("thread")
        found = cls(
            tuple(events),
            None if account is None else _account(account),
            None if thread is None else _thread(thread),
        )
        return None if found == cls() else found


def _account(told: Sequence[str]) -> Account:
    if len(told) != 3 or not _named(told) or not _LOGIN.fullmatch(told[2]):
        raise ValueError("the evidence account has not its form")
    return Account(told[0], int(told[1]), told[2])


def _thread(told: Sequence[str]) -> Thread:
    if len(told) != 2 or not _named(told):
        raise ValueError("the evidence thread has not its form")
    return Thread(told[0], int(told[1]))


def _named(told: Sequence[str]) -> bool:
    return bool(_FORGE.fullmatch(told[0]) and _NUMBER.fullmatch(told[1]))
