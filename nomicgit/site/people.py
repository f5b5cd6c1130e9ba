"""The players: a table of their public variables."""

from __future__ import annotations

from markupsafe import Markup

from nomicgit.gamestate import reading
from nomicgit.site import markup
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Look, Scribe, anchor_of
from nomicgit.variables import Variable

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
    held, empty = _parted(scribe.look, refs)
    head = ["Player", *(spoken(variable) for variable in held)]
    rows = ([_name(scribe, ref), *(scribe.variable(ref, variable) for variable in held)] for ref in refs)
    rest = (
        markup.tag("p", "Nobody has: ", ", ".join(map(spoken, empty)), ".", class_="nomic-about")
        if empty
        else markup.NOTHING
    )
    return markup.joined((markup.table(head, rows), rest))


def _parted(look: Look, refs: list[str]) -> tuple[list[Variable], list[Variable]]:
    """The variables of players, the dynasty's first: those of which anybody has something, and the others."""
    held: list[Variable] = []
    empty: list[Variable] = []
    for variable in sorted(look.variables("players"), key=lambda v: _section(look, v) != "dynastic"):
        public = variable.tracked == "public"
        bare = public and all(look.value(ref, variable.name) in (None, "", [], {}) for ref in refs)
        (empty if bare else held).append(variable)
    return held, empty


def _section(look: Look, variable: Variable) -> str:
    placed = look.world.ruleset.by_slug.get(variable.rule)
    return placed.section if placed else ""


def spoken(variable: Variable) -> str:
    """A variable's name as people say it."""
    return variable.name.replace("_", " ")


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
