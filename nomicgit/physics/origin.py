"""Where a deed came in: which events of a forge it answers, whose account did it, which thread it made a post of.

It stands in the deed's evidence, so that no event is used twice, and replay does with it what was done the first time.
Deeds of the command line have none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nomicgit.ground.files import Value

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
