"""The posts: a list, newest first, and a page for each with its comments and votes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.gamestate import reading
from nomicgit.site import markup
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import ANY, Look, Scribe, nothing
from nomicgit.site.untrusted import rendered

URI = "posts.md"
SHOWN_APART = frozenset({"tally", "reasons", "verdict"})


def pages(look: Look) -> Iterator[Page]:
    """The list first, then each post."""
    numbers = look.posts()
    yield index(look, numbers)
    for number in numbers:
        yield of_post(look, number)


def index(look: Look, numbers: list[int]) -> Page:
    """All posts, newest first."""
    scribe = Scribe(look, URI)
    head = ["Post", "Kind", "Author", "When", "Status", "Votes"]
    rows = ([scribe.post(number), *_row(scribe, f"posts/{number}")] for number in numbers)
    lead = markup.table(head, rows) if numbers else markup.tag("p", "There is no post yet.")
    return Page(URI, "Posts", lead, listed=True)


def _row(scribe: Scribe, ref: str) -> list[object]:
    stored = scribe.look.world.store.value
    votes = tally(scribe.look, ref) if votable(scribe.look, ref) else nothing()
    return [
        str(stored(ref, "kind")),
        scribe.author(ref),
        markup.moment(str(stored(ref, "at"))),
        status(scribe.look, ref),
        votes,
    ]


def votable(look: Look, ref: str) -> bool:
    """Whether people vote on a post."""
    return look.value(ref, "votable") is True


def tally(look: Look, ref: str) -> Markup:
    """How many of which vote a matter has."""
    return markup.counted(look.view("tally", ref))


def status(look: Look, ref: str) -> Markup:
    """What became of a post."""
    found = look.world.store.value(ref, "status")
    return markup.mark(found) if isinstance(found, str) else nothing()


def verdict(scribe: Scribe, ref: str) -> Markup:
    """What is to be done about a pending matter, and why."""
    found = scribe.look.view("verdict", ref)
    if not isinstance(found, Mapping):
        return scribe.value(ANY, found)
    parts = [
        markup.mark(str(found.get("outcome", ""))),
        *(found[key] for key in ("reason",) if found.get(key)),
    ]
    if found.get("waits_for"):
        parts.append(markup.joined(("waits for ", scribe.value(ANY, found["waits_for"]))))
    return markup.joined(parts, " ")


def of_post(look: Look, number: int) -> Page:
    """A post: what it says and does, how the votes stand, what was said of it."""
    uri, ref = f"posts/{number}.md", f"posts/{number}"
    scribe, stored = Scribe(look, uri), look.world.store.fields(ref) or {}
    sections = []
    if votable(look, ref):
        sections.append(Section("votes", "Votes", _votes(scribe, ref)))
    if stored.get("changes"):
        sections.append(Section("changes", "What it changes", markup.as_yaml(stored["changes"])))
    said = reading.comments(look.world, ref)
    if said:
        bodies = [_comment(scribe, place, entry) for place, entry in enumerate(said, 1)]
        sections.append(Section("comments", "Comments", markup.joined(bodies)))
    body = markup.tag("div", rendered(str(stored.get("body", ""))), class_="nomic-body")
    lead = markup.joined((markup.facts(_facts(scribe, ref, stored)), body))
    return Page(uri, f"{number}. {stored.get('title', '')}", lead, tuple(sections))


def _facts(scribe: Scribe, ref: str, stored: Mapping[str, Any]) -> Iterator[tuple[object, object]]:
    yield "Kind", str(stored.get("kind"))
    yield "By", scribe.author(ref)
    yield "Posted", markup.moment(str(stored.get("at")))
    if isinstance(stored.get("status"), str):
        yield "Status", status(scribe.look, ref)
    if stored.get("tags"):
        yield "Tags", ", ".join(map(str, stored["tags"]))
    for variable in scribe.look.variables("posts"):
        if variable.tracked != "public":
            if variable.name in stored:
                yield variable.name.replace("_", " "), scribe.variable(ref, variable)
        elif scribe.look.value(ref, variable.name) not in (None, "", [], {}, False):
            yield variable.name.replace("_", " "), scribe.variable(ref, variable)


def _votes(scribe: Scribe, ref: str) -> Markup:
    """The tally, what is to be done, and why each vote counts or not."""
    look = scribe.look
    lines = [markup.tag("p", tally(look, ref))]
    if look.world.store.value(ref, "status") == "pending":
        lines.append(markup.tag("p", verdict(scribe, ref)))
    reasons = look.view("reasons", ref)
    if isinstance(reasons, Mapping) and reasons:
        lines.append(
            markup.table(
                ["Voter", "Counts as"], ((scribe.value(ANY, who), str(why)) for who, why in reasons.items())
            )
        )
    more = [
        (name, of)
        for (kind, name), of in look.world.law.declared.views.items()
        if kind == "matter" and name not in SHOWN_APART
    ]
    if more:
        told = [(name.replace("_", " "), scribe.value(ANY, look.view(name, ref))) for name, _ in more]
        lines.append(markup.folded("All that the rules say of it", markup.facts(told)))
    return markup.joined(lines)


def _comment(scribe: Scribe, place: int, entry: Mapping[str, Any]) -> Markup:
    by = scribe.player(entry["by"]) if entry["by"] else markup.escaped("the clock")
    icon = [markup.mark(str(entry["icon"]).upper(), str(entry["icon"]))] if entry["icon"] else []
    head = markup.tag(
        "p", markup.joined([by, *icon, markup.moment(str(entry["at"]))], " "), class_="nomic-about"
    )
    return markup.tag(
        "div", head, rendered(str(entry["text"])), class_="nomic-comment", id=f"comment-{place}"
    )
