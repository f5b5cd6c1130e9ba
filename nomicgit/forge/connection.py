"""A repository on the forge, with the connection to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgit.forge import parsing
from nomicgit.forge.queries import PAGE
from nomicgit.forge.wire import Answer, Wire
from nomicgit.steward.seen import Person
from nomicgit.steward.trouble import Trouble

_NEXT = re.compile(r'<([^>]+)>\s*;\s*rel="next"')


class Fault(Struct, frozen=True):
    """An error of GraphQL about a part of an answer: where it lies, its kind, what the forge says."""

    path: tuple[str | int, ...]
    kind: str
    said: str


class Reply(Struct, frozen=True):
    """What GraphQL gave, and what it could not give."""

    data: Mapping[str, Any]
    faults: tuple[Fault, ...]

    @property
    def repository(self) -> Mapping[str, Any]:
        """The repository in the answer; empty where it was not given."""
        return self.data.get("repository") or {}


class Remote(Struct):
    """``owner/name`` on a forge. ``viewer`` is the account that reads, and ``called`` the repository's present name, once an
    answer has told.
    """

    wire: Wire
    owner: str
    name: str
    viewer: Person | None = None
    called: str = ""

    @property
    def path(self) -> str:
        """The repository's path in the REST interface."""
        return f"/repos/{self.owner}/{self.name}"

    def query(self, document: str, **variables: str | None) -> Reply:
        """Read by GraphQL about this repository."""
        reply = self.ask(document, {"owner": self.owner, "name": self.name, **variables})
        self.called = str(reply.repository.get("nameWithOwner") or self.called)
        return reply

    def ask(self, document: str, variables: Mapping[str, object], *, again: bool = True) -> Reply:
        """Put any query or mutation; ``again``: it may be sent again although it was perhaps carried out."""
        body = self.wire.ask(document, variables, again=again)
        data: Mapping[str, Any] = body["data"]
        self.viewer = parsing.person(data.get("viewer")) or self.viewer
        return Reply(data, tuple(_faults(body.get("errors"))))

    def pages(self, path: str, **query: str | int) -> Iterator[Answer]:
        """All pages of a list of the REST interface, as they come."""
        yield from self.following(self.wire.get(self.path + path, {"per_page": PAGE} | query))

    def following(self, first: Answer) -> Iterator[Answer]:
        """A page of a list and all that follow it."""
        answer = first
        yield answer
        while address := after(answer):
            answer = self.wire.get(address)
            yield answer


def after(answer: Answer) -> str:
    """The address of the page that follows; empty on the last one."""
    match = _NEXT.search(answer.headers.get("link", ""))
    return match[1] if match else ""


def listed(answer: Answer) -> list[Mapping[str, object]]:
    """The members of a page. Raises Trouble where it is no list."""
    if not isinstance(answer.body, list):
        raise Trouble.with_status(
            "the forge gave something else than a list", answer.status, "try again later"
        )
    return [each for each in answer.body if isinstance(each, dict)]


def _faults(given: object) -> Iterator[Fault]:
    for each in given if isinstance(given, list) else ():
        if isinstance(each, dict):
            path = each.get("path")
            yield Fault(
                tuple(path) if isinstance(path, list) else (),
                str(each.get("type") or ""),
                str(each.get("message") or ""),
            )
