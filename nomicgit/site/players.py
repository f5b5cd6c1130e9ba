"""The players: a table of their public variables, and a page for each with what they said, did and have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgit.law.variables import Variable
from nomicgit.physics.state import reading
from nomicgit.record.annals import Moved
from nomicgit.site import charts, chronicle, markup, pasts, posts, scores, traces
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Scribe, kept_secret, player_uri

URI = "players.md"
DEEDS = 30  # of a player, on their page
POSTS = 100


def pages(look: Look) -> Iterator[Page]:
    """Who plays, and what everyone has; then each player."""
    yield page(look)
    written, votes = _written(look), posts.votes(look)
    deeds: dict[str | None, list[Any]] = {}
    for done in look.annals.deeds:
        deeds.setdefault(done.deed.actor, []).append(done)
    for ref in reading.roster(look.world, idle=True):
        some = deeds.get(ref.removeprefix("players/"), [])
        yield _player(look, ref, (written.get(ref, []), votes.get(ref, {}), some, look.moves().get(ref, ())))


def page(look: Look) -> Page:
    """Who plays, and what everyone has."""
    scribe = Scribe(look, URI)
    active = reading.roster(look.world)
    idle = [ref for ref in reading.roster(look.world, idle=True) if ref not in active]
    called = look.term("players")
    named = "." if called == "players" else f"; here they are called {called}."
    lead = markup.tag(
        "p",
        f"{len(active)} active, {len(idle)} idle",
        named,
        " A name leads to all about that player; a heading sorts the table.",
    )
    sections = [Section("active", "Active", table(scribe, active, "Active players"))]
    if idle:
        sections.append(Section("idle", "Idle", table(scribe, idle, "Idle players")))
    sections += scores.over_time(look)
    return Page(URI, "Players", lead, tuple(sections), listed=True)


def table(scribe: Scribe, refs: list[str], label: str) -> Markup:
    """Players with their variables; those that nobody has anything of are only named."""
    if not refs:
        return markup.tag("p", "Nobody.")
    held, empty = _parted(scribe.look, refs)
    head = ["Player", *(scores.headed(variable) for variable in held)]
    rows = ([name(scribe, ref), *(scribe.variable(ref, variable) for variable in held)] for ref in refs)
    rest = markup.tag("p", "Nobody has: ", ", ".join(map(scores.spoken, empty)), ".", class_="nomic-about")
    of = ({"data_of": ref} for ref in refs)
    everybody = reading.roster(scribe.look.world, idle=True)  # whose tables have the same columns at first
    whole = markup.table(
        head, rows, sortable=True, label=label, of=of, more=pasts.marks(scribe, "players", held, everybody)
    )
    hidden = kept_secret(scribe, list(scribe.look.variables("players")))
    return markup.joined((whole, rest if empty else markup.NOTHING, hidden))


def _parted(look: Look, refs: list[str]) -> tuple[list[Variable], list[Variable]]:
    """The variables of players, the dynasty's first: those of which anybody has something, and the others; none that is secret."""
    held: list[Variable] = []
    empty: list[Variable] = []
    for variable in sorted(look.variables("players"), key=lambda v: scores.section(look, v) != "dynastic"):
        if variable.tracked == "public":
            bare = all(markup.empty(look.value(ref, variable.name)) for ref in refs)
            (empty if bare else held).append(variable)
    return held, empty


def name(scribe: Scribe, ref: str) -> Markup:
    """A player's name with their offices."""
    look = scribe.look
    marks = [markup.mark(look.term("emperor"), "emperor")] if ref == reading.emperor(look.world) else []
    if look.world.store.value(ref, "admin") is True:
        marks.append(markup.mark("admin"))
    return markup.joined([scribe.player(ref), *marks], " ")


# A page for each.

_About = tuple[list[int], Mapping[int, str], Sequence[Any], Sequence[Moved]]


def _written(look: Look) -> Mapping[str, list[int]]:
    """The posts of each player, newest first."""
    written: dict[str, list[int]] = {}
    for number in look.posts():
        author = look.world.store.value(f"posts/{number}", "author")
        if isinstance(author, str):
            written.setdefault(author if "/" in author else f"players/{author}", []).append(number)
    return written


def _player(look: Look, ref: str, about: _About) -> Page:
    """All about a player."""
    written, votes, deeds, moves = about
    uri = player_uri(ref)
    scribe = Scribe(look, uri)
    idle = reading.is_idle(look.world, ref)
    marks = [markup.mark("idle" if idle else "active")]
    if ref == reading.emperor(look.world):
        marks.append(markup.mark(look.term("emperor"), "emperor"))
    if look.world.store.value(ref, "admin") is True:
        marks.append(markup.mark("admin"))
    lead = markup.tag(
        "p", markup.joined(marks, " "), " ", scribe.link("All players", URI), class_="nomic-about"
    )
    has = [
        (scores.headed(v), scribe.variable(ref, v))
        for v in look.variables("players")
        if v.tracked == "public" and not markup.empty(look.value(ref, v.name))
    ]
    hidden = kept_secret(scribe, list(look.variables("players")))
    sections = [Section("has", "What they have", markup.facts(has) + hidden), *traces.over_time(look, moves)]
    icons = _counted(votes)
    sections += [
        Section(
            "posts",
            f"Posts ({len(written)})",
            posts.table(scribe, written[:POSTS], of_one=True) if written else markup.NOTHING,
        ),
        Section(
            "votes",
            f"Votes ({len(votes)})",
            markup.joined((charts.bars("Votes by icon", icons), _voted(scribe, votes))),
        ),
        Section(
            "deeds",
            f"Deeds ({len(deeds)})",
            chronicle.rows(scribe, deeds[: -DEEDS - 1 : -1]) if deeds else markup.NOTHING,
        ),
        Section(
            "changes",
            "What changed for them",
            traces.table(scribe, moves, named=False) if moves else markup.NOTHING,
        ),
    ]
    described = f"What {look.name(ref)} has, posted, voted and did in this game."
    return Page(uri, look.name(ref), lead, tuple(each for each in sections if each.body), about=described)


def _counted(votes: Mapping[int, str]) -> list[tuple[str, float]]:
    counts: dict[str, float] = {}
    for icon in votes.values():
        counts[icon.upper()] = counts.get(icon.upper(), 0) + 1
    return sorted(counts.items(), key=lambda pair: -pair[1])


def _voted(scribe: Scribe, votes: Mapping[int, str]) -> Markup:
    if not votes:
        return markup.NOTHING
    rows = (
        [scribe.post(number), markup.mark(icon.upper(), icon), posts.status(scribe.look, f"posts/{number}")]
        for number, icon in sorted(votes.items(), reverse=True)[:POSTS]
    )
    return markup.table(["Matter", "Vote", "What became of it"], rows, sortable=True, label="Votes")
