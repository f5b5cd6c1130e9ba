"""The journal: the latest deeds, read from the record in one walk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from markupsafe import Markup

from nomicgit.problems import NomicError, printable
from nomicgit.record import journal
from nomicgit.repository import Commit
from nomicgit.site import markup
from nomicgit.site.page import Page
from nomicgit.site.scribe import Look, Scribe

URI = "journal.md"
LATEST = 200
SHORT = 80


def page(look: Look) -> Page:
    """The latest deeds, newest first."""
    scribe = Scribe(look, URI)
    lead = markup.joined(
        (
            markup.tag(
                "p", f"The latest deeds, at most {LATEST}; the whole record is the history of the repository."
            ),
            markup.table(
                ["When", "Who", "What", "Commit"], [row(scribe, commit) for commit in latest(look, LATEST)]
            ),
        )
    )
    return Page(URI, "Journal", lead, listed=True, searched=False)


def latest(look: Look, most: int) -> Iterator[Commit]:
    """The commits of the latest deeds."""
    game = look.game
    return islice((c for c in game.repository.log(game.head.oid) if journal.is_deed(c.message)), most)


def row(scribe: Scribe, commit: Commit) -> list[object]:
    """A deed as a row of the journal."""
    short = markup.code(commit.oid[:10])
    try:
        deed = journal.parse(commit.message, commit.oid).deed
    except NomicError:
        return ["", "", printable(commit.message.partition("\n")[0]), short]
    who = scribe.player(deed.actor) if deed.actor else markup.escaped("the clock")
    return [markup.moment(deed.at), who, told(scribe, deed.action, deed.given, notes(commit.message)), short]


def notes(message: str) -> list[str]:
    """The sentences between a message's subject and its trailers."""
    return [line for line in message.rstrip("\n").rpartition("\n\n")[0].split("\n")[2:] if line.strip()]


def told(scribe: Scribe, action: str, given: Mapping[str, Any], steps: list[str]) -> Markup:
    """A deed in words: its action, what was given with it, and each step. What is private stays so."""
    declared = scribe.look.world.law.declared.actions.get(action)
    hidden = declared.private if declared else False
    shown = (
        {}
        if hidden is True
        else {k: v for k, v in given.items() if not (isinstance(hidden, tuple) and k in hidden)}
    )
    parts = [
        markup.joined((f"{name}: ", _given(scribe, name, value)))
        for name, value in shown.items()
        if value not in (None, "", [], {})
    ]
    head = markup.joined([markup.code(action), markup.joined(parts, "; ")], " ")
    return markup.joined((head, markup.listed(steps)))


def _given(scribe: Scribe, name: str, value: Any) -> object:
    if name in ("matter", "post") and isinstance(value, int | str):
        return scribe.post(str(value), short=True)
    match value:
        case {"sha256": _, "in": _}:
            return "(long)"
        case list() if any(isinstance(each, Mapping | list) for each in value):
            return f"({len(value)})"
        case list():
            return printable(", ".join(map(str, value)), SHORT)
        case Mapping():
            return f"({len(value)})"
    return printable(" ".join(str(value).split()), SHORT)
