"""Feeds: all posts, what is pending, and changes of the law, each as Atom and as JSON Feed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.record.annals import Done
from nomicgit.site import bygone, chronicle, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import url_of
from nomicgit.site.untrusted import rendered

LATEST = 50
TITLES = {"posts": "Posts", "pending": "Pending matters", "law": "Changes of the law"}


class Entry(Struct, frozen=True):
    """An entry of a feed. ``uri`` is the page it tells of, ``name`` lasts, times are texts."""

    name: str
    uri: str
    title: str
    at: str
    author: str
    html: str


def files(look: Look, root: str) -> dict[str, str]:
    """Every feed by its place in the site. ``root`` is the site's address; without one, links start from the feed."""
    by_place = {}
    for name, entries in (
        ("posts", _posts(look, look.posts()[:LATEST])),
        ("pending", _posts(look, look.pending()[::-1])),
        ("law", _law(look)),
    ):
        some = list(entries)
        by_place[f"feeds/{name}.xml"] = _atom(look, name, some, root or "../")
        by_place[f"feeds/{name}.json"] = _json(look, name, some, root or "../")
    return by_place


def _posts(look: Look, numbers: Sequence[int]) -> Iterator[Entry]:
    for number in numbers:
        stored = look.world.store.fields(f"posts/{number}") or {}
        author = stored.get("author")
        name = look.name(str(author)) if author else "the clock"
        yield Entry(
            f"post:{number}",
            f"posts/{number}.md",
            str(stored.get("title", "")),
            str(stored.get("at")),
            name,
            rendered(str(stored.get("body", ""))),
        )


def _law(look: Look) -> Iterator[Entry]:
    turns: dict[int, Done] = {}
    rules: dict[int, list[str]] = {}
    for slug, history in look.annals.amendments.items():
        for each in history:
            turns[each.done.place] = each.done
            rules.setdefault(each.done.place, []).append(slug)
    for place in sorted(turns, reverse=True)[:LATEST]:
        done = turns[place]
        title = look.world.store.value(f"posts/{done.source}", "title") if done.source is not None else None
        said = markup.listed(rules[place])
        what = (
            f"{done.source}. {title}"
            if isinstance(title, str)
            else f"{len(rules[place])} rules, by {chronicle.called(done)}"
        )
        yield Entry(
            f"law:{place}",
            bygone.law_uri(done),
            what,
            clock.text(done.deed.at),
            look.doer(done),
            said,
        )


def _name(look: Look) -> str:
    """A lasting name of the game: its founding commit."""
    return f"urn:nomicgit:{look.annals.deeds[0].commit}"


def _title(look: Look, name: str) -> str:
    return f"{look.game.settings.name or 'The game'}: {TITLES[name]}"


def _atom(look: Look, name: str, entries: Sequence[Entry], root: str) -> str:
    tag = markup.tag
    elements = [
        tag(
            "entry",
            tag("id", f"{_name(look)}:{each.name}"),
            tag("title", each.title),
            tag("updated", each.at),
            tag("author", tag("name", each.author)),
            Markup('<link href="%s"/>') % (root + url_of(each.uri)),
            tag("content", str(each.html), type="html"),
        )
        for each in entries
    ]
    updated = max((each.at for each in entries), default=clock.text(look.annals.deeds[0].deed.at))
    feed = tag(
        "feed",
        tag("id", f"{_name(look)}:{name}"),
        tag("title", _title(look, name)),
        tag("updated", updated),
        *elements,
        xmlns="http://www.w3.org/2005/Atom",
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n{feed}\n'


def _json(look: Look, name: str, entries: Sequence[Entry], root: str) -> str:
    items = [
        {
            "id": f"{_name(look)}:{e.name}",
            "url": root + url_of(e.uri),
            "title": e.title,
            "content_html": str(e.html),
            "date_published": e.at,
            "authors": [{"name": e.author}],
        }
        for e in entries
    ]
    return (
        json.dumps(
            {"version": "https://jsonfeed.org/version/1.1", "title": _title(look, name), "items": items},
            indent=1,
        )
        + "\n"
    )
