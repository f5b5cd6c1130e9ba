"""The players: a table of their public variables."""

from __future__ import annotations

from markupsafe import Markup

from nomicgit.gamestate import reading
from nomicgit.site import markup
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Look, Scribe, anchor_of

URI = "players.md"


def page(look: Look) -> Page:
    """Who plays, and what everyone has."""
    scribe = Scribe(look, URI)
    active = reading.roster(look.world)
    idle = [ref for ref in reading.roster(look.world, idle=True) if ref not in active]
    called = look.term("players")
    lead = markup.tag(
        "p",
        f"{len(active)} active, {len(idle)} idle",
        "." if called == "players" else f"; here they are called {called}.",
    )
    sections = [Section("active", "Active", _table(scribe, active))]
    if idle:
        sections.append(Section("idle", "Idle", _table(scribe, idle)))
    return Page(URI, "Players", lead, tuple(sections), listed=True)


def _table(scribe: Scribe, refs: list[str]) -> Markup:
    if not refs:
        return markup.tag("p", "Nobody.")
    variables = list(scribe.look.variables("players"))
    head = ["Player", *(variable.name.replace("_", " ") for variable in variables)]
    rows = ([_name(scribe, ref), *(scribe.variable(ref, variable) for variable in variables)] for ref in refs)
    return markup.table(head, rows)


def _name(scribe: Scribe, ref: str) -> Markup:
    """A player's name with their offices."""
    marks = (
        [markup.mark(scribe.look.term("emperor"), "emperor")]
        if ref == reading.emperor(scribe.look.world)
        else []
    )
    if scribe.look.world.store.value(ref, "admin") is True:
        marks.append(markup.mark("admin"))
    stored = scribe.look.world.store.value(ref, "name")
    name = stored if isinstance(stored, str) and stored else ref.removeprefix("players/")
    return markup.tag("span", markup.joined([name, *marks], " "), id=anchor_of(ref))
