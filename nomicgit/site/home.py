"""The first page: how things stand, what is pending, how to act, and what happened last."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from nomicgit.gamestate import reading
from nomicgit.site import acts, chronicle, markup, posts
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import ANY, UNTOLD, Look, Scribe, since

URI = "index.md"
LATEST = 8


def page(look: Look) -> Page:
    """The game at a glance."""
    scribe = Scribe(look, URI)
    sections = (
        Section("dynasty", "The dynasty", markup.facts(_dynasty(scribe))),
        Section("pending", "Pending matters", _pending(scribe)),
        Section(
            "act",
            "How to act",
            markup.joined((acts.how(look), markup.tag("p", scribe.link("All actions", acts.URI)))),
        ),
        Section("latest", "Latest deeds", _latest(scribe)),
    )
    lead = markup.tag("p", "As it stands at ", markup.moment(look.at), ".", class_="nomic-about")
    return Page(URI, look.game.settings.name or "The game", lead, sections, listed=True)


def empty() -> Page:
    """The only page of a repository without a game."""
    lead = markup.joined(
        (
            markup.tag("p", "There is no game in this repository yet."),
            markup.tag(
                "p",
                "Found one with ",
                markup.code("nomicgit new"),
                ": its ruleset, players, gamestate and posts then stand here.",
            ),
        )
    )
    return Page(URI, "No game yet", lead, listed=True)


def _dynasty(scribe: Scribe) -> Iterator[tuple[object, object]]:
    look = scribe.look
    stored = look.world.store.value
    number, name, began = (stored("dynasty", field) for field in ("number", "name", "began"))
    yield "Dynasty", f"{number}" + (f": {name}" if isinstance(name, str) and name else "")
    yield look.term("emperor"), scribe.player(reading.emperor(look.world))
    if isinstance(began, str):
        yield "Began", markup.joined((markup.moment(began), f" ({since(look, began)})"))
    yield "Hiatus", hiatus(scribe)
    quorum = look.view("quorum")
    if quorum is not None:
        yield "Quorum", scribe.value(ANY, quorum)
    active = len(reading.roster(look.world))
    yield "Players", scribe.link(f"{active} active", "players.md")
    yield "Rules", scribe.link(f"{len(look.world.ruleset.rules)}", "ruleset.md")


def hiatus(scribe: Scribe) -> Markup:
    """Whether there is a hiatus, and why, as far as the law tells."""
    found = scribe.look.view("hiatus")
    if found is UNTOLD:
        return scribe.value(ANY, found)
    if not found:
        return markup.escaped("none")
    why = found if isinstance(found, str) else scribe.look.asked("hiatus_reason")
    return markup.joined((markup.mark("hiatus"), why if isinstance(why, str) and why else "yes"), " ")


def _pending(scribe: Scribe) -> Markup:
    numbers = scribe.look.pending()
    if not numbers:
        return markup.tag("p", "Nothing is pending.")
    rows = [_matter(scribe, number) for number in numbers]
    return markup.table(["Matter", "Author", "Posted", "Votes", "What is to be done"], rows)


def _matter(scribe: Scribe, number: int) -> list[object]:
    ref = f"posts/{number}"
    at = since(scribe.look, scribe.look.world.store.value(ref, "at"))
    return [
        scribe.post(number),
        scribe.author(ref),
        at,
        posts.tally(scribe.look, ref),
        posts.verdict(scribe, ref),
    ]


def _latest(scribe: Scribe) -> Markup:
    rows = (chronicle.row(scribe, commit)[:3] for commit in chronicle.latest(scribe.look, LATEST))
    return markup.joined(
        (
            markup.table(["When", "Who", "What"], rows),
            markup.tag("p", scribe.link("The journal", chronicle.URI)),
        )
    )
