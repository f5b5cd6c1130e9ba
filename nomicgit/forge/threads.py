"""Whole threads by their numbers, many in one request, and every further page of the long ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.forge import parsing, queries
from nomicgit.forge.connection import Remote, Reply
from nomicgit.forge.parsing import Incomplete
from nomicgit.forge.queries import Part
from nomicgit.steward.seen import Issue, Pull
from nomicgit.steward.trouble import Forbidden, Limited, Missing, Trouble

BATCH = 50
"""Threads, or continuations, in one request: 35,000 nodes of the 500,000 that GitHub allows, for 4 points of 1,000 an hour."""

_HIDDEN = ("NOT_FOUND", "FORBIDDEN")
_NO_MATTER_OF_SIZE = (Limited, Missing, Forbidden)
"""What the forge answers however little it is asked for."""


class _More(Struct):
    """A part of a thread that has another page."""

    given: dict[str, Any]
    part: Part

    @property
    def after(self) -> str:
        """The cursor that it goes on from; empty where it is whole."""
        info = (self.given.get(self.part) or {}).get("pageInfo") or {}
        return str(info.get("endCursor") or "") if info.get("hasNextPage") else ""


class Read(Struct, frozen=True):
    """What was read: threads, in order of their numbers; the numbers of those that the forge did not give whole; and why it gives
    some of these to no such token, by number."""

    threads: Sequence[Pull | Issue]
    unread: tuple[int, ...]
    denied: Mapping[int, str]


def read(remote: Remote, numbers: Iterable[int]) -> Read:
    """The threads of these numbers."""
    wanted = sorted(set(numbers))
    given: dict[int, dict[str, Any]] = {}
    denied: dict[int, str] = {}
    for at in range(0, len(wanted), BATCH):
        given |= _bulk(remote, wanted[at : at + BATCH], denied)
    broken = _complete(remote, given)
    threads: list[Pull | Issue] = []
    unread = [number for number in wanted if number not in given or number in broken]
    for number in sorted(given.keys() - broken):
        try:
            threads.append(parsing.thread(given[number]))
        except Incomplete:
            unread.append(number)
    return Read(threads, tuple(sorted(unread)), denied)


def _bulk(remote: Remote, numbers: Sequence[int], denied: dict[int, str]) -> dict[int, dict[str, object]]:
    """What one request gives of these; halved where that is too much for the forge. What the token may not see is ``denied``."""
    try:
        reply = remote.query(queries.threads(numbers))
    except Trouble as trouble:
        if len(numbers) == 1 or isinstance(trouble, _NO_MATTER_OF_SIZE):
            raise
        return _halved(remote, numbers, denied)
    if len(numbers) > 1 and any(fault.kind == "RESOURCE_LIMITS_EXCEEDED" for fault in reply.faults):
        return _halved(remote, numbers, denied)
    broken = _broken(reply, within=1)
    denied |= {
        int(str(fault.path[1])[1:]): fault.said
        for fault in reply.faults
        if fault.kind == "FORBIDDEN" and len(fault.path) == 2
    }
    return {
        number: dict(reply.repository[f"t{number}"])
        for number in numbers
        if f"t{number}" not in broken and reply.repository.get(f"t{number}")
    }


def _halved(remote: Remote, numbers: Sequence[int], denied: dict[int, str]) -> dict[int, dict[str, object]]:
    middle = len(numbers) // 2
    return _bulk(remote, numbers[:middle], denied) | _bulk(remote, numbers[middle:], denied)


def _broken(reply: Reply, *, within: int) -> set[str]:
    """The aliases, ``within`` so many steps, in which the forge stumbled; what it merely hides is not there."""
    return {
        str(fault.path[within])
        for fault in reply.faults
        if len(fault.path) > within and not (fault.kind in _HIDDEN and len(fault.path) > within + 1)
    }


def _complete(remote: Remote, given: dict[int, dict[str, Any]]) -> set[int]:
    """Read on until every part is whole; the numbers of which one could not be."""
    broken: set[int] = set()
    parts = {id(thread): number for number, thread in given.items()}
    open_ = [more for thread in given.values() for part in Part if (more := _More(thread, part)).after]
    while open_:
        for more in _next(remote, open_[:BATCH]):
            broken.add(parts[id(more.given)])
        open_ = [more for more in open_ if more.after and parts[id(more.given)] not in broken]
    return broken


def _next(remote: Remote, open_: Sequence[_More]) -> list[_More]:
    """Add the next page to each of these, in parts where that is too much for the forge; gives those for which it had none."""
    variables = {f"n{k}": str(more.given.get("id")) for k, more in enumerate(open_)}
    variables |= {f"a{k}": more.after for k, more in enumerate(open_)}
    try:
        reply = remote.ask(queries.pages([more.part for more in open_]), variables)
    except Trouble as trouble:
        if len(open_) == 1 or isinstance(trouble, _NO_MATTER_OF_SIZE):
            raise
        middle = len(open_) // 2
        return [*_next(remote, open_[:middle]), *_next(remote, open_[middle:])]
    failed = []
    broken = _broken(reply, within=0)
    for k, more in enumerate(open_):
        page = (reply.data.get(f"m{k}") or {}).get(more.part)
        if f"m{k}" in broken or not isinstance(page, dict) or not isinstance(page.get("nodes"), list):
            failed.append(more)
            continue
        before = more.after
        more.given[more.part] = page | {"nodes": more.given[more.part]["nodes"] + page["nodes"]}
        if more.after == before:
            failed.append(more)
    return failed
