"""The game as data: JSON of its rules, state, matters, posts and journal, with the schema that they keep to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import islice
from typing import Any

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import kind_of
from nomicgit.record.annals import Done
from nomicgit.site import markup, mornings, provenance
from nomicgit.site.asked import Untold
from nomicgit.site.feeds import TITLES
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, rule_uri, url_of
from nomicgit.site.scribe import Scribe

URI = "data.md"
SCHEMA = "assets/schema.json"
FORMAT = 1
AT_ONCE = 500
TOLD = {
    "game": "The game, the dynasty, and from which commit and when all this was made.",
    "rules": "Every rule: number, revision, prose, declarations, mechanics and amendments.",
    "state": "Every public value of the game, the dynasty, the players and the collections.",
    "matters": "Every pending matter: tally, votes and why each counts, what it waits for, from when it can be resolved.",
    "mornings": "Of every active player, what needs their vote, which actions are open to them now, and why the others are not.",
    "posts": "Every post with its kind, author, times, status and tally.",
    "journal": "Every deed: who, when, what, with which steps, in which commit.",
}

FOLDERS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "feeds": ("Feeds", "These files are for feed readers:", {"Feeds and data": URI}),
    "api": ("Data", "These files are for programs:", {"Feeds and data": URI}),
    "search": (
        "Search",
        "The field at the top of every page searches the law, the players, the gamestate, the posts of this dynasty, and what is "
        "pending. "
        "What it leaves out, older posts, old texts and the journal, is listed:",
        {"Posts": "posts.md", "The law of two times": "law/index.md", "Journal": "journal.md"},
    ),
}
"""The folders of files in which no other page stands: the title of the page there, what it says, and where it leads."""


def files(look: Look) -> dict[str, str]:
    """Every file by its place in the site."""
    seen = look.outlook()
    made: dict[str, Any] = {
        "game": _game(look),
        "rules": list(_rules(look)),
        "state": _state(look),
        "matters": [matter.as_json() for matter in seen.matters] if isinstance(seen, Outlook) else [],
        "mornings": mornings.data(look),
    }
    by_place = {
        f"api/{name}.json": json.dumps({"format": FORMAT, name: value}, default=str) + "\n"
        for name, value in made.items()
    }
    journal = (_deed(look, done) for done in look.annals.deeds)
    by_place |= {
        f"api/{name}.json": _listed(name, each)
        for name, each in (("posts", _posts(look)), ("journal", journal))
    }
    return by_place | {
        "api/schema.json": resources.files("nomicgit.site").joinpath(SCHEMA).read_text(encoding="utf-8")
    }


def _listed(name: str, every: Iterable[Mapping[str, object]]) -> str:
    """A file that lists what there may be very many of, made as text some hundred at a time."""
    lines = (json.dumps(each, default=str) for each in every)
    parts = list[str]()
    while some := ", ".join(islice(lines, AT_ONCE)):
        parts.append(some)
    return f'{{"format": {FORMAT}, "{name}": [{", ".join(parts)}]}}\n'


def pages(look: Look) -> Iterator[Page]:
    """What there is for programs and feed readers, and a page in each folder in which files lie that no page stands for."""
    yield page(look)
    for folder, (title, says, ways) in FOLDERS.items():
        scribe = Scribe(look, uri := f"{folder}/index.md")
        links = (scribe.link(words, to) for words, to in ways.items())
        lead = markup.tag("p", says, " ", markup.joined(links, " · "), ".")
        yield Page(uri, title, lead, searched=False)


def page(look: Look) -> Page:
    """What there is for programs and feed readers."""
    scribe = Scribe(look, URI)
    root = scribe.address("index.md")

    def file(uri: str) -> Markup:
        return markup.tag("a", markup.code(uri), href=root + uri)

    data = markup.listed(markup.joined((file(f"api/{name}.json"), ": ", says)) for name, says in TOLD.items())
    schema = markup.tag(
        "p",
        "They keep to the schema ",
        file("api/schema.json"),
        "; each says its format, and a new one is made where that must change.",
    )
    feeds = markup.listed(
        markup.joined((f"{title}: ", file(f"feeds/{name}.xml"), ", ", file(f"feeds/{name}.json")))
        for name, title in TITLES.items()
    )
    sections = (Section("feeds", "Feeds", feeds), Section("files", "Files", markup.joined((data, schema))))
    return Page(
        URI,
        "Feeds and data",
        markup.tag("p", "The game for feed readers and programs."),
        sections,
        listed=True,
    )


def _game(look: Look) -> dict[str, object]:
    dynasty = look.annals.reigns[-1] if look.annals.reigns else None
    emperor = reading.emperor(look.world)
    return {
        "name": look.game.settings.name,
        "edition": look.game.settings.edition,
        "live": look.live,
        "at": clock.text(look.at),
        "commit": look.game.head.oid,
        "dynasty": {
            "number": dynasty.number,
            "name": dynasty.name,
            "emperor": look.name(emperor) if emperor else None,
        }
        if dynasty
        else None,
        "players": [look.name(ref) for ref in reading.roster(look.world)],
        "deeds": len(look.annals.deeds),
    }


def _rules(look: Look) -> Iterator[dict[str, object]]:
    for placed in look.world.ruleset.rules:
        yield {
            "slug": placed.slug,
            "number": placed.number,
            "title": placed.title,
            "section": placed.section,
            "parent": placed.parent,
            "status": placed.status,
            "revision": provenance.revision_of(look, placed.slug),
            "url": url_of(rule_uri(placed.slug)),
            "text": look.rule_text(placed),
            "declares": dict(placed.front),
            "mechanics": placed.mechanics,
            "amendments": [
                {
                    "revision": a.revision,
                    "at": clock.text(a.done.deed.at),
                    "deed": a.done.place,
                    "post": a.done.source,
                }
                for a in look.annals.amendments.get(placed.slug, ())
            ],
        }


def _state(look: Look) -> dict[str, object]:
    kinds = ["game", "dynasty", "players", *look.world.law.declared.collections]
    state: dict[str, Any] = {}
    for kind in kinds:
        single = kind in ("game", "dynasty")
        collection = look.world.law.declared.collections.get(kind)
        if collection is not None and collection.tracked != "public":
            continue
        refs = (
            [kind]
            if single
            else reading.find(look.world, kind)
            if kind != "players"
            else reading.roster(look.world, idle=True)
        )
        values = {_called(look, ref): _values(look, kind, ref) for ref in refs}
        state[kind] = values[kind] if single else values
    return state


def _called(look: Look, ref: str) -> str:
    return look.name(ref) if kind_of(ref) == "players" else ref.partition("/")[2] or ref


def _values(look: Look, kind: str, ref: str) -> Mapping[str, object]:
    values = ((v.name, look.value(ref, v.name)) for v in look.variables(kind) if v.tracked == "public")
    return {name: None if isinstance(value, Untold) else value for name, value in values}


def _posts(look: Look) -> Iterator[dict[str, object]]:
    for number in look.posts():
        stored = look.world.store.fields(f"posts/{number}") or {}
        tally = (
            look.view("tally", f"posts/{number}")
            if look.value(f"posts/{number}", "votable") is True
            else None
        )
        yield {
            "number": number,
            "kind": str(stored.get("kind")),
            "title": str(stored.get("title")),
            "author": look.name(author) if isinstance(author := stored.get("author"), str) else None,
            "at": str(stored.get("at")),
            "status": stored.get("status"),
            "tally": dict(tally) if isinstance(tally, Mapping) else None,
            "url": url_of(f"posts/{number}.md"),
        }


def _deed(look: Look, done: Done) -> dict[str, object]:
    return {
        "place": done.place,
        "id": done.deed.id,
        "commit": done.commit,
        "at": clock.text(done.deed.at),
        "by": look.name(done.deed.actor) if done.deed.actor else None,
        "action": done.deed.action,
        "notes": list(done.notes),
        "posted": list(done.posted),
        "closed": [list(each) for each in done.closed],
    }
